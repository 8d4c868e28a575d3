/* SPDX-License-Identifier: MIT */
/* learning.h - observations, masks and action numbers of checkers; see ply_learning_hooks. */
#ifndef PLY_GAMES_CHECKERS_LEARN_LEARNING_H
#define PLY_GAMES_CHECKERS_LEARN_LEARNING_H

#include "games/checkers/checkers.h"

enum {
    CHECKERS_FIRST_EXTRA = CHECKERS_SQUARES * CHECKERS_SQUARES, /* see actions.c */
    CHECKERS_ACTIONS = CHECKERS_FIRST_EXTRA + CHECKERS_MAX_MOVES,
    CHECKERS_PLANES = 5,
};

/* A square as the player of a colour sees it, whose men move up; its own inverse. */
PLY_HD uint32_t checkers_relative_index(int colour, int index)
{
    return (uint32_t)(colour == CHECKERS_BLACK ? CHECKERS_SQUARES - 1 - index : index);
}

/* learning_isa.c */
typedef struct checkers_learning {
    void (*observe)(const checkers_position *p, int colour, uint8_t *out);
    /* From the list of legal moves. */
    size_t (*mask)(const checkers_position *p, const ply_move *moves, size_t count, uint64_t *bits);
} checkers_learning;

PLY_ISA_DECLARE(const checkers_learning, checkers_learning_of);

/* actions.c */
extern const ply_learning_hooks checkers_learning_hooks;

#endif
