/* SPDX-License-Identifier: MIT */
/*
 * rows_file.c - from the rows of a solved slice to the file of a class, whose values are in the order
 * of slots; and its checkpoints.
 */
#include "tablebase/build.h"
#include "tablebase/rows.h"
#include "tablebase/solved.h"
#include <stdlib.h>
#include <string.h>

/* --- counting ------------------------------------------------------------------------------- */
typedef struct row_counting {
    row_slice *s;
    size_t which;
    row_totals *totals;
} row_counting;

static row_work make_work(row_slice *s, size_t which, size_t own_row, unsigned worker)
{
    row_side *side = &s->side[which];
    return (row_work){.s = s,
                      .w = &s->workers[worker],
                      .which = which,
                      .side = side,
                      .own_row = own_row,
                      .cells = row_cells(s, side, own_row)};
}

static void count_row(void *context, size_t own_row, unsigned worker)
{
    const row_counting *c = context;
    row_work r = make_work(c->s, c->which, own_row, worker);
    uint64_t weight = c->s->ops->weight(row_open(&r)), wins = 0, decided = 0, longest = 0;
    for (uint32_t i = 0; i < r.side->columns; i++) {
        unsigned content = r.cells[i], distance = content & ~(unsigned)CELL_DECIDED;
        bool is_decided = content & CELL_DECIDED;
        decided += is_decided;
        wins += is_decided & distance & 1;
        longest = is_decided && distance > longest ? distance : longest;
    }
    atomic_fetch_add(&c->totals->wins, wins * weight);
    atomic_fetch_add(&c->totals->losses, (decided - wins) * weight);
    atomic_fetch_add(&c->totals->draws, (r.side->columns - decided) * weight);
    raise_maximum(&c->totals->longest, longest);
}

void ply_tablebase_rows_count(row_slice *s, size_t which, row_totals *totals)
{
    row_counting c = {s, which, totals};
    ply_workers_run(s->folder->workers, (size_t)s->side[which].own_rows, count_row, &c);
}

static void lower_minimum(_Atomic uint64_t *minimum, uint64_t value)
{
    uint64_t known = atomic_load_explicit(minimum, memory_order_relaxed);
    while (value < known && !atomic_compare_exchange_weak_explicit(
                                minimum, &known, value, memory_order_relaxed, memory_order_relaxed))
        ;
}

static void find_in_row(void *context, size_t own_row, unsigned worker)
{
    const row_counting *c = context;
    row_work r = make_work(c->s, c->which, own_row, worker);
    const ply_retrograde_rows *ops = c->s->ops;
    uint64_t columns = row_other(c->s, c->which)->columns;
    bool opened = false;
    for (uint32_t i = 0; i < r.side->columns; i++) {
        if (r.cells[i] != (CELL_DECIDED | c->totals->longest))
            continue;
        if (!opened)
            row_open(&r);
        opened = true;
        size_t found = ops->all_slots(r.w->state, &i, 1, r.w->places);
        for (size_t k = 0; k < found; k++)
            lower_minimum(&c->totals->first,
                          (r.w->places[k] >> 32) * columns + (uint32_t)r.w->places[k]);
    }
}

void ply_tablebase_rows_find_longest(row_slice *s, size_t which, row_totals *totals)
{
    row_counting c = {s, which, totals};
    totals->first = UINT64_MAX;
    ply_workers_run(s->folder->workers, (size_t)s->side[which].own_rows, find_in_row, &c);
}

void ply_tablebase_rows_header(const row_slice *s, size_t which, const row_totals *totals,
                               tablebase_header *header)
{
    const tablebase_folder *folder = s->folder;
    size_t class_index = s->side[which].class_index;
    *header =
        (tablebase_header){.kind = TABLEBASE_FINISHED,
                           .value_bytes = totals->longest + 1 > UINT8_MAX ? 2 : 1,
                           .slots = folder->retrograde->slot_count(folder->workspace, class_index),
                           .wins = totals->wins,
                           .losses = totals->losses,
                           .draws = totals->draws,
                           .longest = totals->longest,
                           .longest_slot = totals->first == UINT64_MAX ? 0 : totals->first};
    ply_tablebase_name_header(folder, class_index, header);
}

