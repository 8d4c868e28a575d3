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

/* --- initialisation ------------------------------------------------------------------------- */
/* A cell and the moves that leave the slice from it. */
typedef struct cell_exits {
    uint64_t cell;
    ply_slot *exits;
    size_t exit_count; /* or PLY_SLOT_HOLE */
    unsigned inner_moves;
} cell_exits;

static void init_cell(slice *s, const cell_exits *c)
{
    if (c->exit_count == PLY_SLOT_HOLE) {
        cell_set(s, c->cell, MOVES_LEFT_MASK);
        return;
    }
    unsigned shortest_win = UINT_MAX, longest_loss = 0, draws = 0;
    for (size_t i = 0; i < c->exit_count; i++) {
        /* A stored value is 1 + the plies after the move: the distance with the move included. */
        unsigned value = folder_value(s->folder, c->exits[i]);
        if (value == 0)
            draws++;
        else if (value & 1)
            shortest_win = value < shortest_win ? value : shortest_win;
        else
            longest_loss = value > longest_loss ? value : longest_loss;
    }
    unsigned moves_left = c->inner_moves + draws;
    if ((shortest_win != UINT_MAX && shortest_win > MAX_DISTANCE) || longest_loss > MAX_DISTANCE ||
        moves_left > MOVES_LEFT_MASK)
        atomic_store_explicit(&s->error, SLICE_TOO_LONG, memory_order_relaxed);
    else if (shortest_win != UINT_MAX)
        cell_decide(s, c->cell, shortest_win);
    else if (moves_left == 0)
        cell_decide(s, c->cell, longest_loss);
    else
        cell_set(s, c->cell, longest_loss / 2 << MOVES_LEFT_BITS | moves_left);
}

void ply_tablebase_slice_init_chunk(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    slice *s = context;
    const tablebase_folder *folder = s->folder;
    const ply_retrograde *retrograde = folder->retrograde;
    uint64_t chunk = s->first_chunk + piece, first = chunk * CHUNK_CELLS;
    uint64_t end = chunk_end(s, chunk);
    ply_slot *slots = malloc(LOOKAHEAD * retrograde->max_successors * sizeof *slots);
    if (!slots) {
        atomic_store_explicit(&s->error, SLICE_NO_MEMORY, memory_order_relaxed);
        return;
    }
    for (uint64_t cell = first; cell < end;) {
        cell_exits group[LOOKAHEAD];
        size_t count = 0;
        for (; count < LOOKAHEAD && cell < end; count++, cell++) {
            cell_exits *c = &group[count];
            c->cell = cell;
            c->exits = slots + count * retrograde->max_successors;
            c->exit_count = retrograde->exits(folder->workspace, slot_of_cell(s, cell), c->exits,
                                              &c->inner_moves);
            for (size_t i = 0; c->exit_count != PLY_SLOT_HOLE && i < c->exit_count; i++)
                folder_prefetch(folder, c->exits[i]);
        }
        for (size_t i = 0; i < count; i++)
            init_cell(s, &group[i]);
    }
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
    if ((before & MOVES_LEFT_MASK) == 1) {
        unsigned longest_loss = (unsigned)(before >> MOVES_LEFT_BITS) * 2;
        cell_decide(s, cell, longest_loss > distance ? longest_loss : distance);
    }
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

void ply_tablebase_slice_pass_chunk(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    slice *s = context;
    const tablebase_folder *folder = s->folder;
    uint64_t chunk = s->first_chunk + piece, end = chunk_end(s, chunk), found = 0;
    if (!atomic_load_explicit(&s->decided_at[chunk][s->distance], memory_order_relaxed))
        return;
    unsigned distance = (unsigned)s->distance + 1;
    uint16_t decided_now = (uint16_t)(CELL_DECIDED | s->distance);
    update_ring ring;
    ring.count = 0;
    for (uint64_t cell = chunk * CHUNK_CELLS; cell < end; cell++) {
        if (cell_get(s, cell) != decided_now)
            continue;
        found++;
        ply_slot predecessors[SLICE_PREDECESSORS];
        size_t count = folder->retrograde->predecessors(folder->workspace, slot_of_cell(s, cell),
                                                        predecessors);
        for (size_t i = 0; i < count; i++)
            ring_push(&ring, s, cell_of_slot(s, predecessors[i]), distance);
    }
    ring_flush(&ring, s, distance);
    folder_add_progress(folder, found);
}
