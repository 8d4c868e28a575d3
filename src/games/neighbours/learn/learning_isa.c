/* SPDX-License-Identifier: MIT */
/*
 * learning_isa.c - observations and masks; compiled once for each instruction set.
 *
 * Everything is seen from a player whose first row is at the bottom: for Black the rows are flipped.
 * Actions are from * 8 + direction, so the directions of a piece are one byte of the mask.
 */
#include "core/planes.h"
#include "games/neighbours/learn/learning.h"

#define T uint64_t
#define SLICES_SUFFIX _one
#include "games/neighbours/rules/neighbour_counts.h"

typedef uint8_t bytes64 __attribute__((vector_size(64)));

static inline bytes64 expand(uint64_t set)
{
    bytes64 bytes;
    ply_planes_expand64(set, (uint8_t *)&bytes);
    return bytes;
}

/* Planes: own pieces, enemy pieces, and how far each piece moves. */
static void observe(const neighbours_position *p, int viewer, uint8_t *out)
{
    uint64_t own = viewer == p->side ? p->current : p->next, pieces = p->current | p->next;
    if (viewer) {
        own = neighbours_flip_rows(own);
        pieces = neighbours_flip_rows(pieces);
    }
    slices_one n = add_neighbours_one(pieces);
    bytes64 planes[3] = {expand(own), expand(pieces ^ own),
                         expand(n.ones & pieces) | expand(n.twos & pieces) << 1 |
                             expand(n.fours & pieces) << 2 | expand(n.eights & pieces) << 3};
    for (int i = 0; i < 3; i++)
        memcpy(out + i * NEIGHBOURS_SQUARES, &planes[i], NEIGHBOURS_SQUARES);
}

static size_t mask(const neighbours_position *p, int path_rule, uint64_t *bits)
{
    uint64_t own = p->side ? neighbours_flip_rows(p->current) : p->current;
    uint64_t pieces = own | (p->side ? neighbours_flip_rows(p->next) : p->next);
    uint64_t blocking = path_rule == NEIGHBOURS_JUMP ? 0 : pieces;
    size_t count = 0;
    for (int i = 0; i < NEIGHBOURS_MASK_WORDS; i++)
        bits[i] = 0;
    for (uint64_t left = own; left; left &= left - 1) {
        int from = ply_lowest(left), distance = neighbours_distance(pieces, from);
        if (distance > NEIGHBOURS_REACH)
            continue;
        const neighbours_targets *targets = &neighbours_targets_at[from][distance];
        uint64_t directions = 0;
        for (unsigned i = 0; i < targets->count; i++) {
            uint64_t obstacles = (targets->path[i] & blocking) | (own & ply_bit(targets->to[i]));
            directions |= (uint64_t)(obstacles == 0) << targets->direction[i];
        }
        bits[from >> 3] |= directions << 8 * (from & 7);
        count += (size_t)ply_popcount(directions);
    }
    return count;
}

extern const neighbours_learning PLY_ISA(neighbours_learning_of);
const neighbours_learning PLY_ISA(neighbours_learning_of) = {.observe = observe, .mask = mask};
