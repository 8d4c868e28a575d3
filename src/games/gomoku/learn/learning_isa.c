/* SPDX-License-Identifier: MIT */
/*
 * learning_isa.c - observations and masks; compiled once for each instruction set.
 *
 * A row has two bits per cell. Packed to one bit per cell, the rows follow each other without gaps,
 * so that a plane is a set of width * height bits and expanded as such.
 */
#include "core/planes.h"
#include "games/gomoku/learn/learning.h"

/* The X bits of a row, packed: bit x for cell x. */
static inline uint64_t pack(uint64_t row)
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

static void observe(int width, int height, const gomoku_position *p, int viewer,
                    const uint32_t *forbidden, uint8_t *out)
{
    uint64_t sets[3][GOMOKU_MASK_WORDS] = {{0}};
    size_t cells = (size_t)width * (size_t)height;
    for (int y = 0; y < height; y++) {
        size_t at = (size_t)y * (size_t)width;
        ply_planes_put(sets[0], at, pack(p->lines[y] >> viewer), (unsigned)width);
        ply_planes_put(sets[1], at, pack(p->lines[y] >> !viewer), (unsigned)width);
        if (forbidden)
            ply_planes_put(sets[2], at, forbidden[y], (unsigned)width);
    }
    for (int i = 0; i < 3; i++)
        ply_planes_expand(sets[i], cells, out + (size_t)i * cells);
    memset(out + 3 * cells, viewer == GOMOKU_BLACK, cells);
    memset(out + 4 * cells, p->passes > 0, cells);
}

static size_t mask(int width, int height, const gomoku_position *p, const uint32_t *forbidden,
                   uint64_t *bits)
{
    size_t count = 0;
    uint64_t board = gomoku_line_mask(width);
    for (int y = 0; y < height; y++) {
        uint64_t row = p->lines[y], empty = pack(~(row | row >> 1) & board);
        if (forbidden)
            empty &= ~(uint64_t)forbidden[y];
        count += (size_t)ply_popcount(empty);
        ply_planes_put(bits, (size_t)y * (size_t)width, empty, (unsigned)width);
    }
    return count;
}

extern const gomoku_learning PLY_ISA(gomoku_learning_of);
const gomoku_learning PLY_ISA(gomoku_learning_of) = {.observe = observe, .mask = mask};
