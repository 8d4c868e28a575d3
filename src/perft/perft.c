/* SPDX-License-Identifier: MIT */
/*
 * perft.c - counting the leaves of the move tree.
 *
 * The tree is split into parts, one for each variation of one or two moves from the root, and idle
 * workers take the next part. Below a part, perft_below plays the moves through the game interface
 * and uses the hash table, if there is one. The last plies are left to the game's own perft, which
 * is much faster.
 */
#include "core/array.h"
#include "core/hash.h"
#include "core/options.h"
#include "core/progress.h"
#include "core/workers.h"
#include "perft/device_perft.h"
#include "perft/shared_parts.h"
#include "perft/turn_perft.h"
#include <stdlib.h>
#include <string.h>

enum {
    SPLIT_DEPTH = 4,     /* from this depth on, a part is a variation of two moves */
    FAST_DEPTH = 4,      /* depth left to the game's perft, unless the game says otherwise */
    FAST_DEPTH_HASH = 2, /* the same with a hash table, which is to see more of the tree */
};

/*
 * A slot is (key ^ nodes, nodes), written without a lock. Two threads that write one slot at the
 * same time may leave halves of different entries; such a torn slot matches no key.
 */
typedef struct perft_slot {
    _Atomic uint64_t check, nodes;
} perft_slot;

typedef struct perft_table {
    perft_slot *slots; /* NULL: no table */
    uint64_t count;
} perft_table;

typedef struct perft_part {
    uint32_t first;  /* index of the first move in job->divide */
    ply_move second; /* PLY_MOVE_NONE: the variation is one move */
} perft_part;

typedef struct perft_worker {
    void *position;
    ply_move *moves;           /* one list of max_moves per ply */
    unsigned char *undo_stack; /* one entry per ply */
    bool failed;               /* memory ran out */
} perft_worker;

typedef struct perft_job {
    const ply_rules *rules;
    int depth, mode, fast_depth;
    perft_table table;
    ply_progress *progress;
    const ply_parts *shared; /* NULL: this process counts all parts */
    ply_perft_entry *divide;
    perft_part *parts;
    size_t part_count, part_capacity;
    perft_worker *workers;
    unsigned worker_count;
} perft_job;

/* --- the hash table -------------------------------------------------------------------------- */
static perft_slot *slot_of(const perft_table *table, uint64_t key)
{
    return &table->slots[(uint64_t)(((unsigned __int128)key * table->count) >> 64)];
}

static bool table_probe(const perft_table *table, uint64_t key, uint64_t *nodes)
{
    perft_slot *slot = slot_of(table, key);
    *nodes = atomic_load_explicit(&slot->nodes, memory_order_relaxed);
    return (atomic_load_explicit(&slot->check, memory_order_relaxed) ^ *nodes) == key;
}

static void table_store(const perft_table *table, uint64_t key, uint64_t nodes)
{
    perft_slot *slot = slot_of(table, key);
    atomic_store_explicit(&slot->nodes, nodes, memory_order_relaxed);
    atomic_store_explicit(&slot->check, key ^ nodes, memory_order_relaxed);
}

/* --- counting -------------------------------------------------------------------------------- */
static uint64_t multiplicity(const perft_job *job, const void *position, ply_move move)
{
    const ply_counting_hooks *counting = job->rules->counting;
    return counting->multiplicity ? counting->multiplicity(job->rules, position, move, job->mode)
                                  : 1;
}

static uint64_t count_last_ply(const perft_job *job, perft_worker *w)
{
    const ply_rules *rules = job->rules;
    if (!rules->counting->multiplicity)
        return ply_game_count_moves(rules, w->position);
    size_t count = rules->game->moves(rules, w->position, w->moves);
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += multiplicity(job, w->position, w->moves[i]);
    return total;
}

