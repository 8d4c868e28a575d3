/* SPDX-License-Identifier: MIT */
/*
 * square_tables.h - tables indexed by squares, generated at build time by gen_square_tables.c.
 *
 * Tables have 128 entries, so SHOGI_NO_SQUARE is a valid index to an empty set and a player without
 * a king needs no special case. <plyverse/shogi.h> numbers the directions (shogi_direction_step);
 * directions 0 to 3 lead to smaller square numbers.
 */
#ifndef PLY_GAMES_SHOGI_RULES_SQUARE_TABLES_H
#define PLY_GAMES_SHOGI_RULES_SQUARE_TABLES_H

#include "games/shogi/shogi.h"

enum { SHOGI_TABLE_SIZE = 128 };

#ifdef __CUDACC__
#include "shogi/square_tables.inc"
#else
/* All squares from a square, exclusive, to the edge. */
extern const shogi_set shogi_rays[SHOGI_DIRECTIONS][SHOGI_TABLE_SIZE];
/* The squares that a piece attacks on an empty board. */
extern const shogi_set shogi_pseudo_attacks[2][SHOGI_TYPES][SHOGI_TABLE_SIZE];
/*
 * The squares from which a piece attacks, on an empty board, the given square or one of the eight
 * around it.
 */
extern const shogi_set shogi_ring_origins[2][SHOGI_TYPES][SHOGI_TABLE_SIZE];
/* The direction from one square to another, or 8 if they share no rank, file or diagonal. */
extern const uint8_t shogi_direction[SHOGI_SQUARES][SHOGI_SQUARES];
/* The union of the columns whose bits are set; bit c is column c. */
extern const shogi_set shogi_column_sets[512];
/* The rank of a square. */
extern const uint8_t shogi_ranks[SHOGI_TABLE_SIZE];
/* Where a square lies relative to a king, for each colour: one of the buckets of weights.h. */
extern const uint8_t shogi_king_bucket[2][SHOGI_TABLE_SIZE][SHOGI_TABLE_SIZE];
/* Zobrist keys. */
extern const uint64_t shogi_piece_keys[32][SHOGI_TABLE_SIZE];
extern const uint64_t shogi_hand_keys[2][SHOGI_KINDS];
extern const uint64_t shogi_side_key; /* part of the key when White is to move */
#endif

#endif
