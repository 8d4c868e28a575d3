/* SPDX-License-Identifier: MIT */
/*
 * match.c - playing the games of a match on several threads.
 *
 * One mutex guards the results and the counter of games. A thread holds it to take the next game
 * and to hand in a finished one, never while an engine thinks.
 */
#include "match/match.h"
#include "core/clock.h"
#include "match/engine_protocol.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NANOS_A_MILLI = 1000000, DEFAULT_MILLIS = 1000 };

typedef struct match match;

typedef struct worker {
    match *owner;
    pthread_t thread;
    match_engine *engines[2];
} worker;

struct match {
    const match_options *options;
    match_results *results;
    pthread_mutex_t mutex;
    pthread_cond_t idle; /* a worker has gone */
    uint64_t next;       /* number of the game to look at next */
    unsigned busy;
    bool decided;      /* by the sequential test: the rest is not needed */
    bool was_ready[2]; /* the engine has played somewhere */
    atomic_bool halt;  /* what the engines look at: stopped, decided or failed */
    ply_status status;
    ply_error error;
    char *start_text; /* of the usual start */
    worker *workers;
};

match_limits ply_match_engine_limits(const char *spec, const match_limits *given)
{
    ply_player_spec ours;
    match_limits limits = *given;
    if (ply_player_spec_parse(&ours, spec, NULL) == PLY_OK) {
        if (ours.depth || ours.nodes || ours.millis)
            limits =
                (match_limits){.depth = ours.depth, .nodes = ours.nodes, .millis = ours.millis};
        /* A weaker level stops by itself. */
        if (ours.level > 0 && ours.level < PLY_LEVEL_FULL)
            return limits;
    }
    if (!limits.depth && !limits.nodes && !limits.millis && !limits.has_clock)
        limits.millis = DEFAULT_MILLIS;
    return limits;
}

static void fail(match *m, ply_status status, const ply_error *error)
{
    pthread_mutex_lock(&m->mutex);
    if (m->status == PLY_OK) {
        m->status = status;
        if (error)
            m->error = *error;
    }
    pthread_mutex_unlock(&m->mutex);
    atomic_store(&m->halt, true);
}

/* --- one game ------------------------------------------------------------------------------- */
typedef struct play {
    match *owner;
    worker *worker;
    match_game *game;
    ply_state state;
    char *start; /* text of where it begins */
    uint64_t left[2];
    uint32_t bad_moves[2]; /* moves in a row that look lost, by player */
    uint32_t even_plies;
    bool has_score[2];
    int32_t score[2]; /* said last, by player */
    size_t room;      /* of millis and scores */
} play;

static void end_game(play *p, ply_result result, match_ending ending, const char *reason,
                     const char *detail)
{
    p->game->result = result;
    p->game->ending = ending;
    snprintf(p->game->reason, sizeof p->game->reason, "%s", reason);
    snprintf(p->game->detail, sizeof p->game->detail, "%s", detail);
}

static void lose(play *p, int player, match_ending ending, const char *reason, const char *detail)
{
    end_game(p, player == 0 ? PLY_SECOND_WINS : PLY_FIRST_WINS, ending, reason, detail);
}

static bool note_ply(play *p, int32_t millis, int32_t score)
{
    match_game *game = p->game;
    if (game->plies == p->room) {
        size_t room = p->room ? p->room * 2 : 128;
        int32_t *all_millis = realloc(game->millis, room * sizeof *all_millis);
        if (all_millis)
            game->millis = all_millis;
        int32_t *all_scores = realloc(game->scores, room * sizeof *all_scores);
        if (all_scores)
            game->scores = all_scores;
        if (!all_millis || !all_scores)
            return false;
        p->room = room;
    }
    game->millis[game->plies] = millis;
    game->scores[game->plies++] = score;
    return true;
}

/* Whether the scores are plain enough to end the game here. */
static bool adjudicate(play *p, int player, const match_answer *answer)
{
    const match_adjudication *a = &p->owner->options->adjudication;
    p->has_score[player] = answer->has_score;
    p->score[player] = answer->score;
    bool agreed = !p->has_score[!player] || p->score[!player] >= a->resign_score;
    bool lost = answer->has_score && answer->score <= -a->resign_score && agreed;
    p->bad_moves[player] = lost ? p->bad_moves[player] + 1 : 0;
    if (a->resign_moves && p->bad_moves[player] >= a->resign_moves) {
        lose(p, player, MATCH_BY_ADJUDICATION, "score", "");
        return true;
    }
    bool even = answer->has_score && abs(answer->score) <= a->draw_score;
    p->even_plies = even ? p->even_plies + 1 : 0;
    if (a->draw_moves && p->state.plies >= a->draw_from && p->even_plies >= a->draw_moves) {
        end_game(p, PLY_DRAW, MATCH_BY_ADJUDICATION, "even", "");
        return true;
    }
    return false;
}