/* --- values in the order of slots ----------------------------------------------------------- */
/*
 * Slot x of a class has the number of cell x of its partner, with the players exchanged; so the
 * function that finds the slots of the partner's cells finds the cells of the class's slots.
 */
void ply_tablebase_rows_places(const row_slice *s, size_t which, uint64_t first, size_t count,
                               uint64_t *places, bool *holes)
{
    const tablebase_folder *folder = s->folder;
    size_t class_index = s->side[which].class_index,
           partner = folder->retrograde->class_partner(class_index);
    uint64_t columns = s->ops->columns(folder->workspace, partner), row = first / columns;
    uint32_t column = (uint32_t)(first % columns), list[ROW_BATCH];
    uint64_t state[ROW_STATE_WORDS];
    memset(holes, 0, count * sizeof *holes);
    while (count > 0) {
        s->ops->open(folder->workspace, partner, row, state);
        bool symmetric = s->ops->weight(state) != s->ops->max_images;
        while (count > 0 && column < columns) {
            size_t left = (size_t)(columns - column), step = left < count ? left : count;
            step = step < ROW_BATCH ? step : ROW_BATCH;
            for (uint32_t i = 0; i < step; i++)
                list[i] = column + i;
            s->ops->slots(state, list, step, places);
            for (size_t i = 0; symmetric && i < step; i++)
                holes[i] = folder->retrograde->orbit_size(
                               folder->workspace,
                               ply_slot_make(class_index, row * columns + list[i])) == 0;
            places += step;
            holes += step;
            column += (uint32_t)step;
            count -= step;
        }
        column = 0;
        row++;
    }
}

typedef struct row_source {
    const row_slice *s;
    size_t which;
} row_source;

static void class_values(void *context, uint64_t first, size_t count, uint16_t *out)
{
    const row_source *source = context;
    const row_slice *s = source->s;
    const row_side *side = &s->side[source->which];
    uint64_t places[ROW_BATCH];
    bool holes[ROW_BATCH];
    for (; count > 0;) {
        size_t step = count < ROW_BATCH ? count : ROW_BATCH;
        ply_tablebase_rows_places(s, source->which, first, step, places, holes);
        for (size_t i = 0; i < step; i++) {
            places[i] = (places[i] >> 32) * side->columns + (uint32_t)places[i];
            __builtin_prefetch(&s->cells[side->first_cell + places[i]]);
        }
        for (size_t i = 0; i < step; i++) {
            unsigned content = s->cells[side->first_cell + places[i]];
            out[i] = !holes[i] && content & CELL_DECIDED
                         ? (uint16_t)((content & ~(unsigned)CELL_DECIDED) + 1)
                         : 0;
        }
        first += step;
        count -= step;
        out += step;
    }
}

ply_status ply_tablebase_rows_write(row_slice *s, size_t which, ply_error *error)
{
    row_totals totals = {0};
    tablebase_header header;
    ply_tablebase_rows_count(s, which, &totals);
    ply_tablebase_rows_find_longest(s, which, &totals);
    ply_tablebase_rows_header(s, which, &totals, &header);
    const ply_progress *progress = s->folder->progress;
    row_source source = {s, which};
    ply_text path;
    ply_status status =
        ply_tablebase_file_path(s->folder, s->side[which].class_index, ".plt", &path, error);
    if (status == PLY_OK)
        status = ply_tablebase_file_write(ply_text_cstr(&path), &header, class_values, &source,
                                          s->folder->workers, TABLEBASE_ZSTD_LEVEL,
                                          progress ? &progress->stop : NULL, error);
    ply_text_free(&path);
    return status;
}

