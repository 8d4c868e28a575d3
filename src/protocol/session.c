/* SPDX-License-Identifier: MIT */
/* session.c - sessions and their search thread; see session.h and session_internal.h. */
#include "core/clock.h"
#include "core/options.h"
#include "protocol/session_internal.h"
#include <plyverse/book.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_ROOM = 512 };

static const protocol_handler *const handlers[] = {&ply_protocol_usi, &ply_protocol_gomocup,
                                                   &ply_protocol_hub, &ply_protocol_dxp,
                                                   &ply_protocol_ply};
enum { HANDLERS = sizeof handlers / sizeof handlers[0] };

const ply_protocol *ply_protocol_at(size_t i)
{
    return i < HANDLERS ? &handlers[i]->description : NULL;
}

static const protocol_handler *find_handler(const char *id)
{
    for (size_t i = 0; id && i < HANDLERS; i++)
        if (strcmp(handlers[i]->description.id, id) == 0)
            return handlers[i];
    return NULL;
}

const ply_protocol *ply_protocol_find(const char *id)
{
    const protocol_handler *handler = find_handler(id);
    return handler ? &handler->description : NULL;
}

/* --- sending --------------------------------------------------------------------------------- */
static void send_line(ply_session *s, const char *line, size_t length)
{
    pthread_mutex_lock(&s->output);
    if (s->options.writer)
        s->options.writer(s->options.context, line, length);
    pthread_mutex_unlock(&s->output);
}

void ply_protocol_send_text(ply_session *s, ply_text *text)
{
    if (ply_text_complete(text))
        send_line(s, ply_text_cstr(text), text->length);
    ply_text_free(text);
}

