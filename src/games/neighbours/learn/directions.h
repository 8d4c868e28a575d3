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
    PLY_UNROLL
    for (int n = 1; n <= NEIGHBOURS_REACH; n++) {
        fits = step_one(fits, back) & mask;
        found |= movers[n] & fits;
        fits &= ~blocking;
    }
    return found;
}

/* The legal actions: own pieces, and those of them that can move in each direction, squares as the
 * player to move sees them. */
typedef struct neighbours_choice {
    uint64_t own, can[NEIGHBOURS_DIRECTIONS];
} neighbours_choice;

PLY_HD void neighbours_choose(const neighbours_position *p, int path_rule, neighbours_choice *c)
{
    uint64_t movers[NEIGHBOURS_REACH + 1],
        current = p->side ? neighbours_flip_rows(p->current) : p->current;
    uint64_t pieces = current | (p->side ? neighbours_flip_rows(p->next) : p->next);
    split_movers_one(current, pieces, movers);
    c->own = current;
    PLY_UNROLL
    for (int d = 0; d < NEIGHBOURS_DIRECTIONS; d++)
        c->can[d] =
            neighbours_can_move(movers, current, path_rule == NEIGHBOURS_JUMP ? 0 : pieces, d);
}

/* The number of directions of each piece: eight bits, added up square by square. */
PLY_HD slices_one neighbours_direction_counts(const neighbours_choice *c)
{
    const uint64_t *x = c->can;
    uint64_t first = x[0] ^ x[1] ^ x[2], first_carry = majority_one(x[0], x[1], x[2]);
    uint64_t second = x[3] ^ x[4] ^ x[5], second_carry = majority_one(x[3], x[4], x[5]);
    uint64_t sum = first ^ second ^ x[6], sum_carry = majority_one(first, second, x[6]);
    uint64_t twos = first_carry ^ second_carry ^ sum_carry, last = sum & x[7];
    uint64_t fours = majority_one(first_carry, second_carry, sum_carry);
    slices_one n = {sum ^ x[7], twos ^ last, fours ^ (twos & last), fours & twos & last};
    return n;
}

PLY_HD uint32_t neighbours_choice_count(const neighbours_choice *c)
{
    slices_one n = neighbours_direction_counts(c);
    return (uint32_t)(ply_popcount(n.ones) + 2 * ply_popcount(n.twos) + 4 * ply_popcount(n.fours) +
                      8 * ply_popcount(n.eights));
}

/* Bit d: the piece on a square, given as a board, can move in direction d. */
PLY_HD uint32_t neighbours_directions_of(const neighbours_choice *c, uint64_t square)
{
    uint32_t directions = 0;
    PLY_UNROLL
    for (int d = 0; d < NEIGHBOURS_DIRECTIONS; d++)
        directions |= (uint32_t)((c->can[d] & square) != 0) << d;
    return directions;
}

/* Legal action number k. Every thread of a warp takes the same steps. */
PLY_HD uint32_t neighbours_nth_action(const neighbours_choice *c, uint32_t k)
{
    slices_one n = neighbours_direction_counts(c);
    uint64_t left = c->own;
    PLY_UNROLL
    for (int i = 0; i < NEIGHBOURS_PIECES - 1; i++) {
        uint64_t square = left & -left;
        uint32_t here =
            (uint32_t)((n.ones & square) != 0) + 2 * (uint32_t)((n.twos & square) != 0) +
            4 * (uint32_t)((n.fours & square) != 0) + 8 * (uint32_t)((n.eights & square) != 0);
        bool later = k >= here;
        k -= later ? here : 0;
        left ^= later ? square : 0;
    }
    uint32_t directions = neighbours_directions_of(c, left & -left);
    PLY_UNROLL
    for (uint32_t i = 0; i < NEIGHBOURS_DIRECTIONS - 1; i++)
        directions = i < k ? directions & (directions - 1) : directions;
    return (uint32_t)(ply_lowest(left) * NEIGHBOURS_DIRECTIONS + ply_lowest(directions));
}

#endif
