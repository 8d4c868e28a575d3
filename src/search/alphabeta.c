/* SPDX-License-Identifier: MIT */
/*
 * alphabeta.c - the principal variation search.
 *
 * A node is searched in four stages, any of which may settle it:
 *
 *     early_exit        the game is over, a repetition, a tablebase, mate distance pruning
 *     probe_tt          the transposition table; the game's own search for a forced win
 *     prune_node        reverse futility pruning, razoring, null move
 *     search_moves      the move loop, with futility pruning, LMP and LMR
 *
 * The same player may move twice in a row, so a child's score is negated only if the side to move
 * changed. Which prunings a game gets depends on its traits (enum ply_search_trait).
 */
#include "search/node.h"
#include <stdlib.h>
#include <string.h>

/* Margins are in hundredths of the smallest piece. */
enum {
    FORCED_WIN_MIN_DEPTH = 4, /* from here on, ask the game again for a win it did not find */

    FUTILITY_MAX_DEPTH = 6,
    FUTILITY_MARGIN = 110, /* per ply of depth */
    RAZOR_MAX_DEPTH = 3,
    RAZOR_MARGIN = 220, /* per ply of depth */

    NULL_MOVE_MIN_DEPTH = 3,
    NULL_MOVE_REDUCTION = 3,
    NULL_MOVE_DEPTH_STEP = 4,  /* one more ply of reduction per 4 plies of depth */
    NULL_MOVE_EVAL_STEP = 300, /* and one per 300 by which the evaluation exceeds beta, */
    NULL_MOVE_EVAL_MAX = 2,    /* but at most two */

    IIR_MIN_DEPTH = 5, /* internal iterative reduction of nodes not in the transposition table */

    LMP_MAX_DEPTH = 6,
    LMP_BASE_MOVES = 4,  /* moves always tried; the count grows with the square of the depth */
    LMP_SEE_MARGIN = 70, /* a late move may lose this much per ply of depth */

    LMR_MIN_DEPTH = 3,
    LMR_MIN_TRIED = 3,
    LMR_HISTORY_STEP = 8192, /* history worth one ply of reduction, */
    LMR_HISTORY_MAX = 2,     /* at most two plies less */
    LMR_HISTORY_MIN = -1,    /* or one more */
};

typedef struct search_node {
    int32_t alpha, beta;
    int depth, ply;
    bool pv; /* the window is open: the node may be on the principal variation */
    bool in_check;
    bool improving; /* the evaluation has risen since the player's last turn */
    bool may_prune; /* quiet moves may be skipped */
    bool futile;    /* quiet moves cannot reach alpha */
    bool tt_hit;
    uint64_t key;
    tt_entry entry; /* what the transposition table knows */
} search_node;

typedef struct move_list {
    size_t base, count; /* in t->moves */
    size_t tt_move;     /* number of the transposition table's move or NO_MOVE_NUMBER */
    bool scored;        /* by the game, as a list of candidates */
    bool ordered;
} move_list;

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
    if (!moves || !scores || !order) {
        t->failed = true;
        ply_time_control_stop(t->time);
        return false;
    }
    t->moves_capacity = capacity;
    return true;
}

/* Makes `move` and the PV of the child the PV of the node. */
static void update_pv(alphabeta_thread *t, int ply, ply_move move)
{
    pv_moves *pv = &t->pv[ply];
    const pv_moves *child = &t->pv[ply + 1];
    uint32_t length = child->length < MAX_PLY - 1 ? child->length : MAX_PLY - 1;
    pv->moves[0] = move;
    memcpy(pv->moves + 1, child->moves, length * sizeof(ply_move));
    pv->length = length + 1;
}

/* Plays a move and searches the position after it; the score is for the player who moves. */
static int32_t search_child(alphabeta_thread *t, ply_move move, int32_t alpha, int32_t beta,
                            int depth, int ply)
{
    int side = side_to_move(t);
    if (!play_move(t, move))
        return 0;
    if (depth > 0)
        ply_tt_prefetch(&t->searcher->tt, t->keys[t->state.plies]);
    int32_t score = side_to_move(t) == side
                        ? ply_alphabeta_search(t, alpha, beta, depth, ply + 1)
                        : -ply_alphabeta_search(t, -beta, -alpha, depth, ply + 1);
    undo_move(t);
    return score;
}

