/* SPDX-License-Identifier: MIT */
/* tournament.c - see tournament.h. */
#include "server/tournament/tournament.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    OPENING_PLIES = 4,
    MARGIN_MILLIS = 2000, /* the machine also serves the page */
    TIMEOUT_MILLIS = 60000,
    NICE = 10,
};

struct tournament {
    pthread_mutex_t control; /* held while starting and stopping */
    pthread_mutex_t lock;    /* guards what follows, but not `stop` */
    bool has_thread;
    pthread_t thread;
    tournament_status now;
    ply_rules rules;
    match_openings openings;
    match_results results[TOURNAMENT_ENGINES][TOURNAMENT_ENGINES];
    int first, second; /* the engines of the match being played */
    atomic_bool stop;
};

tournament *tournament_new(void)
{
    tournament *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    pthread_mutex_init(&t->control, NULL);
    pthread_mutex_init(&t->lock, NULL);
    t->now.live[0] = t->now.live[1] = -1;
    return t;
}

static void free_games(tournament *t)
{
    for (size_t a = 0; a < TOURNAMENT_ENGINES; a++)
        for (size_t b = 0; b < TOURNAMENT_ENGINES; b++)
            ply_match_results_free(&t->results[a][b]);
    ply_match_openings_free(&t->openings);
}

