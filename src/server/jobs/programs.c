/* SPDX-License-Identifier: MIT */
/* programs.c - see programs.h. */
#include "server/jobs/programs.h"
#include "core/clock.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROGRAM_LIMIT = 8,
    READY_MILLIS = 120000,     /* a program may take to start: it may load large files */
    MARGIN_MILLIS = 10000,     /* a move may be late: the machine also serves the page */
    PLAY_IDLE_SECONDS = 600,   /* a person may think for a while */
    ANALYSIS_IDLE_SECONDS = 3, /* from one position to the next */
    CLOSE_SECONDS = 3600,      /* the keeper's wait when there is nothing to do */
};
#define NANOS_PER_MILLI UINT64_C(1000000)
#define NANOS_PER_SECOND UINT64_C(1000000000)

struct running_program {
    program_pool *pool;
    running_program *next;
    program_spec spec;
    program_purpose purpose;
    ply_rules rules; /* a copy: the engine must not depend on a game that may leave memory */
    match_engine *engine;
    bool taken;      /* guarded by the pool's lock, as is `end_at` */
    uint64_t end_at; /* when to end it, if it is not taken by then; on the clock of core/clock.h */
    atomic_bool stop, enough;
    /* The game it was last asked in: */
    char *start;     /* the text of its start; NULL: none yet */
    ply_move *moves; /* those played, and its answer */
    size_t plies, capacity;
};

static void free_program(running_program *p)
{
    ply_match_engine_close(p->engine);
    free(p->start);
    free(p->moves);
    free(p);
}

/* --- the pool --------------------------------------------------------------------------------- */
void program_pool_open(program_pool *pool)
{
    *pool = (program_pool){0};
    pthread_mutex_init(&pool->lock, NULL);
    ply_cond_init(&pool->changed);
}

/* Takes a program out of the list. The caller holds the lock. */
static void unlink_program(running_program *p)
{
    for (running_program **link = &p->pool->first; *link; link = &(*link)->next)
        if (*link == p) {
            *link = p->next;
            p->pool->count--;
            return;
        }
}

/* The program that is to end first; NULL if all are taken. The caller holds the lock. */
static running_program *first_to_end(const program_pool *pool)
{
    running_program *first = NULL;
    for (running_program *p = pool->first; p; p = p->next)
        if (!p->taken && (!first || p->end_at < first->end_at))
            first = p;
    return first;
}

