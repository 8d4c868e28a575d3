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
    KERNEL_QUICK,
    KERNEL_OBSERVE,
    KERNEL_EXPAND,
    KERNEL_BITS, /* from here on only where observations are written as bits first */
    KERNEL_SPREAD,
    KERNELS
};
static const char *const kernel_names[KERNELS] = {"step",  "begin",   "reset",  "sample", "random",
                                                  "quick", "observe", "expand", "bits",   "spread"};

/* For what calls itself: forbidden points, captures; the search for turns of 5D chess. */
enum { STACK_BYTES = 16384, LARGE_STACK_BYTES = 65536 };

struct batch_device {
    ply_cuda *cuda;
    ply_cuda_kernel *kernels[KERNELS];
    cuda_batch_args args;
    const ply_rules *rules;
    const ply_batch *start; /* game 0: where games start */
    ply_state *placed;      /* by game: what was last put in; rules are NULL if nothing was */
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
        {0, lent->choices, sizeof(int32_t), &a->choices},
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
        status =
            take(d, looks_back ? games * a->max_plies : 1, d->rules->undo_bytes, &a->undo, error);
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
    if (status == PLY_OK)
        status = take(d, games, 1, &a->placed, error);
    const ply_bounded_hooks *bounded = d->rules->learning->bounded;
    if (status == PLY_OK && bounded) {
        a->memory_bytes = bounded->device_bytes;
        status = take(d, games, a->memory_bytes, &a->memory, error);
        if (status == PLY_OK)
            status = take(d, 1, bounded->flat_bytes, &a->flat_start, error);
        if (status == PLY_OK)
            status = take(d, 1, bounded->flat_bytes, &a->flat, error);
    }
    if (status == PLY_OK && a->history)
        status = take(d, games * a->history * a->position_words, sizeof(uint64_t), &a->past, error);
    if (status == PLY_OK && a->repetition)
        status = take(d, games * a->max_plies, sizeof(uint64_t), &a->past_keys, error);
    if (status == PLY_OK && a->part_words)
        status = take(d, a->games * ((1 + a->history) * (size_t)a->part_words + 1),
                      sizeof(uint64_t), &a->bits, error);
    return status == PLY_OK ? take(d, 5, sizeof(uint64_t), &a->totals, error) : status;
}

/* --- kernels -------------------------------------------------------------------------------- */
static ply_status find_kernels(batch_device *d, ply_error *error)
{
    const char *id = d->rules->game->id, *game = strcmp(id, "5dchess") == 0 ? "fived" : id;
    for (int i = 0; i < (d->args.part_words ? KERNELS : KERNEL_BITS); i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_batch_%s", game, kernel_names[i]);
        ply_status status = ply_cuda_find(d->cuda, game, name, &d->kernels[i], error);
        if (status != PLY_OK)
            return status;
    }
    size_t stack = d->rules->learning->bounded ? LARGE_STACK_BYTES : STACK_BYTES;
    return ply_cuda_allow_stack(d->cuda, stack, error);
}

static ply_status launch(batch_device *d, int kernel, uint64_t count, ply_error *error)
{
    return ply_cuda_launch_for(d->cuda, d->kernels[kernel], count, CUDA_BLOCK, &d->args, error);
}

/* Launches a kernel in which games are played, or prepared for it. */
static ply_status launch_games(batch_device *d, int kernel, ply_error *error)
{
    uint64_t threads = d->rules->learning->bounded ? CUDA_GAME_THREADS : 1;
    return launch(d, kernel, d->args.games * threads, error);
}

/* Fills in the outputs that have kernels of their own. */
static ply_status launch_outputs(batch_device *d, ply_error *error)
{
    const ply_batch_arrays *a = &d->args.arrays;
    uint64_t threads = d->args.games * CUDA_OBSERVE_THREADS;
    ply_status status = PLY_OK;
    if (a->observations && d->args.bits) {
        status = launch(d, KERNEL_BITS, d->args.games * (1 + d->args.history), error);
        threads = (d->args.games * d->args.observation_bytes + 7) / 8;
        if (status == PLY_OK)
            status = launch(d, KERNEL_SPREAD, threads, error);
    } else if (a->observations) {
        status = launch(d, KERNEL_OBSERVE, threads, error);
    }
    threads = d->args.games * CUDA_OBSERVE_THREADS;
    if (status == PLY_OK && (a->mask_bytes || a->legal_actions || (a->mask_bits && d->args.memory)))
        status = launch(d, KERNEL_EXPAND, threads, error);
    return status;
}

