/* SPDX-License-Identifier: MIT */
/*
 * device_perft.c - see device_perft.h.
 *
 * Level 0 holds the positions after each root move. A chunk of a level is expanded into the next one,
 * which is counted before the next chunk is taken, so the memory does not grow with the tree. How
 * large a chunk may be is tried: the device adds up the moves of its positions first.
 */
#include "perft/device_perft.h"
#include "core/progress.h"
#include "cuda/driver.h"
#include "cuda/perft.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES = 8192, MAX_LEVELS = 100, MIN_ROOM = 1 << 12 };
enum { KERNEL_PLAN, KERNEL_LEAVES, KERNEL_EXPAND, KERNELS };
static const char *const kernel_names[KERNELS] = {"plan", "leaves", "expand"};

typedef struct device_job {
    ply_cuda *cuda;
    ply_cuda_kernel *kernels[KERNELS];
    cuda_perft_args args;
    cuda_level levels[MAX_LEVELS];
    size_t max_moves;
    ply_progress *progress;
    ply_error *error;
} device_job;

static ply_status open_job(device_job *job, const ply_rules *rules, int device_index)
{
    const char *game = rules->game->id;
    if (rules->game->multi_move_turns || !rules->learning->mask)
        return ply_error_set(job->error, PLY_UNSUPPORTED, "cuda: no perft of %s on a device", game);
    ply_status status = ply_cuda_open(&job->cuda, device_index, NULL, job->error);
    for (int i = 0; i < KERNELS && status == PLY_OK; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_perft_%s", game, kernel_names[i]);
        status = ply_cuda_find(job->cuda, game, name, &job->kernels[i], job->error);
    }
    if (status == PLY_OK)
        status = ply_cuda_allow_stack(job->cuda, STACK_BYTES, job->error);
    cuda_batch_args *a = &job->args.game;
    a->rules = *rules;
    a->position_words = (uint32_t)(rules->position_bytes / 8);
    a->arrays.mask_words = (rules->actions + 63) / 64;
    a->arrays.actions = rules->actions;
    if (rules->variant->data && strcmp(game, "gomoku") == 0)
        memcpy(&a->rule, rules->variant->data, sizeof a->rule);
    job->max_moves = rules->max_moves;
    return status;
}

static ply_status take(device_job *job, size_t bytes, void *memory)
{
    void *taken = NULL;
    ply_status status = ply_cuda_alloc(job->cuda, &taken, bytes, job->error);
    memcpy(memory, &taken, sizeof taken);
    return status;
}

/* Divides the memory among the levels below the root moves. */
static ply_status take_levels(device_job *job, size_t roots, int levels, size_t device_mb)
{
    uint64_t available = 0, total = 0;
    ply_status status = ply_cuda_memory(job->cuda, &available, &total, job->error);
    size_t bytes = job->args.game.position_words * sizeof(uint64_t) + sizeof(uint32_t);
    uint64_t use = device_mb ? (uint64_t)device_mb << 20 : available / 2;
    for (int i = 0; i < levels && status == PLY_OK; i++) {
        cuda_level *level = &job->levels[i];
        uint64_t room = use / bytes / (uint64_t)(levels > 1 ? levels - 1 : 1);
        room = room > (1 << 26) ? 1 << 26 : room;
        level->room = i == 0 ? roots : room < MIN_ROOM ? MIN_ROOM : room;
        status = take(job, level->room * job->args.game.position_words * sizeof(uint64_t),
                      &level->positions);
        if (status == PLY_OK)
            status = take(job, level->room * sizeof(uint32_t), &level->tags);
    }
    if (status == PLY_OK)
        status = take(job, sizeof(uint64_t), &job->args.total);
    if (status == PLY_OK)
        status = take(job, roots * sizeof(uint64_t), &job->args.by_root);
    return status == PLY_OK ? ply_cuda_fill(job->cuda, job->args.by_root, 0,
                                            roots * sizeof(uint64_t), job->error)
                            : status;
}

/* Sends the positions after the root moves. */
static ply_status send_roots(device_job *job, const ply_state *state, const ply_move *moves,
                             size_t count)
{
    const ply_rules *rules = state->rules;
    size_t words = rules->position_bytes / 8;
    uint64_t *positions = calloc(count * words + 1, sizeof *positions);
    uint32_t *tags = calloc(count + 1, sizeof *tags);
    uint64_t *position = calloc(words, sizeof *position);
    void *undo = calloc(1, rules->undo_bytes + 1);
    ply_status status = positions && tags && position && undo ? PLY_OK : PLY_NO_MEMORY;
    for (size_t i = 0; i < count && status == PLY_OK; i++) {
        memcpy(position, state->position, rules->position_bytes);
        status = rules->game->play(rules, position, moves[i], undo);
        tags[i] = (uint32_t)i;
        for (size_t w = 0; w < words; w++)
            positions[w * count + i] = position[w];
    }
    if (status == PLY_OK)
        status = ply_cuda_write(job->cuda, job->levels[0].positions, positions,
                                count * words * sizeof *positions, job->error);
    if (status == PLY_OK)
        status =
            ply_cuda_write(job->cuda, job->levels[0].tags, tags, count * sizeof *tags, job->error);
    free(positions);
    free(tags);
    free(position);
    free(undo);
    return status;
}

