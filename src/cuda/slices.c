/* SPDX-License-Identifier: MIT */
/* slices.c - see slices.h. */
#include "cuda/slices.h"
#include <stdlib.h>
#include <string.h>

/* Captures of checkers call themselves. */
enum { THREADS = 128, STACK_BYTES = 12 << 10 };

struct ply_cuda_slices {
    ply_cuda *cuda;
    ply_cuda_kernel *first, *pass;
    void *workspace;                   /* on the device */
    slice_values *values, *its_values; /* by class: on the host, on the device */
    size_t class_count;
    uint64_t *counts; /* on the device */
};

/* The kernels and the workspace of a game. */
static ply_status open_game(ply_cuda_slices *s, const ply_rules *rules, const void *workspace,
                            ply_error *error)
{
    bool is_checkers = strcmp(rules->game->id, "checkers") == 0;
    if (!is_checkers && strcmp(rules->game->id, "neighbours") != 0)
        return ply_error_set(error, PLY_UNSUPPORTED, "cuda: no tablebases of %s on devices",
                             rules->game->id);
    const char *module = is_checkers ? "checkers_slices" : "neighbours_slices";
    ply_status status = ply_cuda_find(
        s->cuda, module, is_checkers ? "checkers_slice_first" : "neighbours_slice_first", &s->first,
        error);
    if (status == PLY_OK)
        status = ply_cuda_find(s->cuda, module,
                               is_checkers ? "checkers_slice_pass" : "neighbours_slice_pass",
                               &s->pass, error);
    if (status == PLY_OK && is_checkers)
        status = ply_cuda_allow_stack(s->cuda, STACK_BYTES, error);
    if (status == PLY_OK && is_checkers)
        return ply_cuda_checkers_workspace(s->cuda, workspace, &s->workspace, error);
    struct neighbours_numbering *uploaded = NULL;
    if (status == PLY_OK)
        status = ply_cuda_neighbours_workspace(s->cuda, workspace, &uploaded, error);
    s->workspace = uploaded;
    return status;
}

ply_status ply_cuda_slices_open(ply_cuda_slices **slices, ply_cuda *cuda, const ply_rules *rules,
                                const void *workspace, size_t class_count, ply_error *error)
{
    ply_cuda_slices *s = calloc(1, sizeof *s);
    *slices = NULL;
    if (!s || !(s->values = calloc(class_count, sizeof *s->values))) {
        free(s);
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    }
    s->cuda = cuda;
    s->class_count = class_count;
    void *memory = NULL;
    ply_status status = open_game(s, rules, workspace, error);
    if (status == PLY_OK)
        status = ply_cuda_alloc(cuda, &memory, class_count * sizeof *s->its_values, error);
    s->its_values = memory;
    if (status == PLY_OK)
        status = ply_cuda_alloc(cuda, &memory, SLICE_COUNTS * sizeof *s->counts, error);
    s->counts = memory;
    if (status == PLY_OK)
        *slices = s;
    else
        ply_cuda_slices_close(s);
    return status;
}

static void drop_values(ply_cuda_slices *s)
{
    for (size_t i = 0; i < s->class_count; i++) {
        ply_cuda_free(s->cuda, (void *)(uintptr_t)s->values[i].data);
        s->values[i].data = NULL;
    }
}

void ply_cuda_slices_close(ply_cuda_slices *s)
{
    if (!s)
        return;
    drop_values(s);
    free(s->values);
    free(s);
}

ply_status ply_cuda_slices_load(ply_cuda_slices *s, size_t class_index, const void *values,
                                uint64_t count, unsigned value_bytes, ply_error *error)
{
    if (s->values[class_index].data)
        return PLY_OK;
    void *memory;
    ply_status status = ply_cuda_alloc(s->cuda, &memory, (size_t)(count * value_bytes), error);
    s->values[class_index] = (slice_values){.data = memory, .value_bytes = value_bytes};
    return status == PLY_OK
               ? ply_cuda_write(s->cuda, memory, values, (size_t)(count * value_bytes), error)
               : status;
}

static ply_status run_passes(ply_cuda_slices *s, slice_args *args, const uint64_t *stop,
                             ply_error *error)
{
    uint64_t counts[SLICE_COUNTS] = {0};
    ply_status status =
        ply_cuda_launch_for(s->cuda, s->first, args->start[2], THREADS, args, error);
    for (args->distance = 0; status == PLY_OK; args->distance++) {
        status = ply_cuda_read(s->cuda, counts, s->counts, sizeof counts, error);
        if (status != PLY_OK)
            break;
        if (counts[SLICE_FAILED] || counts[SLICE_LONGEST] > MAX_DISTANCE)
            return ply_error_set(
                error, PLY_LIMIT,
                "a position is more than %d plies from the end or has too many moves",
                MAX_DISTANCE);
        if (args->distance > counts[SLICE_LONGEST])
            break;
        if (stop && *(const volatile uint64_t *)stop)
            return ply_error_set(error, PLY_STOPPED, "stopped");
        status = ply_cuda_launch_for(s->cuda, s->pass, args->start[2], THREADS, args, error);
    }
    return status;
}

ply_status ply_cuda_slices_solve(ply_cuda_slices *s, slice_args args, uint16_t *cells,
                                 const uint64_t *stop, ply_error *error)
{
    size_t bytes = (size_t)((args.start[2] + 1) / 2 * sizeof *args.cells);
    void *memory = NULL;
    ply_status status = ply_cuda_alloc(s->cuda, &memory, bytes, error);
    args.workspace = s->workspace;
    args.cells = memory;
    args.values = s->its_values;
    args.counts = s->counts;
    if (status == PLY_OK)
        status = ply_cuda_fill(s->cuda, memory, 0, bytes, error);
    if (status == PLY_OK)
        status = ply_cuda_fill(s->cuda, s->counts, 0, SLICE_COUNTS * sizeof *s->counts, error);
    if (status == PLY_OK)
        status = ply_cuda_write(s->cuda, s->its_values, s->values,
                                s->class_count * sizeof *s->values, error);
    if (status == PLY_OK)
        status = run_passes(s, &args, stop, error);
    if (status == PLY_OK)
        status =
            ply_cuda_read(s->cuda, cells, memory, (size_t)args.start[2] * sizeof *cells, error);
    ply_cuda_free(s->cuda, memory);
    drop_values(s);
    return status;
}
