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

/* A square from the point of view of a player; its own inverse. */
PLY_HD int neighbours_relative_square(int viewer, int square)
{
    return viewer ? NEIGHBOURS_SQUARES - NEIGHBOURS_SIDE - square + 2 * (square % NEIGHBOURS_SIDE)
                  : square;
}

/* The step of a direction, clockwise from up. */
PLY_HD int neighbours_direction_step(uint32_t direction)
{
    int ahead = direction < 2 || direction == 7 ? 6 : direction >= 3 && direction <= 5 ? -6 : 0;
    return ahead + (direction >= 1 && direction <= 3) - (direction >= 5);
}

/* The move of a legal action. */
PLY_HD ply_move neighbours_action_move(const neighbours_position *p, uint32_t action)
{
    int from = (int)(action / NEIGHBOURS_DIRECTIONS);
    int square = neighbours_relative_square(p->side, from);
    int distance = neighbours_distance(p->current | p->next, square);
    int to = from + distance * neighbours_direction_step(action % NEIGHBOURS_DIRECTIONS);
    return neighbours_move_make(square, neighbours_relative_square(p->side, to));
}

/* learning_isa.c */
typedef struct neighbours_learning {
    void (*observe)(const neighbours_position *p, int viewer, uint8_t *out);
    size_t (*mask)(const neighbours_position *p, int path_rule, uint64_t *bits);
} neighbours_learning;

PLY_ISA_DECLARE(const neighbours_learning, neighbours_learning_of);

/* actions.c */
extern const ply_learning_hooks neighbours_learning_hooks;

#endif
