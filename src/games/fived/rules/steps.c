/* SPDX-License-Identifier: MIT */
/* steps.c - what gen_steps.c prints, and the sets each kind of piece is in. */
#include "games/fived/fived.h"

#include "fived/steps.inc"

#define SLIDES(n) (1u << (FIVED_ALONG_1 + (n)-1))

const uint16_t fived_kind_sets[16] = {
    [FIVED_PAWN] = 1u << FIVED_PAWNS,
    [FIVED_BRAWN] = 1u << FIVED_PAWNS | 1u << FIVED_BRAWNS,
    [FIVED_KNIGHT] = 1u << FIVED_LEAPERS,
    [FIVED_BISHOP] = SLIDES(2),
    [FIVED_ROOK] = SLIDES(1),
    [FIVED_UNICORN] = SLIDES(3),
    [FIVED_DRAGON] = SLIDES(4),
    [FIVED_PRINCESS] = SLIDES(1) | SLIDES(2),
    [FIVED_QUEEN] = SLIDES(1) | SLIDES(2) | SLIDES(3) | SLIDES(4),
    [FIVED_KING] = 1u << FIVED_STEPPERS | 1u << FIVED_ROYALS,
    [FIVED_COMMON_KING] = 1u << FIVED_STEPPERS,
    [FIVED_ROYAL_QUEEN] = SLIDES(1) | SLIDES(2) | SLIDES(3) | SLIDES(4) | 1u << FIVED_ROYALS,
};
