/* SPDX-License-Identifier: MIT */
/*
 * slice.h - a slice while it is being solved: a class and its partner, whose values depend on each
 * other and on slices solved before.
 *
 * Every slot of the slice has a 16-bit cell; the cells of the class come first, then those of its
 * partner. While a value is being worked out, its cell counts the moves that are not yet known to
 * lose and holds a lower bound on the length of the loss:
 *
 *                  15   14                7 6               0
 *                +----+--------------------+-----------------+
 *     undecided  | 0  | longest loss / 2   | moves left      |
 *                +----+--------------------+-----------------+
 *     decided    | 1  | plies to the end: even is a loss     |
 *                +----+--------------------------------------+
 *
 * retrograde.c computes the cells; build.c schedules that work and writes the files. Checkpoint
 * files contain the cells as they are, so this layout is part of the file format.
 */
#ifndef PLY_TABLEBASE_SLICE_H
#define PLY_TABLEBASE_SLICE_H

#include "tablebase/folder.h"

enum {
    CELL_DECIDED = 0x8000,
    MOVES_LEFT_BITS = 7,
    MOVES_LEFT_MASK = (1 << MOVES_LEFT_BITS) - 1,
    MAX_DISTANCE = 510,        /* plies */
    CHUNK_CELLS = 1 << 16,     /* a unit of work for one worker */
    SLICE_PREDECESSORS = 1024, /* the most that a slot may have */
};
_Static_assert((MAX_DISTANCE / 2 << MOVES_LEFT_BITS | MOVES_LEFT_MASK) < CELL_DECIDED,
               "the bound fits its field");
_Static_assert(sizeof(_Atomic uint16_t) == sizeof(uint16_t), "cells are saved as plain numbers");

/* Stored in checkpoints. */
enum { PHASE_INIT, PHASE_PASSES };

typedef enum slice_error {
    SLICE_OK,
    SLICE_TOO_LONG, /* a distance or a number of moves exceeds its field */
    SLICE_NO_MEMORY,
} slice_error;

typedef struct slice {
    tablebase_folder *folder;
    size_t class_index[2]; /* the class and its partner; equal for a class that is its own */
    size_t class_total;    /* 1 or 2 */
    uint64_t start[3];     /* the first cell of each class, and the end */
    _Atomic uint16_t *cells;
    budget_array array; /* the memory of the cells */
    /* By chunk: some cell of it is decided at that distance. */
    _Atomic uint8_t (*decided_at)[MAX_DISTANCE + 2];
    size_t chunk_count;
    uint64_t phase, distance, chunk; /* progress; distance of the current pass, next chunk */
    _Atomic uint64_t longest;        /* the largest distance decided so far */
    _Atomic int error;               /* a slice_error */
    uint64_t first_chunk;            /* of the group of chunks being worked on */
} slice;

static inline ply_slot slot_of_cell(const slice *s, uint64_t cell)
{
    size_t which = cell >= s->start[1];
    return ply_slot_make(s->class_index[which], cell - s->start[which]);
}

static inline uint64_t cell_of_slot(const slice *s, ply_slot slot)
{
    size_t which = ply_slot_class(slot) != s->class_index[0];
    return s->start[which] + ply_slot_number(slot);
}

static inline uint16_t cell_get(const slice *s, uint64_t cell)
{
    return atomic_load_explicit(&s->cells[cell], memory_order_relaxed);
}

static inline void cell_set(slice *s, uint64_t cell, unsigned content)
{
    atomic_store_explicit(&s->cells[cell], (uint16_t)content, memory_order_relaxed);
}

/* The cells as plain memory, for use while no worker writes them. */
static inline const uint16_t *slice_plain_cells(const slice *s)
{
    return s->array.data;
}

/* The last cell of a chunk, exclusive. */
static inline uint64_t chunk_end(const slice *s, uint64_t chunk)
{
    uint64_t end = (chunk + 1) * CHUNK_CELLS;
    return end < s->start[2] ? end : s->start[2];
}

/* Decides a cell at a distance. */
static inline void cell_decide(slice *s, uint64_t cell, unsigned distance)
{
    cell_set(s, cell, CELL_DECIDED | distance);
    _Atomic uint8_t *flag = &s->decided_at[cell / CHUNK_CELLS][distance];
    if (!atomic_load_explicit(flag, memory_order_relaxed)) {
        atomic_store_explicit(flag, 1, memory_order_relaxed);
        raise_maximum(&s->longest, distance);
    }
}

/*
 * Work for a team of workers (ply_work; context is the slice), on chunk first_chunk + piece: set
 * the cells from the moves that leave the slice, and propagate those decided at s->distance.
 */
void ply_tablebase_slice_init_chunk(void *context, size_t piece, unsigned worker);
void ply_tablebase_slice_pass_chunk(void *context, size_t piece, unsigned worker);

#endif
