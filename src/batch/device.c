/* SPDX-License-Identifier: MIT */
/*
 * device.c - see device.h. The kernels are those of src/cuda/GAME.cu; src/cuda/batch.h draws the
 * memory. Nothing here waits for the device, except to read something back.
 */
#include "batch/device.h"
#include "batch/batch_internal.h"
#include "cuda/batch.h"
#include "cuda/driver.h"
#include <stdio.h>
#include <stdlib.h>

enum {
    KERNEL_STEP,
    KERNEL_BEGIN,
    KERNEL_RESET,
    KERNEL_SAMPLE,
    KERNEL_RANDOM,
    KERNEL_OBSERVE,
    KERNEL_EXPAND,
    KERNELS
};
static const char *const kernel_names[KERNELS] = {"step",   "begin",   "reset", "sample",
                                                  "random", "observe", "expand"};

/* For what calls itself: forbidden points, captures. */
enum { STACK_BYTES = 8192 };

struct batch_device {
    ply_cuda *cuda;
    ply_cuda_kernel *kernels[KERNELS];
    cuda_batch_args args;
    const ply_rules *rules;
};

/* --- memory --------------------------------------------------------------------------------- */
static ply_status take(batch_device *d, size_t count, size_t bytes, void *array, ply_error *error)
{
    void *memory = NULL;
    ply_status status = ply_cuda_alloc(d->cuda, &memory, count * bytes, error);
    if (status == PLY_OK)
        status = ply_cuda_fill(d->cuda, memory, 0, count * bytes, error);
    memcpy(array, &memory, sizeof memory);
    return status;
}

static ply_status take_array(batch_device *d, const void *lent, size_t row_bytes, void *array,
                             ply_error *error)
{
    if (!lent)
        return take(d, d->args.games, row_bytes, array, error);
    memcpy(array, &lent, sizeof lent);
    return PLY_OK;
}

static ply_status take_arrays(batch_device *d, unsigned outputs, const ply_batch_arrays *lent,
                              ply_error *error)
{
    ply_batch_arrays *a = &d->args.arrays;
    const struct {
        unsigned output; /* 0: always */
        const void *lent;
        size_t row_bytes;
        void *array;
    } wanted[] = {
        {0, lent->rewards, 2 * sizeof(float), &a->rewards},
        {0, lent->terminated, 1, &a->terminated},
        {0, lent->truncated, 1, &a->truncated},
        {0, lent->illegal, 1, &a->illegal},
        {0, lent->players, 1, &a->players},
        {0, lent->results, 1, &a->results},
        {0, lent->plies, sizeof(uint32_t), &a->plies},
        {0, lent->legal_counts, sizeof(uint32_t), &a->legal_counts},
        {PLY_BATCH_OBSERVATIONS, lent->observations, d->args.observation_bytes, &a->observations},
        {PLY_BATCH_MASK_BITS, lent->mask_bits, a->mask_words * sizeof(uint64_t), &a->mask_bits},
        {PLY_BATCH_MASK_BYTES, lent->mask_bytes, a->actions, &a->mask_bytes},
        {PLY_BATCH_LEGAL_ACTIONS, lent->legal_actions, a->list_room * sizeof(int32_t),
         &a->legal_actions},
        {PLY_BATCH_KEYS, lent->keys, sizeof(uint64_t), &a->keys},
        {PLY_BATCH_FINAL_OBSERVATIONS, lent->final_observations, d->args.observation_bytes,
         &a->final_observations},
    };
    ply_status status = PLY_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && status == PLY_OK; i++)
        if (wanted[i].output == 0 || (outputs & wanted[i].output))
            status = take_array(d, wanted[i].lent, wanted[i].row_bytes, wanted[i].array, error);
    return status;
}

static ply_status take_games(batch_device *d, ply_error *error)
{
    cuda_batch_args *a = &d->args;
    size_t games = a->games + 1;
    bool looks_back = d->rules->search->fresh_outcome != NULL;
    ply_status status = take(d, games * a->position_words, sizeof(uint64_t), &a->positions, error);
    if (status == PLY_OK)
        status = take(d, games * a->arrays.mask_words, sizeof(uint64_t), &a->masks, error);
    if (status == PLY_OK)
        status = take(d, looks_back ? games * CUDA_FILTER_WORDS : 1, sizeof(uint64_t), &a->filters,
                      error);
    if (status == PLY_OK)
        status = take(d, games, sizeof(uint64_t), &a->draws, error);
    if (status == PLY_OK)
        status = take(d, looks_back ? games * a->max_plies : 1, d->rules->undo_bytes, &a->undo,
                      error);
    if (status == PLY_OK)
        status = take(d, games * a->max_plies, sizeof(ply_move), &a->moves, error);
    if (status == PLY_OK)
        status = take(d, games, sizeof(uint32_t), &a->plies, error);
    if (status == PLY_OK)
        status = take(d, games, sizeof(uint32_t), &a->legal, error);
    if (status == PLY_OK)
        status = take(d, games, 1, &a->end, error);
    if (status == PLY_OK)
        status = take(d, games, 1, &a->result, error);
    return status == PLY_OK ? take(d, 5, sizeof(uint64_t), &a->totals, error) : status;
}

