/* SPDX-License-Identifier: MIT */
/*
 * move_loop.c - the moves of a node: which are skipped, which are extended, which are reduced.
 *
 * Moves that give check are never skipped for being late or futile and are reduced by half: they
 * win games that the static evaluation calls lost.
 */
#include "search/alphabeta/alphabeta_internal.h"

enum { MANY_CUTOFFS = 3, REDUCTION_ONE = 1024, LMR_MIN_DEPTH = 2, LMR_MIN_TRIED = 1 };

/* A move about to be searched. */
typedef struct move_info {
    ply_move move;
    size_t number;
    bool noisy, check;
    int32_t history;
    int32_t reduction; /* more by this, in 1024ths, for what the policy head says */
} move_info;

/* Makes `move` and the PV of the child the PV of the node. */
static void update_pv(alphabeta_thread *t, int ply, ply_move move)
{
    pv_moves *pv = &t->pv[ply];
    const pv_moves *child = &t->pv[ply + 1];
    uint32_t length = child->length < MAX_PLY - 1 ? child->length : MAX_PLY - 1;
    pv->moves[0] = move;
    for (uint32_t i = 0; i < length; i++)
        pv->moves[i + 1] = child->moves[i];
    pv->length = length + 1;
}

int32_t ply_search_child(alphabeta_thread *t, ply_move move, int32_t alpha, int32_t beta, int depth,
                         int ply, bool cut_node)
{
    int side = side_to_move(t);
    frame_of(t, ply)->move_row = ply_history_class(t, move) + 1;
    if (!play_move(t, move))
        return 0;
    int32_t score = side_to_move(t) == side
                        ? ply_alphabeta_search(t, alpha, beta, depth, ply + 1, cut_node)
                        : -ply_alphabeta_search(t, -beta, -alpha, depth, ply + 1, cut_node);
    undo_move(t);
    return score;
}

static bool is_excluded(const alphabeta_thread *t, const search_node *n, ply_move move)
{
    if (n->ply > 0)
        return move == n->skipped;
    for (size_t i = 0; i < t->excluded_count; i++)
        if (t->excluded[i] == move)
            return true;
    return !ply_search_move_allowed(t->time->limits, move);
}

/* Lets the policy head score the moves, where a subtree is worth the time. */
static void ask_policy(alphabeta_thread *t, const search_node *n, move_list *list)
{
    const int32_t *logits = t->logits + list->base;
    if (n->depth < t->params->policy_depth || list->count < 2)
        return;
    list->policy = evaluator_policy(&t->evaluator, t->state.position, t->moves + list->base,
                                    list->count, t->logits + list->base);
    list->best_logit = INT32_MIN;
    for (size_t i = 0; list->policy && i < list->count; i++)
        list->best_logit = logits[i] > list->best_logit ? logits[i] : list->best_logit;
}

/*
 * The number of the next move to try. The transposition table's move often causes a cutoff, so the
 * others are not even scored before it has been tried.
 */
static size_t next_move(alphabeta_thread *t, const search_node *n, move_list *list, size_t at)
{
    if (at == list->base && list->tt_move != NO_MOVE_NUMBER)
        return list->tt_move;
    size_t end = list->base + list->count;
    if (list->early_end == NO_MOVE_NUMBER) {
        ask_policy(t, n, list);
        list->early_end = ply_order_early(t, list->base, list->count, list->tt_move, n->ply,
                                          list->scored, !list->policy || t->params->policy_killers);
    }
    if (at < list->early_end)
        return ply_order_pick(t, at, list->early_end);
    if (!list->late_ordered)
        ply_order_late(t, list->base, at, end, n->ply, list->scored,
                       list->policy ? t->params->policy_order : 0);
    list->late_ordered = true;
    return ply_order_pick(t, at, end);
}

static bool is_noisy(const alphabeta_thread *t, const move_list *list, size_t number)
{
    return list->scored
               ? t->scores[list->base + number] >= PLY_CANDIDATE_NOISY
               : ply_game_is_noisy(t->rules, t->state.position, t->moves[list->base + number]);
}

/* --- reductions ------------------------------------------------------------------------------ */
/* Late move reduction in 1024ths: more at greater depth and for later moves. */
static int base_reduction(const alphabeta_thread *t, int depth, size_t tried)
{
    return t->reductions[depth < LMR_DEPTHS ? depth : LMR_DEPTHS - 1]
                        [tried < LMR_MOVES ? tried : LMR_MOVES - 1];
}

