/* SPDX-License-Identifier: MIT */
/* search_hooks.c - evaluation, move ordering, noisy moves. */
#include "games/checkers/checkers.h"

int32_t checkers_evaluate(const ply_rules *rules, const void *position)
{
    return PLY_ISA_PICK(checkers_evaluator_of)->evaluate(rules, position);
}

size_t checkers_terms(const ply_rules *rules, const void *position, ply_term *out)
{
    return PLY_ISA_PICK(checkers_evaluator_of)->terms(rules, position, out);
}

/* Captures are compulsory, so if one legal move is noisy, all are. */
bool checkers_is_noisy(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules;
    (void)position;
    return checkers_move_captured(move) != 0;
}

size_t checkers_noisy_moves(const ply_rules *rules, const void *position, ply_move *out)
{
    if (checkers_is_english(rules))
        return PLY_ISA_PICK(checkers_english_of)->captures(position, out);
    size_t count = checkers_general_moves(rules, position, out, NULL);
    return count > 0 && checkers_move_captured(out[0]) ? count : 0;
}

enum { ORDER_CAPTURED_PIECE = 100, ORDER_CAPTURED_KING = 50, ORDER_CROWNING = 80 };

/* Large captures first, then crowning, then men by how far they have advanced. */
void checkers_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                          size_t count, int32_t *scores)
{
    (void)rules;
    const checkers_position *p = position;
    uint64_t enemy_kings = p->board[!p->turn][CHECKERS_KING];
    for (size_t i = 0; i < count; i++) {
        scores[i] = moves[i] & CHECKERS_MOVE_CROWN ? ORDER_CROWNING : 0;
        if (checkers_move_captured(moves[i])) {
            uint64_t captured = checkers_unpack(checkers_move_captured(moves[i]));
            scores[i] += ORDER_CAPTURED_PIECE * ply_popcount(captured) +
                         ORDER_CAPTURED_KING * ply_popcount(captured & enemy_kings);
        }
        if (!(p->board[p->turn][CHECKERS_KING] & checkers_square(checkers_move_from(moves[i])))) {
            int row = checkers_move_to(moves[i]) / 4;
            scores[i] += p->turn == CHECKERS_BLACK ? row : 7 - row;
        }
    }
}
