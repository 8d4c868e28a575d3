/* SPDX-License-Identifier: MIT */
/* slice_checkpoint.c - the checkpoints of a slice; see slice.h and checkpoint.h. */
#include "tablebase/checkpoint.h"
#include "tablebase/slice.h"

static uint64_t part_cells(const void *context, unsigned part, unsigned parts)
{
    const slice *s = context;
    return part_values(s->start[2], part, parts);
}

/* An own chunk. */
static void find_run(const void *context, size_t number, unsigned parts, checkpoint_run *run)
{
    const slice *s = context;
    uint64_t chunk = (uint64_t)number * s->ranks + s->rank;
    run->cell = (uint64_t)number * CHUNK_CELLS;
    run->count = chunk_end(s, number) - run->cell;
    run->part = (unsigned)(chunk % parts);
    run->part_cell = chunk / parts * CHUNK_CELLS;
}

static checkpoint make_checkpoint(slice *s)
{
    return (checkpoint){.folder = s->folder,
                        .class_index = s->class_index[0],
                        .rank = s->rank,
                        .ranks = s->ranks,
                        .cells = s->array.data,
                        .cell_count = s->cell_count,
                        .first_phase = PHASE_INIT,
                        .phase = s->phase,
                        .distance = s->distance,
                        .chunk = s->chunk,
                        .chunk_total = s->chunk_total,
                        .context = s,
                        .part_cells = part_cells,
                        .run_count = s->chunk_count,
                        .run = find_run};
}

ply_status ply_tablebase_slice_save(slice *s, unsigned generation, ply_error *error)
{
    checkpoint c = make_checkpoint(s);
    return ply_tablebase_checkpoint_save(&c, generation, error);
}

uint64_t ply_tablebase_slice_initialised(const slice *s)
{
    if (s->phase != PHASE_INIT)
        return s->cell_count;
    uint64_t cells = (uint64_t)own_chunks(s, s->chunk) * CHUNK_CELLS;
    return cells < s->cell_count ? cells : s->cell_count;
}

/* Recomputes decided_at and longest from the cells. False when a cell is impossible. */
static bool restore_distances(slice *s)
{
    uint64_t end = ply_tablebase_slice_initialised(s);
    for (uint64_t cell = 0; cell < end; cell++) {
        unsigned content = cell_get(s, cell), distance = content & ~(unsigned)CELL_DECIDED;
        if (!(content & CELL_DECIDED))
            continue;
        if (distance > MAX_DISTANCE)
            return false;
        cell_decide(s, cell, distance);
    }
    return true;
}

ply_status ply_tablebase_slice_load(slice *s, unsigned *generation, ply_error *error)
{
    checkpoint c = make_checkpoint(s);
    bool found;
    ply_status status = ply_tablebase_checkpoint_load(&c, generation, &found, error);
    if (status != PLY_OK || !found)
        return status;
    s->phase = c.phase;
    s->distance = c.distance;
    s->chunk = c.chunk;
    return restore_distances(s) ? PLY_OK : ply_tablebase_checkpoint_reject(&c, error);
}
