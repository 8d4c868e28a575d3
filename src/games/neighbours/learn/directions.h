/* SPDX-License-Identifier: MIT */
/*
 * directions.h - the legal actions of all pieces at once, without tables: for devices, where a table
 * look-up by every thread costs more than shifting boards. learning_isa.c finds the same with tables.
 */
#ifndef PLY_GAMES_NEIGHBOURS_LEARN_DIRECTIONS_H
#define PLY_GAMES_NEIGHBOURS_LEARN_DIRECTIONS_H

#include "games/neighbours/learn/learning.h"

#define T uint64_t
#define SLICES_SUFFIX _one
#include "games/neighbours/rules/neighbour_counts.h"

/*
 * The pieces that can move in a direction. fits[n]: the squares from which a piece could move n
 * squares; it is one step before a square that is empty and from which it could move n - 1.
 */
PLY_HD uint64_t neighbours_can_move(const uint64_t movers[NEIGHBOURS_REACH + 1], uint64_t own,
                                    uint64_t blocking, int direction)
{
    int back = (direction + 4) % NEIGHBOURS_DIRECTIONS;
    uint64_t mask = step_mask_one(back), found = 0;
    uint64_t fits = NEIGHBOURS_BOARD & ~own;
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int n = 1; n <= NEIGHBOURS_REACH; n++) {
        fits = step_one(fits, back) & mask;
        found |= movers[n] & fits;
        fits &= ~blocking;
    }
    return found;
}

/* Byte i: the directions of piece number i of the player to move, squares as the player sees them.
 * *own: the pieces, seen the same way. */
PLY_HD uint64_t neighbours_directions(const neighbours_position *p, int path_rule, uint64_t *own)
{
    uint64_t current = p->side ? neighbours_flip_rows(p->current) : p->current;
    uint64_t pieces = current | (p->side ? neighbours_flip_rows(p->next) : p->next);
    uint64_t movers[NEIGHBOURS_REACH + 1], can[NEIGHBOURS_DIRECTIONS], result = 0;
    split_movers_one(current, pieces, movers);
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int d = 0; d < NEIGHBOURS_DIRECTIONS; d++)
        can[d] = neighbours_can_move(movers, current, path_rule == NEIGHBOURS_JUMP ? 0 : pieces, d);
    int i = 0;
    for (uint64_t left = current; left; left &= left - 1, i += 8) {
        int from = ply_lowest(left);
        uint64_t directions = 0;
#ifdef __CUDACC__
#pragma unroll
#endif
        for (int d = 0; d < NEIGHBOURS_DIRECTIONS; d++)
            directions |= (can[d] >> from & 1) << d;
        result |= directions << i;
    }
    *own = current;
    return result;
}

#endif
