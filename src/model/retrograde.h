/* SPDX-License-Identifier: MIT */
/*
 * retro.h - what a game offers to the builder of tables (src/tablebase), in place of the simple but
 * slow rank, unrank and predecessors of game.h.
 *
 * Positions are divided into classes, those of rules->indexing->class_count. A place names a position up to
 * the symmetries that the tables use:
 *
 *     63              40 39                                   0
 *    | class             | number of the slot in its class      |
 *
 * Several places may stand for one position only if all but one are holes, which no other function
 * names. A class and its partner, where moves that leave the material alone lead, are a slice; the
 * builder solves slice by slice. All moves that leave the slice lead to classes of lower order.
 *
 * Workload: leaving, successors and predecessors are called for each of billions of places; the
 * rest is called once a class or once a probe. Everything but open, prepare and close is safe from
 * several threads.
 */
#ifndef PLY_MODEL_RETROGRADE_H
#define PLY_MODEL_RETROGRADE_H

#include <plyverse/game.h>

typedef uint64_t ply_slot;
enum { PLY_SLOT_BITS = 40 };
/* The player to move has no piece left: lost, and in no table. */
#define PLY_SLOT_OVER UINT64_MAX
/* What leaving answers for a hole. */
#define PLY_SLOT_HOLE SIZE_MAX

static inline ply_slot ply_slot_make(size_t class_index, uint64_t number)
{
    return (ply_slot)class_index << PLY_SLOT_BITS | number;
}

static inline size_t ply_slot_class(ply_slot place)
{
    return (size_t)(place >> PLY_SLOT_BITS);
}

static inline uint64_t ply_slot_number(ply_slot place)
{
    return place & (((uint64_t)1 << PLY_SLOT_BITS) - 1);
}

struct ply_retrograde {
    const char *reach; /* how far tables go unless told otherwise: seconds of work */
    size_t max_successors, max_predecessors;
    /* The rules as far as tables depend on them, fit for a file's name. */
    void (*rules_name)(const ply_rules *rules, ply_text *out);
    void (*class_pieces)(size_t class_index, unsigned *own, unsigned *other);
    uint32_t (*class_order)(size_t class_index);
    size_t (*class_partner)(size_t class_index);
    /* The classes to which moves can lead that leave the slice; at most 512; returns how many. */
    size_t (*class_next)(size_t class_index, size_t *out);

    /* Working tables. NULL when memory runs out. */
    void *(*open)(const ply_rules *rules);
    void (*close)(void *work);
    /* Before a class is used in any of the functions below. */
    ply_status (*prepare)(void *work, size_t class_index);
    uint64_t (*slots)(const void *work, size_t class_index);

    /* The class of a position as the tables see it; cheap. */
    size_t (*class_of)(const void *position);
    ply_slot (*place)(const void *work, const void *position);
    void (*position)(const void *work, ply_slot place, void *position);
    /* How many positions without symmetry a place stands for; 0 for a hole. */
    unsigned (*weight)(const void *work, ply_slot place);
    /* The places after each legal move; one may be there several times. */
    size_t (*successors)(const void *work, ply_slot place, ply_slot *out);
    /* Those outside the slice, and how many moves stay inside; PLY_SLOT_HOLE for a hole. */
    size_t (*leaving)(const void *work, ply_slot place, ply_slot *out, unsigned *staying);
    /*
     * The places inside the slice with a move to this one, each as often as it has such moves: with
     * all of these taken away, `staying` of a place is 0.
     */
    size_t (*predecessors)(const void *work, ply_slot place, ply_slot *out);
};

#endif
