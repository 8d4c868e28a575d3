/* SPDX-License-Identifier: MIT */
/*
 * learning_isa.c - observations and masks; compiled once for each instruction set.
 *
 * A row has two bits per cell. Packed to one bit per cell, the rows follow each other without gaps,
 * so that a plane is a set of width * height bits and expanded as such.
 */
#include "core/planes.h"
#include "games/gomoku/learn/empty_cells.h"

static void observe(int width, int height, const gomoku_position *p, int viewer,
                    const uint32_t *forbidden, uint8_t *out)
{
    uint64_t sets[3][GOMOKU_MASK_WORDS] = {{0}};
    size_t cells = (size_t)width * (size_t)height;
    for (int y = 0; y < height; y++) {
        size_t at = (size_t)y * (size_t)width;
        ply_planes_put(sets[0], at, gomoku_pack_row(p->lines[y] >> viewer), (unsigned)width);
        ply_planes_put(sets[1], at, gomoku_pack_row(p->lines[y] >> !viewer), (unsigned)width);
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
    return gomoku_empty_cells(width, height, p, forbidden, bits);
}

extern const gomoku_learning PLY_ISA(gomoku_learning_of);
const gomoku_learning PLY_ISA(gomoku_learning_of) = {.observe = observe, .mask = mask};
