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
#include "games/checkers/learn/learning.h"

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

static uint32_t reverse32(uint32_t x)
{
    return (uint32_t)(checkers_rotate(x) >> 32);
}

/* A number by which moves are ordered: squares, then captured pieces, seen by the player. */
static uint64_t order_of(int colour, ply_move move)
{
    uint32_t captured = checkers_move_captured(move);
    if (colour == CHECKERS_BLACK)
        captured = reverse32(captured);
    return (uint64_t)(checkers_relative_index(colour, checkers_move_from(move)) * 32 +
                      checkers_relative_index(colour, checkers_move_to(move)))
               << 32 |
           captured;
}

/* Whether a smaller move of the list has the same first and last square. */
static bool is_extra(const ply_move *moves, size_t count, int colour, uint64_t order)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t other = order_of(colour, moves[i]);
        if (other >> 32 == order >> 32 && other < order)
            return true;
    }
    return false;
}

static uint32_t number_in(const ply_move *moves, size_t count, int colour, ply_move move)
{
    uint64_t order = order_of(colour, move);
    if (!is_extra(moves, count, colour, order))
        return (uint32_t)(order >> 32);
    uint32_t before = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t other = order_of(colour, moves[i]);
        before += other < order && is_extra(moves, count, colour, other);
    }
    return CHECKERS_FIRST_EXTRA + before;
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
    for (size_t i = 0; i < count; i++) {
        /* Only moves with the right squares, or any for the extra ones. */
        bool fits =
            action >= CHECKERS_FIRST_EXTRA || order_of(p->turn, moves[i]) >> 32 == (uint64_t)action;
        if (fits && number_in(moves, count, p->turn, moves[i]) == action)
            return moves[i];
    }
    return PLY_MOVE_NONE;
}

/* A step to a neighbouring square captures nothing, so the list is not needed. */
static bool quiet_step(const checkers_position *p, uint32_t action, ply_move *move)
{
    int from = (int)checkers_relative_index(p->turn, (int)(action >> 5));
    int to = (int)checkers_relative_index(p->turn, (int)(action & 31));
    int distance = checkers_bit_of(to) - checkers_bit_of(from);
    if (action >= CHECKERS_FIRST_EXTRA ||
        (distance != 7 && distance != 9 && distance != -7 && distance != -9))
        return false;
    bool man = (p->board[p->turn][CHECKERS_MAN] & checkers_square(from)) != 0;
    bool crown = man && (checkers_crown_row(p->turn) & checkers_square(to));
    *move = checkers_move_make(from, to, 0, crown);
    return true;
}

static ply_status step(const ply_rules *rules, void *position, uint32_t action, ply_move *move,
                       ply_undo *undo)
{
    if (!quiet_step(position, action, move))
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
