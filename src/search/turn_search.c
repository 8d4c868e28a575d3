/* SPDX-License-Identifier: MIT */
/*
 * turn_search.c - alpha-beta over whole turns, for games with multi_move_turns.
 *
 * A node is a position at the start of a turn and a branch is a whole turn, so depth counts turns
 * and a half-made turn is never evaluated. A position may have millions of turns; the game's
 * promising_turns lists the best of them. If the list is complete, the search is exact. If not, a
 * forced loss is not believed, as a turn that was left out may have saved the player. A forced win
 * takes only one turn per node and is always exact, because promising_turns finds a legal turn
 * wherever there is one.
 *
 * In the transposition table, a move number is a hash of the turn (turn_tag).
 */
#include "core/array.h"
#include "search/evaluator.h"
#include "search/turn_list.h"
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 40,    /* turns */
    ROOT_TURNS = 240,  /* turns searched at the root, */
    INNER_TURNS = 24,  /* at inner nodes, */
    QSEARCH_TURNS = 3, /* and, if they are noisy, at the start of quiescence search */
    QSEARCH_DEPTH = 4,
    DELTA_MARGIN = 150,      /* what a turn may gain besides material in quiescence search */
    LMR_MIN_TRIED = 6,       /* later turns are searched one turn less deep first; */
    LMR_MIN_TRIED_ROOT = 12, /* at the root, later than that */
    LMR_MIN_DEPTH = 2,
    DOUBTFUL_LOSS = -30000, /* the score of a forced loss that is not certain */
    DEPTH_OFFSET = 8,       /* added to depths in the transposition table, which are positive */
    ROOT_LIST_SHARE = 4,    /* listing the root may take a quarter of the time */
    INFINITE_SCORE = PLY_SCORE_WIN + 1,
};

/*
 * One thread's search. Threads share the transposition table and the time control; the first
 * thread's variations are the answer.
 */
struct turn_search_thread {
    unsigned number;
    ply_searcher *searcher;
    const ply_rules *rules;
    time_control *time;
    ply_state *state;
    ply_state own_state;             /* what state points to, except for ply_turn_qsearch_new */
    turn_list list;                  /* the turns of all nodes on the current variation */
    uint64_t unpolled;               /* nodes not yet passed to the time control */
    bool uses_tt;                    /* also in quiescence search */
    bool failed;                     /* out of memory */
    ply_variation pv[MAX_DEPTH + 2]; /* by turns from the root: the best variation from there */
    size_t root_count;               /* the first turns of the list are the root's */
    int32_t *root_scores;
};

static bool is_stopped(void *context)
{
    turn_search_thread *t = context;
    ply_time_control_poll(t->time, t->unpolled);
    t->unpolled = 0;
    return time_control_stopped(t->time) || t->failed;
}

/* The same while the root's turns are listed, which must leave time to search them. */
static bool is_root_list_stopped(void *context)
{
    turn_search_thread *t = context;
    return is_stopped(t) || (t->list.turn_count > 0 && t->time->plan.hard_ns &&
                             ply_time_control_seconds(t->time) * 1e9 * ROOT_LIST_SHARE >
                                 (double)t->time->plan.hard_ns);
}

/* --- turns ----------------------------------------------------------------------------------- */
/* Identifies a turn in the transposition table, up to a small chance of confusion. */
static uint32_t turn_tag(const turn_list *list, const listed_turn *turn)
{
    uint64_t tag = 0;
    for (size_t i = 0; i < turn->count; i++)
        tag = tag * 31 + list->moves[turn->first + i] % 0xFFFFFFFB;
    return (uint32_t)(tag % (TT_NO_MOVE - 1));
}

static bool add_turn(void *context, const ply_move *moves, size_t count, int32_t score)
{
    turn_search_thread *t = context;
    if (!ply_turn_list_add(&t->list, moves, count, score))
        t->failed = true;
    return !t->failed;
}

/* Appends a node's turns to the list, best first, led by the one with the tag; returns how many. */
static size_t list_turns(turn_search_thread *t, ply_turn_request request, uint32_t tag,
                         bool *complete)
{
    turn_list *list = &t->list;
    size_t first = list->turn_count;
    request.visit = add_turn;
    request.context = t;
    if (!request.stopped)
        request.stopped = is_stopped;
    *complete = false;
    if (t->rules->search->promising_turns(t->rules, t->state->position, &request, complete) !=
        PLY_OK)
        t->failed = true;
    if (tag != TT_NO_MOVE)
        for (size_t i = first; i < list->turn_count; i++)
            if (turn_tag(list, &list->turns[i]) == tag)
                list->turns[i].score = INT32_MAX;
    ply_turn_list_sort(list, first);
    return list->turn_count - first;
}

