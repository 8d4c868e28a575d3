/* SPDX-License-Identifier: MIT */
/* learning_isa.c - observations and masks; compiled once for each instruction set. */
#include "core/planes.h"
#include "games/checkers/learn/numbering.h"

/* Planes: own men, own kings, enemy men, enemy kings, and plies without progress. */
static void observe(const checkers_position *p, int colour, uint8_t *out)
{
    for (int plane = 0; plane < 4; plane++) {
        uint64_t board = p->board[plane < 2 ? colour : !colour][plane & 1];
        ply_planes_expand64(colour == CHECKERS_BLACK ? checkers_rotate(board) : board,
                            out + 64 * plane);
    }
    memset(out + 4 * 64, p->quiet < 255 ? (int)p->quiet : 255, 64);
}

extern const checkers_learning PLY_ISA(checkers_learning_of);
const checkers_learning PLY_ISA(checkers_learning_of) = {.observe = observe, .mask = checkers_mask};
