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
    SHOGI_PGX_PLANES = 119, /* pgx_planes.h */
};

/* A square as seen from `side`; its own inverse. */
PLY_HD int shogi_orient(int side, int square)
{
    return side == SHOGI_BLACK ? square : 96 - square;
}

/* The step of a direction of a label: eight directions and two knight's jumps. */
PLY_HD int shogi_label_step(int direction)
{
    const int8_t steps[SHOGI_LABEL_DIRECTIONS] = {-12, -11, -10, -1, 1, 10, 11, 12, -23, -21};
    return steps[direction];
}

/* The move of an action that is legal, or might be; PLY_MOVE_NONE if there is no piece for it. */
PLY_SHARED ply_move shogi_action_move(const shogi_position *p, uint32_t action)
{
    int label = (int)(action / SHOGI_AREA), at = (int)(action % SHOGI_AREA);
    int to = shogi_square(at % SHOGI_SIDE, at / SHOGI_SIDE);
    if (label >= SHOGI_LABEL_DROP)
        return shogi_drop_make(label - SHOGI_LABEL_DROP, shogi_orient(p->side, to));
    /* The first piece found going back from the target. A knight jumps exactly once. */
    int direction = label % SHOGI_LABEL_DIRECTIONS, step = shogi_label_step(direction),
        from = to - step;
    while (direction < SHOGI_DIRECTIONS && from >= 0 && shogi_is_square((unsigned)from) &&
           p->board[shogi_orient(p->side, from)] == SHOGI_CODE_EMPTY)
        from -= step;
    if (from < 0 || !shogi_is_square((unsigned)from))
        return PLY_MOVE_NONE;
    return shogi_move_make(shogi_orient(p->side, from), shogi_orient(p->side, to),
                           label >= SHOGI_LABEL_PROMOTION);
}

/* learning_isa.c */
typedef struct shogi_learning {
    void (*observe)(const shogi_position *p, int viewer, uint8_t *out);
    void (*observe_pgx)(const shogi_position *p, int viewer, uint8_t *out); /* pgx_planes.h */
    size_t (*mask)(const shogi_position *p, uint64_t *bits);
} shogi_learning;

PLY_ISA_DECLARE(const shogi_learning, shogi_learning_of);

/* actions.c */
extern const ply_learning_hooks shogi_learning_hooks;

#endif
