/* SPDX-License-Identifier: MIT */
/*
 * features.h - what the evaluation of checkers counts, and where its weight stands.
 *
 * Each feature is counted for the player to move less the same for the other, and has two weights:
 * one for the full board (early) and one for the empty (late); what lies between is mixed by the
 * number of pieces. Squares and rows are as their owner sees them: square 0 to 3 is his own first
 * row. weights.inc, written by tools/tune, holds the early weights in this order and then the late
 * ones.
 *
 * A man's worth by square and the pattern of the first row depend on two rows of men at a time, so
 * gen_men.c adds their weights up for all 256 sets of men on two rows: four looks into a table give
 * the sum for one colour.
 *
 *     row pair k, 8 bits: (b >> 16k | b >> 16k + 8) & 255     the dark squares of two rows
 * interlock
 */
#ifndef PLY_GAMES_CHECKERS_EVAL_FEATURES_H
#define PLY_GAMES_CHECKERS_EVAL_FEATURES_H

enum {
    FEATURE_MAN = 0,        /* a man, by square 0 to 27 */
    FEATURE_FIRST_ROW = 28, /* which of the four squares of the first row men guard: bridges */
    FEATURE_KING = 44,      /* a short king */
    FEATURE_FLYING_KING,    /* a flying king */
    FEATURE_KING_CENTRE,    /* a king on one of the eight central squares */
    FEATURE_KING_EDGE,      /* a king on the edge */
    FEATURE_KING_TRAPPED,   /* a king without a safe step */
    FEATURE_KING_FREEDOM,   /* safe steps of kings */
    FEATURE_MAN_FREEDOM,    /* safe steps of men */
    FEATURE_SUPPORT,        /* a man with a friend behind him on either side */
    FEATURE_RUNAWAY,        /* a man nobody can stop, by his row 3 to 6 */
    FEATURE_EXPOSED = FEATURE_RUNAWAY + 4, /* a piece of the player to move that can be captured */
    FEATURE_OPPOSITION,                    /* the move, where the pieces are equal */
    FEATURE_TURN,                          /* to be the one to move */
    FEATURES,
};

enum { WEIGHTS = 2 * FEATURES };

#endif