/* --- checkpoints ---------------------------------------------------------------------------- */
static uint64_t part_rows(const row_side *side, unsigned part, unsigned parts)
{
    return (side->rows + parts - 1 - part) / parts;
}

static uint64_t part_cells(const void *context, unsigned part, unsigned parts)
{
    const row_slice *s = context;
    uint64_t cells = 0;
    for (size_t i = 0; i < s->side_count; i++)
        cells += part_rows(&s->side[i], part, parts) * s->side[i].columns;
    return cells;
}

/* An own row. */
static void find_run(const void *context, size_t number, unsigned parts, checkpoint_run *run)
{
    const row_slice *s = context;
    size_t which = number >= s->side[0].own_rows;
    const row_side *side = &s->side[which];
    uint64_t own_row = number - (which ? s->side[0].own_rows : 0);
    uint64_t row = own_row * s->ranks + s->rank;
    run->part = (unsigned)(row % parts);
    run->cell = side->first_cell + own_row * side->columns;
    run->count = side->columns;
    run->part_cell = row / parts * side->columns;
    if (which)
        run->part_cell += part_rows(&s->side[0], run->part, parts) * s->side[0].columns;
}

static checkpoint make_checkpoint(const row_slice *s)
{
    return (checkpoint){.folder = s->folder,
                        .class_index = s->side[0].class_index,
                        .rank = s->rank,
                        .ranks = s->ranks,
                        .cells = s->cells,
                        .cell_count = s->cell_count,
                        .first_phase = PHASE_ROWS_INIT,
                        .phase = s->phase,
                        .distance = s->distance,
                        .chunk = s->row,
                        .chunk_total = s->row_total,
                        .context = s,
                        .part_cells = part_cells,
                        .run_count = (size_t)(s->side[0].own_rows + s->side[1].own_rows),
                        .run = find_run};
}

ply_status ply_tablebase_rows_save(const row_slice *s, unsigned generation, ply_error *error)
{
    checkpoint c = make_checkpoint(s);
    return ply_tablebase_checkpoint_save(&c, generation, error);
}

/* The own rows of a side that have been initialised. */
static uint64_t initialised_rows(const row_slice *s, size_t which)
{
    const row_side *side = &s->side[which];
    if (s->phase != PHASE_ROWS_INIT)
        return side->own_rows;
    if (s->row <= side->first_row)
        return 0;
    uint64_t rows = own_rows_below(s, s->row - side->first_row);
    return rows < side->own_rows ? rows : side->own_rows;
}

uint64_t ply_tablebase_rows_initialised(const row_slice *s)
{
    uint64_t cells = 0;
    for (size_t i = 0; i < s->side_count; i++)
        cells += initialised_rows(s, i) * s->side[i].columns;
    return cells;
}

/* Recomputes decided_at and longest from the cells. False when a cell is impossible. */
static bool restore_distances(row_slice *s)
{
    for (size_t which = 0; which < s->side_count; which++)
        for (uint64_t row = 0; row < initialised_rows(s, which); row++) {
            row_work r = make_work(s, which, (size_t)row, 0);
            r.decided_at = s->decided_at[(which ? s->side[0].own_rows : 0) + row];
            for (uint32_t i = 0; i < r.side->columns; i++) {
                unsigned content = r.cells[i], distance = content & ~(unsigned)CELL_DECIDED;
                if (!(content & CELL_DECIDED))
                    continue;
                if (distance > MAX_DISTANCE)
                    return false;
                row_note_distance(&r, distance);
            }
        }
    return true;
}

ply_status ply_tablebase_rows_load(row_slice *s, unsigned *generation, ply_error *error)
{
    checkpoint c = make_checkpoint(s);
    bool found;
    ply_status status = ply_tablebase_checkpoint_load(&c, generation, &found, error);
    if (status != PLY_OK || !found)
        return status;
    s->phase = c.phase;
    s->distance = c.distance;
    s->row = c.chunk;
    return restore_distances(s) ? PLY_OK : ply_tablebase_checkpoint_reject(&c, error);
}
