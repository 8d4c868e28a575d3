/* SPDX-License-Identifier: MIT */
/*
 * prune.c - what settles a node before its moves are tried.
 *
 * First what needs no search at all: the end of the game, repetitions, tablebases, mate distance
 * pruning. Then, by the static evaluation: reverse futility pruning, razoring, the null move and
 * probcut. Which of these a game gets depends on its traits (enum ply_search_trait).
 */
#include "search/alphabeta/alphabeta_internal.h"

/* --- without a search ------------------------------------------------------------------------ */
/* Whether the position occurred before in the game or in the variation: it can be forced again. */
static bool is_repetition(alphabeta_thread *t)
{
    size_t now = t->state.plies;
    uint64_t key = t->keys[now];
    if (*key_count(t, key) < 2)
        return false;
    for (size_t i = now; i-- > 0;)
        if (t->keys[i] == key)
            return true;
    return false;
}

/*
 * The score of a repetition. A repetition that wins or loses is kept out of the range of forced
 * scores: it is path-dependent, and the transposition table does not know the path.
 */
static int32_t repetition_score(const alphabeta_thread *t)
{
    const ply_rules *rules = t->rules;
    if (!rules->search->repetition_outcome)
        return 0;
    ply_outcome outcome = rules->search->repetition_outcome(rules, t->state.position,
                                                            t->state.undo_stack, t->state.plies);
    if (outcome.result == PLY_DRAW || outcome.result == PLY_ONGOING)
        return 0;
    bool wins = (outcome.result == PLY_FIRST_WINS) == (side_to_move(t) == 0);
    return wins ? PLY_SCORE_FORCED / 2 : -PLY_SCORE_FORCED / 2;
}

bool ply_prune_at_once(alphabeta_thread *t, search_node *n, int32_t *score)
{
    int ply = n->ply;
    ply_outcome outcome = node_outcome(t);
    if (outcome.result != PLY_ONGOING) {
        *score = search_outcome_score(outcome, side_to_move(t), ply);
    } else if (is_repetition(t)) {
        *score = repetition_score(t);
    } else if (!ply_search_tablebase_probe(t->searcher, t->state.position, ply, score)) {
        /* Mate distance pruning: no move can do better than win, or worse than lose, at once. */
        if (n->alpha < ply - PLY_SCORE_WIN)
            n->alpha = ply - PLY_SCORE_WIN;
        if (n->beta > PLY_SCORE_WIN - ply - 1)
            n->beta = PLY_SCORE_WIN - ply - 1;
        *score = n->alpha;
        return n->alpha >= n->beta;
    }
    count_node(t);
    return true;
}

/* --- by the static evaluation ---------------------------------------------------------------- */
/* Whether a compulsory capture is pending, which makes the static evaluation meaningless. */
static bool must_capture(alphabeta_thread *t)
{
    return has_trait(t, PLY_TRAIT_NOISY_FORCED) && list_noisy_moves(t) > 0;
}

/* Sets the evaluation of the node and of its frame. */
static void evaluate_node(alphabeta_thread *t, search_node *n)
{
    ply_frame *frame = frame_of(t, n->ply);
    const tt_entry *entry = &n->entry;
    bool stored = n->tt_hit && entry->eval != NO_EVAL;
    if (!n->skipped) /* else the frame has it already */
        frame->eval = stored ? entry->eval : evaluate(t);
    n->eval = frame->eval;
    /* A score from the transposition table is better than the evaluation it bounds. */
    if (n->tt_hit && !is_forced_score(entry->score) &&
        (entry->bound & (entry->score > n->eval ? TT_LOWER_BOUND : TT_UPPER_BOUND)))
        n->eval = entry->score;
    /* The player's last turn was two plies ago, if turns are single moves. */
    const ply_frame *last = frame_of(t, n->ply - 2);
    if (last->eval == NO_EVAL)
        last = frame_of(t, n->ply - 4);
    n->improving = last->eval != NO_EVAL && frame->eval > last->eval;
}

/*
 * Null move: if the player to move could pass and still reach beta, the best move will too. Unsound
 * in zugzwang, hence the trait, and the search without null moves that confirms deep cutoffs.
 */
static bool null_move_cuts(alphabeta_thread *t, const search_node *n, int32_t *score)
{
    const search_params *params = t->params;
    const ply_state *s = &t->state;
    if (!has_trait(t, PLY_TRAIT_NULL_MOVE) || n->depth < params->null_depth || s->plies == 0 ||
        s->moves[s->plies - 1] == PLY_MOVE_NONE || n->ply < t->null_min_ply)
        return false;
    frame_of(t, n->ply)->move_row = 0;
    frame_of(t, n->ply)->quiet_move = PLY_MOVE_NONE;
    play_null_move(t);
    int excess = (n->eval - n->beta) / params->null_eval_step;
    int depth = n->depth - params->null_reduction - n->depth / params->null_depth_step -
                (excess < params->null_eval_max ? excess : params->null_eval_max);
    *score = -ply_alphabeta_search(t, -n->beta, 1 - n->beta, depth, n->ply + 1, !n->cut_node);
    undo_move(t);
    if (time_control_stopped(t->time) || *score < n->beta)
        return false;
    if (is_forced_score(*score))
        *score = n->beta; /* not proved: the opponent moved twice */
    if (t->null_min_ply || n->depth < params->null_verify_depth)
        return true;
    t->null_min_ply = n->ply + 3 * depth / 4 + 1;
    int32_t verified = ply_alphabeta_search(t, n->beta - 1, n->beta, depth, n->ply, false);
    t->null_min_ply = 0;
    return !time_control_stopped(t->time) && verified >= n->beta;
}

