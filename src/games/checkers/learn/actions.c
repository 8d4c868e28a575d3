/* SPDX-License-Identifier: MIT */
/*
 * actions.c - moves as numbers, for machine learning.
 *
 *        0 to 1023   from * 32 + to, with squares as the player to move sees them
 *     1024 to 1279   captures with the same first and last square as another one
 *
 * Captures that share both squares differ in the pieces they take. Of such moves, the one whose
 * captured squares, as a number, are smallest has the number of its squares. The others, which are
 * very rare, are numbered from 1024 on, in the order of their squares and then of what they capture.
 */
#include "games/checkers/learn/numbering.h"

static int colour_of(const ply_rules *rules, int player)
{
    return player ^ rules->option[CHECKERS_OPTION_STARTS];
}

static void observe(const ply_rules *rules, const void *position, int viewer, uint8_t *out)
{
    PLY_ISA_PICK(checkers_learning_of)->observe(position, colour_of(rules, viewer), out);
}

static size_t mask(const ply_rules *rules, const void *position, uint64_t *bits)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_moves(rules, position, moves);
    return PLY_ISA_PICK(checkers_learning_of)->mask(position, moves, count, bits);
}

static uint32_t action_of(const ply_rules *rules, const void *position, ply_move move)
{
    const checkers_position *p = position;
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_move_captured(move) ? checkers_moves(rules, p, moves) : 0;
    return number_in(moves, count, p->turn, move);
}

static ply_move action_move(const ply_rules *rules, const void *position, uint32_t action)
{
    const checkers_position *p = position;
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_moves(rules, p, moves);
    return move_in(moves, count, p->turn, action);
}

static ply_status step(const ply_rules *rules, void *position, uint32_t action, ply_move *move,
                       ply_undo *undo)
{
    if (!quiet_step(rules, position, action, move))
        *move = action_move(rules, position, action);
    return checkers_play(rules, position, *move, undo);
}

const ply_learning_hooks checkers_learning_hooks = {
    .observe = observe,
    .action = action_of,
    .action_move = action_move,
    .mask = mask,
    .step = step,
};
