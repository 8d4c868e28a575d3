/* SPDX-License-Identifier: MIT */
/*
 * rows.h - a slice of a game with rows (ply_retrograde_rows) while it is being solved.
 *
 * The slice has one side for each class: the cells of the class in the order of its rows, each as
 * model/retrograde_cell.h draws it. A side also has two frontiers, one bit for each of those places:
 * read as a slot of the partner, a place is in frontier d & 1 if that slot is decided at distance d.
 *
 *     side of class a v b       row r, one enemy set B           the cells: positions (A, B)
 *                              +------------------------------+
 *                              | cell, cell, cell, ...        |
 *                              +------------------------------+
 *                              | frontier d & 1, a bit each   |  slots of b v a: positions (B, A')
 *                              +------------------------------+
 *
 * A pass goes through the rows, each on its own. First the row's frontier at d updates the row's
 * cells, as in retrograde.c; then the cells decided at d + 1 are entered in the next frontier, which
 * is the only access to memory outside the row. That frontier belongs to the other side.
 *
 * A cluster deals out the rows: rank r of n holds rows r, r + n, ... of both sides. What crosses from
 * rank to rank is the bits of the next frontier.
 *
 * Checkpoints contain the cells alone: those of the first side, then those of the second, without
 * gaps. The frontiers follow from them.
 */
#ifndef PLY_TABLEBASE_ROWS_H
#define PLY_TABLEBASE_ROWS_H

#include "model/retrograde_cell.h"
#include "tablebase/checkpoint.h"
#include "tablebase/folder.h"

enum {
    ROW_BATCH = 256,       /* columns that are passed to the game at a time */
    ROW_STATE_WORDS = 160, /* room for a row of any game */
    SEGMENT_BITS = 16,     /* of a frontier: a flag for each 2^16 bits */
};

/* Stored in checkpoints; those of slice.h are 0 and 1. */
enum { PHASE_ROWS_INIT = 2, PHASE_ROWS_PASSES };

typedef struct row_side {
    size_t class_index;
    uint64_t rows, own_rows; /* of all ranks, and of this one */
    uint32_t columns;
    uint64_t first_cell; /* of the own cells */
    uint64_t first_row;  /* the number of rows on the sides before this one */
    uint64_t stride;     /* bits of a row of the frontiers */
    _Atomic uint64_t *frontier[2];
    _Atomic uint8_t *touched[2]; /* by segment of the frontier: some bit may be set */
} row_side;

/* Bits of the next frontier that belong to another rank. */
typedef struct row_outbox {
    uint32_t *bits;
    size_t count, room;
} row_outbox;

/* The values of the class that captures lead to, row by row from its file. */
typedef struct exit_values {
    tablebase_file file;
    ply_text path;
    bool opened;
    uint64_t columns;
} exit_values;

enum { CACHED_ROWS = 32 };
typedef struct cached_row {
    uint64_t key, used; /* used: when, 0 is never */
} cached_row;

/* What each worker has for itself. */
typedef struct row_worker {
    uint64_t state[ROW_STATE_WORDS]; /* the row, as the game sees it */
    uint32_t *decided;               /* columns that the pass decides at its distance + 1 */
    size_t decided_count;
    uint32_t *predecessors;
    uint64_t *places, *exits;
    cached_row cache[CACHED_ROWS]; /* of values that captures lead to */
    unsigned char *cached;         /* their memory */
    uint64_t clock;
    tablebase_unpacker *unpacker;
    row_outbox *outboxes; /* by rank */
} row_worker;

typedef struct row_slice {
    tablebase_folder *folder;
    const ply_retrograde_rows *ops;
    row_side side[2];     /* of the class and of its partner */
    exit_values exits[2]; /* likewise */
    size_t side_count;
    unsigned rank, ranks;
    uint64_t cell_count; /* own */
    uint64_t row_total;  /* of both sides and all ranks */
    uint16_t *cells;
    budget_array array, bits; /* memory of the cells and of the frontiers */
    /* By own row: some cell may be decided at that distance, other than by the pass before it. */
    uint8_t (*decided_at)[MAX_DISTANCE + 2];
    uint64_t phase, distance, row; /* progress: row is the next of row_total */
    _Atomic uint64_t longest;      /* the largest distance decided so far */
    _Atomic int failed;            /* a ply_status */
    ply_error error;               /* of the first failure */
    row_worker *workers;
    uint64_t first; /* own row (of the side) that is piece 0 of a group */
    size_t current; /* side of the group */
    bool seeding;   /* the group only enters the cells decided at seed_distance */
    uint64_t seed_distance;
} row_slice;

/* A row that a worker is at work on. */
typedef struct row_work {
    row_slice *s;
    row_worker *w;
    size_t which;
    row_side *side;
    uint64_t own_row;
    uint16_t *cells;
    uint8_t *decided_at;
} row_work;

/* The side whose frontiers list the slots of a side's class. */
static inline row_side *row_other(row_slice *s, size_t which)
{
    return &s->side[s->side_count == 2 ? 1 - which : 0];
}