/* Reverse futility pruning and razoring. */
static bool prune_by_margin(alphabeta_thread *t, search_node *n, int32_t *score)
{
    const search_params *params = t->params;
    int32_t margin = params->rfp_margin * n->depth - params->rfp_improving * n->improving;
    if (n->depth <= params->rfp_depth && !n->tt_pv && n->eval - margin >= n->beta &&
        !is_forced_score(n->eval)) {
        *score = n->beta + (n->eval - n->beta) / 2;
        return true;
    }
    /* Razoring: so far below alpha that only noisy moves could help. */
    if (has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING) && n->depth <= params->razor_depth &&
        n->eval + params->razor_margin * n->depth <= n->alpha) {
        *score = ply_qsearch(t, n->alpha, n->alpha + 1, n->ply);
        return *score <= n->alpha;
    }
    return false;
}

/*
 * Verified pruning: far above beta at any depth, where a search of reduced depth confirms it. For
 * games in which a null move would be unsound.
 */
static bool verified_cuts(alphabeta_thread *t, const search_node *n, int32_t *score)
{
    const search_params *params = t->params;
    int32_t beta = n->beta + params->verify_margin;
    if (n->depth < params->verify_depth || n->eval < beta || is_forced_score(beta))
        return false;
    *score = ply_alphabeta_search(t, beta - 1, beta, n->depth - params->verify_reduction, n->ply,
                                  n->cut_node);
    return !time_control_stopped(t->time) && *score >= beta;
}

/* A noisy move of the list at `base` that may win more than `gain`: does it beat beta safely? */
static bool probe_noisy_moves(alphabeta_thread *t, const search_node *n, size_t base, size_t count,
                              int32_t beta, int32_t *score)
{
    int depth = n->depth - t->params->probcut_reduction;
    ply_game_score_moves(t->rules, t->state.position, t->moves + base, count, t->scores + base);
    ply_order_by_score(t, base, count);
    for (size_t i = base; i < base + count; i++) {
        ply_move move = t->moves[base + ply_order_pick(t, i, base + count)];
        if (see(t, move) < beta - n->eval)
            continue;
        *score = ply_search_child(t, move, beta - 1, beta, 0, n->ply, false);
        if (*score >= beta && depth > 0)
            *score = ply_search_child(t, move, beta - 1, beta, depth, n->ply, !n->cut_node);
        if (time_control_stopped(t->time))
            return false;
        if (*score >= beta)
            return true;
    }
    return false;
}

/*
 * Probcut: if a noisy move beats beta by a margin in a reduced search, it will in a full one, too.
 * Needs the static exchange evaluation, to choose the moves.
 */
static bool probcut_cuts(alphabeta_thread *t, const search_node *n, int32_t *score)
{
    const search_params *params = t->params;
    int32_t beta = n->beta + params->probcut_margin - params->rfp_improving * n->improving;
    if (!t->rules->search->see || n->depth < params->probcut_depth ||
        (n->tt_hit && n->entry.depth >= n->depth - params->probcut_reduction + 1 &&
         n->entry.score < beta))
        return false;
    size_t base = t->moves_used, count = list_noisy_moves(t);
    t->moves_used += count;
    bool cuts = reserve_moves(t) && probe_noisy_moves(t, n, base, count, beta, score);
    t->moves_used = base;
    if (cuts && !is_forced_score(*score)) {
        tt_entry entry = {.score = *score,
                          .depth = n->depth - params->probcut_reduction + 1,
                          .move_number = TT_NO_MOVE,
                          .bound = TT_LOWER_BOUND,
                          .eval = frame_of(t, n->ply)->eval,
                          .pv = n->tt_pv};
        ply_tt_store(&t->searcher->tt, n->key, n->ply, &entry);
    }
    return cuts;
}

bool ply_prune_by_eval(alphabeta_thread *t, search_node *n, int32_t *score)
{
    n->in_check = in_check(t);
    n->eval = NO_EVAL;
    if (!has_trait(t, PLY_TRAIT_FUTILITY | PLY_TRAIT_NULL_MOVE)) {
        frame_of(t, n->ply)->eval = NO_EVAL;
        n->improving = true;
        return false;
    }
    if (n->in_check || must_capture(t)) {
        frame_of(t, n->ply)->eval = NO_EVAL;
        return false;
    }
    evaluate_node(t, n);
    n->may_prune = n->ply > 0 && !is_forced_score(n->beta);
    if (!n->may_prune || n->pv || n->skipped)
        return false;
    if (has_trait(t, PLY_TRAIT_FUTILITY) && prune_by_margin(t, n, score))
        return true;
    if (n->eval >= n->beta && null_move_cuts(t, n, score))
        return true;
    if (verified_cuts(t, n, score))
        return true;
    if (has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING) && probcut_cuts(t, n, score))
        return true;
    *score = 0;
    return time_control_stopped(t->time);
}