/* --- early exits ----------------------------------------------------------------------------- */
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

/* Scores that need no search. May narrow the window. */
static bool early_exit(alphabeta_thread *t, search_node *n, int32_t *score)
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

/* Probes the transposition table, then asks the game for a forced win. */
static bool probe_tt(alphabeta_thread *t, search_node *n, int32_t *score)
{
    bool root = n->ply == 0;
    n->key = t->keys[t->state.plies];
    n->tt_hit = ply_tt_probe(&t->searcher->tt, n->key, n->ply, &n->entry);
    if (root)
        return false;
    if (n->tt_hit && !n->pv && tt_entry_cuts(&n->entry, n->depth, n->alpha, n->beta)) {
        *score = n->entry.score;
        return true;
    }
    if (n->tt_hit && n->depth < FORCED_WIN_MIN_DEPTH)
        return false;
    *score = forced_win(t, n->depth, n->ply);
    if (!*score)
        return false;
    tt_entry entry = {
        .score = *score, .depth = MAX_PLY, .move_number = TT_NO_MOVE, .bound = TT_LOWER_BOUND};
    ply_tt_store(&t->searcher->tt, n->key, n->ply, &entry);
    return true;
}

/* --- pruning by the static evaluation -------------------------------------------------------- */
/* Whether a compulsory capture is pending, which makes the static evaluation meaningless. */
static bool must_capture(alphabeta_thread *t)
{
    return has_trait(t, PLY_TRAIT_NOISY_FORCED) && list_noisy_moves(t) > 0;
}

/*
 * Null move: if the player to move could pass and still reach beta, the best move will too. Unsound
 * in zugzwang, hence the trait. Never twice in a row.
 */
static bool null_move_cuts(alphabeta_thread *t, const search_node *n, int32_t eval)
{
    const ply_rules *rules = t->rules;
    ply_state *s = &t->state;
    if (!has_trait(t, PLY_TRAIT_NULL_MOVE) || n->depth < NULL_MOVE_MIN_DEPTH || s->plies == 0 ||
        s->moves[s->plies - 1] == PLY_MOVE_NONE)
        return false;
    evaluator_push(&t->evaluator, s->position, PLY_MOVE_NONE);
    rules->search->null_move(rules, s->position, s->undo_stack + s->plies * rules->undo_bytes);
    s->moves[s->plies++] = PLY_MOVE_NONE;
    push_key(t);
    int excess = (eval - n->beta) / NULL_MOVE_EVAL_STEP;
    int reduction = NULL_MOVE_REDUCTION + n->depth / NULL_MOVE_DEPTH_STEP +
                    (excess > NULL_MOVE_EVAL_MAX ? NULL_MOVE_EVAL_MAX : excess);
    int32_t score =
        -ply_alphabeta_search(t, -n->beta, 1 - n->beta, n->depth - reduction, n->ply + 1);
    undo_move(t);
    return !time_control_stopped(t->time) && score >= n->beta;
}

/* Futility pruning and razoring. Sets n->futile. */
static bool prune_by_eval(alphabeta_thread *t, search_node *n, int32_t eval, int32_t *score)
{
    if (n->depth <= FUTILITY_MAX_DEPTH) {
        /* Reverse futility pruning: so far above beta that the opponent cannot catch up. */
        if (eval - FUTILITY_MARGIN * n->depth >= n->beta) {
            *score = eval;
            return true;
        }
        n->futile = eval + FUTILITY_MARGIN * (n->depth + 1) <= n->alpha;
    }
    /* Razoring: so far below alpha that only noisy moves could help. */
    if (has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING) && n->depth <= RAZOR_MAX_DEPTH &&
        eval + RAZOR_MARGIN * n->depth <= n->alpha) {
        *score = ply_qsearch(t, n->alpha, n->alpha + 1, n->ply);
        return *score <= n->alpha;
    }
    return false;
}