static inline uint64_t own_rows_below(const row_slice *s, uint64_t row)
{
    return (row + s->ranks - 1 - s->rank) / s->ranks;
}

static inline uint16_t *row_cells(const row_slice *s, const row_side *side, uint64_t own_row)
{
    return s->cells + side->first_cell + own_row * side->columns;
}

/* Sets the bit of a place in a frontier of the own part; from any thread. */
static inline void frontier_set(row_side *side, uint64_t parity, uint64_t bit)
{
    atomic_fetch_or_explicit(&side->frontier[parity][bit >> 6], (uint64_t)1 << (bit & 63),
                             memory_order_relaxed);
    _Atomic uint8_t *flag = &side->touched[parity][bit >> SEGMENT_BITS];
    if (!atomic_load_explicit(flag, memory_order_relaxed))
        atomic_store_explicit(flag, 1, memory_order_relaxed);
}

/* Sets up a row in the worker's memory, as the game sees it. */
static inline const void *row_open(const row_work *r)
{
    uint64_t number = r->own_row * r->s->ranks + r->s->rank;
    r->s->ops->open(r->s->folder->workspace, r->side->class_index, number, r->w->state);
    return r->w->state;
}

/* Notes that a cell of the row is decided at a distance. */
static inline void row_note_distance(const row_work *r, unsigned distance)
{
    if (!r->decided_at[distance]) {
        r->decided_at[distance] = 1;
        raise_maximum(&r->s->longest, distance);
    }
}

/* Sets up the rank's part: its numbers, not its memory. PLY_LIMIT when it has too many cells. */
ply_status ply_tablebase_rows_setup(row_slice *s, tablebase_folder *folder, size_t class_index,
                                    unsigned rank, unsigned ranks, ply_error *error);
/* Allocates the cells. Free with release, which may follow a failure. */
ply_status ply_tablebase_rows_reserve(row_slice *s, ply_error *error);
void ply_tablebase_rows_release(row_slice *s);
/* Opens the values that captures lead to, for the initialisation. */
ply_status ply_tablebase_rows_open_exits(row_slice *s, ply_error *error);
void ply_tablebase_rows_close_exits(row_slice *s);
/* Allocates the frontiers, for the passes. */
ply_status ply_tablebase_rows_reserve_frontiers(row_slice *s, ply_error *error);
ply_status ply_tablebase_rows_status(const row_slice *s, ply_error *error);
/* Makes the reason that of the slice, unless another failed before. From any thread. */
void ply_tablebase_rows_fail(row_slice *s, const ply_error *reason);
/* Sets the cells of a row from the moves that leave the slice (rows_init.c). */
void ply_tablebase_rows_init_row(const row_work *r);
/* Bytes that the own part needs at a time. */
uint64_t ply_tablebase_rows_bytes(const row_slice *s);

/* The end of the group of rows that begins at s->row: it lies on one side. */
uint64_t ply_tablebase_rows_group_end(const row_slice *s, uint64_t end);
/*
 * Works on the own rows of the group from s->row to `end`, with all workers: initialises them,
 * propagates the frontier at s->distance, or enters the cells decided at s->seed_distance. Bits for
 * other ranks are left in the outboxes.
 */
void ply_tablebase_rows_run(row_slice *s, uint64_t end);
/* Bits of the side that the current group writes to, for another rank; by worker. */
row_outbox *ply_tablebase_rows_outbox(row_slice *s, unsigned worker, unsigned to);
/* Empties the frontier at s->distance on the rows before `end`, which have been propagated. */
void ply_tablebase_rows_forget(row_slice *s, uint64_t end);
/* Ends the pass for s->distance: its frontier is empty. */
void ply_tablebase_rows_end_pass(row_slice *s);

ply_status ply_tablebase_rows_save(const row_slice *s, unsigned generation, ply_error *error);
/* As ply_tablebase_checkpoint_load; restores everything but the frontiers. */
ply_status ply_tablebase_rows_load(row_slice *s, unsigned *generation, ply_error *error);
/* The number of own cells that have been initialised. */
uint64_t ply_tablebase_rows_initialised(const row_slice *s);

/* --- from the cells to the file of a class (rows_file.c) -------------------------------------- */
typedef struct row_totals {
    _Atomic uint64_t wins, losses, draws, longest;
    _Atomic uint64_t first; /* the first slot at the longest distance, or UINT64_MAX */
} row_totals;

/* Of the own part. */
void ply_tablebase_rows_count(row_slice *s, size_t which, row_totals *totals);
void ply_tablebase_rows_find_longest(row_slice *s, size_t which, row_totals *totals);
void ply_tablebase_rows_header(const row_slice *s, size_t which, const row_totals *totals,
                               tablebase_header *header);
/*
 * The places of the cells of `count` slots from `first`; holes: by slot, whether it stands for no
 * position.
 */
void ply_tablebase_rows_places(const row_slice *s, size_t which, uint64_t first, size_t count,
                               uint64_t *places, bool *holes);
ply_status ply_tablebase_rows_write(row_slice *s, size_t which, ply_error *error);

#endif
