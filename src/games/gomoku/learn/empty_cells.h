/* SPDX-License-Identifier: MIT */
/* empty_cells.h - rows packed to a bit per cell, and the empty cells as actions, for the host and for
 * devices. */
#ifndef PLY_GAMES_GOMOKU_LEARN_EMPTY_CELLS_H
#define PLY_GAMES_GOMOKU_LEARN_EMPTY_CELLS_H

#include "core/planes.h"
#include "games/gomoku/learn/learning.h"

/* The X bits of a row, packed: bit x for cell x. */
PLY_HD uint64_t gomoku_pack_row(uint64_t row)
{
#if defined(__BMI2__)
    return ply_pext(row, GOMOKU_X_BITS);
#else
    uint64_t b = row & GOMOKU_X_BITS;
    b = (b | b >> 1) & 0x3333333333333333u;
    b = (b | b >> 2) & 0x0F0F0F0F0F0F0F0Fu;
    b = (b | b >> 4) & 0x00FF00FF00FF00FFu;
    b = (b | b >> 8) & 0x0000FFFF0000FFFFu;
    return (b | b >> 16) & 0xFFFFFFFFu;
#endif
}

/* As gomoku_learning.mask; the bits are 0 before. */
PLY_HD size_t gomoku_empty_cells(int width, int height, const gomoku_position *p,
                                 const uint32_t *forbidden, uint64_t *bits)
{
    size_t count = 0;
    uint64_t board = gomoku_line_mask(width);
    for (int y = 0; y < height; y++) {
        uint64_t row = p->lines[y], empty = gomoku_pack_row(~(row | row >> 1) & board);
        if (forbidden)
            empty &= ~(uint64_t)forbidden[y];
        count += (size_t)ply_popcount(empty);
        ply_planes_put(bits, (size_t)y * (size_t)width, empty, (unsigned)width);
    }
    return count;
}

#endif