/* The milliseconds an engine has for this move; without a clock, until patience ends. */
static uint64_t allowance(const play *p, const match_limits *l, int player)
{
    if (l->has_clock)
        return p->left[player] + l->byoyomi;
    return l->millis ? l->millis : p->owner->options->patience;
}

/* Charges the time of a move; false when it was too much. */
static bool charge(play *p, const match_limits *l, int player, uint64_t used)
{
    if (used > allowance(p, l, player) + p->owner->options->margin)
        return false;
    if (l->has_clock)
        p->left[player] = (used < p->left[player] ? p->left[player] - used : 0) + l->increment;
    return true;
}

/* Asks who is to move and plays it. False when the game is over, or cannot go on. */
static bool play_ply(play *p)
{
    const match_options *o = p->owner->options;
    const ply_rules *rules = o->rules;
    int player = rules->game->side(rules, p->state.position);
    int number = match_engine_of(p->game->number, player);
    const match_limits *limits = &o->limits[number];
    uint64_t begin = ply_clock_nanos();
    match_turn turn = {.limits = limits,
                       .left = {p->left[0], p->left[1]},
                       .deadline =
                           begin + (allowance(p, limits, player) + o->margin) * NANOS_A_MILLI,
                       .start = p->start,
                       .usual_start = strcmp(p->start, p->owner->start_text) == 0};
    match_answer answer;
    ply_match_engine_think(p->worker->engines[number], &p->state, &turn, &answer);
    uint64_t used = (ply_clock_nanos() - begin) / NANOS_A_MILLI;
    bool timed = limits->has_clock || limits->millis;
    if (answer.kind == MATCH_STOPPED)
        return false;
    if (answer.kind == MATCH_CRASH) {
        lose(p, player, MATCH_BY_CRASH, "crash", answer.detail);
    } else if (answer.kind == MATCH_TIME || (!charge(p, limits, player, used) && timed)) {
        snprintf(answer.detail, sizeof answer.detail, "%llu ms", (unsigned long long)used);
        lose(p, player, MATCH_BY_TIME, "time", answer.detail);
    } else if (answer.kind == MATCH_RESIGN) {
        lose(p, player, MATCH_BY_RESIGNATION, "resign", "");
    } else if (answer.kind == MATCH_CLAIM) {
        /* The rules would have ended the game if there were a win to claim. */
        lose(p, player, MATCH_BY_ILLEGAL, "false-claim", "");
    } else if (answer.kind == MATCH_ILLEGAL) {
        lose(p, player, MATCH_BY_ILLEGAL, "illegal-move", answer.detail);
    } else {
        int32_t score = answer.has_score ? answer.score : MATCH_NO_SCORE;
        ply_status status = ply_state_play(&p->state, answer.move);
        if (status == PLY_LIMIT) {
            end_game(p, PLY_DRAW, MATCH_BY_ADJUDICATION, "limit", "the rules' own limit");
            return false;
        }
        if (status != PLY_OK ||
            !note_ply(p, (int32_t)(used < INT32_MAX ? used : INT32_MAX), score)) {
            fail(p->owner, PLY_NO_MEMORY, NULL);
            return false;
        }
        return ply_state_outcome(&p->state).result != PLY_ONGOING ||
               !adjudicate(p, player, &answer);
    }
    return false;
}

static void play_moves(play *p)
{
    const match_options *o = p->owner->options;
    do {
        ply_outcome outcome = ply_state_outcome(&p->state);
        if (outcome.result != PLY_ONGOING) {
            end_game(p, outcome.result, MATCH_BY_RULES, outcome.reason, "");
            return;
        }
        if (o->adjudication.max_plies && p->state.plies >= o->adjudication.max_plies) {
            end_game(p, PLY_DRAW, MATCH_BY_ADJUDICATION, "max-plies", "");
            return;
        }
        if (atomic_load_explicit(&p->owner->halt, memory_order_relaxed))
            return;
    } while (play_ply(p));
}

