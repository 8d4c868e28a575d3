/* SPDX-License-Identifier: MIT */
/*
 * retrograde.c - computes the cells of a slice by retrograde analysis.
 *
 * First, every cell is set from the moves that leave the slice. If one of them reaches a lost
 * position, the cell is decided as a win. Otherwise it gets the number of moves that are not known
 * to lose, and the longest loss so far: if all remaining moves lose too, the loss is at least that
 * long.
 *
 * Then come the passes, one for each distance d = 0, 1, 2, ... Every cell decided at d updates its
 * predecessors. If d is even (a loss), a predecessor is a win in d + 1 plies. If d is odd (a win),
 * a predecessor has one move less that might save it. A win found through a move that leaves the
 * slice may still be replaced by a shorter one, but not after the pass for its own distance. Cells
 * that no pass reaches are draws.
 *
 * Workload: hundreds of millions of cells, each with about a dozen updates of random other cells.
 * Updates wait in a short ring buffer while their cache lines are fetched.
 */
#include "tablebase/slice.h"
#include <limits.h>
#include <stdlib.h>

enum {
    PENDING_UPDATES = 64,
    LOOKAHEAD = 16, /* cells initialised together, so that their lookups overlap */
};

/* --- the part of a slice that one rank holds ------------------------------------------------- */
ply_status ply_tablebase_slice_setup(slice *s, tablebase_folder *folder, size_t class_index,
                                     unsigned rank, unsigned ranks, ply_error *error)
{
    const ply_retrograde *retrograde = folder->retrograde;
    size_t partner = retrograde->class_partner(class_index);
    *s = (slice){.folder = folder,
                 .class_index = {class_index, partner},
                 .class_total = partner == class_index ? 1 : 2,
                 .rank = rank,
                 .ranks = ranks,
                 .reciprocal = ((uint64_t)1 << RECIPROCAL_SHIFT) / ranks + 1};
    s->slots[0] = s->start[1] = s->start[2] =
        retrograde->slot_count(folder->workspace, class_index);
    if (s->class_total == 2) {
        s->slots[1] = retrograde->slot_count(folder->workspace, partner);
        s->start[1] = (s->slots[0] + CHUNK_CELLS - 1) / CHUNK_CELLS * CHUNK_CELLS;
        s->start[2] = s->start[1] + s->slots[1];
    }
    uint64_t chunks = (s->start[2] + CHUNK_CELLS - 1) / CHUNK_CELLS;
    if (retrograde->max_predecessors > SLICE_PREDECESSORS)
        return ply_error_set(error, PLY_LIMIT, "too many predecessors per position");
    /* Other ranks' cells are numbered with 32 bits. */
    if (chunks >= MAX_CHUNKS || (ranks > 1 && chunks / ranks >= UINT32_MAX / CHUNK_CELLS))
        return ply_error_set(error, PLY_LIMIT, "too many positions for %u rank%s", ranks,
                             ranks == 1 ? "" : "s");
    s->chunk_total = chunks;
    s->chunk_count = own_chunks(s, chunks);
    s->cell_count = part_values(s->start[2], rank, ranks);
    return PLY_OK;
}

ply_status ply_tablebase_slice_reserve(slice *s, ply_error *error)
{
    ply_status status = ply_tablebase_memory_reserve(
        &s->folder->budget, (size_t)s->cell_count * sizeof *s->cells, &s->array, error);
    if (status != PLY_OK)
        return status;
    s->cells = s->array.data;
    s->decided_at = calloc(s->chunk_count + 1, sizeof *s->decided_at);
    return s->decided_at ? PLY_OK : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
}

ply_status ply_tablebase_slice_open(slice *s, tablebase_folder *folder, size_t class_index,
                                    ply_error *error)
{
    ply_status status = ply_tablebase_slice_setup(s, folder, class_index, 0, 1, error);
    if (status == PLY_OK)
        status = ply_tablebase_folder_load_exits(folder, class_index,
                                                 (size_t)s->cell_count * sizeof *s->cells, error);
    return status == PLY_OK ? ply_tablebase_slice_reserve(s, error) : status;
}

