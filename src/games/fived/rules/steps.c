/* SPDX-License-Identifier: MIT */
/* steps.c - the generated constants, and what each kind of piece does with them. */
#include "games/fived/fived.h"

#include "fived/steps.inc"

#define SLIDES(n) (1u << (FIVED_SLIDERS_1 + (n)-1))

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

static const fived_steps no_steps = {.count = 0};

const fived_steps *fived_piece_steps(fived_kind kind, int colour, bool *slides)
{
    *slides = (fived_kind_sets[kind & 15] & (SLIDES(1) | SLIDES(2) | SLIDES(3) | SLIDES(4))) != 0;
    switch (kind) {
    case FIVED_PAWN:
        return colour ? &fived_steps_black_pawn_capture : &fived_steps_white_pawn_capture;
    case FIVED_BRAWN:
        return colour ? &fived_steps_black_brawn_capture : &fived_steps_white_brawn_capture;
    case FIVED_KNIGHT:
        return &fived_steps_knight;
    case FIVED_BISHOP:
        return &fived_steps_bishop;
    case FIVED_ROOK:
        return &fived_steps_rook;
    case FIVED_UNICORN:
        return &fived_steps_unicorn;
    case FIVED_DRAGON:
        return &fived_steps_dragon;
    case FIVED_PRINCESS:
        return &fived_steps_princess;
    case FIVED_QUEEN:
    case FIVED_KING:
    case FIVED_COMMON_KING:
    case FIVED_ROYAL_QUEEN:
        return &fived_steps_queen;
    default:
        return &no_steps;
    }
}

const fived_steps *fived_pawn_advances(int colour)
{
    return colour ? &fived_steps_black_pawn_advance : &fived_steps_white_pawn_advance;
}
