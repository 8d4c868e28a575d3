/* SPDX-License-Identifier: MIT */
/* solved.c - see solved.h. */
#include "tablebase/solved.h"
#include "tablebase/checkpoint.h"

void ply_tablebase_class_values(void *context, uint64_t first, size_t count, uint16_t *out)
{
    const solved_class *c = context;
    uint64_t cell;
    owner_of_place(c->s, c->s->start[c->which] + first, &cell);
    const uint16_t *cells = slice_plain_cells(c->s) + cell;
    for (size_t i = 0; i < count; i++)
        out[i] = cells[i] & CELL_DECIDED ? (uint16_t)((cells[i] & ~CELL_DECIDED) + 1) : 0;
}

/* The cells of an own chunk that belong to the class; false: none. */
static bool class_cells(const solved_class *c, size_t chunk, uint64_t *first, uint64_t *end)
{
    const slice *s = c->s;
    *first = (uint64_t)chunk * CHUNK_CELLS;
    *end = chunk_end(s, chunk);
    uint64_t place = place_of_cell(s, *first), start = s->start[c->which];
    if (place < start || place >= start + s->slots[c->which])
        return false;
    if (*end - *first > start + s->slots[c->which] - place)
        *end = *first + (start + s->slots[c->which] - place);
    return true;
}

typedef struct counting {
    const solved_class *c;
    class_totals *totals;
} counting;

static void count_chunk(void *context, size_t chunk, unsigned worker)
{
    (void)worker;
    const counting *counts = context;
    const slice *s = counts->c->s;
    const tablebase_folder *folder = s->folder;
    const uint16_t *cells = slice_plain_cells(s);
    uint64_t cell, end, wins = 0, losses = 0, draws = 0, longest = 0;
    if (!class_cells(counts->c, chunk, &cell, &end))
        return;
    for (; cell < end; cell++) {
        ply_slot slot;
        slot_of_place(s, place_of_cell(s, cell), &slot);
        unsigned positions = folder->retrograde->orbit_size(folder->workspace, slot);
        uint64_t distance = cells[cell] & ~(unsigned)CELL_DECIDED;
        if (!(cells[cell] & CELL_DECIDED)) {
            draws += positions;
            continue;
        }
        *(distance & 1 ? &wins : &losses) += positions;
        longest = distance > longest ? distance : longest;
    }
    class_totals *t = counts->totals;
    atomic_fetch_add_explicit(&t->wins, wins, memory_order_relaxed);
    atomic_fetch_add_explicit(&t->losses, losses, memory_order_relaxed);
    atomic_fetch_add_explicit(&t->draws, draws, memory_order_relaxed);
    raise_maximum(&t->longest, longest);
}

void ply_tablebase_count_class(const solved_class *c, class_totals *totals)
{
    counting counts = {c, totals};
    ply_workers_run(c->s->folder->workers, c->s->chunk_count, count_chunk, &counts);
}

/* Without an early end, so that the compiler can compare many cells at once. */
static bool contains(const uint16_t *cells, uint64_t count, uint16_t wanted)
{
    unsigned found = 0;
    for (uint64_t i = 0; i < count; i++)
        found |= cells[i] == wanted;
    return found != 0;
}

uint64_t ply_tablebase_first_at(const solved_class *c, uint64_t distance)
{
    const slice *s = c->s;
    const uint16_t *cells = slice_plain_cells(s);
    uint16_t wanted = (uint16_t)(CELL_DECIDED | distance);
    for (size_t chunk = 0; chunk < s->chunk_count; chunk++) {
        uint64_t cell, end;
        if (!class_cells(c, chunk, &cell, &end) || !contains(cells + cell, end - cell, wanted))
            continue;
        for (; cell < end; cell++)
            if (cells[cell] == wanted)
                return place_of_cell(s, cell) - s->start[c->which];
    }
    return UINT64_MAX;
}

void ply_tablebase_class_header(const solved_class *c, const class_totals *totals,
                                uint64_t longest_slot, tablebase_header *header)
{
    *header = (tablebase_header){.kind = TABLEBASE_FINISHED,
                                 .value_bytes = totals->longest + 1 > UINT8_MAX ? 2 : 1,
                                 .slots = c->s->slots[c->which],
                                 .wins = totals->wins,
                                 .losses = totals->losses,
                                 .draws = totals->draws,
                                 .longest = totals->longest,
                                 .longest_slot = longest_slot == UINT64_MAX ? 0 : longest_slot};
    ply_tablebase_name_header(c->s->folder, c->s->class_index[c->which], header);
}
