/* SPDX-License-Identifier: MIT */
/*
 * weights.h - the weights of the evaluation.
 *
 * The evaluation is a sum of weights over the pieces of both players, positive for the player to
 * move. SHOGI_WEIGHT_BLOCKS lists the blocks of weights in the order of weights.inc and says when a
 * weight counts. Everything is seen from the owner of the piece, and left and right are not told
 * apart. Where a piece stands relative to a king is one of twelve buckets:
 *
 *     distance       1   2   3   4+
 *     behind         0   1   2   3
 *     level          4   5   6   7
 *     ahead          8   9  10  11
 *
 * The king ring is the set of squares next to a king.
 */
#ifndef PLY_GAMES_SHOGI_EVAL_WEIGHTS_H
#define PLY_GAMES_SHOGI_EVAL_WEIGHTS_H

#include "games/shogi/shogi.h"

enum { SHOGI_KING_BUCKETS = 12, SHOGI_STORM_WEIGHTS = 16 };

/*
 * X(id, name, number of weights).
 *
 *     TEMPO         the player to move
 *     BOARD         a piece on the board, by code & 15
 *     HAND          each piece in hand, by kind
 *     FIRST         the first piece in hand of its kind
 *     RANK          the rank of a piece, by type; 0 is the rank farthest from its owner
 *     OWN_KING      the bucket of a piece relative to its own king, by type
 *     ENEMY_KING    the same relative to the enemy king
 *     KING          the king's square: rank and distance from the nearer side edge
 *     MOBILITY      squares that a slider attacks: lance, bishop, rook, horse, dragon
 *     TRAPPED       a slider that attacks at most two squares
 *     STORM         attacks of enemy pieces on the king ring, a square counted once per attacker
 *     WEAK          ring squares that the enemy attacks and only the king defends
 *     PRESSURE      weak squares times the number of enemy pieces that attack the ring
 *     ESCAPES       ring squares the king could move to
 *     DROPS         empty ring squares that only the king defends, times the enemy's pieces in hand
 *     PAWN_THREAT   a piece attacked by an enemy pawn, by type
 *     HANGING       a piece that is attacked and not defended, by type
 */
#define SHOGI_WEIGHT_BLOCKS(X)                                             \
    X(TEMPO, "tempo", 1)                                                   \
    X(BOARD, "piece on the board", 16)                                     \
    X(HAND, "piece in hand", SHOGI_KINDS)                                  \
    X(FIRST, "first in hand", SHOGI_KINDS)                                 \
    X(RANK, "rank", SHOGI_TYPES * 9)                                       \
    X(OWN_KING, "beside own king", (SHOGI_TYPES * SHOGI_KING_BUCKETS))     \
    X(ENEMY_KING, "beside enemy king", (SHOGI_TYPES * SHOGI_KING_BUCKETS)) \
    X(KING, "king", 9 * 5)                                                 \
    X(MOBILITY, "mobility", 5)                                             \
    X(TRAPPED, "trapped", 5)                                               \
    X(STORM, "storm", SHOGI_STORM_WEIGHTS)                                 \
    X(WEAK, "weak", 1)                                                     \
    X(PRESSURE, "pressure", 1)                                             \
    X(ESCAPES, "escapes", 9)                                               \
    X(DROPS, "drops", SHOGI_KINDS)                                         \
    X(PAWN_THREAT, "pawn threat", SHOGI_TYPES)                             \
    X(HANGING, "hanging", SHOGI_TYPES)

#define SHOGI_COUNT_BLOCK(id, name, count) \
    SHOGI_WEIGHT_##id, SHOGI_WEIGHT_##id##_LAST = SHOGI_WEIGHT_##id + (count)-1,
enum { SHOGI_WEIGHT_BLOCKS(SHOGI_COUNT_BLOCK) SHOGI_WEIGHTS };
#undef SHOGI_COUNT_BLOCK

/*
 * Six terms for each of forty pieces (material, rank, two kings, two threats), mobility of sliders,
 * hands, kings, and the tempo.
 */
enum { SHOGI_MAX_TERMS = 40 * 6 + 2 * 8 + 2 * 16 + 2 * 12 + 1 };

extern const int16_t shogi_weights[SHOGI_WEIGHTS];
extern const char *const shogi_weight_names[SHOGI_WEIGHTS];

typedef struct shogi_evaluator {
    int32_t (*evaluate)(const shogi_position *p);
    size_t (*terms)(const shogi_position *p, ply_term *out);
} shogi_evaluator;

PLY_ISA_DECLARE(const shogi_evaluator, shogi_evaluator_of);

#endif
