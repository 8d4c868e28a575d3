/* SPDX-License-Identifier: MIT */
/* session.c - the life of a session and its thinking thread; see session.h and session_internal.h. */
#include "core/clock.h"
#include "protocol/session_internal.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const protocol_kind *const kinds[] = {&ply_protocol_usi, &ply_protocol_gomocup,
                                             &ply_protocol_hub, &ply_protocol_dxp,
                                             &ply_protocol_ply};

const ply_protocol *ply_protocol_at(size_t i)
{
    return i < sizeof kinds / sizeof kinds[0] ? &kinds[i]->face : NULL;
}

static const protocol_kind *kind_find(const char *id)
{
    for (size_t i = 0; id && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i]->face.id, id) == 0)
            return kinds[i];
    return NULL;
}

const ply_protocol *ply_protocol_find(const char *id)
{
    const protocol_kind *kind = kind_find(id);
    return kind ? &kind->face : NULL;
}

/* --- writing --------------------------------------------------------------------------------- */
static void write_line(ply_session *s, const char *line, size_t length)
{
    pthread_mutex_lock(&s->output);
    if (s->options.writer)
        s->options.writer(s->options.context, line, length);
    pthread_mutex_unlock(&s->output);
}

void ply_protocol_say_text(ply_session *s, ply_text *text)
{
    if (ply_text_complete(text))
        write_line(s, ply_text_cstr(text), text->length);
    ply_text_free(text);
}

