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
#include "core/hash.h"
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

    HISTORY_LIMIT = 1 << 14,
    HISTORY_BONUS = 8, /* times the square of the depth */
    HISTORY_BONUS_MAX = 1600,
};

static uint32_t history_bucket(ply_move move)
{
    return (uint32_t)(ply_mix64(move) >> 50) & (HISTORY_BUCKETS - 1);
}

static int16_t *continuation_entry(const alphabeta_thread *t, ply_move previous, ply_move move)
{
    return &t->history->continuation[ply_mix64(previous * PLY_GOLDEN + move) >> 48];
}

static int32_t history_of(const alphabeta_thread *t, int side, ply_move previous, ply_move move)
{
    return t->history->history[side][history_bucket(move)] +
           (previous ? *continuation_entry(t, previous, move) : 0);
}

static ply_move previous_move(const alphabeta_thread *t)
{
    return t->state.plies ? t->state.moves[t->state.plies - 1] : PLY_MOVE_NONE;
}

int32_t ply_history_score(const alphabeta_thread *t, ply_move move)
{
    return history_of(t, side_to_move(t), previous_move(t), move);
}

static int64_t sort_word(int32_t score, size_t number)
{
    return (int64_t)score * (NUMBER_MASK + 1) + (int64_t)(NUMBER_MASK - number);
}

static size_t number_of(int64_t word)
{
    return NUMBER_MASK - (size_t)(word & NUMBER_MASK);
}

void ply_order_moves(alphabeta_thread *t, size_t base, size_t count, size_t tt_move, int ply,
                     bool scored)
{
    const void *position = t->state.position;
    const ply_move *moves = t->moves + base;
    int32_t *scores = t->scores + base;
    int64_t *order = t->order + base;
    int side = side_to_move(t);
    ply_move previous = previous_move(t);
    ply_move countermove =
        previous ? t->history->countermoves[side][history_bucket(previous)] : PLY_MOVE_NONE;
    if (!scored)
        ply_game_score_moves(t->rules, position, moves, count, scores);
    for (size_t i = 0; i < count; i++) {
        int32_t score = scores[i] > GAME_SCORE_LIMIT    ? GAME_SCORE_LIMIT
                        : scores[i] < -GAME_SCORE_LIMIT ? -GAME_SCORE_LIMIT
                                                        : scores[i];
        if (i == tt_move)
            score = SCORE_TT_MOVE;
        else if (scored ? scores[i] >= PLY_CANDIDATE_NOISY
                        : ply_game_is_noisy(t->rules, position, moves[i]))
            score += see(t, moves[i]) < 0 ? SCORE_LOSING_NOISY : SCORE_NOISY;
        else if (moves[i] == t->killers[ply][0] || moves[i] == t->killers[ply][1])
            score = SCORE_KILLER + (moves[i] == t->killers[ply][0]);
        else if (moves[i] == countermove)
            score = SCORE_COUNTERMOVE;
        else
            score += history_of(t, side, previous, moves[i]);
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

/* Adds a bonus or malus and decays the old value, so that entries stay within the limit. */
static void update_entry(int16_t *entry, int32_t bonus)
{
    *entry = (int16_t)(*entry + bonus - *entry * (bonus < 0 ? -bonus : bonus) / HISTORY_LIMIT);
}

static void update_quiet(alphabeta_thread *t, int side, ply_move previous, ply_move move,
                         int32_t bonus)
{
    update_entry(&t->history->history[side][history_bucket(move)], bonus);
    if (previous)
        update_entry(continuation_entry(t, previous, move), bonus);
}

void ply_history_update(alphabeta_thread *t, size_t base, size_t at, ply_move move, int depth,
                        int ply)
{
    if (ply_game_is_noisy(t->rules, t->state.position, move))
        return;
    int side = side_to_move(t);
    ply_move previous = previous_move(t);
    int32_t bonus = HISTORY_BONUS * depth * depth;
    if (bonus > HISTORY_BONUS_MAX)
        bonus = HISTORY_BONUS_MAX;
    if (t->killers[ply][0] != move) {
        t->killers[ply][1] = t->killers[ply][0];
        t->killers[ply][0] = move;
    }
    if (previous)
        t->history->countermoves[side][history_bucket(previous)] = move;
    update_quiet(t, side, previous, move, bonus);
    for (size_t i = base; i < at; i++) {
        ply_move tried = t->moves[base + number_of(t->order[i])];
        if (!ply_game_is_noisy(t->rules, t->state.position, tried))
            update_quiet(t, side, previous, tried, -bonus);
    }
}
