/* SPDX-License-Identifier: MIT */
/*
 * actions.c - moves as numbers, for machine learning.
 *
 * An action is from * 8 + direction, seen by the player to move, whose first row is at the bottom.
 * Directions run clockwise from up; the distance follows from the board. The mirror image swaps left
 * and right.
 */
#include "games/neighbours/learn/learning.h"

static void observe(const ply_rules *rules, const void *position, int viewer, uint8_t *out)
{
    (void)rules;
    PLY_ISA_PICK(neighbours_learning_of)->observe(position, viewer, out);
}

static size_t mask(const ply_rules *rules, const void *position, uint64_t *bits)
{
    return PLY_ISA_PICK(neighbours_learning_of)
        ->mask(position, rules->option[NEIGHBOURS_OPTION_PATH], bits);
}

static uint32_t action_of(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules;
    const neighbours_position *p = position;
    int from = neighbours_relative_square(p->side, neighbours_move_from(move));
    int to = neighbours_relative_square(p->side, neighbours_move_to(move));
    int dx = to % NEIGHBOURS_SIDE - from % NEIGHBOURS_SIDE;
    int dy = to / NEIGHBOURS_SIDE - from / NEIGHBOURS_SIDE;
    static const uint8_t direction[3][3] = {{5, 4, 3}, {6, 0, 2}, {7, 0, 1}}; /* [dy + 1][dx + 1] */
    return (uint32_t)(from * NEIGHBOURS_DIRECTIONS +
                      direction[1 + (dy > 0) - (dy < 0)][1 + (dx > 0) - (dx < 0)]);
}

static ply_move action_move(const ply_rules *rules, const void *position, uint32_t action)
{
    uint64_t bits[NEIGHBOURS_MASK_WORDS];
    mask(rules, position, bits);
    return action < NEIGHBOURS_ACTIONS && bits[action / 64] >> action % 64 & 1
               ? neighbours_action_move(position, action)
               : PLY_MOVE_NONE;
}

static ply_status step(const ply_rules *rules, void *position, uint32_t action, ply_move *move,
                       ply_undo *undo)
{
    *move = neighbours_action_move(position, action);
    return neighbours_play(rules, position, *move, undo);
}

static uint32_t symmetries(const ply_rules *rules)
{
    (void)rules;
    return 2;
}

static void symmetry(const ply_rules *rules, uint32_t i, uint32_t *cells, uint32_t *actions)
{
    (void)rules;
    (void)i;
    for (uint32_t square = 0; square < NEIGHBOURS_SQUARES; square++) {
        uint32_t x = square % NEIGHBOURS_SIDE, image = square - x + NEIGHBOURS_SIDE - 1 - x;
        if (cells)
            cells[square] = image;
        for (uint32_t d = 0; actions && d < NEIGHBOURS_DIRECTIONS; d++)
            actions[square * NEIGHBOURS_DIRECTIONS + d] =
                image * NEIGHBOURS_DIRECTIONS + (NEIGHBOURS_DIRECTIONS - d) % NEIGHBOURS_DIRECTIONS;
    }
}

const ply_learning_hooks neighbours_learning_hooks = {
    .observe = observe,
    .action = action_of,
    .action_move = action_move,
    .mask = mask,
    .step = step,
    .symmetries = symmetries,
    .symmetry = symmetry,
};