/* --- kernels -------------------------------------------------------------------------------- */
static ply_status find_kernels(batch_device *d, ply_error *error)
{
    const char *game = d->rules->game->id;
    for (int i = 0; i < KERNELS; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_batch_%s", game, kernel_names[i]);
        ply_status status = ply_cuda_find(d->cuda, game, name, &d->kernels[i], error);
        if (status != PLY_OK)
            return status;
    }
    return ply_cuda_allow_stack(d->cuda, STACK_BYTES, error);
}

static ply_status launch(batch_device *d, int kernel, uint64_t count, ply_error *error)
{
    return ply_cuda_launch_for(d->cuda, d->kernels[kernel], count, CUDA_BLOCK, &d->args, error);
}

/* Fills in the outputs that have kernels of their own. */
static ply_status launch_outputs(batch_device *d, ply_error *error)
{
    const ply_batch_arrays *a = &d->args.arrays;
    uint64_t threads = d->args.games * CUDA_OBSERVE_THREADS;
    ply_status status = PLY_OK;
    if (a->observations)
        status = launch(d, KERNEL_OBSERVE, threads, error);
    if (status == PLY_OK && (a->mask_bytes || a->legal_actions))
        status = launch(d, KERNEL_EXPAND, threads, error);
    return status;
}

/* --- opening -------------------------------------------------------------------------------- */
/* Sends where games start: position, moves, undo entries. The device finds its legal actions. */
static ply_status send_start(batch_device *d, const ply_batch *start, ply_error *error)
{
    cuda_batch_args *a = &d->args;
    size_t at = a->games;
    uint32_t plies = start->games[0].plies;
    const uint64_t *words = batch_position(start, 0);
    ply_status status = PLY_OK;
    for (uint32_t w = 0; w < a->position_words && status == PLY_OK; w++)
        status = ply_cuda_write(d->cuda, a->positions + w * (a->games + 1) + at, &words[w],
                                sizeof words[w], error);
    if (status == PLY_OK)
        status = ply_cuda_write(d->cuda, a->plies + at, &plies, sizeof plies, error);
    if (status == PLY_OK && plies > 0)
        status = ply_cuda_write(d->cuda, a->moves + at * a->max_plies, batch_moves(start, 0),
                                plies * sizeof(ply_move), error);
    if (status == PLY_OK && plies > 0 && d->rules->search->fresh_outcome) {
        status = ply_cuda_write(d->cuda, a->undo + at * a->max_plies * d->rules->undo_bytes,
                                batch_undo_stack(start, 0), plies * d->rules->undo_bytes, error);
        uint64_t filter[CUDA_FILTER_WORDS];
        memset(filter, 0xFF, sizeof filter); /* every position might have occurred */
        if (status == PLY_OK)
            status = ply_cuda_write(d->cuda, a->filters + at * CUDA_FILTER_WORDS, filter,
                                    sizeof filter, error);
    }
    a->first = at;
    if (status == PLY_OK)
        status = launch(d, KERNEL_BEGIN, 1, error);
    return status == PLY_OK ? launch(d, KERNEL_RESET, a->games, error) : status;
}

static ply_status set_up(batch_device *d, const ply_batch *start, const ply_batch_options *o,
                         const ply_batch_arrays *lent, ply_error *error)
{
    ply_status status = ply_cuda_open(&d->cuda, o->device_index, o->stream, error);
    if (status == PLY_OK)
        status = find_kernels(d, error);
    if (status == PLY_OK)
        status = take_arrays(d, o->outputs, lent, error);
    if (status == PLY_OK)
        status = take_games(d, error);
    if (status == PLY_OK)
        status = send_start(d, start, error);
    if (status == PLY_OK)
        status = launch_outputs(d, error);
    return status == PLY_OK ? ply_cuda_sync(d->cuda, error) : status;
}

