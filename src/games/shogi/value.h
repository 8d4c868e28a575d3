/*
 * value.h - the weights of the evaluation, one row of numbers in weights.inc.
 *
 * The evaluation is a sum over both players' positions of weights; which of them count is said here
 * block by block. All is seen by the player who owns the piece: forward is his forward, and left
 * and right are the same. A board around a king is 9 ranks by 5 files:
 *
 *     files away    0   1   2   3   4+
 *     ahead   4+   40  41  42  43  44
 *             ...
 *     level    0   20  21  22  23  24
 *             ...
 *     behind  4+    0   1   2   3   4
 */
#ifndef SHOGI_VALUE_H
#define SHOGI_VALUE_H

#include "games/shogi/shogi.h"

enum { SHOGI_AROUND = 45, SHOGI_MOVES_LIMIT = 17, SHOGI_ATTACKERS = 8, SHOGI_HOLDERS = 5 };

/* Name of the block, how many weights it has. */
#define SHOGI_WEIGHT_BLOCKS(X)                                                                  \
    X(MOVE, "the move", 1)                                                                      \
    X(BOARD, "piece on the board", 16)     /* by code & 15 */                                   \
    X(HAND, "piece in hand", SHOGI_KINDS)  /* each */                                           \
    X(FIRST, "first in hand", SHOGI_KINDS) /* and for the first of its kind */                  \
    X(RANK, "rank", SHOGI_CLASSES * 9)     /* of a piece by class, 0 for the last rank */       \
    X(OWN, "around own king", SHOGI_CLASSES *SHOGI_AROUND)                                      \
    X(ENEMY, "around enemy king", SHOGI_CLASSES *SHOGI_AROUND)                                  \
    X(KING, "king", 9 * 5)                   /* rank, files from the edge */                    \
    X(REACH, "reach", 5 * SHOGI_MOVES_LIMIT) /* squares that a slider looks at, by kind */      \
    X(RING, "ring", SHOGI_ATTACKERS * 9)     /* attackers of the eight squares around the king, \
                                                by how many of them no other piece holds */     \
    X(OPEN, "open", SHOGI_HOLDERS * 9)       /* strong pieces in the enemy's hand, by such      \
                                                squares that are empty */                       \
    X(CHASED, "chased", SHOGI_CLASSES)       /* a piece that an enemy pawn attacks */           \
    X(HANGING, "hanging", SHOGI_CLASSES)     /* one that is attacked and not defended */

#define SHOGI_COUNT_BLOCK(id, name, count) \
    SHOGI_WEIGHT_##id, SHOGI_WEIGHT_##id##_LAST = SHOGI_WEIGHT_##id + (count)-1,
enum { SHOGI_WEIGHT_BLOCKS(SHOGI_COUNT_BLOCK) SHOGI_WEIGHTS };
#undef SHOGI_COUNT_BLOCK

/* Forty pieces: what, where (three times) and in what trouble (twice); reach; hands; kings. */
enum { SHOGI_MAX_TERMS = 40 * 6 + 8 + 2 * 16 + 2 * 3 + 1 };

extern const int16_t shogi_weights[SHOGI_WEIGHTS];
extern const char *const shogi_weight_names[SHOGI_WEIGHTS];

typedef struct shogi_values {
    int32_t (*evaluate)(const shogi_position *p);
    size_t (*terms)(const shogi_position *p, ply_term *out);
} shogi_values;

PLY_ISA_DECLARE(const shogi_values, shogi_values_of);

#endif
