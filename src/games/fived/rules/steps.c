/* SPDX-License-Identifier: MIT */
/* steps.c - the generated constants, and what each kind of piece does with them. Compiled for devices,
 * too. */
#include "games/fived/fived.h"

#ifndef __CUDACC__
#include "fived/steps.inc"
#endif

#define SLIDES(n) (1u << (FIVED_SLIDERS_1 + (n)-1))

/* In the order of enum fived_kind. */
PLY_TABLE uint16_t fived_kind_sets[16] = {
    0,                                                                  /* none */
    1u << FIVED_PAWNS,                                                  /* pawn */
    1u << FIVED_PAWNS | 1u << FIVED_BRAWNS,                             /* brawn */
    1u << FIVED_LEAPERS,                                                /* knight */
    SLIDES(2),                                                          /* bishop */
    SLIDES(1),                                                          /* rook */
    SLIDES(3),                                                          /* unicorn */
    SLIDES(4),                                                          /* dragon */
    SLIDES(1) | SLIDES(2),                                              /* princess */
    SLIDES(1) | SLIDES(2) | SLIDES(3) | SLIDES(4),                      /* queen */
    1u << FIVED_STEPPERS | 1u << FIVED_ROYALS,                          /* king */
    1u << FIVED_STEPPERS,                                               /* common king */
    SLIDES(1) | SLIDES(2) | SLIDES(3) | SLIDES(4) | 1u << FIVED_ROYALS, /* royal queen */
};

PLY_TABLE fived_steps fived_steps_none = {0};

PLY_HD_EXTERN const fived_steps *fived_steps_of(fived_kind kind, int colour, bool *slides)
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
        return &fived_steps_none;
    }
}

#ifndef __CUDACC__
const fived_steps *fived_piece_steps(fived_kind kind, int colour, bool *slides)
{
    return fived_steps_of(kind, colour, slides);
}

const fived_steps *fived_pawn_advances(int colour)
{
    return colour ? &fived_steps_black_pawn_advance : &fived_steps_white_pawn_advance;
}
#endif
