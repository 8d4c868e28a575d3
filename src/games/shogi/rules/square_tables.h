/* SPDX-License-Identifier: MIT */
/*
 * square_tables.h - sets that depend on a square alone, made by gen_square_tables.c.
 *
 * Tables have 128 rows, so that SHOGI_NOWHERE indexes an empty one: a player without a king needs
 * no special case. Directions are numbered so that 7 - d is the opposite of d, and those below 4
 * go to smaller squares.
 */
#ifndef PLY_GAMES_SHOGI_RULES_SQUARE_TABLES_H
#define PLY_GAMES_SHOGI_RULES_SQUARE_TABLES_H

#include "games/shogi/shogi.h"

enum { SHOGI_ROWS = 128 };

/* Steps of the directions 0 to 7. */
extern const int8_t shogi_steps[SHOGI_DIRECTIONS];
/* All squares from a square, itself excluded, to the edge. */
extern const shogi_set shogi_rays[SHOGI_DIRECTIONS][SHOGI_ROWS];
/* Squares that a piece of a colour and class attacks on an empty board. */
extern const shogi_set shogi_reach[2][SHOGI_CLASSES][SHOGI_ROWS];
/* Squares from which a piece of a colour and class attacks, on an empty board, the square or one
 * of the eight around it. */
extern const shogi_set shogi_near[2][SHOGI_CLASSES][SHOGI_ROWS];
/* The direction from one square to another, 8 where no line joins them. */
extern const uint8_t shogi_direction[SHOGI_SQUARES][SHOGI_SQUARES];
/* The columns named by nine bits, bit c for column c. */
extern const shogi_set shogi_columns[512];
/* The rank of a square. */
extern const uint8_t shogi_ranks[SHOGI_ROWS];
/* For each colour, where a square lies beside another: one of the twelve places of weights.h. */
extern const uint8_t shogi_around[2][SHOGI_ROWS][SHOGI_ROWS];
extern const uint64_t shogi_piece_keys[32][SHOGI_ROWS];
extern const uint64_t shogi_hand_keys[2][SHOGI_KINDS];
extern const uint64_t shogi_side_key; /* in the key when White moves */

#endif
