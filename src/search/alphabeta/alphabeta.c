/* SPDX-License-Identifier: MIT */
/*
 * alphabeta.c - the principal variation search.
 *
 * A node is searched in four stages, any of which may settle it:
 *
 *     ply_prune_at_once   the game is over, a repetition, a tablebase, mate distance pruning
 *     probe_tt            the transposition table; a win that the game itself finds
 *     ply_prune_by_eval   reverse futility pruning, razoring, null move, probcut
 *     ply_search_moves    the move loop, with singular extensions, pruning and reductions
 *
 * The same player may move twice in a row, so a child's score is negated only if the side to move
 * changed. Which prunings a game gets depends on its traits (enum ply_search_trait).
 */
#include "search/alphabeta/alphabeta_internal.h"
#include <stdlib.h>

enum { FORCED_WIN_MIN_DEPTH = 4 }; /* from here on, ask the game again for a win it did not find */

bool ply_alphabeta_grow(alphabeta_thread *t)
{
    size_t capacity = (t->moves_used + t->rules->max_moves) * 2;
    ply_move *moves = realloc(t->moves, capacity * sizeof *moves);
    if (moves)
        t->moves = moves;
    int32_t *scores = realloc(t->scores, capacity * sizeof *scores);
    if (scores)
        t->scores = scores;
    int64_t *order = realloc(t->order, capacity * sizeof *order);
    if (order)
        t->order = order;
    int32_t *logits = realloc(t->logits, capacity * sizeof *logits);
    if (logits)
        t->logits = logits;
    if (!moves || !scores || !order || !logits) {
        t->failed = true;
        ply_time_control_stop(t->time);
        return false;
    }
    t->moves_capacity = capacity;
    return true;
}

/* A win that the game finds itself: at once, or by its own search. It is stored as final. */
static bool find_win(alphabeta_thread *t, search_node *n, int32_t *score)
{
    *score = 0;
    /* An entry of depth 0 is the quiescence search's, which did not ask. */
    if ((!n->tt_hit || n->entry.depth == 0) && !in_check(t))
        *score = immediate_win(t, n->ply);
    if (!*score && (!n->tt_hit || n->depth >= FORCED_WIN_MIN_DEPTH))
        *score = forced_win(t, n->depth, n->ply);
    if (!*score)
        return false;
    tt_entry entry = {.score = *score,
                      .depth = MAX_PLY,
                      .move_number = TT_NO_MOVE,
                      .bound = TT_LOWER_BOUND,
                      .eval = NO_EVAL};
    ply_tt_store(&t->searcher->tt, n->key, n->ply, &entry);
    return true;
}

static bool probe_tt(alphabeta_thread *t, search_node *n, int32_t *score)
{
    n->key = t->keys[t->state.plies];
    n->tt_hit = ply_tt_probe(&t->searcher->tt, n->key, n->ply, &n->entry);
    n->tt_pv = n->pv || (n->tt_hit && n->entry.pv);
    if (n->ply == 0 || n->skipped)
        return false;
    if (n->tt_hit && !n->pv && tt_entry_cuts(&n->entry, n->depth, n->alpha, n->beta)) {
        *score = n->entry.score;
        return true;
    }
    return find_win(t, n, score);
}

/*
 * The number of the transposition table's move in the list. An entry of the quiescence search
 * numbers the noisy moves, so its move is looked up there first; the room for another list is there
 * because the caller has reserved it for this node.
 */
static size_t find_tt_move(alphabeta_thread *t, const search_node *n, const move_list *list)
{
    if (!n->tt_hit || n->entry.move_number == TT_NO_MOVE)
        return NO_MOVE_NUMBER;
    if (n->entry.depth > 0 || n->in_check)
        return n->entry.move_number < list->count ? n->entry.move_number : NO_MOVE_NUMBER;
    if (!reserve_moves(t))
        return NO_MOVE_NUMBER;
    size_t count = list_noisy_moves(t);
    if (n->entry.move_number >= count)
        return NO_MOVE_NUMBER;
    ply_move move = t->moves[t->moves_used + n->entry.move_number];
    for (size_t i = 0; i < list->count; i++)
        if (t->moves[list->base + i] == move)
            return i;
    return NO_MOVE_NUMBER;
}

