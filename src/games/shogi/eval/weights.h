/* SPDX-License-Identifier: MIT */
/*
 * weights.h - the weights of the evaluation, one row of numbers in weights.inc.
 *
 * The evaluation is a sum over both players' positions of weights; which of them count, and how
 * often, is said here block by block. All is seen by the player who owns the piece: forward is his
 * forward, and left and right are the same. Where a piece is beside a king is one of twelve places:
 *
 *     squares away   1   2   3   4+
 *     behind         0   1   2   3
 *     level          4   5   6   7
 *     ahead          8   9  10  11
 */
#ifndef PLY_GAMES_SHOGI_EVAL_WEIGHTS_H
#define PLY_GAMES_SHOGI_EVAL_WEIGHTS_H

#include "games/shogi/shogi.h"

enum { SHOGI_AROUND = 12, SHOGI_STORM = 16 };

/* Name of the block, how many weights it has. */
#define SHOGI_WEIGHT_BLOCKS(X)                                                                   \
    X(MOVE, "the move", 1)                                                                       \
    X(BOARD, "piece on the board", 16)     /* by code & 15 */                                    \
    X(HAND, "piece in hand", SHOGI_KINDS)  /* each */                                            \
    X(FIRST, "first in hand", SHOGI_KINDS) /* and for the first of its kind */                   \
    X(RANK, "rank", SHOGI_CLASSES * 9)     /* of a piece by class, 0 for the last rank */        \
    X(OWN, "beside own king", SHOGI_CLASSES *SHOGI_AROUND)                                       \
    X(ENEMY, "beside enemy king", SHOGI_CLASSES *SHOGI_AROUND)                                   \
    X(KING, "king", 9 * 5)         /* rank, files from the edge */                               \
    X(REACH, "reach", 5)           /* squares a lance, bishop, rook, horse, dragon looks at */   \
    X(STUCK, "stuck", 5)           /* one that looks at two or fewer */                          \
    X(STORM, "storm", SHOGI_STORM) /* looks of enemy pieces at the squares around the king */    \
    X(WEAK, "weak", 1)             /* those of the squares that no piece but the king holds */   \
    X(PRESSURE, "pressure", 1)     /* pieces that look there times weak squares */               \
    X(ESCAPES, "escapes", 9)       /* squares the king could go to */                            \
    X(DROPS, "drops", SHOGI_KINDS) /* empty squares there that nobody holds, times pieces in   \
                                          the enemy's hand by kind */ \
    X(CHASED, "chased", SHOGI_CLASSES)   /* a piece that an enemy pawn attacks */                \
    X(HANGING, "hanging", SHOGI_CLASSES) /* one that is attacked and not defended */

#define SHOGI_COUNT_BLOCK(id, name, count) \
    SHOGI_WEIGHT_##id, SHOGI_WEIGHT_##id##_LAST = SHOGI_WEIGHT_##id + (count)-1,
enum { SHOGI_WEIGHT_BLOCKS(SHOGI_COUNT_BLOCK) SHOGI_WEIGHTS };
#undef SHOGI_COUNT_BLOCK

/* Forty pieces: what, where (three times) and in what trouble (twice); reach; hands; kings. */
enum { SHOGI_MAX_TERMS = 40 * 6 + 2 * 8 + 2 * 16 + 2 * 12 + 1 };

extern const int16_t shogi_weights[SHOGI_WEIGHTS];
extern const char *const shogi_weight_names[SHOGI_WEIGHTS];

typedef struct shogi_values {
    int32_t (*evaluate)(const shogi_position *p);
    size_t (*terms)(const shogi_position *p, ply_term *out);
} shogi_values;

PLY_ISA_DECLARE(const shogi_values, shogi_values_of);

#endif
