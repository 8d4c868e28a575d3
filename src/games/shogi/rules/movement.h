/* SPDX-License-Identifier: MIT */
/*
 * movement.h - how every type of piece moves: the one table from which the square tables are
 * generated and which shogi_movement_of returns.
 */
#ifndef PLY_GAMES_SHOGI_RULES_MOVEMENT_H
#define PLY_GAMES_SHOGI_RULES_MOVEMENT_H

#include <plyverse/shogi.h>

/* s is 1 for Black and -1 for White. */
#define MOVEMENT_STRAIGHT(s) (s) * -11, (s) * -1, (s)*1, (s)*11
#define MOVEMENT_DIAGONAL(s) (s) * -12, (s) * -10, (s)*10, (s)*12
#define MOVEMENT_OF_COLOUR(s)                                                  \
    {                                                                          \
        [SHOGI_PAWN] = {{(s) * -11}, {0}}, [SHOGI_LANCE] = {{0}, {(s) * -11}}, \
        [SHOGI_KNIGHT] = {{(s) * -23, (s) * -21}, {0}},                        \
        [SHOGI_SILVER] = {{(s) * -11, MOVEMENT_DIAGONAL(s)}, {0}},             \
        [SHOGI_BISHOP] = {{0}, {MOVEMENT_DIAGONAL(s)}},                        \
        [SHOGI_ROOK] = {{0}, {MOVEMENT_STRAIGHT(s)}},                          \
        [SHOGI_GOLD] = {{(s) * -12, (s) * -10, MOVEMENT_STRAIGHT(s)}, {0}},    \
        [SHOGI_KING] = {{MOVEMENT_STRAIGHT(s), MOVEMENT_DIAGONAL(s)}, {0}},    \
        [SHOGI_HORSE] = {{MOVEMENT_STRAIGHT(s)}, {MOVEMENT_DIAGONAL(s)}},      \
        [SHOGI_DRAGON] = {{MOVEMENT_DIAGONAL(s)}, {MOVEMENT_STRAIGHT(s)}},     \
    }

static const shogi_movement movements[2][SHOGI_TYPES] = {MOVEMENT_OF_COLOUR(1),
                                                         MOVEMENT_OF_COLOUR(-1)};

#endif