/* Plays a turn; what cannot be played to the end is taken back. */
static bool play_turn(turn_search_thread *t, const listed_turn *turn)
{
    for (size_t i = 0; i < turn->count; i++)
        if (ply_state_play(t->state, t->list.moves[turn->first + i]) != PLY_OK) {
            while (i-- > 0)
                ply_state_undo(t->state);
            return false;
        }
    return true;
}

static void undo_turn(turn_search_thread *t, const listed_turn *turn)
{
    for (size_t i = 0; i < turn->count; i++)
        ply_state_undo(t->state);
}

/* Makes the turn and the PV of the child the PV of the node. */
static void update_pv(turn_search_thread *t, int ply, const listed_turn *turn, int32_t score)
{
    ply_variation *pv = &t->pv[ply], *child = &t->pv[ply + 1];
    pv->score = score;
    pv->length = 0;
    for (size_t i = 0; i < turn->count && pv->length < PLY_PV_LIMIT; i++)
        pv->moves[pv->length++] = t->list.moves[turn->first + i];
    for (uint32_t i = 0; i < child->length && pv->length < PLY_PV_LIMIT; i++)
        pv->moves[pv->length++] = child->moves[i];
}

/* --- the tree -------------------------------------------------------------------------------- */
/*
 * Quiescence search: stand pat, or one of the `most` best turns that may win material; `depth` turns
 * at most. With many boards some capture is nearly always possible, so replies get fewer turns.
 */
static int32_t qsearch(turn_search_thread *t, int32_t alpha, int32_t beta, int depth, size_t most,
                       int ply)
{
    turn_list *list = &t->list;
    const int32_t first_alpha = alpha;
    const int tt_depth = depth + DEPTH_OFFSET - QSEARCH_DEPTH;
    t->unpolled++;
    t->pv[ply].length = 0;
    if (is_stopped(t))
        return 0;
    uint64_t key = t->rules->game->hash(t->rules, t->state->position);
    tt_entry entry = {.depth = -1};
    if (t->uses_tt && ply_tt_probe(&t->searcher->tt, key, ply, &entry) &&
        tt_entry_cuts(&entry, tt_depth, alpha, beta))
        return entry.score;
    int32_t best = search_evaluate(t->searcher, t->state->position);
    if (best >= beta || depth == 0 || ply >= MAX_DEPTH)
        return best;
    int32_t least = (alpha > best ? alpha - best : 0) - DELTA_MARGIN;
    alpha = best > alpha ? best : alpha;
    size_t first = list->turn_count, first_move = list->move_count;
    bool complete;
    ply_turn_request request = {.most = most, .noisy = true, .least = least};
    size_t count = list_turns(t, request, TT_NO_MOVE, &complete);
    for (size_t i = 0; i < count && !time_control_stopped(t->time); i++) {
        listed_turn turn = list->turns[first + i];
        if (!play_turn(t, &turn))
            continue;
        int32_t score = -qsearch(t, -beta, -alpha, depth - 1, most > 1 ? most - 1 : 1, ply + 1);
        undo_turn(t, &turn);
        if (score > best) {
            best = score;
            alpha = score > alpha ? score : alpha;
            if (score >= beta)
                break;
        }
    }
    list->turn_count = first;
    list->move_count = first_move;
    if (t->uses_tt && entry.depth <= tt_depth && !time_control_stopped(t->time)) {
        entry = (tt_entry){.score = best,
                           .move_number = TT_NO_MOVE,
                           .depth = tt_depth,
                           .bound = tt_bound_of(best, first_alpha, beta),
                           .eval = TT_NO_EVAL};
        ply_tt_store(&t->searcher->tt, key, ply, &entry);
    }
    return best;
}

/* The score where no turn was found: the game is over. */
static int32_t no_turn_score(turn_search_thread *t, int ply)
{
    ply_outcome outcome = ply_state_outcome(t->state);
    return search_outcome_score(outcome, t->rules->game->side(t->rules, t->state->position), ply);
}

typedef struct turn_node {
    int32_t alpha, beta;
    int depth, ply;
    bool in_check;
    size_t first, count; /* its turns in the list */
} turn_node;

static int32_t search(turn_search_thread *t, int32_t alpha, int32_t beta, int depth, int ply);