/* The number of leaves `depth` plies below the worker's position; 0 once the job is stopped. */
static uint64_t perft_below(const perft_job *job, perft_worker *w, int depth)
{
    const ply_rules *rules = job->rules;
    const ply_game *game = rules->game;
    if (depth == 0)
        return 1;
    if (rules->counting->perft && depth <= job->fast_depth) {
        uint64_t nodes = rules->counting->perft(rules, w->position, depth, job->mode);
        if (nodes == PLY_PERFT_FAILED) {
            w->failed = true;
            return 0;
        }
        ply_progress_add(&job->progress->units, nodes);
        return nodes;
    }
    if (depth == 1)
        return count_last_ply(job, w);
    if (ply_progress_stopped(job->progress))
        return 0;

    uint64_t key = 0, total = 0;
    if (job->table.slots) {
        key = ply_mix64(game->hash(rules, w->position) + (uint64_t)depth * PLY_GOLDEN);
        if (table_probe(&job->table, key, &total)) {
            ply_progress_add(&job->progress->units, total);
            return total;
        }
        total = 0;
    }
    ply_move *moves = w->moves + (size_t)(depth - 1) * rules->max_moves;
    void *undo = w->undo_stack + (size_t)(depth - 1) * rules->undo_bytes;
    size_t count = game->moves(rules, w->position, moves);
    for (size_t i = 0; i < count; i++) {
        uint64_t times = multiplicity(job, w->position, moves[i]);
        game->play(rules, w->position, moves[i], undo);
        total += times * perft_below(job, w, depth - 1);
        game->undo(rules, w->position, moves[i], undo);
    }
    if (depth == 2 && !rules->counting->perft)
        ply_progress_add(&job->progress->units, total);
    if (job->table.slots && !ply_progress_stopped(job->progress))
        table_store(&job->table, key, total);
    return total;
}

static void count_part(void *context, size_t number, unsigned worker_number)
{
    perft_job *job = context;
    const ply_rules *rules = job->rules;
    perft_worker *w = &job->workers[worker_number];
    perft_part part = job->parts[number];
    if (ply_progress_stopped(job->progress))
        return;
    /* perft_below uses the entry of index depth - 1, so the first moves take the highest ones. */
    ply_move first = job->divide[part.first].move;
    unsigned char *first_undo = w->undo_stack + (size_t)(job->depth - 1) * rules->undo_bytes;
    uint64_t times = multiplicity(job, w->position, first), nodes;
    rules->game->play(rules, w->position, first, first_undo);
    if (part.second == PLY_MOVE_NONE) {
        nodes = perft_below(job, w, job->depth - 1);
    } else {
        unsigned char *second_undo = first_undo - rules->undo_bytes;
        times *= multiplicity(job, w->position, part.second);
        rules->game->play(rules, w->position, part.second, second_undo);
        nodes = perft_below(job, w, job->depth - 2);
        rules->game->undo(rules, w->position, part.second, second_undo);
    }
    rules->game->undo(rules, w->position, first, first_undo);
    ply_progress_add(&job->divide[part.first].nodes, times * nodes);
    ply_progress_add(&job->progress->parts_done, 1);
    if (job->shared && !ply_progress_stopped(job->progress) && !w->failed)
        ply_parts_done(job->shared, number, (uint64_t[]){part.first, times * nodes}, 2);
}

/* Counts the parts that this process is dealt. */
static void count_shared(void *context, size_t worker, unsigned worker_number)
{
    (void)worker;
    perft_job *job = context;
    uint64_t part;
    while (!ply_progress_stopped(job->progress) &&
           (part = job->shared->next(job->shared->context, job->part_count)) < job->part_count)
        count_part(job, (size_t)part, worker_number);
}

/* --- the job --------------------------------------------------------------------------------- */
static bool reserve_parts(perft_job *job, size_t more)
{
    return ply_array_grow(&job->parts, &job->part_capacity, job->part_count + more,
                          sizeof *job->parts);
}

/* Lists the parts, on the position of the first worker. */
static ply_status list_parts(perft_job *job, size_t divide_count)
{
    const ply_rules *rules = job->rules;
    perft_worker *w = &job->workers[0];
    if (!reserve_parts(job, divide_count + 1))
        return PLY_NO_MEMORY;
    for (size_t i = 0; i < divide_count; i++) {
        ply_move first = job->divide[i].move;
        if (job->depth < SPLIT_DEPTH) {
            job->parts[job->part_count++] = (perft_part){.first = (uint32_t)i};
            continue;
        }
        rules->game->play(rules, w->position, first, w->undo_stack);
        size_t count = rules->game->moves(rules, w->position, w->moves);
        rules->game->undo(rules, w->position, first, w->undo_stack);
        if (!reserve_parts(job, count))
            return PLY_NO_MEMORY;
        for (size_t k = 0; k < count; k++)
            job->parts[job->part_count++] =
                (perft_part){.first = (uint32_t)i, .second = w->moves[k]};
    }
    return PLY_OK;
}

static ply_status make_workers(perft_job *job, const ply_state *state)
{
    const ply_rules *rules = job->rules;
    job->workers = calloc(job->worker_count, sizeof *job->workers);
    if (!job->workers)
        return PLY_NO_MEMORY;
    size_t depth = (size_t)job->depth;
    for (unsigned i = 0; i < job->worker_count; i++) {
        perft_worker *w = &job->workers[i];
        w->moves = malloc(depth * rules->max_moves * sizeof(ply_move));
        w->undo_stack = malloc(depth * rules->undo_bytes + 1);
        void *position = calloc(1, rules->position_bytes);
        if (!position || !w->moves || !w->undo_stack ||
            ply_game_copy(rules, position, state->position) != PLY_OK) {
            free(position);
            return PLY_NO_MEMORY;
        }
        w->position = position;
    }
    return PLY_OK;
}

