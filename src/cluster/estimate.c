/* SPDX-License-Identifier: MIT */
/* estimate.c - see estimate.h. */
#include "cluster/estimate.h"
#include "core/clock.h"
#include "core/hash.h"
#include "tablebase/rows.h"
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
    SENT_BIT = 4,            /* by rows: bytes of a bit of a frontier, and of a value */
    SENT_VALUE = 6,
    ROW_ACCESSES = 4, /* by rows: accesses to random places for each value, with their locks */
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

/* --- games with rows -------------------------------------------------------------------------- */
/* The lists of a few rows, as a build makes them. */
typedef struct row_samples {
    uint64_t *exits, *places;
    uint32_t *predecessors;
    uint16_t *cells;
} row_samples;

/* Works on some columns of a row as a build does: each of them is initialised, updates its
 * predecessors, and is moved to its place in a frontier and in a file. */
static void work_on_columns(const row_slice *s, const row_side *side, uint64_t row, uint32_t first,
                            row_samples *m)
{
    const ply_retrograde_rows *ops = s->ops;
    uint64_t state[ROW_STATE_WORDS];
    uint8_t inner[ROW_BATCH], counts[ROW_BATCH];
    uint32_t columns[ROW_BATCH], left = side->columns - first;
    size_t count = left < ROW_BATCH ? left : ROW_BATCH;
    for (size_t i = 0; i < count; i++)
        columns[i] = first + (uint32_t)i;
    ops->open(s->folder->workspace, side->class_index, row, state);
    ops->exits(state, first, count, inner, counts, m->exits);
    size_t found = ops->predecessors(state, columns, count, m->predecessors);
    for (size_t i = 0; i < found; i++)
        m->cells[m->predecessors[i]]--;
    ops->all_slots(state, columns, count, m->places);
    ops->slots(state, columns, count, m->places);
}

/* Nanoseconds for a value, without accesses to large memory. */
static double measure_side(const row_slice *s, const row_side *side, row_samples *m)
{
    enum { ROWS = 16, BATCHES = 4 };
    uint64_t start = ply_clock_read(ply_clock_of_thread()), values = 0;
    for (uint64_t i = 0; i < ROWS; i++)
        for (uint64_t k = 0; k < BATCHES; k++) {
            uint64_t row = ply_mix64(i * PLY_GOLDEN + 1) % side->rows;
            uint32_t first = (uint32_t)(side->columns * k / BATCHES), left = side->columns - first;
            work_on_columns(s, side, row, first, m);
            values += left < ROW_BATCH ? left : ROW_BATCH;
        }
    return (double)(ply_clock_read(ply_clock_of_thread()) - start) / (double)values;
}

static ply_status measure_rows(const row_slice *s, double *nanos, ply_error *error)
{
    const ply_retrograde_rows *ops = s->ops;
    uint32_t columns = s->side[0].columns;
    columns = s->side[1].columns > columns ? s->side[1].columns : columns;
    row_samples m = {malloc((ROW_BATCH * ops->max_exits + 1) * sizeof(uint64_t)),
                     malloc(ROW_BATCH * ops->max_images * sizeof(uint64_t)),
                     malloc((ROW_BATCH * ops->max_predecessors + 1) * sizeof(uint32_t)),
                     calloc(columns, sizeof(uint16_t))};
    bool good = m.exits && m.places && m.predecessors && m.cells;
    *nanos = 0; /* per value of the slice: the sides may differ in size */
    uint64_t values = 0;
    for (size_t i = 0; good && i < s->side_count; i++) {
        uint64_t size = s->side[i].rows * s->side[i].columns;
        *nanos += measure_side(s, &s->side[i], &m) * (double)size;
        values += size;
    }
    *nanos /= (double)values;
    free(m.exits);
    free(m.places);
    free(m.predecessors);
    free(m.cells);
    return good ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
}

static void note_memory(const tablebase_folder *folder, size_t class_index, uint64_t memory,
                        cluster_estimate *e)
{
    if (memory <= e->memory_bytes)
        return;
    e->memory_bytes = memory;
    ply_text name = ply_text_fixed(e->largest, sizeof e->largest);
    folder->rules->indexing->class_name(folder->rules, class_index, &name);
}

static void add_files(double slots, cluster_estimate *e)
{
    uint64_t parts = (uint64_t)(2 * slots * part_bytes_per_cell);
    e->part_bytes = parts > e->part_bytes ? parts : e->part_bytes;
    e->slots += (uint64_t)slots;
    e->file_bytes += (uint64_t)(slots * file_bytes_per_value);
}

static ply_status add_rows(tablebase_folder *folder, size_t class_index, unsigned ranks,
                           double memory_nanos, cluster_estimate *e, ply_error *error)
{
    row_slice part;
    double nanos = 0;
    ply_status status = ply_tablebase_rows_setup(&part, folder, class_index, 0, ranks, error);
    if (status == PLY_OK)
        status = measure_rows(&part, &nanos, error);
    if (status != PLY_OK)
        return status;
    double slots = (double)ply_tablebase_folder_slice_slots(folder, class_index);
    note_memory(folder, class_index, ply_tablebase_rows_bytes(&part) + BUFFER_BYTES, e);
    add_files(slots, e);
    e->sent_bytes += (uint64_t)(slots * (ranks - 1) / ranks * (SENT_BIT + SENT_VALUE));
    nanos += ROW_ACCESSES * memory_nanos + nanos_per_value;
    e->seconds += slots * nanos / 1e9 / ranks;
    return PLY_OK;
}

static ply_status add_slice(tablebase_folder *folder, size_t class_index, unsigned ranks,
                            double memory_nanos, cluster_estimate *e, ply_error *error)
{
    if (folder->retrograde->rows)
        return add_rows(folder, class_index, ranks, memory_nanos, e, error);
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
    note_memory(folder, class_index, memory, e);
    add_files(slots, e);
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
