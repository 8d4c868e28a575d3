/* SPDX-License-Identifier: MIT */
/* playout.c - random games on several threads; the results do not depend on how many. */
#include "core/hash.h"
#include "core/options.h"
#include "core/progress.h"
#include "core/workers.h"
#include "perft/shared_parts.h"
#include <plyverse/perft.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES_PER_PART = 32, DEFAULT_PLIES = 10000, MAX_PLIES = 1 << 30 };
/* Games whose plies take long are played in slices, between which a stop is noticed. */
enum { SLICE_PLIES = 16 };

typedef struct playout_worker {
    void *position;
    unsigned char *undo_stack; /* max_plies entries; NULL if the game has its own playout */
    ply_playout_totals totals;
} playout_worker;

typedef struct playout_job {
    const ply_rules *rules;
    const void *root;
    const ply_playout_options *options;
    ply_progress *progress;
    playout_worker *workers;
    _Atomic ply_status status; /* the first failure of any worker */
} playout_job;

/* The default playout, for games without their own. */
static size_t play_out(playout_job *job, playout_worker *w, ply_rng *rng, ply_outcome *outcome,
                       bool *stopped, ply_status *status)
{
    const ply_rules *rules = job->rules;
    void *position = w->position;
    unsigned char *undo_stack = w->undo_stack;
    size_t plies = 0, max_plies = job->options->max_plies;
    for (;;) {
        *stopped = ply_progress_stopped(job->progress);
        if (*stopped)
            return plies;
        *outcome = rules->game->outcome(rules, position, undo_stack, plies);
        if (outcome->result != PLY_ONGOING || plies >= max_plies)
            break;
        uint32_t count = (uint32_t)ply_game_count_moves(rules, position);
        if (count == 0) { /* the game goes on, so the moves could not be listed */
            *status = PLY_NO_MEMORY;
            break;
        }
        ply_move move = ply_game_nth_move(rules, position, ply_rng_below(rng, count));
        *status = rules->game->play(rules, position, move, undo_stack + plies * rules->undo_bytes);
        if (*status != PLY_OK)
            break;
        plies++;
    }
    ply_progress_add(&job->progress->units, plies);
    return plies;
}

static void fail_job(playout_job *job, ply_status status)
{
    ply_status none = PLY_OK;
    atomic_compare_exchange_strong_explicit(&job->status, &none, status, memory_order_relaxed,
                                            memory_order_relaxed);
    ply_progress_stop(job->progress);
}

/*
 * Plays a random game by the game's own hook and returns the number of plies. A stop leaves the game
 * unfinished, with *stopped set.
 */
static size_t play_by_hook(playout_job *job, playout_worker *w, ply_rng *rng, ply_outcome *outcome,
                           bool *stopped)
{
    const ply_rules *rules = job->rules;
    size_t left = job->options->max_plies, plies = 0;
    for (;;) {
        /* The end of a game with turns of several moves does not depend on the moves before. */
        size_t slice = rules->game->multi_move_turns && left > SLICE_PLIES ? SLICE_PLIES : left;
        size_t played = rules->counting->playout(rules, w->position, rng, slice, outcome);
        if (played == PLY_PLAYOUT_FAILED)
            return PLY_PLAYOUT_FAILED;
        ply_progress_add(&job->progress->units, played);
        plies += played;
        left -= played;
        if (outcome->result != PLY_ONGOING || left == 0 || played < slice)
            return plies;
        *stopped = ply_progress_stopped(job->progress);
        if (*stopped)
            return plies;
    }
}

static void play_game(playout_job *job, playout_worker *w, uint64_t number)
{
    const ply_rules *rules = job->rules;
    ply_rng rng = ply_rng_make(job->options->seed, number);
    ply_outcome outcome;
    ply_status status = ply_game_copy(rules, w->position, job->root);
    if (status != PLY_OK) {
        fail_job(job, status);
        return;
    }
    bool stopped = false;
    size_t plies = rules->counting->playout ? play_by_hook(job, w, &rng, &outcome, &stopped)
                                            : play_out(job, w, &rng, &outcome, &stopped, &status);
    if (plies == PLY_PLAYOUT_FAILED || stopped) {
        ply_game_clear(rules, w->position);
        if (!stopped)
            fail_job(job, PLY_NO_MEMORY);
        return;
    }
    ply_playout_totals *t = &w->totals;
    uint64_t key = rules->game->hash(rules, w->position);
    t->signature += ply_mix64(ply_mix64(key ^ plies) + number);
    t->shortest = t->games == 0 || plies < t->shortest ? plies : t->shortest;
    t->longest = plies > t->longest ? plies : t->longest;
    t->games++;
    t->plies += plies;
    t->results[outcome.result]++;
    ply_game_clear(rules, w->position);
    if (status != PLY_OK)
        fail_job(job, status);
}

/* Returns false when the job was stopped before the part was done. */
static bool play_games(playout_job *job, playout_worker *w, uint64_t part)
{
    uint64_t first = part * GAMES_PER_PART, games = job->options->games;
    for (uint64_t g = first; g < first + GAMES_PER_PART && g < games; g++) {
        if (ply_progress_stopped(job->progress))
            return false;
        play_game(job, w, g);
        ply_progress_add(&job->progress->parts_done, 1);
    }
    return true;
}

