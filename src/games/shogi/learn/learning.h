/* SPDX-License-Identifier: MIT */
/* learning.h - observations, masks and action numbers of shogi; see ply_learning_hooks. */
#ifndef PLY_GAMES_SHOGI_LEARN_LEARNING_H
#define PLY_GAMES_SHOGI_LEARN_LEARNING_H

#include "games/shogi/shogi.h"

enum {
    SHOGI_AREA = 81,
    SHOGI_LABEL_DIRECTIONS = 10, /* eight directions and two knight's jumps */
    SHOGI_LABEL_PROMOTION = 10,
    SHOGI_LABEL_DROP = 20,
    SHOGI_LABELS = 27,
    SHOGI_ACTIONS = SHOGI_LABELS * SHOGI_AREA,
    SHOGI_MASK_WORDS = (SHOGI_ACTIONS + 63) / 64,
    SHOGI_PLANES_OPPONENT = 14,
    SHOGI_PLANES_HAND = 28,
    SHOGI_PLANE_SIDE = 42,
    SHOGI_PLANES = 43,
};

/* learning_isa.c */
typedef struct shogi_learning {
    void (*observe)(const shogi_position *p, int viewer, uint8_t *out);
    size_t (*mask)(const shogi_position *p, uint64_t *bits);
} shogi_learning;

PLY_ISA_DECLARE(const shogi_learning, shogi_learning_of);

/* actions.c */
extern const ply_learning_hooks shogi_learning_hooks;

#endif
