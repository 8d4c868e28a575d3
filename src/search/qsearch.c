/* SPDX-License-Identifier: MIT */
/*
 * qsearch.c - quiescence search: noisy moves only, until the position is quiet.
 *
 * The player to move may stand pat, that is, take the static evaluation instead of a noisy move.
 * Not so in check, where every move is tried, nor where noisy moves are compulsory. Games that find
 * forced wins themselves (find_win) need no noisy moves: theirs is a check for such a win.
 */
#include "search/node.h"

/* A node of the quiescence search. */
typedef struct qsearch_node {
    int32_t alpha, beta;
    int ply;
    bool in_check;     /* and checks are still answered: every move is tried */
    bool must_capture; /* noisy moves are compulsory and there are some */
    bool use_tt;
    bool tt_hit;
    uint64_t key;
    int32_t eval; /* stand pat, or NO_EVAL */
    int32_t best;
    uint32_t best_number;
    tt_entry entry;
} qsearch_node;

/* Whether a noisy move is too bad to try: it loses material or cannot raise the score to alpha. */
static bool is_hopeless(const alphabeta_thread *t, const qsearch_node *n, ply_move move)
{
    if (n->in_check || n->must_capture)
        return false;
    int32_t gain = see(t, move);
    return gain < 0 || (has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING) &&
                        n->eval + gain + t->params->delta_margin <= n->alpha);
}

/* The score of a position just reached: exact if the game is over or a tablebase knows it. */
static int32_t qsearch_position(alphabeta_thread *t, int32_t alpha, int32_t beta, int ply)
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
    int32_t score = side_to_move(t) == side ? qsearch_position(t, alpha, beta, ply + 1)
                                            : -qsearch_position(t, -beta, -alpha, ply + 1);
    undo_move(t);
    return score;
}

/* Probes the transposition table; true if the entry settles the node. */
static bool probe_tt(alphabeta_thread *t, qsearch_node *n)
{
    n->use_tt = t->searcher->tt.slots != NULL;
    n->key = t->keys[t->state.plies];
    n->tt_hit = n->use_tt && ply_tt_probe(&t->searcher->tt, n->key, n->ply, &n->entry);
    return n->tt_hit && n->beta - n->alpha == 1 && tt_entry_cuts(&n->entry, 0, n->alpha, n->beta);
}

static void store(alphabeta_thread *t, const qsearch_node *n, int32_t alpha)
{
    if (!n->use_tt)
        return;
    tt_entry entry = {.score = n->best,
                      .depth = 0,
                      .move_number = n->best_number,
                      .bound = tt_bound_of(n->best, alpha, n->beta),
                      .eval = n->eval,
                      .pv = n->tt_hit && n->entry.pv};
    ply_tt_store(&t->searcher->tt, n->key, n->ply, &entry);
}

/* Stands pat: true if that settles the node. */
static bool stand_pat(alphabeta_thread *t, qsearch_node *n)
{
    n->best = n->eval = n->tt_hit && n->entry.eval != NO_EVAL ? n->entry.eval : evaluate(t);
    /* A score from the transposition table is better than the evaluation it bounds. */
    if (n->tt_hit && !is_forced_score(n->entry.score) &&
        (n->entry.bound & (n->entry.score > n->best ? TT_LOWER_BOUND : TT_UPPER_BOUND)))
        n->best = n->entry.score;
    if (n->best > n->alpha)
        n->alpha = n->best;
    return n->best >= n->beta;
}

/*
 * Lists the moves to try and scores them, unless the node is settled without any: false, with the
 * score in n->best.
 */
static bool list_qsearch_moves(alphabeta_thread *t, qsearch_node *n, size_t *count)
{
    const ply_rules *rules = t->rules;
    size_t base = t->moves_used;
    if (n->in_check) {
        bool scored = list_moves(t, false, count);
        if (*count == 0)
            n->best = no_moves_score(t, n->ply);
        else if (!scored)
            ply_game_score_moves(rules, t->state.position, t->moves + base, *count,
                                 t->scores + base);
        return *count > 0;
    }
    if (rules->search->find_win) {
        stand_pat(t, n);
        return false;
    }
    *count = 0;
    if (has_trait(t, PLY_TRAIT_NOISY_FORCED))
        n->must_capture = (*count = list_noisy_moves(t)) > 0;
    if (!n->must_capture && stand_pat(t, n))
        return false;
    if (!has_trait(t, PLY_TRAIT_NOISY_FORCED))
        *count = list_noisy_moves(t);
    ply_game_score_moves(rules, t->state.position, t->moves + base, *count, t->scores + base);
    return *count > 0;
}

/* Brings the transposition table's move to the front if it is from a list of the same kind. */
static void put_tt_move_first(alphabeta_thread *t, const qsearch_node *n, size_t base, size_t count)
{
    size_t number = n->entry.move_number;
    if (n->tt_hit && number < count && (n->in_check || n->entry.depth == 0))
        t->scores[base + number] = 1 << 30;
    ply_order_by_score(t, base, count);
}

static void try_moves(alphabeta_thread *t, qsearch_node *n, size_t base, size_t count)
{
    for (size_t i = base; i < base + count; i++) {
        size_t number = ply_order_pick(t, i, base + count);
        ply_move move = t->moves[base + number];
        if (is_hopeless(t, n, move))
            continue;

        int32_t score = qsearch_move(t, move, n->alpha, n->beta, n->ply);
        if (time_control_stopped(t->time))
            return;
        if (score > n->best) {
            n->best = score;
            n->best_number = number < TT_NO_MOVE ? (uint32_t)number : TT_NO_MOVE;
        }
        if (score > n->alpha)
            n->alpha = score;
        if (n->alpha >= n->beta)
            return;
    }
}

int32_t ply_qsearch(alphabeta_thread *t, int32_t alpha, int32_t beta, int ply)
{
    qsearch_node n = {.alpha = alpha,
                      .beta = beta,
                      .ply = ply,
                      .eval = NO_EVAL,
                      .best = -INFINITE,
                      .best_number = TT_NO_MOVE};
    t->pv[ply].length = 0;
    count_node(t);
    if (time_control_stopped(t->time))
        return 0;
    update_selective_depth(t, ply);
    if (ply >= MAX_PLY - 1 || !reserve_moves(t))
        return evaluate(t);
    if (probe_tt(t, &n))
        return n.entry.score;
    bool checked = in_check(t);
    n.in_check = checked && ply < t->root_depth + t->params->qsearch_checks;
    int32_t win = n.tt_hit ? 0 : forced_win(t, 0, ply);
    if (win)
        return win;

    size_t base = t->moves_used, count;
    if (list_qsearch_moves(t, &n, &count)) {
        put_tt_move_first(t, &n, base, count);
        t->moves_used = base + count;
        try_moves(t, &n, base, count);
        t->moves_used = base;
    }
    if (!time_control_stopped(t->time) && checked == n.in_check)
        store(t, &n, alpha);
    return n.best;
}
