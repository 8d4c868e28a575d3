/* SPDX-License-Identifier: MIT */
/*
 * features.h - the features of the evaluation and the order of their weights.
 *
 * A feature counts for the player to move minus the same for the opponent. It has two weights, one
 * for the full board (early) and one for the empty board (late); in between they are interpolated
 * by the number of pieces. Squares and rows are relative to their owner: squares 0 to 3 are the
 * owner's first row. weights.inc, written by tools/tune, holds all early weights in this order,
 * then all late ones.
 *
 * The value of men by square and the pattern of the first row depend on two rows of men at a time.
 * gen_men.c precomputes their sums for all 256 sets of men on two rows, so four lookups give the
 * sum for one colour. The dark squares of two adjacent rows interlock, so row pair k of a board is
 *
 *     (board >> 16 * k | board >> (16 * k + 8)) & 255
 */
#ifndef PLY_GAMES_CHECKERS_EVAL_FEATURES_H
#define PLY_GAMES_CHECKERS_EVAL_FEATURES_H

enum {
    FEATURE_MAN = 0,        /* a man, by square 0 to 27 */
    FEATURE_FIRST_ROW = 28, /* the set of first-row squares held by men, such as a bridge */
    FEATURE_KING = 44,      /* a short king */
    FEATURE_FLYING_KING,    /* a flying king */
    FEATURE_KING_CENTRE,    /* a king on one of the eight central squares */
    FEATURE_KING_EDGE,      /* a king on the edge */
    FEATURE_KING_TRAPPED,   /* a king without a safe step */
    FEATURE_KING_FREEDOM,   /* safe steps of kings */
    FEATURE_MAN_FREEDOM,    /* safe steps of men */
    FEATURE_SUPPORT,        /* a man with a piece of its own side diagonally behind */
    FEATURE_RUNAWAY,        /* a man that cannot be stopped, by row 3 to 6 */
    FEATURE_EXPOSED = FEATURE_RUNAWAY + 4, /* a piece of the player to move that can be captured */
    FEATURE_OPPOSITION,                    /* having the move, with equally many pieces */
    FEATURE_TURN,                          /* being the player to move */
    FEATURES,
};

enum { WEIGHTS = 2 * FEATURES };

#endif