void ply_protocol_send(ply_session *s, const char *format, ...)
{
    char line[LINE_ROOM];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length >= 0)
        send_line(s, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

/* --- searching ------------------------------------------------------------------------------- */
bool ply_protocol_run_search(ply_session *s, const ply_state *state,
                             const ply_search_limits *limits, ply_search_listener *listener,
                             ply_search_report *report, ply_status *status)
{
    /*
     * This thread arms the searcher, then reads the flag. The owner's thread sets the flag, then
     * stops the searcher. In any interleaving at least one of the two takes effect.
     */
    *report = (ply_search_report){0};
    ply_searcher_arm(s->searcher, limits->ponder);
    if (atomic_load(&s->job.stop))
        ply_searcher_stop(s->searcher);
    if (atomic_load(&s->job.ponder_hit))
        ply_searcher_ponderhit(s->searcher);
    ply_search_limits counted = *limits;
    counted.cpu_time = s->cpu_time;
    *status = ply_searcher_run(s->searcher, state, &counted, listener, s, report);
    return !atomic_load(&s->job.stop);
}

ply_move ply_protocol_fallback_move(const ply_state *state, const ply_search_limits *limits)
{
    const ply_rules *rules = state->rules;
    if (limits->only)
        return limits->only_count > 0 ? limits->only[0] : PLY_MOVE_NONE;
    ply_move *moves = malloc(rules->max_moves * (sizeof(ply_move) + sizeof(int32_t)));
    if (!moves)
        return ply_game_count_moves(rules, state->position)
                   ? ply_game_nth_move(rules, state->position, 0)
                   : PLY_MOVE_NONE;
    int32_t *scores = (int32_t *)(moves + rules->max_moves);
    size_t count = rules->game->moves(rules, state->position, moves), best = 0;
    ply_game_score_moves(rules, state->position, moves, count, scores);
    for (size_t i = 1; i < count; i++)
        if (scores[i] > scores[best])
            best = i;
    ply_move move = count > 0 ? moves[best] : PLY_MOVE_NONE;
    free(moves);
    return move;
}

static void on_report(void *context, const ply_search_report *report)
{
    ply_session *s = context;
    if (!atomic_load(&s->job.silent) && report->pv_count > 0)
        s->handler->info(s, report);
}

static void *job_main(void *context)
{
    ply_session *s = context;
    protocol_job *job = &s->job;
    protocol_answer answer = {.purpose = job->purpose};
    if (job->purpose != 0 && s->handler->think) {
        s->handler->think(s, &answer);
    } else {
        ply_protocol_run_search(s, &job->state, &job->limits, s->handler->info ? on_report : NULL,
                                &answer.report, &answer.status);
        if (answer.report.pv_count > 0) {
            const ply_variation *pv = &answer.report.pv[0];
            answer.best = pv->moves[0];
            answer.reply = pv->length > 1 ? pv->moves[1] : PLY_MOVE_NONE;
        } else {
            answer.best = ply_protocol_fallback_move(&job->state, &job->limits);
        }
    }
    if (!atomic_load(&job->silent))
        s->handler->answer(s, &answer);
    atomic_store(&job->done, true);
    return NULL;
}

static void join_job(ply_session *s)
{
    pthread_join(s->job.thread, NULL);
    s->job.started = false;
    ply_state_free(&s->job.state);
    free(s->job.only);
    s->job.only = NULL;
}

void ply_protocol_stop_search(ply_session *s, bool silent)
{
    if (!s->job.started)
        return;
    if (silent)
        atomic_store(&s->job.silent, true);
    atomic_store(&s->job.stop, true);
    ply_searcher_stop(s->searcher);
    join_job(s);
}

void ply_protocol_ponderhit(ply_session *s)
{
    if (!s->job.started)
        return;
    atomic_store(&s->job.ponder_hit, true);
    ply_searcher_ponderhit(s->searcher);
}

bool ply_protocol_is_searching(const ply_session *s)
{
    return s->job.started && !atomic_load(&s->job.done);
}

bool ply_protocol_make_searcher(ply_session *s)
{
    if (!s->searcher)
        s->searcher = ply_searcher_new(&s->rules, &s->search);
    if (!s->searcher) {
        /* The client asked for too much: better a small table than no answer. */
        s->search.memory_mb = 1;
        s->search.threads = 1;
        s->searcher = ply_searcher_new(&s->rules, &s->search);
    }
    return s->searcher != NULL;
}

void ply_protocol_drop_searcher(ply_session *s)
{
    ply_searcher_free(s->searcher);
    s->searcher = NULL;
}

bool ply_protocol_start_search(ply_session *s, const ply_search_limits *limits, int purpose)
{
    ply_protocol_stop_search(s, false);
    protocol_job *job = &s->job;
    *job = (protocol_job){.purpose = purpose, .limits = *limits, .start_time = ply_clock_nanos()};
    if (limits->only) {
        job->only = malloc((limits->only_count + 1) * sizeof(ply_move));
        if (!job->only)
            return false;
        if (limits->only_count > 0)
            memcpy(job->only, limits->only, limits->only_count * sizeof(ply_move));
        job->limits.only = job->only;
    }
    if (ply_protocol_make_searcher(s) && ply_state_copy(&job->state, &s->state) == PLY_OK) {
        job->started = pthread_create(&job->thread, NULL, job_main, s) == 0;
        if (!job->started)
            ply_state_free(&job->state);
    }
    if (!job->started) {
        free(job->only);
        job->only = NULL;
    }
    return job->started;
}

void ply_protocol_clear_search(ply_session *s)
{
    ply_protocol_stop_search(s, true);
    if (ply_protocol_make_searcher(s))
        ply_searcher_clear(s->searcher);
}

/* --- creating and destroying ----------------------------------------------------------------- */
static ply_status open_session(ply_session *s, ply_error *error)
{
    const ply_protocol *protocol = &s->handler->description;
    const char *id = s->options.game ? s->options.game : protocol->game;
    const ply_game *game = s->options.custom_game ? s->options.custom_game
                           : id                   ? ply_game_find(id)
                                                  : ply_game_at(0);
    if (!game)
        return ply_error_set(error, PLY_UNKNOWN_GAME, "no game '%s'", id ? id : "");
    if (protocol->game && strcmp(protocol->game, game->id) != 0)
        return ply_error_set(error, PLY_UNSUPPORTED, "protocol %s is for %s, not for %s",
                             protocol->id, protocol->game, game->id);
    const char *network = s->search.network;
    s->search.network = NULL;
    ply_status status = ply_protocol_set_rules(s, game, s->options.variant, error);
    if (status == PLY_OK)
        status = ply_protocol_set_network(s, network, error);
    ply_book *book = NULL;
    if (status == PLY_OK && s->search.book)
        status = ply_book_open(&s->rules, s->search.book, &book, error);
    ply_book_close(book);
    if (status == PLY_OK && s->handler->open)
        status = s->handler->open(s, error);
    return status;
}

ply_session *ply_session_new(const ply_session_options *options, ply_error *error)
{
    ply_session_options given;
    ply_options_copy(&given, sizeof given, options);
    const protocol_handler *handler =
        given.protocol ? find_handler(given.protocol) : &ply_protocol_ply;
    if (!handler) {
        ply_error_set(error, PLY_UNSUPPORTED, "no protocol '%s'", given.protocol);
        return NULL;
    }
    ply_session *s = calloc(1, sizeof *s);
    void *data = calloc(1, handler->data_bytes + 1);
    if (!s || !data || pthread_mutex_init(&s->output, NULL) != 0) {
        free(s);
        free(data);
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        return NULL;
    }
    s->handler = handler;
    s->data = data;
    s->options = given;
    ply_options_copy(&s->search, sizeof s->search, given.search);
    s->options.search = NULL;
    s->multipv = 1;
    if (s->options.memory_limit_mb == 0)
        s->options.memory_limit_mb = PROTOCOL_MEMORY_LIMIT_MB;
    if (s->options.thread_limit == 0)
        s->options.thread_limit = PROTOCOL_THREAD_LIMIT;
    if (s->search.memory_mb == 0)
        s->search.memory_mb = PROTOCOL_DEFAULT_MB < s->options.memory_limit_mb
                                  ? PROTOCOL_DEFAULT_MB
                                  : s->options.memory_limit_mb;
    if (s->search.threads == 0)
        s->search.threads = 1;
    if (open_session(s, error) != PLY_OK) {
        ply_session_free(s);
        return NULL;
    }
    return s;
}

bool ply_session_line(ply_session *session, const char *line, size_t length)
{
    if (!session || (!line && length > 0))
        return false;
    while (length > 0 && (unsigned char)line[length - 1] <= ' ')
        length--;
    while (length > 0 && (unsigned char)line[0] <= ' ') {
        line++;
        length--;
    }
    return session->handler->line(session, line, length);
}

void ply_session_wait(ply_session *session)
{
    if (session && session->job.started)
        join_job(session);
}

void ply_session_finish(ply_session *session)
{
    if (session)
        ply_protocol_stop_search(session, false);
}

void ply_session_free(ply_session *session)
{
    if (!session)
        return;
    ply_protocol_stop_search(session, true);
    ply_searcher_free(session->searcher);
    if (session->state.position)
        ply_state_free(&session->state);
    pthread_mutex_destroy(&session->output);
    free(session->network);
    free(session->data);
    free(session);
}