void ply_protocol_say(ply_session *s, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length >= 0)
        write_line(s, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

/* --- thinking -------------------------------------------------------------------------------- */
static bool flag(const uint64_t *value)
{
    return __atomic_load_n(value, __ATOMIC_SEQ_CST) != 0;
}

static void raise_flag(uint64_t *value)
{
    __atomic_store_n(value, 1, __ATOMIC_SEQ_CST);
}

bool ply_protocol_search(ply_session *s, const ply_state *state, const ply_search_limits *limits,
                         ply_search_listener *listener, ply_search_report *report,
                         ply_status *status)
{
    /*
     * Armed first, asked second; the other thread raises the flag first and stops second. Whatever
     * the order in time, one of the two sees the other.
     */
    *report = (ply_search_report){0};
    ply_searcher_arm(s->searcher, limits->ponder);
    if (flag(&s->job.stop))
        ply_searcher_stop(s->searcher);
    if (flag(&s->job.hit))
        ply_searcher_ponderhit(s->searcher);
    *status = ply_searcher_run(s->searcher, state, limits, listener, s, report);
    return !flag(&s->job.stop);
}

ply_move ply_protocol_any_move(const ply_state *state, const ply_search_limits *limits)
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

static void listen(void *context, const ply_search_report *report)
{
    ply_session *s = context;
    if (!flag(&s->job.silent) && report->pv_count > 0)
        s->kind->info(s, report);
}

static void *job_main(void *context)
{
    ply_session *s = context;
    protocol_job *job = &s->job;
    protocol_answer answer = {.purpose = job->purpose};
    if (job->purpose != 0 && s->kind->think) {
        s->kind->think(s, &answer);
    } else {
        ply_protocol_search(s, &job->state, &job->limits, s->kind->info ? listen : NULL,
                            &answer.report, &answer.status);
        if (answer.report.pv_count > 0) {
            const ply_variation *line = &answer.report.pv[0];
            answer.best = line->moves[0];
            answer.reply = line->length > 1 ? line->moves[1] : PLY_MOVE_NONE;
        } else {
            answer.best = ply_protocol_any_move(&job->state, &job->limits);
        }
    }
    if (!flag(&job->silent))
        s->kind->answer(s, &answer);
    raise_flag(&job->done);
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

void ply_protocol_halt(ply_session *s, bool silent)
{
    if (!s->job.started)
        return;
    if (silent)
        raise_flag(&s->job.silent);
    raise_flag(&s->job.stop);
    ply_searcher_stop(s->searcher);
    join_job(s);
}

void ply_protocol_ponderhit(ply_session *s)
{
    if (!s->job.started)
        return;
    raise_flag(&s->job.hit);
    ply_searcher_ponderhit(s->searcher);
}

bool ply_protocol_is_thinking(const ply_session *s)
{
    return s->job.started && !flag(&s->job.done);
}

bool ply_protocol_prepare(ply_session *s)
{
    if (!s->searcher)
        s->searcher = ply_searcher_new(&s->rules, &s->options.search);
    if (!s->searcher) {
        /* Too much asked for: better a small table than no answer. */
        s->options.search.memory_mb = 1;
        s->options.search.threads = 1;
        s->searcher = ply_searcher_new(&s->rules, &s->options.search);
    }
    return s->searcher != NULL;
}

bool ply_protocol_go(ply_session *s, const ply_search_limits *limits, int purpose)
{
    ply_protocol_halt(s, false);
    protocol_job *job = &s->job;
    *job = (protocol_job){.purpose = purpose, .limits = *limits, .began = ply_clock_nanos()};
    if (limits->only) {
        job->only = malloc((limits->only_count + 1) * sizeof(ply_move));
        if (!job->only)
            return false;
        if (limits->only_count > 0)
            memcpy(job->only, limits->only, limits->only_count * sizeof(ply_move));
        job->limits.only = job->only;
    }
    if (!ply_protocol_prepare(s) || ply_state_copy(&job->state, &s->state) != PLY_OK) {
        free(job->only);
        job->only = NULL;
        return false;
    }
    if (pthread_create(&job->thread, NULL, job_main, s) != 0) {
        ply_state_free(&job->state);
        free(job->only);
        job->only = NULL;
        return false;
    }
    job->started = true;
    return true;
}

void ply_protocol_forget(ply_session *s)
{
    ply_protocol_halt(s, true);
    if (ply_protocol_prepare(s))
        ply_searcher_clear(s->searcher);
}

void ply_protocol_move_text(const ply_state *state, ply_move move, ply_text *out)
{
    state->rules->game->format_move(state->rules, state->position, move, out);
}

void ply_protocol_line_text(const ply_state *state, const ply_variation *line,
                            protocol_move_writer *writer, ply_text *out)
{
    ply_state at;
    if (ply_state_copy(&at, state) != PLY_OK)
        return;
    for (uint32_t i = 0; i < line->length; i++) {
        if (i > 0)
            ply_text_char(out, ' ');
        writer(&at, line->moves[i], out);
        if (ply_state_play(&at, line->moves[i]) != PLY_OK)
            break;
    }
    ply_state_free(&at);
}

/* --- life ------------------------------------------------------------------------------------ */
static ply_status open_session(ply_session *s, ply_error *error)
{
    const char *id = s->options.game ? s->options.game : s->kind->face.game;
    const ply_game *game = id ? ply_game_find(id) : ply_game_at(0);
    if (!game)
        return ply_error_set(error, PLY_UNKNOWN_GAME, "no game '%s'", id ? id : "");
    if (s->kind->face.game && strcmp(s->kind->face.game, game->id) != 0)
        return ply_error_set(error, PLY_UNSUPPORTED, "%s is for %s, not for %s", s->kind->face.id,
                             s->kind->face.game, game->id);
    ply_status status = ply_protocol_set_rules(s, game, s->options.variant, error);
    if (status == PLY_OK && s->kind->open)
        status = s->kind->open(s, error);
    return status;
}

ply_session *ply_session_new(const ply_session_options *options, ply_error *error)
{
    const protocol_kind *kind = kind_find(options->protocol);
    if (!kind) {
        ply_error_set(error, PLY_UNSUPPORTED, "no protocol '%s'",
                      options->protocol ? options->protocol : "");
        return NULL;
    }
    ply_session *s = calloc(1, sizeof *s);
    void *own = calloc(1, kind->own_bytes + 1);
    if (!s || !own || pthread_mutex_init(&s->output, NULL) != 0) {
        free(s);
        free(own);
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        return NULL;
    }
    s->kind = kind;
    s->own = own;
    s->options = *options;
    s->lines = 1;
    if (s->options.memory_limit_mb == 0)
        s->options.memory_limit_mb = PROTO_MEMORY_LIMIT_MB;
    if (s->options.thread_limit == 0)
        s->options.thread_limit = PROTO_THREAD_LIMIT;
    if (s->options.search.memory_mb == 0)
        s->options.search.memory_mb = PROTO_DEFAULT_MB < s->options.memory_limit_mb
                                          ? PROTO_DEFAULT_MB
                                          : s->options.memory_limit_mb;
    if (s->options.search.threads == 0)
        s->options.search.threads = 1;
    if (open_session(s, error) != PLY_OK) {
        ply_session_free(s);
        return NULL;
    }
    return s;
}

bool ply_session_line(ply_session *session, const char *line, size_t length)
{
    while (length > 0 && (unsigned char)line[length - 1] <= ' ')
        length--;
    while (length > 0 && (unsigned char)line[0] <= ' ') {
        line++;
        length--;
    }
    return session->kind->line(session, line, length);
}

void ply_session_wait(ply_session *session)
{
    if (session->job.started)
        join_job(session);
}

void ply_session_finish(ply_session *session)
{
    ply_protocol_halt(session, false);
}

void ply_session_free(ply_session *session)
{
    if (!session)
        return;
    ply_protocol_halt(session, true);
    if (session->kind->close)
        session->kind->close(session);
    ply_searcher_free(session->searcher);
    if (session->state.position)
        ply_state_free(&session->state);
    pthread_mutex_destroy(&session->output);
    free(session->own);
    free(session);
}
