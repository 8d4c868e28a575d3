/* SPDX-License-Identifier: MIT */
/*
 * move_order.c - which move is tried first.
 *
 * The order: the transposition table's move; noisy moves that lose no material, by the game's
 * score; the two killers; the countermove; other quiet moves by history, the game's score and the
 * network's policy head, if it has one; noisy moves that lose material. With a policy head, killers
 * and the countermove may have no place of their own.
 *
 * Moves stay where the game listed them. What is sorted is one word per move:
 *
 *     63                          20 19                     0
 *    | score                        | 2^20 - 1 - number      |
 *
 * so that equal scores keep the game's order.
 */
#include "search/alphabeta/node.h"

enum {
    NUMBER_BITS = 20,
    NUMBER_MASK = (1 << NUMBER_BITS) - 1,

    /* Bands of the score, far enough apart for the game's own scores, which are clamped. */
    SCORE_TT_MOVE = 1 << 30,
    SCORE_UNKNOWN = 1 << 29, /* not scored yet: a late move */
    SCORE_NOISY = 1 << 26,
    SCORE_KILLER = 1 << 25,
    SCORE_COUNTERMOVE = 1 << 24,
    SCORE_LOSING_NOISY = -(1 << 24),
    GAME_SCORE_LIMIT = 1 << 20,
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

/* Whether move number i of a list whose moves the game scored, or did not, is noisy. */
static bool is_noisy(const alphabeta_thread *t, size_t base, size_t i, bool scored)
{
    return scored ? t->scores[base + i] >= PLY_CANDIDATE_NOISY
                  : ply_game_is_noisy(t->rules, t->state.position, t->moves[base + i]);
}

/*
 * Lets the game score the moves whose sort words are in [at, end), which need not be neighbours in
 * the list: they are copied behind all lists, where ply_order_early has reserved room.
 */
static void score_subset(alphabeta_thread *t, size_t base, size_t at, size_t end)
{
    ply_move *copy = t->moves + t->moves_used;
    int32_t *scores = t->scores + t->moves_used;
    size_t count = 0;
    for (size_t i = at; i < end; i++)
        copy[count++] = t->moves[base + number_of(t->order[i])];
    ply_game_score_moves(t->rules, t->state.position, copy, count, scores);
    for (size_t i = at; i < end; i++)
        t->scores[base + number_of(t->order[i])] = scores[i - at];
}

static void swap_words(int64_t *a, int64_t *b)
{
    int64_t word = *a;
    *a = *b;
    *b = word;
}

size_t ply_order_early(alphabeta_thread *t, size_t base, size_t count, size_t tt_move, int ply,
                       bool scored, bool with_killers)
{
    for (size_t i = 0; i < count; i++)
        t->order[base + i] = sort_word(SCORE_UNKNOWN, i);
    if (!reserve_moves(t))
        return base + count; /* in any order: the search is about to end */
    const ply_move none[2] = {PLY_MOVE_NONE, PLY_MOVE_NONE};
    const ply_move *killers = with_killers ? frame_of(t, ply)->killers : none;
    ply_move countermove =
        with_killers ? ply_history_countermove(t, side_to_move(t)) : PLY_MOVE_NONE;
    int64_t *order = t->order;
    history_view history;
    ply_history_view(t, ply, &history);
    size_t noisy_end = base, end = base + count;
    for (size_t i = 0; i < count; i++)
        if (i != tt_move && is_noisy(t, base, i, scored))
            swap_words(&order[noisy_end++], &order[base + i]);
    if (!scored)
        score_subset(t, base, base, noisy_end);
    for (size_t i = base; i < noisy_end; i++) {
        size_t number = number_of(order[i]);
        ply_move move = t->moves[base + number];
        int32_t score = clamp(t->scores[base + number]) +
                        ply_history_noisy(t, &history, move) / t->params->noisy_history;
        order[i] = sort_word(score + (see(t, move) < 0 ? SCORE_LOSING_NOISY : SCORE_NOISY), number);
    }
    /* Losing noisy moves go behind the early ones; killers and the countermove to them. */
    size_t early_end = noisy_end;
    for (size_t i = noisy_end; i-- > base;)
        if (order[i] < 0)
            swap_words(&order[i], &order[--early_end]);
    for (size_t i = noisy_end; i < end; i++) {
        size_t number = number_of(order[i]);
        ply_move move = t->moves[base + number];
        if (number == tt_move)
            order[i] = sort_word(SCORE_TT_MOVE, number);
        else if (move == killers[0] || move == killers[1])
            order[i] = sort_word(SCORE_KILLER + (move == killers[0]), number);
        else if (move == countermove)
            order[i] = sort_word(SCORE_COUNTERMOVE, number);
        else
            continue;
        swap_words(&order[i], &order[early_end++]);
    }
    if (tt_move != NO_MOVE_NUMBER)
        for (size_t i = base; i < early_end; i++)
            if (number_of(order[i]) == tt_move)
                swap_words(&order[i], &order[base]);
    return early_end;
}

void ply_order_late(alphabeta_thread *t, size_t base, size_t at, size_t end, int ply, bool scored,
                    int32_t policy)
{
    int64_t *order = t->order;
    history_view history;
    ply_history_view(t, ply, &history);
    size_t quiet_end = at;
    for (size_t i = at; i < end; i++)
        if (order[i] >= 0)
            swap_words(&order[quiet_end++], &order[i]);
    if (!scored)
        score_subset(t, base, at, quiet_end);
    for (size_t i = at; i < quiet_end; i++) {
        size_t number = number_of(order[i]);
        int32_t score = clamp(t->scores[base + number]) +
                        ply_history_quiet(t, &history, t->moves[base + number]);
        if (policy)
            score += policy * t->logits[base + number];
        order[i] = sort_word(score, number);
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
