/* SPDX-License-Identifier: MIT */
/*
 * bit_rows.h - boards of up to 15x15 as two sets of bits, which fit into the registers of a device.
 *
 *     bit    31 30          16 15 14           0
 *           +--+--------------+--+--------------+
 *     word  | 0| row 2w + 1   | 0| row 2w       |     bit x of a row: column x
 *           +--+--------------+--+--------------+
 *
 * The bit above each row is 0, so shifts by a row and one column more or less do not run into the
 * next row. All loops are over constants: a device unrolls them, and nothing is in memory.
 */
#ifndef PLY_GAMES_GOMOKU_RULES_BIT_ROWS_H
#define PLY_GAMES_GOMOKU_RULES_BIT_ROWS_H

#include "games/gomoku/gomoku.h"

enum { BIT_ROWS_SIDE = 15, BIT_ROWS_WORDS = (BIT_ROWS_SIDE + 1) / 2 };

#define FOR_BIT_ROWS(i) PLY_UNROLL for (int i = 0; i < BIT_ROWS_WORDS; i++)

typedef struct bit_rows {
    uint32_t word[BIT_ROWS_WORDS];
} bit_rows;

/* Word i of the cells of a board. */
PLY_HD uint32_t bit_rows_board(int width, int height, int i)
{
    uint32_t row = ((uint32_t)1 << width) - 1;
    return (2 * i < height ? row : 0) | (2 * i + 1 < height ? row << 16 : 0);
}

/* Word i of the set, moved `distance` bits towards bit 0 of word 0. */
PLY_HD uint32_t bit_rows_shifted(const bit_rows *b, int i, int distance)
{
    int at = i + distance / 32, bits = distance % 32;
    uint32_t low = at < BIT_ROWS_WORDS ? b->word[at] : 0;
    uint32_t high = at + 1 < BIT_ROWS_WORDS ? b->word[at + 1] : 0;
    return bits ? low >> bits | high << (32 - bits) : low;
}

/* Whether there are five in a row, each `step` bits from the next. */
PLY_HD bool bit_rows_five_along(const bit_rows *b, int step)
{
    bit_rows two, four;
    uint32_t found = 0;
    FOR_BIT_ROWS(i)
    two.word[i] = b->word[i] & bit_rows_shifted(b, i, step);
    FOR_BIT_ROWS(i)
    four.word[i] = two.word[i] & bit_rows_shifted(&two, i, 2 * step);
    FOR_BIT_ROWS(i)
    found |= four.word[i] & bit_rows_shifted(b, i, 4 * step);
    return found != 0;
}

/* Whether five or more are in a row: along a row, a column and both diagonals. */
PLY_HD bool bit_rows_five(const bit_rows *b)
{
    return bit_rows_five_along(b, 1) | bit_rows_five_along(b, 16) | bit_rows_five_along(b, 15) |
           bit_rows_five_along(b, 17);
}

/* Puts a stone on empty cell number k, in the order of rows and columns; returns the cell. */
PLY_HD int bit_rows_put_nth(bit_rows *own, const bit_rows *other, int width, int height, uint32_t k)
{
    uint32_t empty = 0, below = 0, before = 0;
    int word = 0;
    FOR_BIT_ROWS(i)
    {
        uint32_t here = bit_rows_board(width, height, i) & ~(own->word[i] | other->word[i]);
        bool reached = k >= before;
        empty = reached ? here : empty;
        below = reached ? before : below;
        word = reached ? i : word;
        before += (uint32_t)ply_popcount(here);
    }
    int at = ply_nth_bit32(empty, (int)(k - below));
    FOR_BIT_ROWS(i)
    own->word[i] |= i == word ? (uint32_t)1 << at : 0;
    return gomoku_cell(at & 15, 2 * word + (at >> 4));
}

#endif