static void play_part(void *context, size_t part, unsigned worker_number)
{
    playout_job *job = context;
    play_games(job, &job->workers[worker_number], part);
}

static void add_totals(ply_playout_totals *sum, const ply_playout_totals *t)
{
    if (t->games == 0)
        return;
    sum->shortest = sum->games == 0 || t->shortest < sum->shortest ? t->shortest : sum->shortest;
    sum->longest = t->longest > sum->longest ? t->longest : sum->longest;
    sum->games += t->games;
    sum->plies += t->plies;
    sum->signature += t->signature;
    for (int i = 0; i < 4; i++)
        sum->results[i] += t->results[i];
}

void ply_playout_add(ply_playout_totals *sum, const uint64_t *values)
{
    if (!sum || !values)
        return;
    ply_playout_totals t = {.games = values[0],
                            .plies = values[1],
                            .results = {values[2], values[3], values[4], values[5]},
                            .signature = values[6],
                            .shortest = (size_t)values[7],
                            .longest = (size_t)values[8]};
    add_totals(sum, &t);
}

/* Plays the parts that this process is dealt. */
static void play_shared(void *context, size_t worker, unsigned worker_number)
{
    (void)worker;
    playout_job *job = context;
    const ply_parts *shared = job->options->parts;
    uint64_t total = (job->options->games + GAMES_PER_PART - 1) / GAMES_PER_PART, part;
    while (!ply_progress_stopped(job->progress) &&
           (part = shared->next(shared->context, total)) < total) {
        playout_worker *w = &job->workers[worker_number];
        ply_playout_totals before = w->totals;
        w->totals = (ply_playout_totals){0};
        bool complete = play_games(job, w, part) && job->status == PLY_OK;
        const ply_playout_totals *t = &w->totals;
        if (complete)
            ply_parts_done(shared, part,
                           (uint64_t[PLY_PLAYOUT_VALUES]){
                               t->games, t->plies, t->results[0], t->results[1], t->results[2],
                               t->results[3], t->signature, t->shortest, t->longest},
                           PLY_PLAYOUT_VALUES);
        add_totals(&w->totals, &before);
    }
}

static ply_status make_workers(playout_job *job, unsigned count)
{
    const ply_rules *rules = job->rules;
    bool needs_undo = !rules->counting->playout;
    job->workers = calloc(count, sizeof *job->workers);
    if (!job->workers)
        return PLY_NO_MEMORY;
    for (unsigned i = 0; i < count; i++) {
        playout_worker *w = &job->workers[i];
        w->position = calloc(1, rules->position_bytes);
        if (needs_undo)
            w->undo_stack = malloc((job->options->max_plies + 1) * rules->undo_bytes + 1);
        if (!w->position || (needs_undo && !w->undo_stack))
            return PLY_NO_MEMORY;
    }
    return PLY_OK;
}

static ply_status run_job(playout_job *job, unsigned threads)
{
    uint64_t games = job->options->games;
    ply_status status = make_workers(job, threads);
    if (status != PLY_OK)
        return status;
    ply_workers *workers = ply_workers_start(threads);
    if (!workers)
        return PLY_NO_MEMORY;
    ply_progress_set(&job->progress->parts_total, games);
    if (job->options->parts)
        ply_workers_run_all(workers, play_shared, job);
    else
        ply_workers_run(workers, (size_t)((games + GAMES_PER_PART - 1) / GAMES_PER_PART), play_part,
                        job);
    ply_workers_stop(workers);
    if (job->status != PLY_OK)
        return job->status;
    return ply_progress_stopped(job->progress) ? PLY_STOPPED : PLY_OK;
}

size_t ply_playout_default_plies(const ply_rules *rules)
{
    return rules && rules->default_plies ? rules->default_plies : DEFAULT_PLIES;
}

ply_status ply_playouts(const ply_state *state, const ply_playout_options *options,
                        ply_playout_totals *totals)
{
    if (!state || !state->rules || !state->position || !totals)
        return PLY_BAD_ARGUMENT;
    ply_playout_options o;
    ply_options_copy(&o, sizeof o, options);
    *totals = (ply_playout_totals){0};
    o.games = o.games ? o.games : 1;
    o.max_plies = o.max_plies ? o.max_plies : ply_playout_default_plies(state->rules);
    if (o.threads > PLY_MAX_THREADS || o.max_plies > MAX_PLIES)
        return PLY_BAD_OPTION;
    unsigned threads = o.threads ? o.threads : 1;
    ply_progress own_progress = {0};
    playout_job job = {.rules = state->rules,
                       .root = state->position,
                       .options = &o,
                       .progress = o.progress ? o.progress : &own_progress};
    ply_status status = run_job(&job, threads);
    for (unsigned i = 0; job.workers && i < threads; i++) {
        add_totals(totals, &job.workers[i].totals);
        free(job.workers[i].position);
        free(job.workers[i].undo_stack);
    }
    free(job.workers);
    return status;
}
