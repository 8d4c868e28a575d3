/* SPDX-License-Identifier: MIT */
/* device.c - see device.h. */
#include "tablebase/device.h"
#include "cuda/slices.h"
#include <stdlib.h>

typedef struct device_builder {
    ply_cuda *cuda;
    ply_cuda_slices *slices;
} device_builder;

ply_status ply_tablebase_device_open(void **context, const tablebase_folder *folder, int number,
                                     ply_error *error)
{
    device_builder *d = calloc(1, sizeof *d);
    *context = d;
    if (!d)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    ply_status status = ply_cuda_open(&d->cuda, number, NULL, error);
    if (status == PLY_OK)
        status = ply_cuda_slices_open(&d->slices, d->cuda, folder->rules, folder->workspace,
                                      folder->class_count, error);
    return status;
}

void ply_tablebase_device_close(void *context)
{
    device_builder *d = context;
    if (!d)
        return;
    ply_cuda_slices_close(d->slices);
    ply_cuda_close(d->cuda);
    free(d);
}

/* Has on the device what moves out of a slice lead to, with `inside` also the slice itself, and
 * nothing else. */
static ply_status load_values(device_builder *d, const tablebase_folder *folder, size_t class_index,
                              bool inside, ply_error *error)
{
    size_t classes[2 * PLY_CLASS_EXITS + 2];
    size_t count = ply_tablebase_folder_exits(folder, class_index, classes);
    if (inside) {
        classes[count++] = class_index;
        classes[count++] = folder->retrograde->class_partner(class_index);
    }
    ply_cuda_slices_keep(d->slices, classes, count);
    ply_status status = PLY_OK;
    for (size_t i = 0; i < count && status == PLY_OK; i++) {
        const tablebase_values *v = &folder->values[classes[i]];
        status = ply_cuda_slices_load(d->slices, classes[i], v->array.data, v->header.slots,
                                      v->value_bytes, error);
    }
    return status;
}

static ply_status solve(device_builder *d, slice *s, ply_error *error)
{
    const ply_progress *progress = s->folder->progress;
    slice_args args = {.class_index = {s->class_index[0], s->class_index[1]},
                       .slots = {s->slots[0], s->slots[1]},
                       .start = {s->start[0], s->start[1], s->start[2]}};
    ply_status status = load_values(d, s->folder, s->class_index[0], false, error);
    if (status == PLY_OK)
        status = ply_cuda_slices_solve(d->slices, args, s->array.data,
                                       progress ? &progress->stop : NULL, error);
    if (status == PLY_OK)
        folder_add_progress(s->folder, s->cell_count);
    return status;
}

ply_status ply_tablebase_device_build(void *context, tablebase_folder *folder, size_t class_index,
                                      build_timer *timer, ply_error *error)
{
    (void)timer; /* a slice takes seconds, so there are no checkpoints */
    slice s;
    ply_status status = ply_tablebase_slice_open(&s, folder, class_index, error);
    if (status == PLY_OK)
        status = solve(context, &s, error);
    for (size_t which = 0; status == PLY_OK && which < s.class_total; which++)
        status = ply_tablebase_slice_write(&s, which, error);
    ply_tablebase_slice_release(&s);
    return status;
}

ply_status ply_tablebase_device_check(void *context, const tablebase_folder *folder,
                                      size_t class_index, device_check *check, ply_error *error)
{
    device_builder *d = context;
    uint64_t counts[SLICE_VERIFY_COUNTS] = {0};
    uint64_t slots = folder->values[class_index].header.slots;
    ply_status status = load_values(d, folder, class_index, true, error);
    if (status == PLY_OK)
        status = ply_cuda_slices_verify(d->slices, class_index, slots, counts, error);
    *check = (device_check){.wins = counts[SLICE_WINS],
                            .losses = counts[SLICE_LOSSES],
                            .draws = counts[SLICE_DRAWS],
                            .longest = counts[SLICE_VALUE] ? counts[SLICE_VALUE] - 1 : 0,
                            .first_wrong = UINT64_MAX - counts[SLICE_WRONG]};
    if (status == PLY_OK)
        folder_add_progress(folder, slots);
    return status;
}
