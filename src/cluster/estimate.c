/* SPDX-License-Identifier: MIT */
/* estimate.c - see estimate.h. */
#include "cluster/estimate.h"
#include "core/clock.h"
#include "core/hash.h"
#include "tablebase/slice.h"
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 4096,        /* positions of a slice */
    PROBE_CELLS = 1 << 26, /* cells of the memory that is touched: larger than any cache */
    PROBES = 1 << 22,
    RING = 64,               /* accesses under way at a time, as in retrograde.c */
    BUFFER_BYTES = 24 << 20, /* of messages, outboxes and lists of exits */
    SENT_UPDATE = 2,         /* bytes of an update of another rank's cell, grouped by chunk */
    SENT_LOOKUP = 10,        /* bytes of a question and its answer */
};

/* Measured on finished files; they vary from class to class. */
static const double file_bytes_per_value = 0.5, part_bytes_per_cell = 0.9;
/* Compressing a finished value, and counting it. */
static const double nanos_per_value = 25;

/* What a position costs, on average. */
typedef struct slot_cost {
    double exits, predecessors; /* their numbers */
    double nanos;               /* to list them */
} slot_cost;

/* Nanoseconds for changing a cell somewhere in a large memory. */
static double measure_memory(void)
{
    uint16_t *cells = calloc(PROBE_CELLS, sizeof *cells);
    if (!cells)
        return 0;
    for (size_t i = 0; i < PROBE_CELLS; i += 1024)
        cells[i] = 1; /* the pages exist before the clock runs */
    uint64_t ring[RING], seed = 1, start = ply_clock_read(ply_clock_of_thread());
    for (size_t i = 0; i < PROBES + RING; i++) {
        if (i >= RING)
            cells[ring[i % RING]]--;
        seed += PLY_GOLDEN;
        ring[i % RING] = ply_mix64(seed) % PROBE_CELLS;
        __builtin_prefetch(&cells[ring[i % RING]], 1);
    }
    double nanos = (double)(ply_clock_read(ply_clock_of_thread()) - start) / PROBES;
    free(cells);
    return nanos;
}

static ply_status sample_slice(const slice *s, slot_cost *cost, ply_error *error)
{
    const tablebase_folder *folder = s->folder;
    const ply_retrograde *retrograde = folder->retrograde;
    size_t room = retrograde->max_successors > SLICE_PREDECESSORS ? retrograde->max_successors
                                                                  : SLICE_PREDECESSORS;
    ply_slot *slots = malloc(room * sizeof *slots);
    if (!slots)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    uint64_t exits = 0, predecessors = 0, start = ply_clock_read(ply_clock_of_thread());
    for (uint64_t i = 0; i < SAMPLES; i++) {
        uint64_t place =
            (uint64_t)(((unsigned __int128)ply_mix64(i * PLY_GOLDEN + 1) * s->start[2]) >> 64);
        cell_exits list = {.cell = place, .exits = slots};
        ply_tablebase_slice_list_exits(s, &list);
        if (list.exit_count == PLY_SLOT_HOLE)
            continue;
        exits += list.exit_count;
        ply_slot slot;
        slot_of_place(s, place, &slot);
        predecessors += retrograde->predecessors(folder->workspace, slot, slots);
    }
    *cost = (slot_cost){.exits = (double)exits / SAMPLES,
                        .predecessors = (double)predecessors / SAMPLES,
                        .nanos = (double)(ply_clock_read(ply_clock_of_thread()) - start) / SAMPLES};
    free(slots);
    return PLY_OK;
}

/* Bytes of the values of all classes that moves out of a slice lead to. */
static uint64_t exit_bytes(const tablebase_folder *folder, size_t class_index)
{
    size_t exits[2 * PLY_CLASS_EXITS];
    size_t count = ply_tablebase_folder_exits(folder, class_index, exits);
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        bool listed = false;
        for (size_t k = 0; k < i && !listed; k++)
            listed = exits[k] == exits[i];
        bytes += listed ? 0 : folder->retrograde->slot_count(folder->workspace, exits[i]);
    }
    return bytes;
}

static ply_status add_slice(tablebase_folder *folder, size_t class_index, unsigned ranks,
                            double memory_nanos, cluster_estimate *e, ply_error *error)
{
    slice whole, part;
    slot_cost cost = {0};
    ply_status status = ply_tablebase_slice_setup(&part, folder, class_index, 0, ranks, error);
    if (status == PLY_OK)
        status = ply_tablebase_slice_setup(&whole, folder, class_index, 0, 1, error);
    if (status == PLY_OK)
        status = sample_slice(&whole, &cost, error);
    if (status != PLY_OK)
        return status;
    double slots = (double)ply_tablebase_folder_slice_slots(folder, class_index);
    double elsewhere = (double)(ranks - 1) / ranks;
    uint64_t memory = 2 * part.cell_count + exit_bytes(folder, class_index) / ranks + BUFFER_BYTES;
    if (memory > e->memory_bytes) {
        e->memory_bytes = memory;
        ply_text name = ply_text_fixed(e->largest, sizeof e->largest);
        folder->rules->indexing->class_name(folder->rules, class_index, &name);
    }
    uint64_t parts = (uint64_t)(2 * slots * part_bytes_per_cell);
    e->part_bytes = parts > e->part_bytes ? parts : e->part_bytes;
    e->slots += (uint64_t)slots;
    e->file_bytes += (uint64_t)(slots * file_bytes_per_value);
    e->sent_bytes += (uint64_t)(slots * elsewhere *
                                (cost.predecessors * SENT_UPDATE + cost.exits * SENT_LOOKUP));
    double nanos = cost.nanos + (cost.exits + cost.predecessors) * memory_nanos + nanos_per_value;
    e->seconds += slots * nanos / 1e9 / ranks;
    return PLY_OK;
}

ply_status cluster_estimate_build(const ply_rules *rules, const ply_tablebase_job *job,
                                  unsigned ranks, cluster_estimate *estimate, ply_error *error)
{
    tablebase_folder folder;
    *estimate = (cluster_estimate){0};
    ply_status status = ply_tablebase_folder_open(&folder, rules, job, false, error);
    if (status != PLY_OK)
        return status;
    double memory_nanos = measure_memory();
    for (size_t i = 0; i < folder.slice_count && status == PLY_OK; i++)
        status = add_slice(&folder, folder.slices[i], ranks, memory_nanos, estimate, error);
    ply_tablebase_folder_close(&folder);
    return status;
}