/* Gets both engines ready. One that never was is no loser but a reason to have no match. */
static bool get_ready(play *p)
{
    match *m = p->owner;
    for (int number = 0; number < 2; number++) {
        match_engine *engine = p->worker->engines[number];
        match_answer failure;
        bool ready = ply_match_engine_new_game(engine, p->game->number, &failure);
        pthread_mutex_lock(&m->mutex);
        bool before = m->was_ready[number];
        m->was_ready[number] = before || ready;
        pthread_mutex_unlock(&m->mutex);
        if (ready)
            continue;
        if (failure.kind == MATCH_STOPPED)
            return false;
        if (!before) {
            ply_error error = {0};
            ply_error_set(&error, PLY_IO, "%s did not get ready: %s", m->options->engines[number],
                          failure.detail);
            fail(m, PLY_IO, &error);
            return false;
        }
        lose(p, match_engine_of(p->game->number, number), MATCH_BY_CRASH, "crash", failure.detail);
        return false;
    }
    return true;
}

static char *position_text(const ply_state *state)
{
    ply_text text = ply_text_growing();
    state->rules->game->format(state->rules, state->position, &text);
    if (text.failed)
        ply_text_free(&text);
    return text.data;
}

/* The text of the position before all moves. */
static char *start_of(const ply_state *state)
{
    ply_state copy;
    if (ply_state_copy(&copy, state) != PLY_OK)
        return NULL;
    while (ply_state_undo(&copy))
        continue;
    char *text = position_text(&copy);
    ply_state_free(&copy);
    return text;
}

static bool open_play(play *p, ply_error *error)
{
    const match_options *o = p->owner->options;
    const char *name, *start;
    ply_status status =
        ply_match_openings_set(o->openings, p->game->number / 2, &p->state, &name, &start, error);
    if (status != PLY_OK)
        return false;
    p->start = start_of(&p->state);
    p->game->opening = strdup(name);
    p->game->start = strdup(start);
    p->game->opening_plies = p->state.plies;
    bool good = p->start && p->game->opening && p->game->start;
    for (size_t i = 0; i < p->state.plies && good; i++)
        good = note_ply(p, -1, MATCH_NO_SCORE);
    for (int player = 0; player < 2; player++)
        p->left[player] = o->limits[match_engine_of(p->game->number, player)].clock;
    if (!good)
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    return good;
}

static void tell_engines(play *p)
{
    int points = ply_match_game_points(p->game) - 1;
    ply_match_engine_game_over(p->worker->engines[0], points);
    ply_match_engine_game_over(p->worker->engines[1], -points);
}

/* Plays game `number`. NULL when it was not finished. */
static match_game *play_game(match *m, worker *w, uint64_t number)
{
    play p = {.owner = m, .worker = w, .game = calloc(1, sizeof(match_game))};
    ply_error error = {.message = "out of memory"};
    if (!p.game || ply_state_init(&p.state, m->options->rules) != PLY_OK) {
        free(p.game);
        fail(m, PLY_NO_MEMORY, &error);
        return NULL;
    }
    p.game->number = number;
    if (!open_play(&p, &error))
        fail(m, PLY_BAD_POSITION, &error);
    else if (get_ready(&p))
        play_moves(&p);
    if (p.game->result != PLY_ONGOING) {
        tell_engines(&p);
        ply_text moves = ply_text_growing();
        if (ply_client_moves_text(&p.state, &moves) && (p.state.plies == 0 || moves.length > 1))
            p.game->moves = strdup(p.state.plies ? ply_text_cstr(&moves) + 1 : "");
        ply_text_free(&moves);
        if (!p.game->moves)
            fail(m, PLY_NO_MEMORY, &error);
    }
    ply_state_free(&p.state);
    free(p.start);
    if (p.game->result == PLY_ONGOING || !p.game->moves) {
        ply_match_game_free(p.game);
        return NULL;
    }
    return p.game;
}

/* --- the threads ---------------------------------------------------------------------------- */
static bool take_game(match *m, uint64_t *number)
{
    bool found = false;
    pthread_mutex_lock(&m->mutex);
    while (!found && m->next < m->options->games) {
        found = !m->results->games[m->next];
        *number = m->next++;
    }
    pthread_mutex_unlock(&m->mutex);
    return found && !atomic_load(&m->halt);
}

static void hand_in(match *m, match_game *game)
{
    pthread_mutex_lock(&m->mutex);
    m->results->games[game->number] = game;
    if (m->options->listener)
        m->options->listener(m->options->context, game, m->results);
    uint64_t pairs;
    if (m->options->sprt &&
        ply_match_sprt_decide(m->options->sprt, m->results, &pairs) != MATCH_GO_ON) {
        m->decided = true;
        atomic_store(&m->halt, true);
    }
    pthread_mutex_unlock(&m->mutex);
}

