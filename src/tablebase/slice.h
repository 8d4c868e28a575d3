/* SPDX-License-Identifier: MIT */
/*
 * slice.h - a slice of a table at work: a class and its partner, whose values depend on each other
 * and on slices done before.
 *
 * Each slot of a slice has a cell of 16 bits:
 *
 *     15   14                              0
 *    | 1 | plies to the end                 |   decided: a loss if even, a win if odd
 *
 *     15   14          7  6                0
 *    | 0 | lost after/2 | moves left to look at |   not decided yet
 *
 * retrograde.c fills the cells; build.c says in which order, and saves and stores them.
 */
#ifndef PLY_TABLEBASE_SLICE_H
#define PLY_TABLEBASE_SLICE_H

#include "tablebase/folder.h"

enum {
    DECIDED = 0x8000,
    LEFT_BITS = 7,
    LEFT_MASK = (1 << LEFT_BITS) - 1,
    DISTANCE_LIMIT = 510,
    CHUNK = 1 << 16,     /* slots that one worker takes at a time */
    PREDECESSORS = 1024, /* at most, of a slot */
};
_Static_assert((DISTANCE_LIMIT / 2 << LEFT_BITS | LEFT_MASK) < DECIDED, "a bound fits its field");

enum { PHASE_SETUP, PHASE_WAVES };

typedef struct slice {
    tablebase_folder *store;
    size_t class_index[2]; /* the second is the partner; the same for a class that is its own */
    uint64_t start[3];     /* first slot of each, and the end */
    size_t class_total;
    uint16_t *cells;
    tablebase_array array;
    uint8_t (*due)[DISTANCE_LIMIT + 2]; /* by chunk: some slot in it is decided at that distance */
    size_t chunks;
    uint64_t phase, distance, chunk; /* how far the work is; chunk: the next one to do */
    uint64_t longest;                /* the largest distance decided so far */
    uint64_t too_long;               /* a distance passed the limit */
    uint64_t first_chunk;            /* of the group at work */
} slice;

static inline ply_slot place_of_slot(const slice *s, uint64_t slot)
{
    size_t which = slot >= s->start[1];
    return ply_slot_make(s->class_index[which], slot - s->start[which]);
}

static inline uint64_t slot_of_place(const slice *s, ply_slot place)
{
    size_t which = ply_slot_class(place) != s->class_index[0];
    return s->start[which] + ply_slot_number(place);
}

static inline uint16_t cell_get(const slice *s, uint64_t slot)
{
    return __atomic_load_n(&s->cells[slot], __ATOMIC_RELAXED);
}

static inline void note_longest(slice *s, uint64_t distance)
{
    uint64_t known = __atomic_load_n(&s->longest, __ATOMIC_RELAXED);
    while (distance > known && !__atomic_compare_exchange_n(&s->longest, &known, distance, true,
                                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* The slot is decided at that distance. */
static inline void decide(slice *s, uint64_t slot, unsigned distance)
{
    __atomic_store_n(&s->cells[slot], (uint16_t)(DECIDED | distance), __ATOMIC_RELAXED);
    uint8_t *due = &s->due[slot / CHUNK][distance];
    if (!__atomic_load_n(due, __ATOMIC_RELAXED)) {
        __atomic_store_n(due, 1, __ATOMIC_RELAXED);
        note_longest(s, distance);
    }
}

/* Work for a team on chunk first_chunk + piece: the first look at its slots, and a wave. */
void ply_tablebase_slice_set_up_chunk(void *context, size_t piece, unsigned worker);
void ply_tablebase_slice_wave_chunk(void *context, size_t piece, unsigned worker);

#endif