/* Ends programs whose time has come. A program may take a second to end, hence a thread. */
static void *keep(void *context)
{
    program_pool *pool = context;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        running_program *p = first_to_end(pool);
        uint64_t now = ply_clock_nanos();
        if (p && (pool->closing || p->end_at <= now)) {
            unlink_program(p);
            pthread_mutex_unlock(&pool->lock);
            free_program(p);
            pthread_mutex_lock(&pool->lock);
        } else if (pool->closing) {
            break;
        } else {
            struct timespec until =
                ply_clock_deadline(p ? p->end_at - now : CLOSE_SECONDS * NANOS_PER_SECOND);
            pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

void program_pool_close(program_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    if (pool->has_keeper)
        pthread_join(pool->keeper, NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->changed);
}

void program_pool_end_game(program_pool *pool, int64_t game)
{
    pthread_mutex_lock(&pool->lock);
    for (running_program *p = pool->first; p; p = p->next)
        if (p->purpose.game == game && p->purpose.side >= 0)
            p->end_at = 0;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

unsigned program_pool_count(program_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    unsigned count = pool->count;
    pthread_mutex_unlock(&pool->lock);
    return count;
}

/* --- taking and giving back ------------------------------------------------------------------- */
static bool fits(const running_program *p, const program_spec *spec, const ply_rules *rules,
                 program_purpose purpose)
{
    return !p->taken && p->end_at > 0 && p->purpose.game == purpose.game &&
           p->purpose.side == purpose.side && strcmp(p->spec.spec, spec->spec) == 0 &&
           strcmp(p->spec.options, spec->options) == 0 && p->rules.game == rules->game &&
           p->rules.variant == rules->variant &&
           memcmp(p->rules.option, rules->option, sizeof rules->option) == 0;
}

static running_program *make_program(const program_spec *spec, const ply_rules *rules,
                                     program_purpose purpose, ply_error *error)
{
    running_program *p = calloc(1, sizeof *p);
    if (!p) {
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        return NULL;
    }
    p->spec = *spec;
    p->purpose = purpose;
    p->rules = *rules;
    match_engine_options options = {.rules = &p->rules,
                                    .spec = p->spec.spec,
                                    .settings = p->spec.options[0] ? p->spec.options : NULL,
                                    .timeout = READY_MILLIS,
                                    .stop = &p->stop};
    p->engine = ply_match_engine_open(&options, error);
    if (!p->engine) {
        free(p);
        return NULL;
    }
    return p;
}

/* Makes room for one more program, if need be by ending one that waits; false when all are taken.
 * The caller holds the lock. */
static bool make_room(program_pool *pool)
{
    if (pool->closing)
        return false;
    if (!pool->has_keeper)
        pool->has_keeper = pthread_create(&pool->keeper, NULL, keep, pool) == 0;
    if (!pool->has_keeper)
        return false;
    if (pool->count < PROGRAM_LIMIT)
        return true;
    running_program *oldest = first_to_end(pool);
    if (oldest) {
        oldest->end_at = 0;
        pthread_cond_broadcast(&pool->changed);
    }
    return oldest && pool->count < 2 * PROGRAM_LIMIT;
}

running_program *program_take(program_pool *pool, const program_spec *spec, const ply_rules *rules,
                              program_purpose purpose, ply_error *error)
{
    pthread_mutex_lock(&pool->lock);
    running_program *p = pool->first;
    while (p && !fits(p, spec, rules, purpose))
        p = p->next;
    if (!p && make_room(pool)) {
        p = make_program(spec, rules, purpose, error);
        if (p) {
            p->pool = pool;
            p->next = pool->first;
            pool->first = p;
            pool->count++;
        }
    } else if (!p) {
        ply_error_set(error, PLY_LIMIT, "%d programs are running already; try again later",
                      PROGRAM_LIMIT);
    }
    if (p) {
        p->taken = true;
        p->end_at = UINT64_MAX;
        atomic_store(&p->stop, false);
        atomic_store(&p->enough, false);
    }
    pthread_mutex_unlock(&pool->lock);
    return p;
}

void program_give_back(running_program *p, bool may_keep)
{
    program_pool *pool = p->pool;
    uint64_t seconds = p->purpose.side >= 0 ? PLAY_IDLE_SECONDS : ANALYSIS_IDLE_SECONDS;
    pthread_mutex_lock(&pool->lock);
    bool keeps = may_keep && p->end_at > 0 && !atomic_load(&p->stop);
    if (keeps) {
        p->taken = false;
        p->end_at = ply_clock_nanos() + seconds * NANOS_PER_SECOND;
        pthread_cond_broadcast(&pool->changed);
    } else {
        unlink_program(p);
    }
    pthread_mutex_unlock(&pool->lock);
    if (!keeps)
        free_program(p);
}

void program_interrupt(running_program *p)
{
    atomic_store(&p->enough, true);
    if (p->purpose.side >= 0 || !ply_match_engine_can_analyse(p->engine))
        atomic_store(&p->stop, true);
}

/* --- questions -------------------------------------------------------------------------------- */
/* The text of the position that a state began from, which the caller frees; NULL when memory runs
 * out. */
static char *text_of_start(const ply_state *state)
{
    ply_state start;
    ply_text text = ply_text_growing();
    if (ply_state_copy(&start, state) != PLY_OK)
        return NULL;
    while (ply_state_undo(&start))
        continue;
    start.rules->game->format(start.rules, start.position, &text);
    ply_state_free(&start);
    char *copy = text.failed ? NULL : strdup(ply_text_cstr(&text));
    ply_text_free(&text);
    return copy;
}

static bool is_usual_start(const ply_state *state, const char *text)
{
    ply_state usual;
    if (ply_state_init(&usual, state->rules) != PLY_OK)
        return false;
    char *usual_text = text_of_start(&usual);
    bool same = usual_text && strcmp(usual_text, text) == 0;
    free(usual_text);
    ply_state_free(&usual);
    return same;
}

/* Whether the state continues the game that the program was last asked in. */
static bool continues(const running_program *p, const ply_state *state, const char *start)
{
    return p->start && strcmp(p->start, start) == 0 && state->plies >= p->plies &&
           (p->plies == 0 || memcmp(state->moves, p->moves, p->plies * sizeof *p->moves) == 0) &&
           ply_match_engine_continues(p->engine, state);
}

/* Takes note of the game; false when memory runs out. */
static bool remember(running_program *p, const ply_state *state, char *start)
{
    if (p->capacity < state->plies + 1) {
        size_t capacity = 2 * state->plies + 64;
        ply_move *grown = realloc(p->moves, capacity * sizeof *grown);
        if (!grown)
            return false;
        p->moves = grown;
        p->capacity = capacity;
    }
    if (state->plies > 0)
        memcpy(p->moves, state->moves, state->plies * sizeof *p->moves);
    p->plies = state->plies;
    free(p->start);
    p->start = start;
    return true;
}

/* Makes the program ready for a question in this state. start becomes the program's. */
static bool prepare(running_program *p, const ply_state *state, char *start, match_answer *answer)
{
    bool known = start && continues(p, state, start);
    if (!start || !remember(p, state, start)) {
        free(start);
        *answer = (match_answer){.kind = MATCH_CRASH, .detail = "out of memory"};
        return false;
    }
    return known || ply_match_engine_new_game(p->engine, 0, answer);
}

/* A dead program must not kill the server: writing to it is an error value. */
static void block_sigpipe(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void program_ask(running_program *p, const ply_state *state, const ply_search_limits *limits,
                 match_answer *answer)
{
    int side = state->rules->game->side(state->rules, state->position);
    match_limits given = {.millis = limits->millis,
                          .has_clock = limits->has_clock,
                          .clock = limits->clock[side],
                          .increment = limits->increment[side],
                          .byoyomi = limits->byoyomi};
    uint64_t patience =
        (limits->has_clock ? limits->clock[side] + limits->byoyomi : limits->millis) +
        MARGIN_MILLIS;
    block_sigpipe();
    *answer = (match_answer){0};
    if (!prepare(p, state, text_of_start(state), answer))
        return;
    match_turn turn = {.limits = &given,
                       .clocks = {limits->clock[0], limits->clock[1]},
                       .deadline = ply_clock_nanos() + patience * NANOS_PER_MILLI,
                       .start_text = p->start,
                       .usual_start = is_usual_start(state, p->start)};
    ply_match_engine_think(p->engine, state, &turn, answer);
    if (answer->kind == MATCH_MOVE)
        p->moves[p->plies++] = answer->move;
}

void program_analyse(running_program *p, const ply_state *state, const ply_search_limits *limits,
                     match_info_listener *listener, void *context, match_answer *answer)
{
    match_limits none = {0};
    match_analysis analysis = {.lines = limits->multipv ? limits->multipv : 1,
                               .enough = &p->enough,
                               .listener = listener,
                               .context = context};
    block_sigpipe();
    *answer = (match_answer){0};
    if (!prepare(p, state, text_of_start(state), answer))
        return;
    match_turn turn = {.limits = &none,
                       .deadline = ply_clock_nanos() + limits->millis * NANOS_PER_MILLI,
                       .start_text = p->start,
                       .usual_start = is_usual_start(state, p->start),
                       .analysis = &analysis};
    ply_match_engine_analyse(p->engine, state, &turn, answer);
}

void program_explain(const running_program *p, const match_answer *answer, ply_error *error)
{
    const char *name = p->spec.name, *detail = answer->detail;
    switch (answer->kind) {
    case MATCH_ILLEGAL:
        ply_error_set(error, PLY_ILLEGAL_MOVE, "%s answered with an illegal move: '%s'", name,
                      detail);
        break;
    case MATCH_CLAIM:
        ply_error_set(error, PLY_ILLEGAL_MOVE, "%s claims a win that the rules do not give", name);
        break;
    case MATCH_TIMEOUT:
        ply_error_set(error, PLY_STOPPED, "%s did not answer in time", name);
        break;
    default:
        ply_error_set(error, PLY_STOPPED, "%s has failed: %s", name, detail);
        break;
    }
}