/* --- opening -------------------------------------------------------------------------------- */
/* Sends a position to column `at` of rows of games + 1 words. */
static ply_status send_words(batch_device *d, uint64_t *rows, size_t at, const uint64_t *words,
                             ply_error *error)
{
    ply_status status = PLY_OK;
    for (uint32_t w = 0; w < d->args.position_words && status == PLY_OK; w++)
        status = ply_cuda_write(d->cuda, rows + w * (d->args.games + 1) + at, &words[w],
                                sizeof words[w], error);
    return status;
}

/* Sends a position that leads to memory of its own. */
static ply_status send_flat(batch_device *d, size_t at, const void *position, ply_error *error)
{
    const ply_bounded_hooks *bounded = d->rules->learning->bounded;
    const unsigned char *place = at == d->args.games ? d->args.flat_start : d->args.flat;
    unsigned char *to;
    memcpy(&to, &place, sizeof to);
    if (!bounded->fits(d->rules, position, bounded->max_boards))
        return ply_error_set(error, PLY_LIMIT, "cuda: the position has more than %zu boards, %s",
                             bounded->max_boards,
                             "too many timelines or moves, or turns too hard to find");
    void *flat = aligned_alloc(64, (bounded->flat_bytes + 63) / 64 * 64);
    if (!flat)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    bounded->flatten(d->rules, position, flat);
    ply_status status = ply_cuda_write(d->cuda, to, flat, bounded->flat_bytes, error);
    if (status == PLY_OK && at == d->args.games) /* which begins there, too */
        status = send_flat(d, 0, position, error);
    free(flat);
    return status;
}

static ply_status send_position(batch_device *d, size_t at, const void *position, ply_error *error)
{
    return d->rules->learning->bounded ? send_flat(d, at, position, error)
                                       : send_words(d, d->args.positions, at, position, error);
}

/* Sends what observations need of the positions before. */
static ply_status send_past(batch_device *d, size_t at, const ply_batch *one, ply_error *error)
{
    const cuda_batch_args *a = &d->args;
    uint32_t plies = one->games[0].plies;
    ply_status status = PLY_OK;
    for (uint32_t i = 1; i <= a->history && i <= plies && status == PLY_OK; i++) {
        size_t row = (size_t)((plies - i) % a->history) * a->position_words;
        status = send_words(d, a->past + row * (a->games + 1), at,
                            batch_past_position(one, 0, plies - i), error);
    }
    if (status == PLY_OK && a->past_keys && plies > 0)
        status = ply_cuda_write(d->cuda, a->past_keys + at * a->max_plies, batch_past_keys(one, 0),
                                plies * sizeof(uint64_t), error);
    return status;
}

/*
 * Sends game 0 of a batch of one to entry `at`: position, moves, undo entries. The device finds its
 * legal actions, and whether it is over.
 */
static ply_status send_game(batch_device *d, size_t at, const ply_batch *one, ply_error *error)
{
    cuda_batch_args *a = &d->args;
    uint32_t plies = one->games[0].plies;
    ply_status status = send_position(d, at, batch_position(one, 0), error);
    if (status == PLY_OK)
        status = send_past(d, at, one, error);
    if (status == PLY_OK)
        status = ply_cuda_write(d->cuda, a->plies + at, &plies, sizeof plies, error);
    if (status == PLY_OK && plies > 0)
        status = ply_cuda_write(d->cuda, a->moves + at * a->max_plies, batch_moves(one, 0),
                                plies * sizeof(ply_move), error);
    if (status == PLY_OK && d->rules->search->fresh_outcome) {
        uint64_t filter[CUDA_FILTER_WORDS];
        memset(filter, plies > 0 ? 0xFF : 0, sizeof filter); /* every position may have occurred */
        if (plies > 0)
            status = ply_cuda_write(d->cuda, a->undo + at * a->max_plies * d->rules->undo_bytes,
                                    batch_undo_stack(one, 0), plies * d->rules->undo_bytes, error);
        if (status == PLY_OK)
            status = ply_cuda_write(d->cuda, a->filters + at * CUDA_FILTER_WORDS, filter,
                                    sizeof filter, error);
    }
    a->first = at;
    return status == PLY_OK ? launch(d, KERNEL_BEGIN, 1, error) : status;
}

