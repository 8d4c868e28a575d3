/* SPDX-License-Identifier: MIT */
/*
 * qsearch.c - quiescence search: noisy moves only, until the position is quiet.
 *
 * The player to move may stand pat, that is, take the static evaluation instead of a noisy move.
 * Not so in check, where every move is tried, nor where noisy moves are compulsory. Games that find
 * forced wins themselves (find_win) need no noisy moves: theirs is a check for such a win.
 */
#include "search/node.h"

enum {
    DELTA_MARGIN = 150, /* a capture must come this close to alpha, in hundredths of a piece */
    CHECK_PLIES = 8,    /* plies below the root depth in which checks are answered */
};

/* Whether a noisy move is too bad to try: it loses material or cannot raise the score to alpha. */
static bool is_hopeless(const alphabeta_thread *t, ply_move move, int32_t stand_pat, int32_t alpha)
{
    int32_t gain = see(t, move);
    return gain < 0 ||
           (has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING) && stand_pat + gain + DELTA_MARGIN <= alpha);
}

/* The score of a position just reached: exact if the game is over or a tablebase knows it. */
static int32_t qsearch_node(alphabeta_thread *t, int32_t alpha, int32_t beta, int ply)
{
    ply_outcome outcome = node_outcome(t);
    int32_t exact = 0;
    if (outcome.result != PLY_ONGOING)
        exact = search_outcome_score(outcome, side_to_move(t), ply);
    else if (!ply_search_tablebase_probe(t->searcher, t->state.position, ply, &exact))
        return ply_qsearch(t, alpha, beta, ply);
    t->pv[ply].length = 0;
    count_node(t);
    return exact;
}

/* Plays a move and searches the position after it; the score is for the player who moves. */
static int32_t qsearch_move(alphabeta_thread *t, ply_move move, int32_t alpha, int32_t beta,
                            int ply)
{
    int side = side_to_move(t);
    if (!play_move(t, move))
        return 0;
    int32_t score = side_to_move(t) == side ? qsearch_node(t, alpha, beta, ply + 1)
                                            : -qsearch_node(t, -beta, -alpha, ply + 1);
    undo_move(t);
    return score;
}

int32_t ply_qsearch(alphabeta_thread *t, int32_t alpha, int32_t beta, int ply)
{
    const ply_rules *rules = t->rules;
    void *position = t->state.position;
    t->pv[ply].length = 0;
    count_node(t);
    if (time_control_stopped(t->time))
        return 0;
    update_selective_depth(t, ply);
    if (ply >= MAX_PLY - 1 || !reserve_moves(t))
        return evaluate(t);
    int32_t win = forced_win(t, 0, ply);
    if (win)
        return win;

    size_t base = t->moves_used, count;
    int32_t best = -INFINITE, stand_pat = -INFINITE;
    bool scored = false, noisy_forced = has_trait(t, PLY_TRAIT_NOISY_FORCED);
    bool checked = ply < t->root_depth + CHECK_PLIES && in_check(t);
    if (checked) {
        scored = list_moves(t, false, &count);
        if (count == 0)
            return no_moves_score(t, ply);
    } else if (rules->search->find_win) {
        return evaluate(t);
    } else {
        count = list_noisy_moves(t);
        if (count == 0 || !noisy_forced) {
            best = stand_pat = evaluate(t);
            if (best >= beta || count == 0)
                return best;
            if (best > alpha)
                alpha = best;
        }
    }
    if (!scored)
        ply_game_score_moves(rules, position, t->moves + base, count, t->scores + base);
    ply_order_by_score(t, base, count);
    t->moves_used = base + count;
    for (size_t i = base; i < base + count; i++) {
        ply_move move = t->moves[base + ply_order_pick(t, i, base + count)];
        if (!checked && !noisy_forced && is_hopeless(t, move, stand_pat, alpha))
            continue;
        int32_t score = qsearch_move(t, move, alpha, beta, ply);
        if (time_control_stopped(t->time))
            break;
        if (score > best)
            best = score;
        if (score > alpha)
            alpha = score;
        if (alpha >= beta)
            break;
    }
    t->moves_used = base;
    return best;
}