/* Searches turn number i of a node, which has just been played. */
static int32_t search_child(turn_search_thread *t, const turn_node *n, size_t i)
{
    if (i == 0)
        return -search(t, -n->beta, -n->alpha, n->depth - 1, n->ply + 1);
    bool reduced = i >= LMR_MIN_TRIED && n->depth >= LMR_MIN_DEPTH && !n->in_check;
    int32_t score = -search(t, -n->alpha - 1, -n->alpha, n->depth - (reduced ? 2 : 1), n->ply + 1);
    if (score > n->alpha && (score < n->beta || reduced))
        score = -search(t, -n->beta, -n->alpha, n->depth - 1, n->ply + 1);
    return score;
}

/* Whether the player to move has a legal turn; true when the search was stopped. */
static bool has_turn(turn_search_thread *t)
{
    turn_list *list = &t->list;
    size_t first = list->turn_count, first_move = list->move_count;
    bool complete;
    size_t count = list_turns(t, (ply_turn_request){.most = 1}, TT_NO_MOVE, &complete);
    list->turn_count = first;
    list->move_count = first_move;
    return count > 0 || t->failed || time_control_stopped(t->time);
}

/* Tries the turns of a node and returns the best score; *best_tag names its turn. */
static int32_t search_turns(turn_search_thread *t, turn_node *n, uint32_t *best_tag)
{
    int32_t best = -INFINITE_SCORE;
    for (size_t i = 0; i < n->count && !time_control_stopped(t->time); i++) {
        listed_turn turn = t->list.turns[n->first + i]; /* a copy: the list may be reallocated */
        if (!play_turn(t, &turn))
            continue;
        int32_t score = search_child(t, n, i);
        undo_turn(t, &turn);
        if (time_control_stopped(t->time))
            break;
        if (score <= best)
            continue;
        best = score;
        *best_tag = turn_tag(&t->list, &turn);
        if (score > n->alpha) {
            n->alpha = score;
            update_pv(t, n->ply, &turn, score);
            if (score >= n->beta)
                break;
        }
    }
    return best;
}

static int32_t search(turn_search_thread *t, int32_t alpha, int32_t beta, int depth, int ply)
{
    const ply_rules *rules = t->rules;
    const void *position = t->state->position;
    turn_list *list = &t->list;
    t->unpolled++;
    t->pv[ply].length = 0;
    if (is_stopped(t))
        return 0;
    if (ply >= MAX_DEPTH)
        return search_evaluate(t->searcher, position);
    bool in_check = rules->search->in_check && rules->search->in_check(rules, position);
    if (depth <= 0)
        return in_check && !has_turn(t) && !time_control_stopped(t->time)
                   ? no_turn_score(t, ply)
                   : qsearch(t, alpha, beta, QSEARCH_DEPTH, QSEARCH_TURNS, ply);
    uint64_t key = rules->game->hash(rules, position);
    uint32_t tag = TT_NO_MOVE;
    tt_entry entry;
    if (ply_tt_probe(&t->searcher->tt, key, ply, &entry)) {
        tag = entry.move_number;
        if (ply > 0 && tt_entry_cuts(&entry, depth + DEPTH_OFFSET, alpha, beta))
            return entry.score;
    }
    turn_node n = {.alpha = alpha,
                   .beta = beta,
                   .depth = depth,
                   .ply = ply,
                   .in_check = in_check,
                   .first = list->turn_count};
    size_t first_move = list->move_count;
    bool complete;
    ply_turn_request request = {.most = depth > 1 ? INNER_TURNS : INNER_TURNS / 2};
    n.count = list_turns(t, request, tag, &complete);
    if (n.count == 0)
        return time_control_stopped(t->time) ? 0 : no_turn_score(t, ply);
    tag = TT_NO_MOVE;
    int32_t best = search_turns(t, &n, &tag);
    list->turn_count = n.first;
    list->move_count = first_move;
    if (time_control_stopped(t->time))
        return best > -INFINITE_SCORE ? best : 0;
    if (!complete && best <= -PLY_SCORE_FORCED)
        best = DOUBTFUL_LOSS;
    entry = (tt_entry){.score = best,
                       .move_number = tag,
                       .depth = depth + DEPTH_OFFSET,
                       .bound = tt_bound_of(best, alpha, beta),
                       .eval = TT_NO_EVAL};
    ply_tt_store(&t->searcher->tt, key, ply, &entry);
    return best;
}

/* --- the root -------------------------------------------------------------------------------- */
/* Inserts the root's PV into the variations found, best first. */
static void insert_variation(ply_variation *found, size_t count, const ply_variation *pv)
{
    size_t at = count - 1;
    for (; at > 0 && found[at - 1].score < pv->score; at--)
        found[at] = found[at - 1];
    found[at] = *pv;
}

/*
 * Searches the turns of the root at one depth and writes the `wanted` best variations to found and
 * their number to *found_count. False when the search was stopped on the way.
 */
