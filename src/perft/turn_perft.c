/* SPDX-License-Identifier: MIT */
/*
 * turn_perft.c - see turn_perft.h.
 *
 * A part is one legal turn of the root, listed by the game's `turns`; below it, the game's own
 * perft counts.
 */
#include "perft/turn_perft.h"
#include "core/array.h"
#include "core/progress.h"
#include "core/workers.h"
#include "perft/shared_parts.h"
#include <stdlib.h>
#include <string.h>

typedef struct turn_list {
    ply_move *moves; /* of all turns, one after another */
    size_t move_count, move_capacity;
    size_t *starts; /* turn i is moves[starts[i] .. starts[i + 1]) */
    size_t count, capacity;
    size_t longest; /* turn, in moves */
    bool failed;    /* memory ran out */
} turn_list;

typedef struct turn_perft_worker {
    void *position;
    unsigned char *undo_stack;
    bool failed; /* memory ran out */
} turn_perft_worker;

typedef struct turn_perft_job {
    const ply_rules *rules;
    int depth, mode;
    ply_progress *progress;
    const ply_parts *shared; /* NULL: this process counts all turns */
    turn_list turns;
    uint64_t *nodes; /* of each turn */
    size_t *entries; /* of each turn: the number of its first move in divide */
    turn_perft_worker *workers;
    unsigned worker_count;
} turn_perft_job;

static bool add_turn(void *context, const ply_move *moves, size_t count)
{
    turn_list *list = context;
    if (!ply_array_grow(&list->moves, &list->move_capacity, list->move_count + count,
                        sizeof *list->moves) ||
        !ply_array_grow(&list->starts, &list->capacity, list->count + 2, sizeof *list->starts)) {
        list->failed = true;
        return false;
    }
    memcpy(list->moves + list->move_count, moves, count * sizeof *moves);
    list->starts[list->count++] = list->move_count;
    list->move_count += count;
    list->starts[list->count] = list->move_count;
    list->longest = count > list->longest ? count : list->longest;
    return true;
}

static void count_turn(void *context, size_t number, unsigned worker)
{
    turn_perft_job *job = context;
    const ply_rules *rules = job->rules;
    turn_perft_worker *w = &job->workers[worker];
    if (ply_progress_stopped(job->progress))
        return;
    const ply_move *moves = job->turns.moves + job->turns.starts[number];
    size_t count = job->turns.starts[number + 1] - job->turns.starts[number], played = 0;
    ply_status status = PLY_OK;
    while (played < count &&
           (status = rules->game->play(rules, w->position, moves[played],
                                       w->undo_stack + played * rules->undo_bytes)) == PLY_OK)
        played++;
    if (played == count)
        job->nodes[number] =
            job->depth == 1 ? 1
                            : rules->counting->perft(rules, w->position, job->depth - 1, job->mode);
    if (status == PLY_NO_MEMORY || job->nodes[number] == PLY_PERFT_FAILED) {
        w->failed = true;
        job->nodes[number] = 0;
    }
    while (played > 0) {
        played--;
        rules->game->undo(rules, w->position, moves[played],
                          w->undo_stack + played * rules->undo_bytes);
    }
    ply_progress_add(&job->progress->units, job->nodes[number]);
    ply_progress_add(&job->progress->parts_done, 1);
    if (job->shared && !ply_progress_stopped(job->progress) && !w->failed)
        ply_parts_done(job->shared, number, (uint64_t[]){job->entries[number], job->nodes[number]},
                       2);
}

/* Counts the turns that this process is dealt. */
static void count_shared(void *context, size_t worker, unsigned worker_number)
{
    (void)worker;
    turn_perft_job *job = context;
    uint64_t turn;
    while (!ply_progress_stopped(job->progress) &&
           (turn = job->shared->next(job->shared->context, job->turns.count)) < job->turns.count)
        count_turn(job, (size_t)turn, worker_number);
}

