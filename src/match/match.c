/* SPDX-License-Identifier: MIT */
/*
 * match.c - playing the games of a match on several threads.
 *
 * One mutex guards the results and the number of the next game. A thread holds it to take a game
 * and to submit a result, never while an engine is searching.
 */
#include "match/match.h"
#include "core/clock.h"
#include "model/variation.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NANOS_PER_MILLI = 1000000,
    DEFAULT_MILLIS = 1000, /* per move, when there is no other limit */
    SUPERVISE_MILLIS = 20, /* how soon a stop reaches the engines */
    INITIAL_PLIES = 128,   /* room for a game; grows as needed */
};

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
    pthread_cond_t idle; /* a worker has ended */
    uint64_t next;       /* the next game to consider */
    unsigned busy;       /* workers running */
    bool decided;        /* by the SPRT: no more games are needed */
    bool was_ready[2];   /* the engine got ready at least once */
    atomic_bool halt;    /* stopped, decided or failed: the engines give up */
    ply_status status;
    ply_error error;
    char *start_text; /* the usual start position */
    worker *workers;
};

match_limits ply_match_engine_limits(const char *spec, const match_limits *given)
{
    ply_player_spec player;
    match_limits limits = *given;
    if (ply_player_spec_parse(&player, spec, NULL) == PLY_OK) {
        if (player.depth || player.nodes || player.millis)
            limits = (match_limits){
                .depth = player.depth, .nodes = player.nodes, .millis = player.millis};
        /* The lower levels limit themselves. */
        if (player.level > 0 && player.level < PLY_LEVEL_FULL)
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

/* --- one game -------------------------------------------------------------------------------- */
typedef struct play {
    match *owner;
    worker *worker;
    match_game *game;
    ply_state state;
    char *start_text;      /* the position the game began from */
    uint64_t clocks[2];    /* milliseconds left, by player */
    uint32_t bad_moves[2]; /* moves in a row with a losing score, by player */
    uint32_t even_plies;   /* plies in a row with a score near 0 */
    bool has_score[2];
    int32_t score[2]; /* the last one reported, by player */
    size_t capacity;  /* of millis and scores */
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

static bool append_ply(play *p, int32_t millis, int32_t score)
{
    match_game *game = p->game;
    if (game->plies == p->capacity) {
        size_t capacity = p->capacity ? p->capacity * 2 : INITIAL_PLIES;
        int32_t *all_millis = realloc(game->millis, capacity * sizeof *all_millis);
        if (all_millis)
            game->millis = all_millis;
        int32_t *all_scores = realloc(game->scores, capacity * sizeof *all_scores);
        if (all_scores)
            game->scores = all_scores;
        if (!all_millis || !all_scores)
            return false;
        p->capacity = capacity;
    }
    game->millis[game->plies] = millis;
    game->scores[game->plies++] = score;
    return true;
}

/* Ends the game if the scores are clear enough; returns whether it did. */
static bool adjudicate(play *p, int player, const match_answer *answer)
{
    const match_adjudication *a = &p->owner->options->adjudication;
    p->has_score[player] = answer->has_score;
    p->score[player] = answer->score;
    bool opponent_agrees = !p->has_score[!player] || p->score[!player] >= a->resign_score;
    bool lost = answer->has_score && answer->score <= -a->resign_score && opponent_agrees;
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

/* The milliseconds an engine has for this move; without a time limit, the timeout. */
static uint64_t allowance(const play *p, const match_limits *l, int player)
{
    if (l->has_clock)
        return p->clocks[player] + l->byoyomi;
    return l->millis ? l->millis : p->owner->options->timeout;
}

/* Takes the time of a move off the clock; false when it was too much. */
static bool charge(play *p, const match_limits *l, int player, uint64_t used)
{
    if (used > allowance(p, l, player) + p->owner->options->margin)
        return false;
    if (l->has_clock)
        p->clocks[player] =
            (used < p->clocks[player] ? p->clocks[player] - used : 0) + l->increment;
    return true;
}

/* Plays a legal move. False when the game is over, or cannot continue. */
static bool play_move(play *p, int player, const match_answer *answer, uint64_t used)
{
    int32_t score = answer->has_score ? answer->score : MATCH_NO_SCORE;
    ply_status status = ply_state_play(&p->state, answer->move);
    if (status == PLY_LIMIT) {
        end_game(p, PLY_DRAW, MATCH_BY_ADJUDICATION, "limit", "a limit of the rules");
        return false;
    }
    if (status != PLY_OK || !append_ply(p, (int32_t)(used < INT32_MAX ? used : INT32_MAX), score)) {
        fail(p->owner, PLY_NO_MEMORY, NULL);
        return false;
    }
    return ply_state_outcome(&p->state).result != PLY_ONGOING || !adjudicate(p, player, answer);
}

/* Asks the player to move for a move and plays it. False when the game is over, or cannot
 * continue. */
static bool play_ply(play *p)
{
    const match_options *o = p->owner->options;
    const ply_rules *rules = o->rules;
    int player = rules->game->side(rules, p->state.position);
    int number = ply_match_engine_of(p->game->number, player);
    const match_limits *limits = &o->limits[number];
    match_engine *engine = p->worker->engines[number];
    uint64_t patience = allowance(p, limits, player) + (o->cpu_time ? o->timeout : o->margin);
    uint64_t start = ply_match_engine_nanos(engine);
    match_turn turn = {.limits = limits,
                       .clocks = {p->clocks[0], p->clocks[1]},
                       .deadline = ply_clock_nanos() + patience * NANOS_PER_MILLI,
                       .start_text = p->start_text,
                       .usual_start = strcmp(p->start_text, p->owner->start_text) == 0};
    match_answer answer;
    ply_match_engine_think(engine, &p->state, &turn, &answer);
    uint64_t end = ply_match_engine_nanos(engine);
    uint64_t used = end > start ? (end - start) / NANOS_PER_MILLI : 0;
    bool timed = limits->has_clock || limits->millis;
    if (answer.kind == MATCH_STOPPED)
        return false;
    if (answer.kind == MATCH_CRASH) {
        lose(p, player, MATCH_BY_CRASH, "crash", answer.detail);
    } else if (answer.kind == MATCH_TIMEOUT || (!charge(p, limits, player, used) && timed)) {
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
        return play_move(p, player, &answer, used);
    }
    return false;
}

static void play_moves(play *p)
{
    const match_options *o = p->owner->options;
    do {
        ply_outcome outcome = ply_state_outcome(&p->state);
        if (o->watcher)
            o->watcher(o->context, p->game->number, &p->state);
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

/* Gets both engines ready. One that has never been ready does not lose: it fails the match. */
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
        lose(p, ply_match_engine_of(p->game->number, number), MATCH_BY_CRASH, "crash",
             failure.detail);
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

/* The text of the position before the first move. */
static char *start_text_of(const ply_state *state)
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

static bool set_up_game(play *p, ply_error *error)
{
    const match_options *o = p->owner->options;
    const char *name, *start;
    ply_status status =
        ply_match_openings_setup(o->openings, p->game->number / 2, &p->state, &name, &start, error);
    if (status != PLY_OK)
        return false;
    p->start_text = start_text_of(&p->state);
    p->game->opening = strdup(name);
    p->game->start = strdup(start);
    p->game->opening_plies = p->state.plies;
    bool good = p->start_text && p->game->opening && p->game->start;
    for (size_t i = 0; i < p->state.plies && good; i++)
        good = append_ply(p, -1, MATCH_NO_SCORE);
    for (int player = 0; player < 2; player++)
        p->clocks[player] = o->limits[ply_match_engine_of(p->game->number, player)].clock;
    if (!good)
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    return good;
}

static void notify_engines(play *p)
{
    int points = ply_match_game_points(p->game) - 1;
    ply_match_engine_game_over(p->worker->engines[0], points);
    ply_match_engine_game_over(p->worker->engines[1], -points);
}

/* Plays a game. NULL when it was not finished. */
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
    if (!set_up_game(&p, &error))
        fail(m, PLY_BAD_POSITION, &error);
    else if (get_ready(&p))
        play_moves(&p);
    if (p.game->result != PLY_ONGOING) {
        notify_engines(&p);
        ply_text moves = ply_text_growing();
        if (ply_state_format_moves(&p.state, NULL, &moves) == PLY_OK)
            p.game->moves = strdup(ply_text_cstr(&moves));
        ply_text_free(&moves);
        if (!p.game->moves)
            fail(m, PLY_NO_MEMORY, &error);
    }
    ply_state_free(&p.state);
    free(p.start_text);
    if (p.game->result == PLY_ONGOING || !p.game->moves) {
        ply_match_game_free(p.game);
        return NULL;
    }
    return p.game;
}

/* --- the threads ----------------------------------------------------------------------------- */
static bool take_game(match *m, uint64_t *number)
{
    bool found = false;
    const match_share *share = m->options->share;
    if (share) {
        *number = atomic_load(&m->halt) ? m->options->games : share->next(share->context);
        return *number < m->options->games && !atomic_load(&m->halt);
    }
    pthread_mutex_lock(&m->mutex);
    while (!found && m->next < m->options->games) {
        found = !m->results->games[m->next];
        *number = m->next++;
    }
    pthread_mutex_unlock(&m->mutex);
    return found && !atomic_load(&m->halt);
}

static void submit(match *m, match_game *game)
{
    const match_share *share = m->options->share;
    if (share && share->submit)
        share->submit(share->context, game);
    pthread_mutex_lock(&m->mutex);
    m->results->games[game->number] = game;
    if (m->options->listener)
        m->options->listener(m->options->context, game, m->results);
    uint64_t pairs;
    if (m->options->sprt &&
        ply_match_sprt_decide(m->options->sprt, m->results, &pairs) != MATCH_UNDECIDED) {
        m->decided = true;
        atomic_store(&m->halt, true);
    }
    bool ends_others = share && m->decided;
    pthread_mutex_unlock(&m->mutex);
    if (ends_others)
        share->end(share->context);
}

void ply_match_receive(match_share *share, match_game *game)
{
    match *m = share->match;
    if (m && game->number < m->results->capacity && !m->results->games[game->number])
        submit(m, game);
    else
        ply_match_game_free(game);
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
                                        /* Two identical players must not make the same choices. */
                                        .seed = o->seed * 2 + (uint64_t)number + 1,
                                        .timeout = o->timeout,
                                        .cpu_time = o->cpu_time,
                                        .move_time = o->move_time[number],
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
    uint64_t number = 0;
    if (open_engines(w))
        while (take_game(m, &number)) {
            match_game *game = play_game(m, w, number);
            if (game)
                submit(m, game);
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

/* Waits for the workers. Passes a stop on to the engines, repeatedly: they may miss the first. */
static void supervise(match *m)
{
    pthread_mutex_lock(&m->mutex);
    while (m->busy > 0) {
        struct timespec until = ply_clock_deadline(SUPERVISE_MILLIS * NANOS_PER_MILLI);
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
        ply_error error = {.message = "cannot start enough threads"};
        fail(m, PLY_LIMIT, &error);
        pthread_mutex_lock(&m->mutex);
        m->busy -= m->options->concurrency - started;
        pthread_mutex_unlock(&m->mutex);
    }
    supervise(m);
    for (unsigned i = 0; i < started; i++)
        pthread_join(m->workers[i].thread, NULL);
    if (m->status != PLY_OK)
        return m->status;
    return atomic_load(m->options->stop) && !m->decided ? PLY_STOPPED : PLY_OK;
}

/* Plays the games, together with other processes if there are any. */
static ply_status run_shared(match *m)
{
    match_share *share = m->options->share;
    uint64_t pairs;
    m->decided = m->options->sprt &&
                 ply_match_sprt_decide(m->options->sprt, m->results, &pairs) != MATCH_UNDECIDED;
    if (!share)
        return m->decided ? PLY_OK : run_workers(m);
    share->match = m;
    if (!share->start(share->context))
        return ply_error_set(&m->error, PLY_NO_MEMORY, "out of memory");
    if (m->decided)
        share->end(share->context);
    ply_status status = m->decided ? PLY_OK : run_workers(m);
    share->finish(share->context);
    share->match = NULL;
    return status;
}

ply_status ply_match_run(const match_options *options, match_results *results, ply_error *error)
{
    match m = {.options = options,
               .results = results,
               .workers = calloc(options->concurrency, sizeof(worker))};
    ply_state start;
    if (m.workers && ply_state_init(&start, options->rules) == PLY_OK) {
        m.start_text = position_text(&start);
        ply_state_free(&start);
    }
    if (!m.start_text) {
        free(m.workers);
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    }
    pthread_mutex_init(&m.mutex, NULL);
    ply_cond_init(&m.idle);
    ply_status status = run_shared(&m);
    if (status != PLY_OK && error)
        *error = m.error;
    pthread_cond_destroy(&m.idle);
    pthread_mutex_destroy(&m.mutex);
    free(m.start_text);
    free(m.workers);
    return status;
}