static ply_status launch(device_job *job, int kernel, const cuda_level *from, uint64_t first,
                         uint64_t count)
{
    job->args.from = *from;
    job->args.first = first;
    job->args.count = count;
    return ply_cuda_launch_for(job->cuda, job->kernels[kernel], count, CUDA_BLOCK, &job->args,
                               job->error);
}

/* Runs a kernel that adds to args.total; *total receives the sum. */
static ply_status launch_total(device_job *job, int kernel, const cuda_level *from, uint64_t first,
                               uint64_t count, uint64_t *total)
{
    ply_status status = ply_cuda_fill(job->cuda, job->args.total, 0, sizeof(uint64_t), job->error);
    if (status == PLY_OK)
        status = launch(job, kernel, from, first, count);
    return status == PLY_OK
               ? ply_cuda_read(job->cuda, total, job->args.total, sizeof *total, job->error)
               : status;
}

/* Counts the leaves `depth` plies below all positions of a level. */
static ply_status count_level(device_job *job, int number, uint64_t count, int depth)
{
    cuda_level *level = &job->levels[number];
    if (depth == 1)
        return launch(job, KERNEL_LEAVES, level, 0, count);
    cuda_level *next = &job->levels[number + 1];
    uint64_t chunk = count;
    for (uint64_t first = 0; first < count;) {
        uint64_t size = chunk < count - first ? chunk : count - first, moves = 0;
        if (ply_progress_stopped(job->progress))
            return PLY_STOPPED;
        ply_status status = launch_total(job, KERNEL_PLAN, level, first, size, &moves);
        if (status != PLY_OK)
            return status;
        if (moves > next->room) { /* at least two positions: one never has MIN_ROOM moves */
            chunk = size * next->room / moves * 9 / 10 + 1;
            chunk = chunk < size ? chunk : size / 2;
            continue;
        }
        job->args.to = *next;
        status = launch_total(job, KERNEL_EXPAND, level, first, size, &moves);
        if (status == PLY_OK)
            status = count_level(job, number + 1, moves, depth - 1);
        if (status != PLY_OK)
            return status;
        first += size;
    }
    return PLY_OK;
}

static ply_status run(device_job *job, const ply_state *state, int depth,
                      const ply_perft_options *o, const ply_move *moves, size_t count,
                      uint64_t *by_root)
{
    ply_status status = open_job(job, state->rules, o->device_index);
    if (status == PLY_OK)
        status = take_levels(job, count, depth - 1, o->device_mb);
    if (status == PLY_OK)
        status = send_roots(job, state, moves, count);
    if (status == PLY_OK)
        status = count_level(job, 0, count, depth - 1);
    return status == PLY_OK ? ply_cuda_read(job->cuda, by_root, job->args.by_root,
                                            count * sizeof *by_root, job->error)
                            : status;
}

ply_status ply_device_perft(const ply_state *state, int depth, const ply_perft_options *options,
                            ply_progress *progress, uint64_t *nodes, ply_perft_entry *divide,
                            size_t *divide_count)
{
    const ply_rules *rules = state->rules;
    if (options->mode != 0 || options->hash_mb > 0 || options->parts || depth > MAX_LEVELS)
        return ply_error_set(
            options->error, PLY_UNSUPPORTED,
            "cuda: perft on a device counts in the first mode, without a hash table "
            "or parts");
    ply_move *moves = calloc(rules->max_moves + 1, sizeof *moves);
    uint64_t *by_root = calloc(rules->max_moves + 1, sizeof *by_root);
    device_job *job = calloc(1, sizeof *job);
    ply_status status = moves && by_root && job ? PLY_OK : PLY_NO_MEMORY;
    size_t count = status == PLY_OK ? rules->game->moves(rules, state->position, moves) : 0;
    if (status == PLY_OK) {
        job->progress = progress;
        job->error = options->error;
        for (size_t i = 0; i < count; i++)
            by_root[i] = 1;
        if (depth > 1 && count > 0)
            status = run(job, state, depth, options, moves, count, by_root);
        else /* nothing to count, but a device is asked for */
            status = ply_cuda_open(&job->cuda, options->device_index, NULL, options->error);
        ply_cuda_close(job->cuda);
    }
    *nodes = 0;
    for (size_t i = 0; i < count; i++) {
        *nodes += by_root[i];
        if (divide)
            divide[i] = (ply_perft_entry){moves[i], by_root[i]};
    }
    *divide_count = count;
    ply_progress_add(&progress->units, *nodes);
    free(moves);
    free(by_root);
    free(job);
    return status;
}
