/* SPDX-License-Identifier: MIT */
/*
 * slice.h - a slice while it is being solved: a class and its partner, whose values depend on each
 * other and on slices solved before.
 *
 * Every slot of the slice has a 16-bit cell. The cells of the class come first, then, from the next
 * multiple of CHUNK_CELLS, those of its partner; cells in between stand for nothing.
 * model/retrograde_cell.h draws a cell.
 *
 * A cluster deals the chunks of a slice out to its ranks: rank r of n holds chunks r, r + n,
 * r + 2n, ... as its own chunks 0, 1, 2, ... A build in one process is rank 0 of 1. Cells are
 * numbered within the rank's own part; "place" is the number within the whole slice.
 *
 * retrograde.c computes the cells, checkpoint.c saves and restores them, and build.c schedules that
 * work and writes the files. Checkpoints contain the cells as they are, so this layout is part of
 * the file format.
 */
#ifndef PLY_TABLEBASE_SLICE_H
#define PLY_TABLEBASE_SLICE_H

#include "model/retrograde_cell.h"
#include "tablebase/folder.h"

enum {
    SLICE_PREDECESSORS = 1024, /* the most that a slot may have */
    RECIPROCAL_SHIFT = 40,     /* exact for fewer than 2^24 chunks and 2^16 ranks */
    MAX_CHUNKS = 1 << 24,
    MAX_RANKS = 1 << 12,
};
_Static_assert(sizeof(_Atomic uint16_t) == sizeof(uint16_t), "cells are saved as plain numbers");

/* Stored in checkpoints. */
enum { PHASE_INIT, PHASE_PASSES };

typedef enum slice_error {
    SLICE_OK,
    SLICE_TOO_LONG, /* a distance or a number of moves exceeds its field */
    SLICE_NO_MEMORY,
} slice_error;

/* Updates found by one worker for the cells of another rank. */
typedef struct slice_outbox {
    uint32_t *cells; /* as numbered by that rank */
    size_t count, room;
} slice_outbox;

typedef struct slice {
    tablebase_folder *folder;
    size_t class_index[2]; /* the class and its partner; equal for a class that is its own */
    size_t class_total;    /* 1 or 2 */
    uint64_t slots[2];     /* of each class */
    uint64_t start[3];     /* the place of the first cell of each class, and the end */
    unsigned rank, ranks;  /* which part of the slice this is */
    uint64_t reciprocal;   /* of ranks, for slice_owner */
    uint64_t cell_count;   /* of the own part */
    _Atomic uint16_t *cells;
    budget_array array; /* the memory of the cells */
    /* By chunk: some cell of it is decided at that distance. */
    _Atomic uint8_t (*decided_at)[MAX_DISTANCE + 2];
    size_t chunk_count;   /* of the own part */
    uint64_t chunk_total; /* of the whole slice */
    /* Progress: distance of the current pass, next chunk of the whole slice. */
    uint64_t phase, distance, chunk;
    _Atomic uint64_t longest; /* the largest distance decided so far */
    _Atomic int error;        /* a slice_error */
    uint64_t first_chunk;     /* of the group of chunks being worked on */
    slice_outbox *outboxes;   /* worker x ranks + rank; NULL for a build in one process */
} slice;

/* The place of a cell of the own part. */
static inline uint64_t place_of_cell(const slice *s, uint64_t cell)
{
    uint64_t chunk = cell / CHUNK_CELLS * s->ranks + s->rank;
    return chunk * CHUNK_CELLS + cell % CHUNK_CELLS;
}

/* The rank that holds a place; *cell: its number there. */
static inline unsigned owner_of_place(const slice *s, uint64_t place, uint64_t *cell)
{
    uint64_t chunk = place / CHUNK_CELLS, own = chunk * s->reciprocal >> RECIPROCAL_SHIFT;
    *cell = own * CHUNK_CELLS + place % CHUNK_CELLS;
    return (unsigned)(chunk - own * s->ranks);
}

/* The slot at a place; false: the place stands for nothing. */
static inline bool slot_of_place(const slice *s, uint64_t place, ply_slot *slot)
{
    size_t which = place >= s->start[1];
    uint64_t number = place - s->start[which];
    *slot = ply_slot_make(s->class_index[which], number);
    return number < s->slots[which];
}

static inline uint64_t place_of_slot(const slice *s, ply_slot slot)
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

/* The last cell of an own chunk, exclusive. */
static inline uint64_t chunk_end(const slice *s, uint64_t chunk)
{
    uint64_t end = (chunk + 1) * CHUNK_CELLS;
    return end < s->cell_count ? end : s->cell_count;
}

/* The number of own chunks among the first `chunks` of the whole slice. */
static inline size_t own_chunks(const slice *s, uint64_t chunks)
{
    return (size_t)((chunks + s->ranks - 1 - s->rank) / s->ranks);
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
 * Sets up the rank's part of a slice: its numbers, not its memory. PLY_LIMIT when the slice has too
 * many cells.
 */
ply_status ply_tablebase_slice_setup(slice *s, tablebase_folder *folder, size_t class_index,
                                     unsigned rank, unsigned ranks, ply_error *error);
/* Allocates the cells, all 0. Free with release, which may follow a failure. */
ply_status ply_tablebase_slice_reserve(slice *s, ply_error *error);
/*
 * Sets up and allocates a whole slice, and loads the values that its moves out of the slice lead to.
 * Free with release, which may follow a failure.
 */
ply_status ply_tablebase_slice_open(slice *s, tablebase_folder *folder, size_t class_index,
                                    ply_error *error);
void ply_tablebase_slice_release(slice *s);
/* Fails with the reason if some work on the slice has failed. */
ply_status ply_tablebase_slice_status(const slice *s, ply_error *error);

/*
 * Work for a team of workers (ply_work; context is the slice), on own chunk first_chunk + piece:
 * set the cells from the moves that leave the slice, and propagate those decided at s->distance.
 * With several ranks, the first is replaced by the two functions below, and updates of other ranks'
 * cells are added to the worker's outboxes.
 */
void ply_tablebase_slice_init_chunk(void *context, size_t piece, unsigned worker);
void ply_tablebase_slice_pass_chunk(void *context, size_t piece, unsigned worker);

/*
 * A cell's moves that leave the slice, as a cluster looks them up: first all exits of some cells
 * are listed, then their values arrive.
 */
typedef struct cell_exits {
    uint64_t cell;
    ply_slot *exits;   /* room for retrograde->max_successors */
    size_t exit_count; /* or PLY_SLOT_HOLE */
    unsigned inner_moves;
} cell_exits;
void ply_tablebase_slice_list_exits(const slice *s, cell_exits *c);
/* values: as stored, one for each exit. */
void ply_tablebase_slice_init_cell(slice *s, const cell_exits *c, const uint16_t *values);
/* Applies updates from another rank to own cells, in the pass for s->distance. */
void ply_tablebase_slice_apply(slice *s, const uint32_t *cells, size_t count);
/* The same for cells of one own chunk, given by their offsets in it. */
void ply_tablebase_slice_apply_chunk(slice *s, size_t chunk, const uint16_t *offsets, size_t count);

/* Checkpoints (checkpoint.h). */
ply_status ply_tablebase_slice_save(slice *s, unsigned generation, ply_error *error);
/* Without any checkpoint the slice stays at its beginning. */
ply_status ply_tablebase_slice_load(slice *s, unsigned *generation, ply_error *error);
/* The number of cells of the own part that have been initialised. */
uint64_t ply_tablebase_slice_initialised(const slice *s);

#endif