/* In 1024ths: more for a move that the policy head likes less than the best one, by so many logits. */
static int32_t policy_reduction(const alphabeta_thread *t, const move_list *list, size_t number)
{
    const search_params *params = t->params;
    if (!list->policy)
        return 0;
    int32_t behind = list->best_logit - t->logits[list->base + number];
    behind = behind < params->policy_behind ? behind : params->policy_behind;
    return (behind - params->policy_close) * params->policy_lmr / NN_LOGIT_ONE;
}

/* The reduction of a move in plies: less for a good history, more where a cutoff is expected. */
static int reduction_of(const alphabeta_thread *t, const search_node *n, const move_info *m,
                        size_t tried)
{
    const search_params *params = t->params;
    if (!has_trait(t, PLY_TRAIT_LATE_MOVE_REDUCTIONS) || n->depth < LMR_MIN_DEPTH ||
        tried < LMR_MIN_TRIED)
        return 0;
    int reduction = base_reduction(t, n->depth, tried);
    reduction -= n->tt_pv ? params->lmr_pv : 0;
    reduction += n->cut_node ? params->lmr_cut : 0;
    reduction += n->improving ? 0 : params->lmr_improving;
    reduction -= m->history * REDUCTION_ONE / params->lmr_history;
    reduction += m->reduction;
    if (m->noisy)
        reduction -= params->lmr_noisy;
    if (t->frames[FRAME_OFFSET + n->ply + 1].cutoffs > MANY_CUTOFFS)
        reduction += params->lmr_cutoffs;
    if (n->tt_noisy)
        reduction += params->lmr_tt_noisy;
    if (m->check)
        reduction /= 2;
    reduction /= REDUCTION_ONE;
    return reduction < 0 ? 0 : reduction < n->depth - 1 ? reduction : n->depth - 2;
}

/* --- pruning --------------------------------------------------------------------------------- */
/* Whether so many moves have been tried that the remaining quiet ones are skipped. */
static bool is_late(const alphabeta_thread *t, const search_node *n, size_t tried)
{
    const search_params *params = t->params;
    if (!has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING | PLY_TRAIT_FUTILITY) ||
        n->depth > params->lmp_depth || n->pv)
        return false;
    size_t enough = (size_t)(params->lmp_base + n->depth * n->depth) / (n->improving ? 1 : 2);
    if (!has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING))
        enough += (size_t)n->depth;
    return tried >= enough;
}

/* Whether a quiet move that gives no check cannot be expected to reach alpha. */
static bool is_futile(const alphabeta_thread *t, const search_node *n, const move_info *m,
                      size_t tried)
{
    const search_params *params = t->params;
    int depth = n->depth - base_reduction(t, n->depth, tried) / REDUCTION_ONE;
    depth = depth < 1 ? 1 : depth;
    if (has_trait(t, PLY_TRAIT_FUTILITY) && !n->pv && depth <= params->futility_depth &&
        n->eval + params->futility_base + params->futility_margin * depth <= n->alpha)
        return true;
    if (!has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING))
        return false;
    if (depth <= params->history_prune_depth && m->history < -params->history_prune * depth)
        return true;
    return depth <= params->see_quiet_depth && see(t, m->move) < -params->see_quiet * depth * depth;
}

/* Whether a noisy move, or a check, loses too much material to be tried. */
static bool loses_material(const alphabeta_thread *t, const search_node *n, const move_info *m)
{
    const search_params *params = t->params;
    return has_trait(t, PLY_TRAIT_LATE_MOVE_PRUNING) && n->depth <= params->see_noisy_depth &&
           see(t, m->move) < -params->see_noisy * n->depth;
}

/* Whether a move is skipped. *late: from now on, skip all quiet moves that give no check. */
static bool is_pruned(const alphabeta_thread *t, const search_node *n, const move_info *m,
                      size_t tried, bool *late)
{
    if (m->noisy || m->check)
        return loses_material(t, n, m);
    *late = *late || is_late(t, n, tried);
    return *late || is_futile(t, n, m, tried);
}

/* Drops the quiet moves that give no check from index `at` on: one pass instead of many picks. */
static void drop_late_moves(alphabeta_thread *t, move_list *list, size_t at)
{
    size_t kept = at;
    for (size_t i = at; i < list->base + list->count; i++) {
        size_t number = ply_order_number(t, i);
        if (is_noisy(t, list, number) || gives_check(t, t->moves[list->base + number]))
            t->order[kept++] = t->order[i];
    }
    list->count = kept - list->base;
}

/* --- extensions ------------------------------------------------------------------------------ */
/*
 * Singular extension: if every other move falls well short of the transposition table's score, its
 * move is searched deeper. If another one reaches beta as well, the node is cut (multicut): *score
 * is then set. Returns the extension in plies.
 */