static void free_job(perft_job *job)
{
    for (unsigned i = 0; job->workers && i < job->worker_count; i++) {
        perft_worker *w = &job->workers[i];
        if (w->position)
            ply_game_clear(job->rules, w->position);
        free(w->position);
        free(w->moves);
        free(w->undo_stack);
    }
    free(job->workers);
    free(job->parts);
    free(job->divide);
    free(job->table.slots);
}

static ply_status run_job(perft_job *job, const ply_state *state, size_t hash_mb,
                          size_t *divide_count)
{
    const ply_rules *rules = job->rules;
    if (hash_mb > 0) {
        job->table.count = ((uint64_t)hash_mb << 20) / sizeof(perft_slot);
        job->table.slots = calloc(job->table.count, sizeof(perft_slot));
        if (!job->table.slots)
            return PLY_NO_MEMORY;
        job->fast_depth = FAST_DEPTH_HASH;
    }
    ply_status status = make_workers(job, state);
    job->divide = calloc(rules->max_moves ? rules->max_moves : 1, sizeof *job->divide);
    if (status != PLY_OK || !job->divide)
        return PLY_NO_MEMORY;
    perft_worker *w = &job->workers[0];
    *divide_count = rules->game->moves(rules, w->position, w->moves);
    for (size_t i = 0; i < *divide_count; i++)
        job->divide[i].move = w->moves[i];
    status = list_parts(job, *divide_count);
    if (status != PLY_OK)
        return status;
    ply_progress_set(&job->progress->parts_total, job->part_count);
    ply_workers *workers = ply_workers_start(job->worker_count);
    if (!workers)
        return PLY_NO_MEMORY;
    if (job->shared)
        ply_workers_run_all(workers, count_shared, job);
    else
        ply_workers_run(workers, job->part_count, count_part, job);
    ply_workers_stop(workers);
    for (unsigned i = 0; i < job->worker_count; i++)
        if (job->workers[i].failed)
            return PLY_NO_MEMORY;
    return ply_progress_stopped(job->progress) ? PLY_STOPPED : PLY_OK;
}

static ply_status check_options(const ply_rules *rules, const ply_perft_options *o)
{
    int modes = 1;
    while (rules->counting->modes && rules->counting->modes[modes])
        modes++;
    bool valid = o->mode >= 0 && o->mode < modes && o->threads <= PLY_MAX_THREADS &&
                 o->hash_mb <= SIZE_MAX >> 21 && (unsigned)o->device <= PLY_DEVICE_CUDA;
    return valid ? PLY_OK : PLY_BAD_OPTION;
}

ply_status ply_perft(const ply_state *state, int depth, const ply_perft_options *options,
                     uint64_t *nodes, ply_perft_entry *divide, size_t *divide_count)
{
    if (!state || !state->position || !nodes)
        return PLY_BAD_ARGUMENT;
    const ply_rules *rules = state->rules;
    ply_perft_options o;
    ply_options_copy(&o, sizeof o, options);
    if (check_options(rules, &o) != PLY_OK)
        return PLY_BAD_OPTION;
    ply_progress own_progress = {0};
    ply_progress *progress = o.progress ? o.progress : &own_progress;
    size_t count = 0;
    *nodes = depth == 0;
    if (divide_count)
        *divide_count = 0;
    if (depth <= 0)
        return PLY_OK;
    if (o.device != PLY_DEVICE_CPU)
        return ply_device_perft(state, depth, &o, progress, nodes, divide,
                                divide_count ? divide_count : &count);
    if (rules->game->multi_move_turns && rules->counting->perft && rules->counting->turns)
        return ply_turn_perft(state, depth, &o, progress, nodes, divide,
                              divide_count ? divide_count : &count);
    int fast_depth = rules->counting->fast_depth;
    perft_job job = {.rules = rules,
                     .depth = depth,
                     .mode = o.mode,
                     .fast_depth = fast_depth ? fast_depth : FAST_DEPTH,
                     .progress = progress,
                     .shared = o.parts,
                     .worker_count = o.threads ? o.threads : 1};
    ply_status status = run_job(&job, state, o.hash_mb, &count);
    if (status == PLY_OK) {
        for (size_t i = 0; i < count; i++)
            *nodes += job.divide[i].nodes;
        if (divide)
            memcpy(divide, job.divide, count * sizeof *divide);
        if (divide_count)
            *divide_count = count;
    }
    free_job(&job);
    return status;
}