static bool search_root(turn_search_thread *t, int depth, size_t wanted, ply_variation *found,
                        size_t *found_count)
{
    int32_t alpha = -INFINITE_SCORE;
    *found_count = 0;
    for (size_t i = 0; i < t->root_count; i++) {
        listed_turn turn = t->list.turns[i]; /* a copy: the list may be reallocated */
        t->root_scores[i] = -INFINITE_SCORE;
        if (!play_turn(t, &turn))
            continue;
        int32_t score;
        if (*found_count < wanted) {
            score = -search(t, -INFINITE_SCORE, INFINITE_SCORE, depth - 1, 1);
        } else {
            bool reduced = i >= LMR_MIN_TRIED_ROOT && depth >= LMR_MIN_DEPTH;
            score = -search(t, -alpha - 1, -alpha, depth - (reduced ? 2 : 1), 1);
            if (score > alpha)
                score = -search(t, -INFINITE_SCORE, -alpha, depth - 1, 1);
        }
        undo_turn(t, &turn);
        if (time_control_stopped(t->time))
            return false;
        if (*found_count >= wanted && score <= alpha)
            continue;
        t->root_scores[i] = score;
        update_pv(t, 0, &turn, score);
        *found_count += *found_count < wanted;
        insert_variation(found, *found_count, &t->pv[0]);
        if (*found_count == wanted)
            alpha = found[wanted - 1].score;
    }
    return true;
}

/* Sorts the root's turns by score for the next iteration; equal scores keep their order. */
static void sort_root(turn_search_thread *t)
{
    listed_turn *turns = t->list.turns;
    for (size_t i = 1; i < t->root_count; i++) {
        listed_turn turn = turns[i];
        int32_t score = t->root_scores[i];
        size_t at = i;
        for (; at > 0 && t->root_scores[at - 1] < score; at--) {
            turns[at] = turns[at - 1];
            t->root_scores[at] = t->root_scores[at - 1];
        }
        turns[at] = turn;
        t->root_scores[at] = score;
    }
}

static void publish(turn_search_thread *t, int depth, const ply_variation *found, size_t count)
{
    ply_searcher *s = t->searcher;
    memcpy(s->variations, found, count * sizeof *found);
    s->report.pv_count = count;
    s->report.depth = s->report.selective_depth = depth;
    s->report.hashfull = ply_tt_hashfull(&s->tt);
    ply_time_control_report(t->time, s->variations[0].moves[0], s->variations[0].score);
    ply_search_report_progress(s);
}

/* Whether deeper iterations are pointless. */
static bool is_decided(const turn_search_thread *t, int32_t score, int depth)
{
    const ply_search_limits *limits = t->time->limits;
    int distance = PLY_SCORE_WIN - (score < 0 ? -score : score);
    bool limited = limits->millis || limits->has_clock || limits->depth;
    if (limits->mate && score > 0 && distance <= limits->mate)
        return true;
    if (distance <= depth && limited)
        return true;
    bool single_turn = t->root_count == 1;
    return single_turn && limited && !limits->ponder && !limits->depth;
}

static void run_thread(void *context, size_t piece, unsigned worker)
{
    (void)piece;
    turn_search_thread *t = &((turn_search_thread *)context)[worker];
    ply_searcher *s = t->searcher;
    const ply_search_limits *limits = t->time->limits;
    int last = limits->depth > 0 && limits->depth < MAX_DEPTH ? limits->depth : MAX_DEPTH - 1;
    size_t wanted = search_multipv(limits), count = 0;
    wanted = wanted < t->root_count ? wanted : t->root_count;
    ply_variation *found = calloc(MAX_MULTIPV, sizeof *found);
    t->failed |= !found;
    /* Every other thread starts one turn deeper, so that they do not all search the same. */
    for (int depth = 1 + (int)(t->number & 1);
         depth <= last && !t->failed && ply_time_control_may_iterate(t->time); depth++) {
        bool finished = search_root(t, depth, wanted, found, &count);
        if (finished)
            sort_root(t);
        if (t->number > 0)
            continue;
        if (finished || (s->report.pv_count == 0 && count > 0))
            publish(t, depth, found, count);
        else if (count == wanted && wanted == 1)
            s->variations[0] =
                found[0]; /* the previous best, which was searched first, or better */
        if (!finished || is_decided(t, s->variations[0].score, depth))
            break;
    }
    if (t->number == 0) {
        /* While pondering or without a limit, the answer waits for a ponderhit or a stop. */
        ply_time_control_wait(t->time);
        ply_time_control_stop(t->time);
    }
    ply_time_control_poll(t->time, t->unpolled);
    t->unpolled = 0;
    free(found);
}