void tournament_free(tournament *t)
{
    if (!t)
        return;
    tournament_stop(t);
    free_games(t);
    tournament_status_clear(&t->now);
    pthread_mutex_destroy(&t->control);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

/* --- the thread ------------------------------------------------------------------------------- */
static void on_position(void *context, uint64_t number, const ply_state *state)
{
    tournament *t = context;
    ply_text text = ply_text_growing();
    t->rules.game->format(&t->rules, state->position, &text);
    char *position = text.failed ? NULL : strdup(ply_text_cstr(&text));
    ply_text_free(&text);
    pthread_mutex_lock(&t->lock);
    for (int player = 0; player < 2; player++)
        t->now.live[player] = ply_match_engine_of(number, player) == 0 ? t->first : t->second;
    free(t->now.position);
    t->now.position = position;
    t->now.plies = state->plies;
    pthread_mutex_unlock(&t->lock);
}

static void on_game(void *context, const match_game *game, const match_results *results)
{
    (void)game;
    tournament *t = context;
    match_summary summary = ply_match_results_summarize(results, results->capacity);
    pthread_mutex_lock(&t->lock);
    match_summary *pair = &t->now.pairs[t->first][t->second];
    t->now.played += summary.games - pair->games;
    *pair = summary;
    pthread_mutex_unlock(&t->lock);
}

/* Plays the games of two engines up to a round. */
static ply_status play_pair(tournament *t, int a, int b, unsigned rounds, ply_error *error)
{
    const tournament_plan *plan = &t->now.plan;
    match_limits given = {.millis = plan->millis};
    match_options options = {
        .rules = &t->rules,
        .engines = {plan->engines[a].spec, plan->engines[b].spec},
        .settings = {plan->engines[a].options, plan->engines[b].options},
        .limits = {ply_match_engine_limits(plan->engines[a].spec, &given),
                   ply_match_engine_limits(plan->engines[b].spec, &given)},
        .games = 2 * (uint64_t)rounds,
        .seed = plan->seed,
        .concurrency = 1,
        .margin = MARGIN_MILLIS,
        .timeout = TIMEOUT_MILLIS,
        .openings = &t->openings,
        .listener = on_game,
        .watcher = on_position,
        .context = t,
        .stop = &t->stop,
    };
    pthread_mutex_lock(&t->lock);
    t->first = a;
    t->second = b;
    pthread_mutex_unlock(&t->lock);
    return ply_match_run(&options, &t->results[a][b], error);
}

static void *run(void *context)
{
    tournament *t = context;
    ply_error error = {0};
    ply_status status = PLY_OK;
    int count = (int)t->now.plan.count;
    setpriority(PRIO_PROCESS, 0, NICE);
    for (unsigned round = 1; round <= t->now.plan.rounds && status == PLY_OK; round++)
        for (int a = 0; a < count && status == PLY_OK; a++)
            for (int b = a + 1; b < count && status == PLY_OK; b++)
                status = play_pair(t, a, b, round, &error);
    pthread_mutex_lock(&t->lock);
    t->now.live[0] = t->now.live[1] = -1;
    t->now.error = error;
    t->now.stage = status == PLY_OK        ? TOURNAMENT_FINISHED
                   : status == PLY_STOPPED ? TOURNAMENT_STOPPED
                                           : TOURNAMENT_FAILED;
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* --- starting and stopping -------------------------------------------------------------------- */
/* Waits for the thread, if there is one. The caller holds `control`. */
static void join(tournament *t)
{
    if (t->has_thread)
        pthread_join(t->thread, NULL);
    t->has_thread = false;
}

static ply_status prepare(tournament *t, const tournament_plan *plan, ply_error *error)
{
    const ply_game *game = ply_game_find(plan->game);
    if (!game)
        return ply_error_set(error, PLY_UNKNOWN_GAME, "unknown game '%s'", plan->game);
    if (plan->count < 2 || plan->count > TOURNAMENT_ENGINES || plan->rounds < 1 ||
        plan->rounds > TOURNAMENT_ROUNDS)
        return ply_error_set(error, PLY_BAD_ARGUMENT,
                             "a tournament has 2 to %d engines and 1 to %d rounds",
                             TOURNAMENT_ENGINES, TOURNAMENT_ROUNDS);
    ply_status status = ply_rules_make(&t->rules, game, plan->variant, error);
    for (size_t i = 0; i < plan->count && status == PLY_OK; i++)
        status = ply_match_engine_check(&t->rules, plan->engines[i].spec, error);
    if (status != PLY_OK)
        return status;
    free_games(t);
    tournament_status_clear(&t->now);
    t->now = (tournament_status){.plan = *plan, .live = {-1, -1}, .stage = TOURNAMENT_RUNNING};
    t->openings = (match_openings){.seed = plan->seed};
    if (ply_match_openings_builtin(&t->openings, &t->rules, plan->seed, plan->rounds) != PLY_OK)
        t->openings = (match_openings){.random_plies = OPENING_PLIES, .seed = plan->seed};
    for (size_t a = 0; a < plan->count && status == PLY_OK; a++)
        for (size_t b = a + 1; b < plan->count && status == PLY_OK;
             b++, t->now.total += 2 * plan->rounds)
            status = ply_match_results_init(&t->results[a][b], 2 * (uint64_t)plan->rounds);
    return status;
}

ply_status tournament_start(tournament *t, const tournament_plan *plan, ply_error *error)
{
    pthread_mutex_lock(&t->control);
    pthread_mutex_lock(&t->lock);
    bool running = t->now.stage == TOURNAMENT_RUNNING;
    pthread_mutex_unlock(&t->lock);
    ply_status status = PLY_OK;
    if (running)
        status = ply_error_set(error, PLY_LIMIT, "a tournament is running already");
    else {
        join(t);
        pthread_mutex_lock(&t->lock);
        status = prepare(t, plan, error);
        pthread_mutex_unlock(&t->lock);
    }
    if (status == PLY_OK) {
        atomic_store(&t->stop, false);
        t->has_thread = pthread_create(&t->thread, NULL, run, t) == 0;
        if (!t->has_thread) {
            pthread_mutex_lock(&t->lock);
            t->now.stage = TOURNAMENT_FAILED;
            pthread_mutex_unlock(&t->lock);
            status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        }
    }
    pthread_mutex_unlock(&t->control);
    return status;
}

void tournament_stop(tournament *t)
{
    pthread_mutex_lock(&t->control);
    atomic_store(&t->stop, true);
    join(t);
    pthread_mutex_unlock(&t->control);
}

bool tournament_read(tournament *t, tournament_status *status)
{
    pthread_mutex_lock(&t->lock);
    *status = t->now;
    status->position = t->now.position ? strdup(t->now.position) : NULL;
    bool good = !t->now.position || status->position;
    pthread_mutex_unlock(&t->lock);
    return good;
}

void tournament_status_clear(tournament_status *status)
{
    free(status->position);
    status->position = NULL;
}
