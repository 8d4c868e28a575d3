/* SPDX-License-Identifier: MIT */
/*
 * move_order.c - which move is tried first.
 *
 * The table's move, then noisy moves by the game's own order, killers, the answer to the last move,
 * and the history of what has cut before. Moves are opaque, so history is kept in buckets by a mix
 * of their bits.
 *
 * Moves stay where the game listed them; what is sorted is one word for each:
 *
 *     63           20 19                     0
 *    | score          | 2^20 - 1 - number     |      equal scores keep the game's order
 */
#include "core/hash.h"
#include "search/alphabeta.h"

enum {
    HISTORY_LIMIT = 1 << 14,
    NUMBER_BITS = 20,
    NUMBER_MASK = (1 << NUMBER_BITS) - 1,
    /* Bands; the game's own scores are clamped between them. */
    ORDER_TABLE = 1 << 30,
    ORDER_NOISY = 1 << 26,
    ORDER_GAME_LIMIT = 1 << 20,
    ORDER_KILLER = 1 << 25,
    ORDER_ANSWER = 1 << 24,
    ORDER_LOSING = -(1 << 24), /* noisy moves that lose material go behind the quiet ones */
};

static uint32_t bucket(ply_move move)
{
    return (uint32_t)(ply_mix64(move) >> 50) & (HISTORY - 1);
}

/* The history of a move after the one before it. */
static int16_t *reply_entry(const searcher_thread *t, ply_move last, ply_move move)
{
    return &t->memory->replies[ply_mix64(last * UINT64_C(0x9E3779B97F4A7C15) + move) >> 48];
}

static int32_t history_of(const searcher_thread *t, int side, ply_move last, ply_move move)
{
    return t->memory->history[side][bucket(move)] + (last ? *reply_entry(t, last, move) : 0);
}

static ply_move last_move(const searcher_thread *t)
{
    return t->state.plies ? t->state.moves[t->state.plies - 1] : PLY_MOVE_NONE;
}

static int side_to_move(const searcher_thread *t)
{
    return t->rules->game->side(t->rules, t->state.position);
}

int32_t ply_order_history(const searcher_thread *t, ply_move move)
{
    return history_of(t, side_to_move(t), last_move(t), move);
}

static int64_t order_word(int32_t score, size_t number)
{
    return (int64_t)score * (NUMBER_MASK + 1) + (int64_t)(NUMBER_MASK - number);
}

static size_t number_of(int64_t word)
{
    return NUMBER_MASK - (size_t)(word & NUMBER_MASK);
}

void ply_order_moves(searcher_thread *t, size_t base, size_t count, size_t first, int ply,
                     bool scored)
{
    const void *position = t->state.position;
    const ply_move *moves = t->stack + base;
    int32_t *scores = t->scores + base;
    int64_t *order = t->order + base;
    int side = side_to_move(t);
    ply_move last = last_move(t);
    ply_move answer = last ? t->memory->answers[side][bucket(last)] : PLY_MOVE_NONE;
    if (!scored)
        ply_game_score_moves(t->rules, position, moves, count, scores);
    for (size_t i = 0; i < count; i++) {
        int32_t score = scores[i] > ORDER_GAME_LIMIT    ? ORDER_GAME_LIMIT
                        : scores[i] < -ORDER_GAME_LIMIT ? -ORDER_GAME_LIMIT
                                                        : scores[i];
        if (i == first)
            score = ORDER_TABLE;
        else if (scored ? scores[i] >= PLY_CANDIDATE_NOISY
                        : ply_game_is_noisy(t->rules, position, moves[i]))
            score += search_exchange(t, moves[i]) < 0 ? ORDER_LOSING : ORDER_NOISY;
        else if (moves[i] == t->killers[ply][0] || moves[i] == t->killers[ply][1])
            score = ORDER_KILLER + (moves[i] == t->killers[ply][0]);
        else if (moves[i] == answer)
            score = ORDER_ANSWER;
        else
            score += history_of(t, side, last, moves[i]);
        order[i] = order_word(score, i);
    }
    if (first != ORDER_NO_MOVE) {
        int64_t word = order[first];
        order[first] = order[0];
        order[0] = word;
    }
}

void ply_order_as_scored(searcher_thread *t, size_t count)
{
    for (size_t i = t->stack_used; i < t->stack_used + count; i++)
        t->order[i] = order_word(t->scores[i], i - t->stack_used);
}

size_t ply_order_next(searcher_thread *t, size_t at, size_t end)
{
    int64_t *order = t->order;
    int64_t best = order[at];
    size_t where = at;
    for (size_t i = at + 1; i < end; i++) {
        where = order[i] > best ? i : where;
        best = order[i] > best ? order[i] : best;
    }
    order[where] = order[at];
    order[at] = best;
    return number_of(best);
}

static void age_history(int16_t *entry, int32_t bonus)
{
    *entry = (int16_t)(*entry + bonus - *entry * (bonus < 0 ? -bonus : bonus) / HISTORY_LIMIT);
}

static void note_quiet(searcher_thread *t, int side, ply_move last, ply_move move, int32_t bonus)
{
    age_history(&t->memory->history[side][bucket(move)], bonus);
    if (last)
        age_history(reply_entry(t, last, move), bonus);
}

void ply_order_note_cut(searcher_thread *t, size_t base, size_t at, ply_move move, int depth,
                        int ply)
{
    if (ply_game_is_noisy(t->rules, t->state.position, move))
        return;
    int side = side_to_move(t);
    ply_move last = last_move(t);
    int32_t bonus = 8 * depth * depth > 1600 ? 1600 : 8 * depth * depth;
    if (t->killers[ply][0] != move) {
        t->killers[ply][1] = t->killers[ply][0];
        t->killers[ply][0] = move;
    }
    if (last)
        t->memory->answers[side][bucket(last)] = move;
    note_quiet(t, side, last, move, bonus);
    for (size_t i = base; i < at; i++) {
        ply_move vain = t->stack[base + number_of(t->order[i])];
        if (!ply_game_is_noisy(t->rules, t->state.position, vain))
            note_quiet(t, side, last, vain, -bonus);
    }
}