/* --- threads --------------------------------------------------------------------------------- */
static void init_thread(turn_search_thread *t, ply_searcher *searcher, ply_state *state)
{
    t->searcher = searcher;
    t->rules = searcher->rules;
    t->time = &searcher->time;
    t->state = state;
}

static void close_thread(turn_search_thread *t)
{
    if (t->own_state.position)
        ply_state_free(&t->own_state);
    ply_turn_list_free(&t->list);
    free(t->root_scores);
}

/* Lists the turns of the root that start with an allowed move. */
static void list_root(turn_search_thread *t)
{
    bool complete;
    ply_turn_request request = {.most = ROOT_TURNS, .stopped = is_root_list_stopped};
    size_t count = list_turns(t, request, TT_NO_MOVE, &complete), kept = 0;
    listed_turn *turns = t->list.turns;
    for (size_t i = 0; i < count; i++)
        if (ply_search_move_allowed(t->time->limits, t->list.moves[turns[i].first]))
            turns[kept++] = turns[i];
    t->root_count = t->list.turn_count = kept;
    t->root_scores = calloc(kept + 1, sizeof *t->root_scores);
    t->failed |= !t->root_scores;
}

/* Copies the root's turns from the first thread to another. */
static void copy_root(turn_search_thread *t, const turn_search_thread *first)
{
    turn_list *to = &t->list;
    const turn_list *from = &first->list;
    t->root_scores = calloc(first->root_count + 1, sizeof *t->root_scores);
    if (!t->root_scores ||
        !ply_array_grow(&to->turns, &to->turn_capacity, from->turn_count + 1, sizeof *to->turns) ||
        !ply_array_grow(&to->moves, &to->move_capacity, from->move_count + 1, sizeof *to->moves)) {
        t->failed = true;
        return;
    }
    if (first->root_count == 0)
        return;
    memcpy(to->turns, from->turns, from->turn_count * sizeof *to->turns);
    memcpy(to->moves, from->moves, from->move_count * sizeof *to->moves);
    t->root_count = to->turn_count = first->root_count;
    to->move_count = from->move_count;
}

/* The search was stopped before it found anything: the first turn listed is the answer. */
static void take_first_turn(turn_search_thread *t)
{
    t->pv[1].length = 0;
    update_pv(t, 0, &t->list.turns[0], 0);
    t->searcher->variations[0] = t->pv[0];
    t->searcher->report.pv_count = 1;
}

ply_status ply_turn_search_run(ply_searcher *searcher, const ply_state *state)
{
    if (ply_planned_turn_continue(searcher, state))
        return PLY_OK;
    unsigned count = searcher->options.threads;
    turn_search_thread *threads = calloc(count, sizeof *threads);
    if (!threads)
        return PLY_NO_MEMORY;
    ply_status status = PLY_OK;
    for (unsigned i = 0; i < count && status == PLY_OK; i++) {
        init_thread(&threads[i], searcher, &threads[i].own_state);
        threads[i].uses_tt = true;
        threads[i].number = i;
        status = ply_state_copy(&threads[i].own_state, state);
    }
    turn_search_thread *first = &threads[0];
    if (status == PLY_OK) {
        ply_tt_new_search(&searcher->tt);
        list_root(first);
        for (unsigned i = 1; i < count; i++)
            copy_root(&threads[i], first);
    }
    if (status == PLY_OK && first->root_count > 0 && !first->failed) {
        ply_workers_run_all(searcher->workers, run_thread, threads);
        if (searcher->report.pv_count == 0)
            take_first_turn(first);
        ply_planned_turn_set(searcher, first->state);
    }
    for (unsigned i = 0; i < count; i++) {
        if (threads[i].failed)
            status = PLY_NO_MEMORY;
        close_thread(&threads[i]);
    }
    free(threads);
    return status;
}

/* --- quiescence search for MCTS -------------------------------------------------------------- */
turn_search_thread *ply_turn_qsearch_new(ply_searcher *searcher, ply_state *state)
{
    turn_search_thread *t = calloc(1, sizeof *t);
    if (t)
        init_thread(t, searcher, state);
    return t;
}

bool ply_turn_qsearch_score(turn_search_thread *t, int turns, int32_t *score)
{
    *score = qsearch(t, -INFINITE_SCORE, INFINITE_SCORE, turns, QSEARCH_TURNS, 0);
    return !t->failed && !time_control_stopped(t->time);
}

void ply_turn_qsearch_free(turn_search_thread *t)
{
    if (t)
        close_thread(t);
    free(t);
}