void ply_tablebase_slice_release(slice *s)
{
    free(s->decided_at);
    s->decided_at = NULL;
    ply_tablebase_memory_release(&s->folder->budget, &s->array);
}

ply_status ply_tablebase_slice_status(const slice *s, ply_error *error)
{
    if (s->error == SLICE_OK)
        return PLY_OK;
    if (s->error == SLICE_NO_MEMORY)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    return ply_error_set(error, PLY_LIMIT,
                         "a position is more than %d plies from the end or has too many moves",
                         MAX_DISTANCE);
}

/* --- initialisation ------------------------------------------------------------------------- */
void ply_tablebase_slice_list_exits(const slice *s, cell_exits *c)
{
    const tablebase_folder *folder = s->folder;
    ply_slot slot;
    c->inner_moves = 0;
    c->exit_count =
        slot_of_place(s, place_of_cell(s, c->cell), &slot)
            ? folder->retrograde->exits(folder->workspace, slot, c->exits, &c->inner_moves)
            : PLY_SLOT_HOLE;
}

void ply_tablebase_slice_init_cell(slice *s, const cell_exits *c, const uint16_t *values)
{
    unsigned content = cell_first(values, c->exit_count, c->inner_moves);
    if (content == CELL_TOO_LONG)
        atomic_store_explicit(&s->error, SLICE_TOO_LONG, memory_order_relaxed);
    else if (content & CELL_DECIDED)
        cell_decide(s, c->cell, content & ~(unsigned)CELL_DECIDED);
    else
        cell_set(s, c->cell, content);
}

void ply_tablebase_slice_init_chunk(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    slice *s = context;
    const tablebase_folder *folder = s->folder;
    size_t room = folder->retrograde->max_successors;
    uint64_t chunk = s->first_chunk + piece, first = chunk * CHUNK_CELLS;
    uint64_t end = chunk_end(s, chunk);
    ply_slot *slots = malloc(LOOKAHEAD * room * sizeof *slots);
    uint16_t *values = malloc(room * sizeof *values);
    if (!slots || !values)
        atomic_store_explicit(&s->error, SLICE_NO_MEMORY, memory_order_relaxed);
    for (uint64_t cell = first; slots && values && cell < end;) {
        cell_exits group[LOOKAHEAD];
        size_t count = 0;
        for (; count < LOOKAHEAD && cell < end; count++, cell++) {
            cell_exits *c = &group[count];
            c->cell = cell;
            c->exits = slots + count * room;
            ply_tablebase_slice_list_exits(s, c);
            for (size_t i = 0; c->exit_count != PLY_SLOT_HOLE && i < c->exit_count; i++)
                folder_prefetch(folder, c->exits[i]);
        }
        for (size_t k = 0; k < count; k++) {
            const cell_exits *c = &group[k];
            for (size_t i = 0; c->exit_count != PLY_SLOT_HOLE && i < c->exit_count; i++)
                values[i] = (uint16_t)folder_value(folder, c->exits[i]);
            ply_tablebase_slice_init_cell(s, c, values);
        }
    }
    free(values);
    free(slots);
    folder_add_progress(folder, end - first);
}

/* --- passes --------------------------------------------------------------------------------- */
/* The cell has a move to a lost position: a win, unless a shorter one is known. */
static inline void update_win(slice *s, uint64_t cell, unsigned distance)
{
    uint16_t content = cell_get(s, cell);
    if (!(content & CELL_DECIDED) || content > (CELL_DECIDED | distance))
        cell_decide(s, cell, distance); /* a race is harmless: this pass writes one distance only */
}

/* One more move of the cell is known to lose. */
static inline void update_loss(slice *s, uint64_t cell, unsigned distance)
{
    if (cell_get(s, cell) & CELL_DECIDED)
        return;
    uint16_t before = atomic_fetch_sub_explicit(&s->cells[cell], 1, memory_order_relaxed);
    if ((before & MOVES_LEFT_MASK) == 1)
        cell_decide(s, cell, cell_loss(before, distance));
}