ply_status ply_batch_device_open(batch_device **device, const ply_batch *start,
                                 const ply_batch_options *options, const ply_batch_arrays *lent,
                                 size_t observation_bytes, ply_batch_arrays *arrays,
                                 ply_error *error)
{
    *device = NULL;
    if (options->history || options->repetition || options->illegal == PLY_BATCH_ILLEGAL_FAILS)
        return ply_error_set(error, PLY_UNSUPPORTED,
                             "cuda: a batch on a device has no history or repetition planes, and "
                             "illegal actions do not make its steps fail");
    batch_device *d = calloc(1, sizeof *d);
    if (!d)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    d->rules = start->rules;
    d->args = (cuda_batch_args){.rules = *start->rules,
                                .games = options->games,
                                .seed = options->seed,
                                .max_plies = (uint32_t)options->max_plies,
                                .position_words = (uint32_t)(start->rules->position_bytes / 8),
                                .observation_bytes = (uint32_t)observation_bytes,
                                .reset = options->reset,
                                .illegal = options->illegal,
                                .arrays = *arrays};
    if (start->rules->variant->data && strcmp(start->rules->game->id, "gomoku") == 0)
        memcpy(&d->args.rule, start->rules->variant->data, sizeof d->args.rule);
    ply_status status = set_up(d, start, options, lent, error);
    if (status != PLY_OK) {
        ply_batch_device_close(d);
        return status;
    }
    *arrays = d->args.arrays;
    *device = d;
    return PLY_OK;
}

void ply_batch_device_close(batch_device *device)
{
    if (!device)
        return;
    ply_cuda_close(device->cuda);
    free(device);
}

void *ply_batch_device_stream(const batch_device *device)
{
    return ply_cuda_stream(device->cuda);
}

int ply_batch_device_index(const batch_device *device)
{
    return ply_cuda_device(device->cuda);
}

/* --- steps ---------------------------------------------------------------------------------- */
ply_status ply_batch_device_reset(batch_device *device, const uint8_t *which)
{
    device->args.which = which;
    ply_status status = launch(device, KERNEL_RESET, device->args.games, NULL);
    return status == PLY_OK ? launch_outputs(device, NULL) : status;
}

ply_status ply_batch_device_step(batch_device *device, const int32_t *actions)
{
    device->args.actions = actions;
    ply_status status = launch(device, KERNEL_STEP, device->args.games, NULL);
    return status == PLY_OK ? launch_outputs(device, NULL) : status;
}

ply_status ply_batch_device_sample(batch_device *device, int32_t *actions)
{
    device->args.sampled = actions;
    return launch(device, KERNEL_SAMPLE, device->args.games, NULL);
}

ply_status ply_batch_device_random(batch_device *device, uint64_t steps, ply_batch_totals *totals)
{
    device->args.steps = steps;
    ply_status status =
        ply_cuda_fill(device->cuda, device->args.totals, 0, 5 * sizeof(uint64_t), NULL);
    if (status == PLY_OK)
        status = launch(device, KERNEL_RANDOM, device->args.games, NULL);
    if (status == PLY_OK)
        status = launch_outputs(device, NULL);
    if (status == PLY_OK && totals)
        status =
            ply_cuda_read(device->cuda, totals, device->args.totals, 5 * sizeof(uint64_t), NULL);
    return status;
}

ply_status ply_batch_device_wait(batch_device *device, ply_error *error)
{
    return ply_cuda_sync(device->cuda, error);
}

ply_status ply_batch_device_read(batch_device *device, void *to, const void *from, size_t bytes)
{
    return ply_cuda_read(device->cuda, to, from, bytes, NULL);
}

ply_status ply_batch_device_write(batch_device *device, void *to, const void *from, size_t bytes)
{
    return ply_cuda_write(device->cuda, to, from, bytes, NULL);
}

ply_status ply_batch_device_get(batch_device *device, size_t g, ply_state *state)
{
    const cuda_batch_args *a = &device->args;
    uint32_t plies = 0;
    ply_status status = ply_cuda_read(device->cuda, &plies, a->plies + g, sizeof plies, NULL);
    ply_move *moves = calloc((size_t)plies + 1, sizeof *moves);
    if (!moves)
        return PLY_NO_MEMORY;
    if (status == PLY_OK && plies > 0)
        status = ply_cuda_read(device->cuda, moves, a->moves + g * a->max_plies,
                               plies * sizeof *moves, NULL);
    for (size_t i = state->plies; i < plies && status == PLY_OK; i++)
        status = ply_state_play(state, moves[i]);
    free(moves);
    return status;
}

ply_status ply_batch_device_draws(batch_device *device, size_t g, uint64_t *draws)
{
    return ply_cuda_read(device->cuda, draws, device->args.draws + g, sizeof *draws, NULL);
}
