/* SPDX-License-Identifier: MIT */
/* playout.c - random games, spread over threads, the same whoever plays them. */
#include "core/hash.h"
#include "core/progress.h"
#include "core/workers.h"
#include <plyverse/perft.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES_A_PART = 32 };

typedef struct walk_worker {
    void *position;
    unsigned char *undo_stack; /* max_plies of them; NULL where the game has its own playout */
    ply_playout_totals totals;
} walk_worker;

typedef struct walk_job {
    const ply_rules *rules;
    const void *root;
    const ply_playout_options *options;
    ply_progress *progress;
    walk_worker *workers;
    ply_status status; /* the first failure, written by any worker */
} walk_job;

/* The default for games without a playout of their own. */
static size_t play_out(const ply_rules *rules, void *position, unsigned char *undo_stack,
                       ply_rng *rng, size_t max_plies, ply_outcome *outcome, ply_status *status)
{
    size_t plies = 0;
    for (;;) {
        *outcome = rules->game->outcome(rules, position, undo_stack, plies);
        if (outcome->result != PLY_ONGOING || plies >= max_plies)
            return plies;
        uint32_t count = (uint32_t)ply_game_count_moves(rules, position);
        ply_move move = ply_game_nth_move(rules, position, ply_rng_below(rng, count));
        *status = rules->game->play(rules, position, move, undo_stack + plies * rules->undo_bytes);
        if (*status != PLY_OK)
            return plies;
        plies++;
    }
}

static void note_failure(walk_job *job, ply_status status)
{
    ply_status none = PLY_OK;
    __atomic_compare_exchange_n(&job->status, &none, status, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    ply_progress_stop(job->progress);
}

static void play_game(walk_job *job, walk_worker *w, uint64_t number)
{
    const ply_rules *rules = job->rules;
    ply_rng rng = ply_rng_make(job->options->seed, number);
    ply_outcome outcome;
    ply_status status = ply_game_copy(rules, w->position, job->root);
    if (status != PLY_OK) {
        note_failure(job, status);
        return;
    }
    size_t plies =
        rules->counting->playout
            ? rules->counting->playout(rules, w->position, &rng, job->options->max_plies, &outcome)
            : play_out(rules, w->position, w->undo_stack, &rng, job->options->max_plies, &outcome,
                       &status);
    ply_playout_totals *t = &w->totals;
    uint64_t key = rules->game->hash(rules, w->position);
    t->signature += ply_mix64(ply_mix64(key ^ plies) + number);
    t->shortest = t->games == 0 || plies < t->shortest ? plies : t->shortest;
    t->longest = plies > t->longest ? plies : t->longest;
    t->games++;
    t->plies += plies;
    t->results[outcome.result]++;
    ply_game_clear(rules, w->position);
    ply_progress_add(&job->progress->units, plies);
    if (status != PLY_OK)
        note_failure(job, status);
}

static void play_part(void *context, size_t part, unsigned worker_number)
{
    walk_job *job = context;
    uint64_t first = (uint64_t)part * GAMES_A_PART, games = job->options->games;
    for (uint64_t g = first; g < first + GAMES_A_PART && g < games; g++) {
        if (ply_progress_stopped(job->progress))
            return;
        play_game(job, &job->workers[worker_number], g);
        ply_progress_add(&job->progress->parts_done, 1);
    }
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

ply_status ply_playouts(const ply_state *state, const ply_playout_options *options,
                        ply_playout_totals *totals)
{
    const ply_rules *rules = state->rules;
    unsigned threads = options->threads ? options->threads : 1;
    ply_progress own_progress = {0};
    walk_job job = {.rules = rules,
                    .root = state->position,
                    .options = options,
                    .progress = options->progress ? options->progress : &own_progress,
                    .workers = calloc(threads, sizeof(walk_worker))};
    *totals = (ply_playout_totals){0};
    ply_status status = job.workers ? PLY_OK : PLY_NO_MEMORY;
    for (unsigned i = 0; status == PLY_OK && i < threads; i++) {
        job.workers[i].position = calloc(1, rules->position_bytes);
        if (!rules->counting->playout)
            job.workers[i].undo_stack = malloc((options->max_plies + 1) * rules->undo_bytes + 1);
        if (!job.workers[i].position || (!rules->counting->playout && !job.workers[i].undo_stack))
            status = PLY_NO_MEMORY;
    }
    ply_workers *team = status == PLY_OK ? ply_workers_start(threads) : NULL;
    if (team) {
        __atomic_store_n(&job.progress->parts_total, options->games, __ATOMIC_RELAXED);
        ply_workers_run(team, (size_t)((options->games + GAMES_A_PART - 1) / GAMES_A_PART),
                        play_part, &job);
        ply_workers_stop(team);
        status = job.status                           ? job.status
                 : ply_progress_stopped(job.progress) ? PLY_STOPPED
                                                      : PLY_OK;
    } else {
        status = PLY_NO_MEMORY;
    }
    for (unsigned i = 0; job.workers && i < threads; i++) {
        add_totals(totals, &job.workers[i].totals);
        free(job.workers[i].position);
        free(job.workers[i].undo_stack);
    }
    free(job.workers);
    return status;
}
