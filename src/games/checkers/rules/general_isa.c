/* SPDX-License-Identifier: MIT */
/* general_isa.c - the general move generator and its perft; compiled for several instruction sets. */
#include "games/checkers/rules/general.h"
#include <string.h>

/* Plays a move on the boards alone: counting does not need the key. */
static void apply_boards(checkers_position *p, ply_move move)
{
    int colour = p->turn;
    uint64_t from = checkers_square(checkers_move_from(move));
    uint64_t to = checkers_square(checkers_move_to(move));
    uint64_t captured = ~checkers_unpack(checkers_move_captured(move));
    bool king = (p->board[colour][CHECKERS_KING] & from) != 0;
    p->board[colour][king] ^= from;
    p->board[colour][king || (move & CHECKERS_MOVE_CROWN)] |= to;
    p->board[!colour][CHECKERS_MAN] &= captured;
    p->board[!colour][CHECKERS_KING] &= captured;
    p->turn = (uint8_t)!colour;
}

static uint64_t perft(const ply_rules *rules, const checkers_position *p, int depth, int mode)
{
    bool paths = mode == CHECKERS_COUNT_PATHS;
    if (depth == 1 && !paths)
        return count_moves(rules, p);
    ply_move moves[CHECKERS_MAX_MOVES];
    uint32_t times[CHECKERS_MAX_MOVES];
    size_t count = general_moves(rules, p, moves, paths ? times : NULL);
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t below = 1;
        if (depth > 1) {
            checkers_position child = *p;
            apply_boards(&child, moves[i]);
            below = perft(rules, &child, depth - 1, mode);
        }
        total += paths ? times[i] * below : below;
    }
    return total;
}

extern const checkers_general PLY_ISA(checkers_general_of);
const checkers_general PLY_ISA(checkers_general_of) = {
    .visit_captures = visit_captures,
    .moves = general_moves,
    .count = count_moves,
    .perft = perft,
};