/* Extends forced replies; reduces nodes the transposition table does not know. */
static void adjust_depth(const alphabeta_thread *t, search_node *n, const move_list *list)
{
    if (list->count == 1 && n->ply > 0 && n->ply < 2 * t->root_depth)
        n->depth++;
    else if (list->tt_move == NO_MOVE_NUMBER && n->depth >= t->params->iir_depth &&
             (n->pv || n->cut_node) && has_trait(t, PLY_TRAIT_LATE_MOVE_REDUCTIONS))
        n->depth--; /* without a move to try first, a shallower search pays better */
}

/* No move reached alpha: that speaks for the quiet move that led here. */
static void reward_previous_move(alphabeta_thread *t, const search_node *n)
{
    ply_frame *previous = frame_of(t, n->ply - 1);
    if (n->ply > 0 && previous->quiet_move)
        ply_history_reward(t, !side_to_move(t), previous->quiet_move, previous->move_row - 1,
                           ply_history_bonus(t, n->depth), n->ply - 1);
}

static void store(alphabeta_thread *t, const search_node *n, int32_t best, uint32_t best_number,
                  int32_t old_alpha)
{
    /* With moves excluded, the best of the others says nothing about the position. */
    if (n->skipped || (n->ply == 0 && t->excluded_count > 0))
        return;
    tt_entry entry = {.score = best,
                      .depth = n->depth,
                      .move_number = best > old_alpha ? best_number : TT_NO_MOVE,
                      .bound = tt_bound_of(best, old_alpha, n->beta),
                      .eval = frame_of(t, n->ply)->eval,
                      .pv = n->tt_pv};
    ply_tt_store(&t->searcher->tt, n->key, n->ply, &entry);
}

int32_t ply_alphabeta_search(alphabeta_thread *t, int32_t alpha, int32_t beta, int depth, int ply,
                             bool cut_node)
{
    search_node n = {.alpha = alpha, .beta = beta, .depth = depth, .ply = ply};
    n.pv = beta - alpha > 1;
    n.cut_node = cut_node && !n.pv;
    n.skipped = frame_of(t, ply)->excluded;
    bool root = ply == 0;
    int32_t score;
    t->pv[ply].length = 0;
    if (!root && !n.skipped && ply_prune_at_once(t, &n, &score))
        return score;
    if (depth <= 0 || ply >= MAX_PLY - 1)
        return ply_qsearch(t, n.alpha, n.beta, ply);
    count_node(t);
    if (time_control_stopped(t->time) || !reserve_moves(t))
        return 0;
    update_selective_depth(t, ply);
    ply_frame *child = frame_of(t, ply + 1);
    child->excluded = PLY_MOVE_NONE;
    child->cutoffs = 0;
    if (probe_tt(t, &n, &score) || ply_prune_by_eval(t, &n, &score))
        return score;

    const ply_search_limits *limits = t->time->limits;
    move_list list = {
        .base = t->moves_used, .tt_move = NO_MOVE_NUMBER, .early_end = NO_MOVE_NUMBER};
    list.scored = list_moves(t, root && (limits->only || limits->multipv > 1), &list.count);
    if (list.count == 0)
        return no_moves_score(t, ply);
    t->moves_used = list.base + list.count;
    list.tt_move = find_tt_move(t, &n, &list);
    adjust_depth(t, &n, &list);
    int32_t old_alpha = n.alpha;
    uint32_t best_number = TT_NO_MOVE;
    int32_t best = ply_search_moves(t, &n, &list, &best_number);
    t->moves_used = list.base;
    if (best == -INFINITE && n.skipped)
        return alpha; /* there is no other move */
    if (time_control_stopped(t->time) || best == -INFINITE)
        return best;
    if (best <= old_alpha && !n.skipped)
        reward_previous_move(t, &n);
    store(t, &n, best, best_number, old_alpha);
    return best;
}