/* Evaluates the position if any pruning needs it, and tries to settle the node by that. */
static bool prune_node(alphabeta_thread *t, search_node *n, int32_t *score)
{
    n->in_check = in_check(t);
    t->evals[n->ply] = NO_EVAL;
    if (!has_trait(t, PLY_TRAIT_FUTILITY | PLY_TRAIT_NULL_MOVE)) {
        n->improving = true;
        return false;
    }
    if (n->in_check || must_capture(t))
        return false;
    int32_t eval = t->evals[n->ply] = evaluate(t);
    /* The player's last turn was two plies ago, if turns are single moves. */
    n->improving = n->ply >= 2 && t->evals[n->ply - 2] != NO_EVAL && eval > t->evals[n->ply - 2];
    n->may_prune = !n->pv && !is_forced_score(n->beta);
    if (n->may_prune) {
        if (has_trait(t, PLY_TRAIT_FUTILITY) && prune_by_eval(t, n, eval, score))
            return true;
        if (eval >= n->beta && null_move_cuts(t, n, eval)) {
            *score = n->beta;
            return true;
        }
    }
    *score = 0;
    return time_control_stopped(t->time);
}

/* --- the move loop --------------------------------------------------------------------------- */
static bool is_excluded(const alphabeta_thread *t, ply_move move)
{
    for (size_t i = 0; i < t->excluded_count; i++)
        if (t->excluded[i] == move)
            return true;
    return !ply_search_move_allowed(t->time->limits, move);
}

/*
 * The number of the next move to try. The transposition table's move often causes a cutoff, so the
 * others are not even scored before it has been tried.
 */
static size_t next_move(alphabeta_thread *t, move_list *list, size_t at, int ply)
{
    if (at == list->base && list->tt_move != NO_MOVE_NUMBER)
        return list->tt_move;
    if (!list->ordered)
        ply_order_moves(t, list->base, list->count, list->tt_move, ply, list->scored);
    list->ordered = true;
    return ply_order_pick(t, at, list->base + list->count);
}

/* Late move reduction: more at greater depth and for later moves, less for a good history. */
static int late_move_reduction(const alphabeta_thread *t, const search_node *n, ply_move move,
                               size_t tried)
{
    if (!has_trait(t, PLY_TRAIT_LATE_MOVE_REDUCTIONS) || n->depth < LMR_MIN_DEPTH ||
        tried < LMR_MIN_TRIED)
        return 0;
    int history = ply_history_score(t, move) / LMR_HISTORY_STEP;
    history = history > LMR_HISTORY_MAX   ? LMR_HISTORY_MAX
              : history < LMR_HISTORY_MIN ? LMR_HISTORY_MIN
                                          : history;
    int reduction = t->reductions[n->depth < LMR_DEPTHS ? n->depth : LMR_DEPTHS - 1]
                                 [tried < LMR_MOVES ? tried : LMR_MOVES - 1] -
                    n->pv + !n->improving - history;
    return reduction < 0 ? 0 : reduction < n->depth - 1 ? reduction : n->depth - 2;
}

/* Late move pruning: whether a quiet move comes so late, or loses so much, that it is skipped. */
static bool is_late_move(const alphabeta_thread *t, const search_node *n, ply_move move,
                         size_t tried)
{
    if (!has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING | PLY_TRAIT_FUTILITY) || n->depth > LMP_MAX_DEPTH)
        return false;
    size_t enough = (size_t)(LMP_BASE_MOVES + n->depth * n->depth) / (n->improving ? 1 : 2);
    if (!has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING))
        return tried >= enough + (size_t)n->depth;
    return tried >= enough || see(t, move) < -LMP_SEE_MARGIN * n->depth;
}

static bool is_quiet(const alphabeta_thread *t, const search_node *n, const move_list *list,
                     size_t number)
{
    if (n->in_check)
        return false;
    return list->scored
               ? t->scores[list->base + number] < PLY_CANDIDATE_NOISY
               : !ply_game_is_noisy(t->rules, t->state.position, t->moves[list->base + number]);
}

/* Searches a move after the first: with a null window, then wider and deeper as far as needed. */
static int32_t search_late_move(alphabeta_thread *t, const search_node *n, ply_move move,
                                int reduction)
{
    int32_t alpha = n->alpha;
    int depth = n->depth - 1;
    int32_t score = search_child(t, move, alpha, alpha + 1, depth - reduction, n->ply);
    if (score > alpha && reduction > 0)
        score = search_child(t, move, alpha, alpha + 1, depth, n->ply);
    if (score > alpha && score < n->beta)
        score = search_child(t, move, alpha, n->beta, depth, n->ply);
    return score;
}

