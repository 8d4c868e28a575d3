/* SPDX-License-Identifier: MIT */
/*
 * retrograde.c - the cells of a slice, by retrograde analysis.
 *
 * First every slot is set from the moves that leave the slice: a win if one reaches a lost
 * position; else the count of moves whose value is not known, and a bound: if all others turn out
 * to lose, the loss is at least so long. Then waves go back, one for each distance d from 0: each
 * slot decided at d tells its predecessors, which become wins in d + 1 (d even) or have one move
 * less to hope for (d odd). A win found from moves that leave the slice may still become a shorter
 * one, but not after the wave of its own distance. What no wave reaches is a draw.
 *
 * Workload: hundreds of millions of slots, a dozen updates each at random cells. Updates wait in a
 * short ring while the cache line comes.
 */
#include "tablebase/slice.h"
#include <limits.h>
#include <stdlib.h>

enum { RING = 64 /* updates under way */, LOOKAHEAD = 16 /* slots set up together */ };

/* --- setting up ----------------------------------------------------------------------------- */
typedef struct first_look {
    uint64_t slot;
    size_t count;
    unsigned staying;
    ply_slot *places;
} first_look;

static void set_up_slot(slice *s, const first_look *look)
{
    unsigned win = UINT_MAX, draws = 0, loss = 0;
    if (look->count == PLY_SLOT_HOLE) {
        s->cells[look->slot] = LEFT_MASK;
        return;
    }
    for (size_t i = 0; i < look->count; i++) {
        unsigned value = table_value_at(s->store, look->places[i]);
        /* value is 1 + the plies after the move, which is the plies with it. */
        if (value == 0)
            draws++;
        else if (value & 1)
            win = value < win ? value : win;
        else
            loss = value > loss ? value : loss;
    }
    unsigned left = look->staying + draws;
    if ((win != UINT_MAX && win > DISTANCE_LIMIT) || loss > DISTANCE_LIMIT || left > LEFT_MASK)
        __atomic_store_n(&s->too_long, 1, __ATOMIC_RELAXED);
    else if (win != UINT_MAX)
        decide(s, look->slot, win);
    else if (left == 0)
        decide(s, look->slot, loss);
    else
        s->cells[look->slot] = (uint16_t)(loss / 2 << LEFT_BITS | left);
}

void ply_tablebase_slice_set_up_chunk(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    slice *s = context;
    const tablebase_folder *store = s->store;
    uint64_t slot = (s->first_chunk + piece) * CHUNK, end = slot + CHUNK;
    end = end < s->start[2] ? end : s->start[2];
    uint64_t first = slot;
    size_t room = store->retro->max_successors;
    ply_slot *places = malloc(LOOKAHEAD * room * sizeof *places);
    if (!places) {
        __atomic_store_n(&s->too_long, 2, __ATOMIC_RELAXED);
        return;
    }
    while (slot < end) {
        first_look looks[LOOKAHEAD];
        size_t count = 0;
        for (; count < LOOKAHEAD && slot < end; count++, slot++) {
            first_look *look = &looks[count];
            look->slot = slot;
            look->places = places + count * room;
            look->count = store->retro->leaving(store->work, place_of_slot(s, slot), look->places,
                                                &look->staying);
            for (size_t i = 0; look->count != PLY_SLOT_HOLE && i < look->count; i++)
                table_value_fetch(store, look->places[i]);
        }
        for (size_t i = 0; i < count; i++)
            set_up_slot(s, &looks[i]);
    }
    free(places);
    table_count(store, end - first, end - first);
}

/* --- waves ---------------------------------------------------------------------------------- */
/* The slot has a move to a lost position: it is won, unless it is won sooner. */
static inline void tell_win(slice *s, uint64_t slot, unsigned distance)
{
    uint16_t cell = cell_get(s, slot);
    if (!(cell & DECIDED) || cell > (DECIDED | distance))
        decide(s, slot, distance); /* all who write in this wave write the same */
}

/* One move of the slot is known to lose. */
static inline void tell_loss(slice *s, uint64_t slot, unsigned distance)
{
    if (cell_get(s, slot) & DECIDED)
        return;
    uint16_t before = __atomic_fetch_sub(&s->cells[slot], 1, __ATOMIC_RELAXED);
    if ((before & LEFT_MASK) == 1) {
        unsigned bound = (unsigned)(before >> LEFT_BITS) * 2;
        decide(s, slot, bound > distance ? bound : distance);
    }
}

static inline void tell(slice *s, uint64_t slot, unsigned distance)
{
    if (distance & 1)
        tell_win(s, slot, distance);
    else
        tell_loss(s, slot, distance);
}

typedef struct ring {
    uint64_t slot[RING];
    size_t count; /* pushed so far */
} ring;

static inline void ring_push(ring *r, slice *s, uint64_t slot, unsigned distance)
{
    uint64_t *place = &r->slot[r->count % RING];
    if (r->count++ >= RING)
        tell(s, *place, distance);
    *place = slot;
    __builtin_prefetch(&s->cells[slot], 1);
}

static void ring_empty(ring *r, slice *s, unsigned distance)
{
    for (size_t i = r->count > RING ? r->count - RING : 0; i < r->count; i++)
        tell(s, r->slot[i % RING], distance);
    r->count = 0;
}

void ply_tablebase_slice_wave_chunk(void *context, size_t piece, unsigned worker)
{
    (void)worker;
    slice *s = context;
    const tablebase_folder *store = s->store;
    uint64_t chunk = s->first_chunk + piece;
    if (!s->due[chunk][s->distance])
        return;
    uint64_t slot = chunk * CHUNK, end = slot + CHUNK, found = 0;
    end = end < s->start[2] ? end : s->start[2];
    unsigned distance = (unsigned)s->distance + 1;
    uint16_t wanted = (uint16_t)(DECIDED | s->distance);
    ring updates;
    updates.count = 0;
    for (; slot < end; slot++) {
        if (cell_get(s, slot) != wanted)
            continue;
        found++;
        ply_slot before[PREDECESSORS];
        size_t count = store->retro->predecessors(store->work, place_of_slot(s, slot), before);
        for (size_t i = 0; i < count; i++)
            ring_push(&updates, s, slot_of_place(s, before[i]), distance);
    }
    ring_empty(&updates, s, distance);
    table_count(store, found, found);
}