static bool open_engines(worker *w)
{
    const match_options *o = w->owner->options;
    ply_error error = {0};
    for (int number = 0; number < 2; number++) {
        match_engine_options options = {.rules = o->rules,
                                        .spec = o->engines[number],
                                        .settings = o->settings[number],
                                        .tables = o->tables[number],
                                        /* Two players of one name are still two. */
                                        .seed = o->seed * 2 + (uint64_t)number + 1,
                                        .patience = o->patience,
                                        .stop = &w->owner->halt,
                                        .traffic = o->traffic,
                                        .context = o->context};
        match_engine *engine = ply_match_engine_open(&options, &error);
        pthread_mutex_lock(&w->owner->mutex);
        w->engines[number] = engine;
        pthread_mutex_unlock(&w->owner->mutex);
        if (!engine) {
            fail(w->owner, error.status, &error);
            return false;
        }
    }
    return true;
}

static void *work(void *argument)
{
    worker *w = argument;
    match *m = w->owner;
    sigset_t pipe_signal;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, NULL);
    uint64_t number;
    if (open_engines(w))
        while (take_game(m, &number)) {
            match_game *game = play_game(m, w, number);
            if (game)
                hand_in(m, game);
        }
    pthread_mutex_lock(&m->mutex);
    match_engine *engines[2] = {w->engines[0], w->engines[1]};
    w->engines[0] = w->engines[1] = NULL;
    pthread_mutex_unlock(&m->mutex);
    ply_match_engine_close(engines[0]);
    ply_match_engine_close(engines[1]);
    pthread_mutex_lock(&m->mutex);
    m->busy--;
    pthread_cond_signal(&m->idle);
    pthread_mutex_unlock(&m->mutex);
    return NULL;
}

/* Waits for the workers; passes a stop on to whoever is thinking, again and again until all heard.
 */
static void oversee(match *m)
{
    pthread_mutex_lock(&m->mutex);
    while (m->busy > 0) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += 20 * NANOS_A_MILLI;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&m->idle, &m->mutex, &until);
        if (atomic_load(m->options->stop))
            atomic_store(&m->halt, true);
        if (atomic_load(&m->halt))
            for (unsigned i = 0; i < m->options->concurrency; i++)
                for (int number = 0; number < 2; number++)
                    if (m->workers[i].engines[number])
                        ply_match_engine_interrupt(m->workers[i].engines[number]);
    }
    pthread_mutex_unlock(&m->mutex);
}

static ply_status run_workers(match *m)
{
    unsigned started = 0;
    m->busy = m->options->concurrency;
    for (; started < m->options->concurrency; started++) {
        m->workers[started].owner = m;
        if (pthread_create(&m->workers[started].thread, NULL, work, &m->workers[started]) != 0)
            break;
    }
    if (started < m->options->concurrency) {
        ply_error error = {.message = "no more threads"};
        fail(m, PLY_LIMIT, &error);
        pthread_mutex_lock(&m->mutex);
        m->busy -= m->options->concurrency - started;
        pthread_mutex_unlock(&m->mutex);
    }
    oversee(m);
    for (unsigned i = 0; i < started; i++)
        pthread_join(m->workers[i].thread, NULL);
    if (m->status != PLY_OK)
        return m->status;
    return atomic_load(m->options->stop) && !m->decided ? PLY_STOPPED : PLY_OK;
}

ply_status ply_match_run(const match_options *options, match_results *results, ply_error *error)
{
    match m = {.options = options,
               .results = results,
               .workers = calloc(options->concurrency, sizeof(worker))};
    uint64_t pairs;
    ply_state start;
    if (options->sprt && ply_match_sprt_decide(options->sprt, results, &pairs) != MATCH_GO_ON) {
        free(m.workers);
        return PLY_OK;
    }
    if (m.workers && ply_state_init(&start, options->rules) == PLY_OK) {
        m.start_text = position_text(&start);
        ply_state_free(&start);
    }
    if (!m.start_text) {
        free(m.workers);
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&m.mutex, NULL);
    pthread_cond_init(&m.idle, &monotonic);
    ply_status status = run_workers(&m);
    if (status != PLY_OK && error)
        *error = m.error;
    pthread_cond_destroy(&m.idle);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_destroy(&m.mutex);
    free(m.start_text);
    free(m.workers);
    return status;
}
