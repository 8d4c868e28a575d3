/* SPDX-License-Identifier: MIT */
/* learning.h - observations, masks and action numbers of Neighbours; see ply_learning_hooks. */
#ifndef PLY_GAMES_NEIGHBOURS_LEARN_LEARNING_H
#define PLY_GAMES_NEIGHBOURS_LEARN_LEARNING_H

#include "games/neighbours/neighbours.h"

enum {
    NEIGHBOURS_ACTIONS = NEIGHBOURS_SQUARES * NEIGHBOURS_DIRECTIONS,
    NEIGHBOURS_MASK_WORDS = (NEIGHBOURS_ACTIONS + 63) / 64,
    NEIGHBOURS_PLANES = 3,
};

/* learning_isa.c */
typedef struct neighbours_learning {
    void (*observe)(const neighbours_position *p, int viewer, uint8_t *out);
    size_t (*mask)(const neighbours_position *p, int path_rule, uint64_t *bits);
} neighbours_learning;

PLY_ISA_DECLARE(const neighbours_learning, neighbours_learning_of);

/* actions.c */
extern const ply_learning_hooks neighbours_learning_hooks;

#endif
