/* SPDX-License-Identifier: MIT */
/* learning.h - observations, masks and action numbers of gomoku; see ply_learning_hooks. */
#ifndef PLY_GAMES_GOMOKU_LEARN_LEARNING_H
#define PLY_GAMES_GOMOKU_LEARN_LEARNING_H

#include "games/gomoku/gomoku.h"

enum {
    GOMOKU_PLANES = 5,
    GOMOKU_MASK_WORDS = (GOMOKU_MAX_SIDE * GOMOKU_MAX_SIDE + 64) / 64 + 1,
};

/* learning_isa.c */
typedef struct gomoku_learning {
    /* forbidden[y], bit x: points forbidden to the viewer; NULL: none. */
    void (*observe)(int width, int height, const gomoku_position *p, int viewer,
                    const uint32_t *forbidden, uint8_t *out);
    /* The empty cells, without those forbidden, as bits in the order of the actions. */
    size_t (*mask)(int width, int height, const gomoku_position *p, const uint32_t *forbidden,
                   uint64_t *bits);
} gomoku_learning;

PLY_ISA_DECLARE(const gomoku_learning, gomoku_learning_of);

/* actions.c */
extern const ply_learning_hooks gomoku_learning_hooks;

#endif