static int singular_extension(alphabeta_thread *t, search_node *n, ply_move move, int32_t *score)
{
    const search_params *params = t->params;
    const tt_entry *entry = &n->entry;
    if (n->ply == 0 || n->skipped || n->depth < params->singular_depth ||
        n->ply >= 2 * t->root_depth || entry->depth < n->depth - 3 ||
        !(entry->bound & TT_LOWER_BOUND) || is_forced_score(entry->score))
        return 0;
    int32_t beta = entry->score - params->singular_margin * n->depth / 100;
    ply_frame *frame = frame_of(t, n->ply);
    frame->excluded = move;
    int32_t others =
        ply_alphabeta_search(t, beta - 1, beta, (n->depth - 1) / 2, n->ply, n->cut_node);
    frame->excluded = PLY_MOVE_NONE;
    if (time_control_stopped(t->time))
        return 0;
    if (others < beta)
        return !n->pv && others < beta - params->singular_double ? 2 : 1;
    if (beta >= n->beta) {
        *score = beta;
        return 0;
    }
    return entry->score >= n->beta ? -2 : n->cut_node ? -1 : 0;
}

/* --- the loop -------------------------------------------------------------------------------- */
/* Searches a move after the first: with a null window, then wider and deeper as far as needed. */
static int32_t search_late_move(alphabeta_thread *t, const search_node *n, const move_info *m,
                                size_t tried, int32_t best)
{
    int32_t alpha = n->alpha;
    int depth = n->depth - 1, reduction = reduction_of(t, n, m, tried);
    int32_t score = ply_search_child(t, m->move, alpha, alpha + 1, depth - reduction, n->ply,
                                     reduction > 0 || !n->cut_node);
    if (score > alpha && reduction > 0) {
        depth += score > best + t->params->lmr_deeper && reduction > 1;
        score = ply_search_child(t, m->move, alpha, alpha + 1, depth, n->ply, !n->cut_node);
    }
    if (score > alpha && score < n->beta)
        score = ply_search_child(t, m->move, alpha, n->beta, depth, n->ply, false);
    return score;
}

static void remember(searched_moves *searched, const move_info *m)
{
    if (m->noisy && searched->noisy_count < SEARCHED_LIMIT)
        searched->noisy[searched->noisy_count++] = m->move;
    else if (!m->noisy && searched->quiet_count < SEARCHED_LIMIT)
        searched->quiet[searched->quiet_count++] = m->move;
}

int32_t ply_search_moves(alphabeta_thread *t, search_node *n, move_list *list,
                         uint32_t *best_number)
{
    int32_t best = -INFINITE;
    size_t tried = 0;
    bool late = false;
    searched_moves searched;
    searched.quiet_count = searched.noisy_count = 0;
    history_view history;
    ply_history_view(t, n->ply, &history);
    for (size_t i = list->base; i < list->base + list->count; i++) {
        move_info m = {.number = next_move(t, n, list, i)};
        m.move = t->moves[list->base + m.number];
        if (is_excluded(t, n, m.move))
            continue;
        m.noisy = is_noisy(t, list, m.number);
        int32_t score = NO_EVAL;
        frame_of(t, n->ply)->quiet_move = m.noisy ? PLY_MOVE_NONE : m.move;
        if (m.number == list->tt_move)
            n->tt_noisy = m.noisy;
        if (tried == 0) {
            int extension =
                m.number == list->tt_move ? singular_extension(t, n, m.move, &score) : 0;
            if (score != NO_EVAL)
                return score;
            score = ply_search_child(t, m.move, n->alpha, n->beta, n->depth - 1 + extension, n->ply,
                                     !n->pv && !n->cut_node);
        } else {
            m.check = gives_check(t, m.move);
            m.history = m.noisy ? ply_history_noisy(t, &history, m.move)
                                : ply_history_quiet(t, &history, m.move);
            m.reduction = m.noisy ? 0 : policy_reduction(t, list, m.number);
            bool was_late = late;
            if (n->may_prune && best > -PLY_SCORE_FORCED && is_pruned(t, n, &m, tried, &late)) {
                tried++;
                if (late && !was_late)
                    drop_late_moves(t, list, i + 1);
                continue;
            }
            score = search_late_move(t, n, &m, tried, best);
        }
        if (time_control_stopped(t->time))
            break;
        tried++;
        remember(&searched, &m);
        if (score > best) {
            best = score;
            *best_number = m.number < TT_NO_MOVE ? (uint32_t)m.number : TT_NO_MOVE;
            if (score > n->alpha) {
                n->alpha = score;
                update_pv(t, n->ply, m.move);
            }
        }
        if (n->alpha >= n->beta) {
            frame_of(t, n->ply)->cutoffs++;
            ply_history_update(t, m.move, m.noisy, &searched, n->depth, n->ply);
            break;
        }
    }
    return best;
}
