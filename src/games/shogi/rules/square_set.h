/* SPDX-License-Identifier: MIT */
/*
 * square_set.h - sets of squares: the note's board, one bit a square.
 *
 * Bit p of a set is the note's square p, so that a step of the note's is a shift:
 *
 *     bit 0  1  2  3  4  5  6  7  8 | 9 10       file 9 8 7 6 5 4 3 2 1, rank a
 *        11 12 13 14 15 16 17 18 19 |20 21       rank b
 *        ...
 *        88 89 90 91 92 93 94 95 96 |            rank i;  bits 97-127 are 0
 *
 * The two columns to the right are never squares (p % 11 > 8). Whatever a shift pushes over an edge
 * falls there or beyond the ends, and the one AND with a set of real squares that every use has
 * anyway takes it away: no masks for the edges.
 */
#ifndef PLY_GAMES_SHOGI_RULES_SQUARE_SET_H
#define PLY_GAMES_SHOGI_RULES_SQUARE_SET_H

#include "core/bits.h"
#include <stdbool.h>

typedef unsigned __int128 shogi_set;
/* The same where it is stored: positions are only aligned to 8 bytes. */
typedef unsigned __int128 shogi_stored_set __attribute__((aligned(8)));

#define SHOGI_SET(high, low) ((shogi_set)(high) << 64 | (low))

/* Rank r, 0 for a, and the whole board. */
#define SHOGI_RANK_SET(r) ((shogi_set)0x1FF << ((r)*11))
#define SHOGI_BOARD_SET                                                              \
    (SHOGI_RANK_SET(0) | SHOGI_RANK_SET(1) | SHOGI_RANK_SET(2) | SHOGI_RANK_SET(3) | \
     SHOGI_RANK_SET(4) | SHOGI_RANK_SET(5) | SHOGI_RANK_SET(6) | SHOGI_RANK_SET(7) | \
     SHOGI_RANK_SET(8))

static inline uint64_t set_low(shogi_set s)
{
    return (uint64_t)s;
}

static inline uint64_t set_high(shogi_set s)
{
    return (uint64_t)(s >> 64);
}

static inline unsigned set_count(shogi_set s)
{
    return (unsigned)(ply_popcount(set_low(s)) + ply_popcount(set_high(s)));
}

static inline shogi_set set_of(int square)
{
    return (shogi_set)1 << square;
}

static inline bool set_has(shogi_set s, int square)
{
    return (s >> square) & 1;
}

/* The lowest square; s is not empty. */
static inline int set_first(shogi_set s)
{
    return set_low(s) ? ply_lowest(set_low(s)) : 64 + ply_lowest(set_high(s));
}

/* Square number n of the set, from the lowest; n is below its count. */
static inline int set_nth(shogi_set s, unsigned n)
{
    unsigned low = (unsigned)ply_popcount(set_low(s));
    return n < low ? ply_nth_bit(set_low(s), (int)n)
                   : 64 + ply_nth_bit(set_high(s), (int)(n - low));
}

/* Every square moved by a step; what leaves the board lands on no square. */
static inline shogi_set set_step(shogi_set s, int step)
{
    return step > 0 ? s << step : s >> -step;
}

static inline bool set_is_single(shogi_set s)
{
    return (s & (s - 1)) == 0;
}

#endif
