/* SPDX-License-Identifier: MIT */
/* search_hooks.c - evaluation, move ordering, noisy moves; observations and action numbers. */
#include "games/checkers/checkers.h"
#include <string.h>

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

/* A square from the point of view of the player to move, whose first row is at the bottom. */
static int relative_bit(int viewer, int bit)
{
    return viewer == CHECKERS_BLACK ? 63 - bit : bit;
}

/* Planes: own men, own kings, enemy men, enemy kings, and plies without progress. */
void checkers_observe(const ply_rules *rules, const void *position, int viewer, uint8_t *out)
{
    (void)rules;
    const checkers_position *p = position;
    memset(out, 0, 4 * 64);
    for (int plane = 0; plane < 4; plane++)
        for (uint64_t b = p->board[plane < 2 ? viewer : !viewer][plane & 1]; b; b &= b - 1)
            out[plane * 64 + relative_bit(viewer, ply_lowest(b))] = 1;
    memset(out + 4 * 64, p->quiet < 255 ? (int)p->quiet : 255, 64);
}

static uint32_t relative_index(const checkers_position *p, int index)
{
    return (uint32_t)(p->turn == CHECKERS_BLACK ? 31 - index : index);
}

/*
 * alternative * 1024 + from * 32 + to, with squares from the point of view of the player to move.
 * Alternatives are the captures with the same first and last square, ordered by their sets of
 * captured pieces. There is almost always just one, so almost all actions are below 1024.
 */
uint32_t checkers_action(const ply_rules *rules, const void *position, ply_move move)
{
    const checkers_position *p = position;
    uint32_t alternative = 0;
    if (checkers_move_captured(move)) {
        ply_move moves[CHECKERS_MAX_MOVES];
        size_t count = checkers_moves(rules, p, moves);
        for (size_t i = 0; i < count; i++)
            alternative += checkers_same_ends(moves[i], move) && moves[i] < move;
    }
    return alternative * 1024 + relative_index(p, checkers_move_from(move)) * 32 +
           relative_index(p, checkers_move_to(move));
}

ply_move checkers_action_move(const ply_rules *rules, const void *position, uint32_t action)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    size_t count = checkers_moves(rules, position, moves);
    for (size_t i = 0; i < count; i++)
        if (checkers_action(rules, position, moves[i]) == action)
            return moves[i];
    return PLY_MOVE_NONE;
}
