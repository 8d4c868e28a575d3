/* SPDX-License-Identifier: MIT */
/*
 * learning_isa.c - observations and masks; compiled once for each instruction set.
 */
#include "core/planes.h"
#include "games/shogi/learn/action_mask.h"

/* --- observations ----------------------------------------------------------------------------- */
/* Marks the pieces on the squares of one word of the set of occupied squares. */
static inline void mark_pieces(const shogi_position *p, int viewer, uint64_t squares, int first,
                               uint8_t *out)
{
    for (; squares; squares &= squares - 1) {
        int square = first + ply_lowest(squares), code = p->board[square];
        int seen = viewer == SHOGI_BLACK ? square : 96 - square, kind = code & SHOGI_CODE_KIND;
        int plane = kind + (code & SHOGI_CODE_PROMOTED ? SHOGI_KINDS : 0) +
                    (shogi_code_owner(code) == viewer ? 0 : SHOGI_PLANES_OPPONENT);
        out[plane * SHOGI_AREA + seen - 2 * (seen / 11)] = 1;
    }
}

/* Unknown to the compiler, which would else clear by an instruction that takes long to begin. */
static const volatile size_t observation_bytes = (size_t)SHOGI_PLANES * SHOGI_AREA;

static void observe(const shogi_position *p, int viewer, uint8_t *out)
{
    shogi_set occupied = p->colour[0] | p->colour[1];
    memset(out, 0, observation_bytes);
    mark_pieces(p, viewer, set_low(occupied), 0, out);
    mark_pieces(p, viewer, set_high(occupied), 64, out);
    for (int who = 0; who < 2; who++) {
        uint64_t hand = p->hand[viewer ^ who];
        for (int kind = 0; hand; kind++, hand >>= 8)
            if (hand & 0xFF)
                memset(out + (SHOGI_PLANES_HAND + SHOGI_KING * who + kind) * SHOGI_AREA,
                       (int)(hand & 0xFF), SHOGI_AREA);
    }
    if (viewer)
        memset(out + SHOGI_PLANE_SIDE * SHOGI_AREA, 1, SHOGI_AREA);
}

extern const shogi_learning PLY_ISA(shogi_learning_of);
const shogi_learning PLY_ISA(shogi_learning_of) = {.observe = observe, .mask = shogi_mask};