static ply_status make_workers(turn_perft_job *job, const void *root)
{
    const ply_rules *rules = job->rules;
    job->workers = calloc(job->worker_count, sizeof *job->workers);
    if (!job->workers)
        return PLY_NO_MEMORY;
    for (unsigned i = 0; i < job->worker_count; i++) {
        turn_perft_worker *w = &job->workers[i];
        w->undo_stack = malloc(job->turns.longest * rules->undo_bytes + 1);
        void *position = calloc(1, rules->position_bytes);
        if (!w->undo_stack || !position || ply_game_copy(rules, position, root) != PLY_OK) {
            free(position);
            return PLY_NO_MEMORY;
        }
        w->position = position;
    }
    return PLY_OK;
}

static void free_job(turn_perft_job *job)
{
    for (unsigned i = 0; job->workers && i < job->worker_count; i++) {
        turn_perft_worker *w = &job->workers[i];
        if (w->position)
            ply_game_clear(job->rules, w->position);
        free(w->position);
        free(w->undo_stack);
    }
    free(job->workers);
    free(job->nodes);
    free(job->entries);
    free(job->turns.moves);
    free(job->turns.starts);
}

static ply_status count_all_turns(turn_perft_job *job, const ply_state *state)
{
    size_t count = job->turns.count;
    if (job->depth == 1 && !job->shared) {
        for (size_t i = 0; i < count; i++)
            job->nodes[i] = 1;
        ply_progress_add(&job->progress->units, count);
        ply_progress_add(&job->progress->parts_done, count);
        return PLY_OK;
    }
    ply_status status = make_workers(job, state->position);
    if (status != PLY_OK)
        return status;
    ply_workers *workers = ply_workers_start(job->worker_count);
    if (!workers)
        return PLY_NO_MEMORY;
    if (job->shared)
        ply_workers_run_all(workers, count_shared, job);
    else
        ply_workers_run(workers, count, count_turn, job);
    ply_workers_stop(workers);
    for (unsigned i = 0; i < job->worker_count; i++)
        if (job->workers[i].failed)
            return PLY_NO_MEMORY;
    return ply_progress_stopped(job->progress) ? PLY_STOPPED : PLY_OK;
}

/*
 * Numbers the first moves of the turns in the order in which they first occur. divide may be NULL.
 * Returns how many there are.
 */
static size_t number_first_moves(turn_perft_job *job, ply_perft_entry *divide)
{
    size_t count = 0;
    for (size_t i = 0; i < job->turns.count; i++) {
        ply_move first = job->turns.moves[job->turns.starts[i]];
        size_t earlier = i; /* turns with the same first move mostly follow each other */
        while (earlier > 0 && job->turns.moves[job->turns.starts[earlier - 1]] != first)
            earlier--;
        job->entries[i] = earlier > 0 ? job->entries[earlier - 1] : count;
        if (earlier > 0)
            continue;
        if (divide)
            divide[count] = (ply_perft_entry){.move = first};
        count++;
    }
    return count;
}

ply_status ply_turn_perft(const ply_state *state, int depth, const ply_perft_options *options,
                          ply_progress *progress, uint64_t *nodes, ply_perft_entry *divide,
                          size_t *divide_count)
{
    const ply_rules *rules = state->rules;
    turn_perft_job job = {.rules = rules,
                          .depth = depth,
                          .mode = options->mode,
                          .progress = progress,
                          .shared = options->parts,
                          .worker_count = options->threads ? options->threads : 1};
    ply_status status =
        rules->counting->turns(rules, state->position, options->mode, add_turn, &job.turns);
    job.nodes = calloc(job.turns.count + 1, sizeof *job.nodes);
    job.entries = calloc(job.turns.count + 1, sizeof *job.entries);
    if (status == PLY_OK && (job.turns.failed || !job.nodes || !job.entries))
        status = PLY_NO_MEMORY;
    if (status == PLY_OK && (divide || job.shared))
        *divide_count = number_first_moves(&job, divide);
    ply_progress_set(&progress->parts_total, job.turns.count);
    if (status == PLY_OK)
        status = count_all_turns(&job, state);
    if (status == PLY_OK) {
        for (size_t i = 0; i < job.turns.count; i++)
            *nodes += job.nodes[i];
        for (size_t i = 0; divide && i < job.turns.count; i++)
            divide[job.entries[i]].nodes += job.nodes[i];
    }
    free_job(&job);
    return status;
}
