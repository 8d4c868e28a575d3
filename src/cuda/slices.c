/* SPDX-License-Identifier: MIT */
/* slices.c - see slices.h. */
#include "cuda/slices.h"
#include <stdlib.h>
#include <string.h>

/* Captures of checkers call themselves. */
enum { STACK_BYTES = 12 << 10 };

struct ply_cuda_slices {
    ply_cuda *cuda;
    ply_cuda_kernel *first, *pass, *verify;
    void *workspace;                   /* on the device */
    slice_values *values, *its_values; /* by class: on the host, on the device */
    size_t class_count;
    uint64_t *counts; /* on the device: room for solving and for verifying */
};
enum { COUNTS = SLICE_VERIFY_COUNTS };
_Static_assert((int)COUNTS >= (int)SLICE_COUNTS, "both use the same memory");

/* The kernels and the workspace of a game. */
static ply_status open_game(ply_cuda_slices *s, const ply_rules *rules, const void *workspace,
                            ply_error *error)
{
    bool is_checkers = strcmp(rules->game->id, "checkers") == 0;
    if (!is_checkers && strcmp(rules->game->id, "neighbours") != 0)
        return ply_error_set(error, PLY_UNSUPPORTED, "cuda: no tablebases of %s on devices",
                             rules->game->id);
    static const char *const names[2][3] = {
        {"neighbours_slice_first", "neighbours_slice_pass", "neighbours_slice_verify"},
        {"checkers_slice_first", "checkers_slice_pass", "checkers_slice_verify"}};
    const char *module = is_checkers ? "checkers_slices" : "neighbours_slices";
    ply_cuda_kernel **kernels[] = {&s->first, &s->pass, &s->verify};
    ply_status status = PLY_OK;
    for (int i = 0; i < 3 && status == PLY_OK; i++)
        status = ply_cuda_find(s->cuda, module, names[is_checkers][i], kernels[i], error);
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
        status = ply_cuda_alloc(cuda, &memory, COUNTS * sizeof *s->counts, error);
    s->counts = memory;
    if (status == PLY_OK)
        *slices = s;
    else
        ply_cuda_slices_close(s);
    return status;
}

void ply_cuda_slices_keep(ply_cuda_slices *s, const size_t *classes, size_t count)
{
    for (size_t i = 0; i < s->class_count; i++) {
        bool kept = !s->values[i].data;
        for (size_t k = 0; k < count && !kept; k++)
            kept = classes[k] == i;
        if (kept)
            continue;
        ply_cuda_free(s->cuda, (void *)(uintptr_t)s->values[i].data);
        s->values[i].data = NULL;
    }
}

void ply_cuda_slices_close(ply_cuda_slices *s)
{
    if (!s)
        return;
    ply_cuda_slices_keep(s, NULL, 0);
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
        ply_cuda_launch_for(s->cuda, s->first, args->start[2], SLICE_THREADS, args, error);
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
        uint64_t blocks = (args->start[2] + SLICE_PASS_CELLS - 1) / SLICE_PASS_CELLS;
        status = ply_cuda_launch(s->cuda, s->pass, blocks, SLICE_THREADS, 0, args, error);
    }
    return status;
}

ply_status ply_cuda_slices_solve(ply_cuda_slices *s, slice_args args, uint16_t *cells,
                                 const uint64_t *stop, ply_error *error)
{
    size_t bytes = (size_t)((args.start[2] + 7) / 8 * 8 * sizeof *cells); /* read by eights */
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
    return status;
}

ply_status ply_cuda_slices_verify(ply_cuda_slices *s, size_t class_index, uint64_t slots,
                                  uint64_t counts[SLICE_VERIFY_COUNTS], ply_error *error)
{
    size_t bytes = SLICE_VERIFY_COUNTS * sizeof *counts;
    slice_verify_args args = {.workspace = s->workspace,
                              .class_index = class_index,
                              .slots = slots,
                              .values = s->its_values,
                              .counts = s->counts};
    ply_status status = ply_cuda_fill(s->cuda, s->counts, 0, bytes, error);
    if (status == PLY_OK)
        status = ply_cuda_write(s->cuda, s->its_values, s->values,
                                s->class_count * sizeof *s->values, error);
    if (status == PLY_OK)
        status = ply_cuda_launch_for(s->cuda, s->verify, slots, SLICE_THREADS, &args, error);
    if (status == PLY_OK)
        status = ply_cuda_read(s->cuda, counts, s->counts, bytes, error);
    return status;
}