static inline void update(slice *s, uint64_t cell, unsigned distance)
{
    if (distance & 1)
        update_win(s, cell, distance);
    else
        update_loss(s, cell, distance);
}

typedef struct update_ring {
    uint64_t cell[PENDING_UPDATES];
    size_t count; /* pushed so far */
} update_ring;

static inline void ring_push(update_ring *r, slice *s, uint64_t cell, unsigned distance)
{
    uint64_t *entry = &r->cell[r->count % PENDING_UPDATES];
    if (r->count++ >= PENDING_UPDATES)
        update(s, *entry, distance);
    *entry = cell;
    __builtin_prefetch((const void *)&s->cells[cell], 1);
}

static void ring_flush(update_ring *r, slice *s, unsigned distance)
{
    for (size_t i = r->count > PENDING_UPDATES ? r->count - PENDING_UPDATES : 0; i < r->count; i++)
        update(s, r->cell[i % PENDING_UPDATES], distance);
    r->count = 0;
}

void ply_tablebase_slice_apply(slice *s, const uint32_t *cells, size_t count)
{
    unsigned distance = (unsigned)s->distance + 1;
    update_ring ring;
    ring.count = 0;
    for (size_t i = 0; i < count; i++)
        ring_push(&ring, s, cells[i], distance);
    ring_flush(&ring, s, distance);
}

void ply_tablebase_slice_apply_chunk(slice *s, size_t chunk, const uint16_t *offsets, size_t count)
{
    unsigned distance = (unsigned)s->distance + 1;
    uint64_t first = (uint64_t)chunk * CHUNK_CELLS;
    update_ring ring;
    ring.count = 0;
    for (size_t i = 0; i < count; i++)
        ring_push(&ring, s, first + offsets[i], distance);
    ring_flush(&ring, s, distance);
}

/* Adds an update of another rank's cell. */
static inline void outbox_push(slice *s, slice_outbox *outbox, uint64_t cell)
{
    if (outbox->count == outbox->room) {
        size_t room = outbox->room ? 2 * outbox->room : CHUNK_CELLS;
        uint32_t *cells = realloc(outbox->cells, room * sizeof *cells);
        if (!cells) {
            atomic_store_explicit(&s->error, SLICE_NO_MEMORY, memory_order_relaxed);
            return;
        }
        outbox->cells = cells;
        outbox->room = room;
    }
    outbox->cells[outbox->count++] = (uint32_t)cell;
}

void ply_tablebase_slice_pass_chunk(void *context, size_t piece, unsigned worker)
{
    slice *s = context;
    const tablebase_folder *folder = s->folder;
    uint64_t chunk = s->first_chunk + piece, end = chunk_end(s, chunk), found = 0;
    if (!atomic_load_explicit(&s->decided_at[chunk][s->distance], memory_order_relaxed))
        return;
    slice_outbox *outboxes = s->outboxes ? s->outboxes + (size_t)worker * s->ranks : NULL;
    unsigned distance = (unsigned)s->distance + 1;
    uint16_t decided_now = (uint16_t)(CELL_DECIDED | s->distance);
    update_ring ring;
    ring.count = 0;
    for (uint64_t cell = chunk * CHUNK_CELLS; cell < end; cell++) {
        if (cell_get(s, cell) != decided_now)
            continue;
        found++;
        ply_slot slot, predecessors[SLICE_PREDECESSORS];
        slot_of_place(s, place_of_cell(s, cell), &slot);
        size_t count = folder->retrograde->predecessors(folder->workspace, slot, predecessors);
        for (size_t i = 0; i < count; i++) {
            uint64_t to = place_of_slot(s, predecessors[i]);
            unsigned owner = outboxes ? owner_of_place(s, to, &to) : s->rank;
            if (owner == s->rank)
                ring_push(&ring, s, to, distance);
            else
                outbox_push(s, &outboxes[owner], to);
        }
    }
    ring_flush(&ring, s, distance);
    folder_add_progress(folder, found);
}
