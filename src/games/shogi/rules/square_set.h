/* SPDX-License-Identifier: MIT */
/*
 * square_set.h - sets of squares, one bit per square.
 *
 * Bit p of a set is square p, so a step on the board is a shift of the set:
 *
 *     bit 0  1  2  3  4  5  6  7  8 | 9 10       file 9 8 7 6 5 4 3 2 1, rank a
 *        11 12 13 14 15 16 17 18 19 |20 21       rank b
 *        ...
 *        88 89 90 91 92 93 94 95 96 |            rank i;  bits 97-127 are 0
 *
 * The two columns on the right are never squares (p % 11 > 8). A piece that a shift pushes over an
 * edge lands there or beyond the ends. Every use intersects the result with a set of real squares
 * anyway, which removes it, so no edge masks are needed.
 */
#ifndef PLY_GAMES_SHOGI_RULES_SQUARE_SET_H
#define PLY_GAMES_SHOGI_RULES_SQUARE_SET_H

#include "core/bits.h"
#include <stdbool.h>

typedef unsigned __int128 shogi_set;
/* The same type as a structure member: positions are aligned to 8 bytes only. */
typedef unsigned __int128 shogi_stored_set __attribute__((aligned(8)));

#define SHOGI_SET(high, low) ((shogi_set)(high) << 64 | (low))

/* Rank r, where 0 is rank a; the whole board. */
#define SHOGI_RANK_SET(r) ((shogi_set)0x1FF << ((r)*11))
#define SHOGI_BOARD_SET                                                              \
    (SHOGI_RANK_SET(0) | SHOGI_RANK_SET(1) | SHOGI_RANK_SET(2) | SHOGI_RANK_SET(3) | \
     SHOGI_RANK_SET(4) | SHOGI_RANK_SET(5) | SHOGI_RANK_SET(6) | SHOGI_RANK_SET(7) | \
     SHOGI_RANK_SET(8))

PLY_HD uint64_t set_low(shogi_set s)
{
    return (uint64_t)s;
}

PLY_HD uint64_t set_high(shogi_set s)
{
    return (uint64_t)(s >> 64);
}

PLY_HD unsigned set_count(shogi_set s)
{
    return (unsigned)(ply_popcount(set_low(s)) + ply_popcount(set_high(s)));
}

PLY_HD shogi_set set_of(int square)
{
    return (shogi_set)1 << square;
}

PLY_HD bool set_has(shogi_set s, int square)
{
    return (s >> square) & 1;
}

/* The lowest square of a set that is not empty. */
PLY_HD int set_first(shogi_set s)
{
    return set_low(s) ? ply_lowest(set_low(s)) : 64 + ply_lowest(set_high(s));
}

/* Square number n of the set, counted from the lowest; n < set_count(s). */
PLY_HD int set_nth(shogi_set s, unsigned n)
{
    unsigned low = (unsigned)ply_popcount(set_low(s));
    return n < low ? ply_nth_bit(set_low(s), (int)n)
                   : 64 + ply_nth_bit(set_high(s), (int)(n - low));
}

/* Every square moved by a step. Squares that leave the board land on no square. */
PLY_HD shogi_set set_step(shogi_set s, int step)
{
    return step > 0 ? s << step : s >> -step;
}

/* Whether the set has at most one square. */
PLY_HD bool set_is_single(shogi_set s)
{
    return (s & (s - 1)) == 0;
}

#endif
