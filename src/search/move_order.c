/* SPDX-License-Identifier: MIT */
/*
 * move_order.c - which move is tried first.
 *
 * The order: the transposition table's move; noisy moves that lose no material, by the game's
 * score; the two killers; the countermove; other quiet moves by history and the game's score; noisy
 * moves that lose material.
 *
 * Moves stay where the game listed them. What is sorted is one word per move:
 *
 *     63                          20 19                     0
 *    | score                        | 2^20 - 1 - number      |
 *
 * so that equal scores keep the game's order.
 */
#include "search/node.h"

enum {
    NUMBER_BITS = 20,
    NUMBER_MASK = (1 << NUMBER_BITS) - 1,

    /* Bands of the score, far enough apart for the game's own scores, which are clamped. */
    SCORE_TT_MOVE = 1 << 30,
    SCORE_NOISY = 1 << 26,
    SCORE_KILLER = 1 << 25,
    SCORE_COUNTERMOVE = 1 << 24,
    SCORE_LOSING_NOISY = -(1 << 24),
    GAME_SCORE_LIMIT = 1 << 20,
    NOISY_HISTORY_SHARE = 4,
};

static int64_t sort_word(int32_t score, size_t number)
{
    return (int64_t)score * (NUMBER_MASK + 1) + (int64_t)(NUMBER_MASK - number);
}

static size_t number_of(int64_t word)
{
    return NUMBER_MASK - (size_t)(word & NUMBER_MASK);
}

static int32_t clamp(int32_t score)
{
    return score > GAME_SCORE_LIMIT    ? GAME_SCORE_LIMIT
           : score < -GAME_SCORE_LIMIT ? -GAME_SCORE_LIMIT
                                       : score;
}

void ply_order_moves(alphabeta_thread *t, size_t base, size_t count, size_t tt_move, int ply,
                     bool scored)
{
    const void *position = t->state.position;
    const ply_move *moves = t->moves + base, *killers = frame_of(t, ply)->killers;
    int32_t *scores = t->scores + base;
    int64_t *order = t->order + base;
    ply_move countermove = ply_history_countermove(t, side_to_move(t));
    history_view history;
    ply_history_view(t, ply, &history);
    if (!scored)
        ply_game_score_moves(t->rules, position, moves, count, scores);
    for (size_t i = 0; i < count; i++) {
        int32_t score = clamp(scores[i]);
        if (i == tt_move)
            score = SCORE_TT_MOVE;
        else if (scored ? scores[i] >= PLY_CANDIDATE_NOISY
                        : ply_game_is_noisy(t->rules, position, moves[i]))
            score += (see(t, moves[i]) < 0 ? SCORE_LOSING_NOISY : SCORE_NOISY) +
                     ply_history_noisy(t, &history, moves[i]) / NOISY_HISTORY_SHARE;
        else if (moves[i] == killers[0] || moves[i] == killers[1])
            score = SCORE_KILLER + (moves[i] == killers[0]);
        else if (moves[i] == countermove)
            score = SCORE_COUNTERMOVE;
        else
            score += ply_history_quiet(t, &history, moves[i]);
        order[i] = sort_word(score, i);
    }
    if (tt_move != NO_MOVE_NUMBER) {
        int64_t word = order[tt_move];
        order[tt_move] = order[0];
        order[0] = word;
    }
}

void ply_order_by_score(alphabeta_thread *t, size_t base, size_t count)
{
    for (size_t i = 0; i < count; i++)
        t->order[base + i] = sort_word(t->scores[base + i], i);
}

size_t ply_order_pick(alphabeta_thread *t, size_t at, size_t end)
{
    int64_t *order = t->order;
    int64_t best = order[at];
    size_t best_index = at;
    for (size_t i = at + 1; i < end; i++) {
        best_index = order[i] > best ? i : best_index;
        best = order[i] > best ? order[i] : best;
    }
    order[best_index] = order[at];
    order[at] = best;
    return number_of(best);
}

size_t ply_order_number(const alphabeta_thread *t, size_t at)
{
    return number_of(t->order[at]);
}