static ply_status set_up(batch_device *d, const ply_batch_options *o, const ply_batch_arrays *lent,
                         ply_error *error)
{
    ply_status status = ply_cuda_open(&d->cuda, o->device_index, o->stream, error);
    if (status == PLY_OK)
        status = find_kernels(d, error);
    if (status == PLY_OK)
        status = take_arrays(d, o->outputs, lent, error);
    if (status == PLY_OK)
        status = take_games(d, error);
    if (status == PLY_OK)
        status = send_game(d, d->args.games, d->start, error);
    if (status == PLY_OK)
        status = launch_games(d, KERNEL_RESET, error);
    if (status == PLY_OK)
        status = launch_outputs(d, error);
    return status == PLY_OK ? ply_cuda_sync(d->cuda, error) : status;
}

ply_status ply_batch_device_open(batch_device **device, const ply_batch *batch,
                                 const ply_batch_arrays *lent, ply_batch_arrays *arrays,
                                 ply_error *error)
{
    const ply_batch_options *options = &batch->options;
    const ply_rules *rules = batch->rules;
    unsigned planes = PLY_BATCH_OBSERVATIONS | PLY_BATCH_FINAL_OBSERVATIONS;
    bool gomoku = strcmp(rules->game->id, "gomoku") == 0;
    bool bits = (batch->observation > 0 || gomoku) && (options->outputs & planes);
    *device = NULL;
    if (options->illegal == PLY_BATCH_ILLEGAL_FAILS)
        return ply_error_set(error, PLY_UNSUPPORTED,
                             "cuda: illegal actions do not make the steps of a batch on a device "
                             "fail");
    batch_device *d = calloc(1, sizeof *d);
    if (!d)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    d->rules = rules;
    d->start = batch->start;
    d->args = (cuda_batch_args){.rules = *rules,
                                .games = options->games,
                                .seed = options->seed,
                                .max_plies = (uint32_t)options->max_plies,
                                .position_words = (uint32_t)(rules->position_bytes / 8),
                                .observation_bytes = (uint32_t)batch->observation_bytes,
                                .max_boards = options->max_boards,
                                .history = options->history,
                                .repetition = options->repetition,
                                .plane_bytes = (uint32_t)batch->plane_bytes,
                                .part_words = bits ? (uint32_t)(batch->plane_bytes + 63) / 64 : 0,
                                .reset = options->reset,
                                .illegal = options->illegal,
                                .arrays = *arrays};
    if (rules->variant->data && gomoku)
        memcpy(&d->args.rule, rules->variant->data, sizeof d->args.rule);
    ply_status status = set_up(d, options, lent, error);
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
    for (size_t g = 0; device->placed && g < device->args.games; g++)
        if (device->placed[g].rules)
            ply_state_free(&device->placed[g]);
    free(device->placed);
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
    ply_status status = launch_games(device, KERNEL_RESET, NULL);
    return status == PLY_OK ? launch_outputs(device, NULL) : status;
}

ply_status ply_batch_device_step(batch_device *device, const int32_t *actions)
{
    device->args.actions = actions;
    ply_status status = launch_games(device, KERNEL_STEP, NULL);
    return status == PLY_OK ? launch_outputs(device, NULL) : status;
}

ply_status ply_batch_device_sample(batch_device *device, int32_t *actions)
{
    device->args.sampled = actions;
    return launch_games(device, KERNEL_SAMPLE, NULL);
}