/* Tries the moves and returns the best score, or -INFINITE if none was tried. */
static int32_t search_moves(alphabeta_thread *t, search_node *n, move_list *list,
                            uint32_t *best_number)
{
    int32_t best = -INFINITE;
    size_t tried = 0;
    for (size_t i = list->base; i < list->base + list->count; i++) {
        size_t number = next_move(t, list, i, n->ply);
        ply_move move = t->moves[list->base + number];
        if (n->ply == 0 && is_excluded(t, move))
            continue;
        int32_t score;
        if (tried == 0) {
            score = search_child(t, move, n->alpha, n->beta, n->depth - 1, n->ply);
        } else {
            bool quiet = is_quiet(t, n, list, number);
            if (quiet && best > -PLY_SCORE_FORCED &&
                (n->futile || (n->may_prune && is_late_move(t, n, move, tried)))) {
                tried++;
                if (list->scored && !t->rules->search->see)
                    break; /* the list is ordered and pruning goes by number: skip the rest too */
                continue;
            }
            score =
                search_late_move(t, n, move, quiet ? late_move_reduction(t, n, move, tried) : 0);
        }
        if (time_control_stopped(t->time))
            break;
        tried++;
        if (score > best) {
            best = score;
            *best_number = number < TT_NO_MOVE ? (uint32_t)number : TT_NO_MOVE;
            if (score > n->alpha) {
                n->alpha = score;
                update_pv(t, n->ply, move);
            }
        }
        if (n->alpha >= n->beta) {
            ply_history_update(t, list->base, i, move, n->depth, n->ply);
            break;
        }
    }
    return best;
}

/* Extends forced replies and checks; reduces nodes the transposition table does not know. */
static void adjust_depth(const alphabeta_thread *t, search_node *n, size_t move_count)
{
    if ((move_count == 1 || n->in_check) && n->ply > 0 && n->ply < 2 * t->root_depth)
        n->depth++;
    else if (!n->tt_hit && n->depth >= IIR_MIN_DEPTH &&
             has_trait(t, PLY_TRAIT_LATE_MOVE_REDUCTIONS))
        n->depth--; /* without a move to try first, a shallower search pays better */
}

int32_t ply_alphabeta_search(alphabeta_thread *t, int32_t alpha, int32_t beta, int depth, int ply)
{
    search_node n = {.alpha = alpha, .beta = beta, .depth = depth, .ply = ply};
    n.pv = beta - alpha > 1;
    bool root = ply == 0;
    int32_t score;
    t->pv[ply].length = 0;
    if (!root && early_exit(t, &n, &score))
        return score;
    if (depth <= 0 || ply >= MAX_PLY - 1)
        return ply_qsearch(t, n.alpha, n.beta, ply);
    count_node(t);
    if (time_control_stopped(t->time) || !reserve_moves(t))
        return 0;
    update_selective_depth(t, ply);
    if (probe_tt(t, &n, &score) || prune_node(t, &n, &score))
        return score;

    const ply_search_limits *limits = t->time->limits;
    move_list list = {.base = t->moves_used, .tt_move = NO_MOVE_NUMBER};
    list.scored = list_moves(t, root && (limits->only || limits->multipv > 1), &list.count);
    if (list.count == 0)
        return no_moves_score(t, ply);
    if (n.tt_hit && n.entry.move_number < list.count)
        list.tt_move = n.entry.move_number;
    adjust_depth(t, &n, list.count);
    int32_t old_alpha = n.alpha;
    uint32_t best_number = TT_NO_MOVE;
    t->moves_used = list.base + list.count;
    int32_t best = search_moves(t, &n, &list, &best_number);
    t->moves_used = list.base;
    if (time_control_stopped(t->time) || best == -INFINITE)
        return best;
    /* With root moves excluded, the best of the others says nothing about the position. */
    if (!root || t->excluded_count == 0) {
        tt_entry entry = {.score = best,
                          .depth = n.depth,
                          .move_number = best_number,
                          .bound = tt_bound_of(best, old_alpha, n.beta)};
        ply_tt_store(&t->searcher->tt, n.key, ply, &entry);
    }
    return best;
}
