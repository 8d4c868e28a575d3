/* SPDX-License-Identifier: MIT */
/* learning_isa.c - observations and masks; compiled once for each instruction set. */
#include "core/planes.h"
#include "games/checkers/learn/learning.h"

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

static size_t mask(const checkers_position *p, const ply_move *moves, size_t count, uint64_t *bits)
{
    unsigned flip = p->turn == CHECKERS_BLACK ? 0x3FF : 0; /* 31 - index, for both squares */
    size_t extra = 0;
    memset(bits, 0, (CHECKERS_ACTIONS + 63) / 64 * sizeof bits[0]);
    for (size_t i = 0; i < count; i++) {
        unsigned ends = (unsigned)(moves[i] & 0x3FF) ^ flip;
        unsigned at = (ends & 31) << 5 | ends >> 5;
        uint64_t bit = (uint64_t)1 << at % 64;
        extra += (bits[at / 64] & bit) != 0;
        bits[at / 64] |= bit;
    }
    for (size_t i = 0; i < extra; i++)
        bits[(CHECKERS_FIRST_EXTRA + i) / 64] |= (uint64_t)1 << i % 64;
    return count;
}

extern const checkers_learning PLY_ISA(checkers_learning_of);
const checkers_learning PLY_ISA(checkers_learning_of) = {.observe = observe, .mask = mask};