ply_status ply_batch_device_random(batch_device *device, uint64_t steps, ply_batch_totals *totals)
{
    device->args.steps = steps;
    ply_status status =
        ply_cuda_fill(device->cuda, device->args.totals, 0, 5 * sizeof(uint64_t), NULL);
    if (status == PLY_OK)
        status = launch_games(device, KERNEL_RANDOM, NULL);
    if (status == PLY_OK) /* one of the two kernels does the work */
        status = launch(device, KERNEL_QUICK, device->args.games, NULL);
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

/* --- single games --------------------------------------------------------------------------- */
/* Makes *state a copy of what game g began with. */
static ply_status origin_of(batch_device *d, size_t g, ply_state *state)
{
    uint8_t placed = 0;
    ply_status status = ply_cuda_read(d->cuda, &placed, d->args.placed + g, 1, NULL);
    if (status != PLY_OK)
        return status;
    return placed ? ply_state_copy(state, &d->placed[g]) : ply_batch_get(d->start, 0, state);
}

ply_status ply_batch_device_get(batch_device *device, size_t g, ply_state *state)
{
    const cuda_batch_args *a = &device->args;
    uint32_t plies = 0;
    ply_status status = origin_of(device, g, state);
    if (status != PLY_OK)
        return status;
    status = ply_cuda_read(device->cuda, &plies, a->plies + g, sizeof plies, NULL);
    ply_move *moves = calloc((size_t)plies + 1, sizeof *moves);
    if (!moves)
        status = PLY_NO_MEMORY;
    if (status == PLY_OK && plies > 0)
        status = ply_cuda_read(device->cuda, moves, a->moves + g * a->max_plies,
                               plies * sizeof *moves, NULL);
    for (size_t i = state->plies; i < plies && status == PLY_OK; i++)
        status = ply_state_play(state, moves[i]);
    free(moves);
    if (status != PLY_OK)
        ply_state_free(state);
    return status;
}

ply_status ply_batch_device_standing(batch_device *device, size_t g, batch_standing *standing)
{
    const cuda_batch_args *a = &device->args;
    ply_status status =
        ply_cuda_read(device->cuda, &standing->draws, a->draws + g, sizeof standing->draws, NULL);
    if (status == PLY_OK)
        status = ply_cuda_read(device->cuda, &standing->end, a->end + g, 1, NULL);
    return status == PLY_OK ? ply_cuda_read(device->cuda, &standing->result, a->result + g, 1, NULL)
                            : status;
}

ply_status ply_batch_device_set_draws(batch_device *device, size_t g, uint64_t draws)
{
    return ply_cuda_write(device->cuda, device->args.draws + g, &draws, sizeof draws, NULL);
}

/* Keeps a copy of the state as what game g began with. */
static ply_status keep_origin(batch_device *d, size_t g, const ply_state *state)
{
    const uint8_t placed = 1;
    ply_state copy;
    if (!d->placed)
        d->placed = calloc(d->args.games, sizeof *d->placed);
    ply_status status = d->placed ? ply_state_copy(&copy, state) : PLY_NO_MEMORY;
    if (status != PLY_OK)
        return status;
    if (d->placed[g].rules)
        ply_state_free(&d->placed[g]);
    d->placed[g] = copy;
    return ply_cuda_write(d->cuda, d->args.placed + g, &placed, 1, NULL);
}

ply_status ply_batch_device_set(batch_device *device, size_t g, const ply_state *state,
                                const batch_standing *standing)
{
    cuda_batch_args *a = &device->args;
    const ply_batch_options one = {.max_plies = a->max_plies,
                                   .history = a->history,
                                   .repetition = a->repetition,
                                   .start = state};
    ply_batch *batch;
    ply_status status = ply_batch_new(&batch, device->rules, &one, NULL);
    a->forced_end = standing ? standing->end : CUDA_PLAYING;
    a->forced_result = standing ? standing->result : PLY_ONGOING;
    if (status == PLY_OK)
        status = send_game(device, g, batch, NULL);
    if (status == PLY_OK)
        status = keep_origin(device, g, state);
    a->forced_end = CUDA_PLAYING;
    ply_batch_free(batch);
    return status == PLY_OK ? launch_outputs(device, NULL) : status;
}
