/* SPDX-License-Identifier: MIT */
/*
 * iterative_deepening.c - iterations over alphabeta.c, and the threads that run them.
 *
 * Lazy SMP: every thread searches the same tree with its own state, move lists and history. They
 * share the transposition table and the time control, so each profits from what the others have
 * refuted. The first thread's principal variations are the answer.
 */
#include "search/alphabeta/node.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    POLL_INTERVAL = 64, /* nodes; 1 where positions own memory, as nodes are slow there */
    ASPIRATION_MIN_DEPTH = 4,
    ASPIRATION_GROWTH = 4,
    ASPIRATION_MAX = 2000, /* a window wider than this becomes infinite */
    SINGLE_MOVE_DEPTH = 4, /* on a clock, a position with one legal move is searched no deeper */
    VOTE_OFFSET = 20,      /* added to scores, so that the lowest still counts */
    DECIDED_MARGIN = 2,    /* plies beyond a forced end after which it is final */
};

/* --- one iteration --------------------------------------------------------------------------- */
/* Searches the root at one depth, widening the aspiration window until the score is inside. */
static int32_t search_root(alphabeta_thread *t, int depth, int32_t guess)
{
    bool narrow = depth >= ASPIRATION_MIN_DEPTH;
    int32_t window = t->params->aspiration_window;
    int32_t alpha = narrow ? guess - window : -INFINITE;
    int32_t beta = narrow ? guess + window : INFINITE;
    for (;;) {
        int32_t score = ply_alphabeta_search(t, alpha, beta, depth, 0, false);
        if (time_control_stopped(t->time))
            return score;
        if (score <= alpha && alpha > -INFINITE)
            alpha = window > ASPIRATION_MAX ? -INFINITE : score - window;
        else if (score >= beta && beta < INFINITE)
            beta = window > ASPIRATION_MAX ? INFINITE : score + window;
        else
            return score;
        window *= ASPIRATION_GROWTH;
    }
}

static void copy_variation(ply_variation *variation, int32_t score, const pv_moves *pv)
{
    variation->score = score;
    variation->length = pv->length < PLY_PV_LIMIT ? pv->length : PLY_PV_LIMIT;
    memcpy(variation->moves, pv->moves, variation->length * sizeof(ply_move));
}

/* Best first; equal scores keep their order. */
static void sort_variations(ply_variation *variations, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && variations[k].score > variations[k - 1].score; k--) {
            ply_variation swap = variations[k];
            variations[k] = variations[k - 1];
            variations[k - 1] = swap;
        }
}

/*
 * Finds the `wanted` best variations at one depth and returns how many were found in t->found; 0 if
 * the iteration is to be discarded.
 *
 * An iteration that is stopped may still count. A single PV counts if its score is not below the
 * previous iteration's: its move was searched first or has beaten the one that was. With multi-PV,
 * the variations found by then count only if there is no earlier iteration to fall back on.
 */
static size_t search_iteration(alphabeta_thread *t, int depth, size_t wanted,
                               const ply_variation *previous)
{
    size_t found = 0;
    t->root_depth = depth;
    t->excluded_count = 0;
    while (found < wanted) {
        int32_t score = search_root(t, depth, previous[found].score);
        const pv_moves *pv = &t->pv[0];
        bool stopped = time_control_stopped(t->time);
        if (stopped && wanted > 1 && previous[0].length == 0 && found > 0)
            break;
        if (stopped && (wanted > 1 || pv->length == 0 || score < previous[0].score))
            return 0;
        if (pv->length == 0)
            break; /* no move is left */
        copy_variation(&t->found[found++], score, pv);
        t->excluded[t->excluded_count++] = pv->moves[0];
        if (stopped)
            break;
    }
    sort_variations(t->found, found);
    return found;
}

/* --- all iterations -------------------------------------------------------------------------- */
/* Whether deeper iterations are pointless. */
static bool is_decided(const ply_searcher *s, const ply_search_limits *limits, int depth,
                       size_t move_count)
{
    int32_t score = s->variations[0].score;
    int32_t distance = PLY_SCORE_WIN - (score < 0 ? -score : score);
    if (limits->mate && score > PLY_SCORE_FORCED && distance <= limits->mate)
        return true;
    /* A forced move should cost no time on the clock. */
    if (move_count == 1 && limits->has_clock && depth >= SINGLE_MOVE_DEPTH)
        return true;
    /* A forced end well within the search depth will not change any more. */
    return (limits->millis || limits->has_clock || limits->depth) && s->report.pv_count <= 1 &&
           distance < PLY_SCORE_WIN - PLY_SCORE_FORCED && depth > distance + DECIDED_MARGIN;
}

static void poll_remaining(alphabeta_thread *t)
{
    ply_time_control_poll(t->time, t->unpolled);
    t->unpolled = 0;
}

/* Makes the first thread's variations the answer so far. */
static void publish(alphabeta_thread *t, int depth, size_t found)
{
    ply_searcher *s = t->searcher;
    memcpy(s->variations, t->found, found * sizeof s->variations[0]);
    s->report.pv_count = found;
    s->report.selective_depth = t->selective_depth;
    s->report.hashfull = ply_tt_hashfull(&s->tt);
    poll_remaining(t);
    if (time_control_stopped(t->time) && s->report.depth > 0)
        return; /* an unfinished iteration is not reported */
    s->report.depth = depth;
    ply_time_control_report(t->time, s->variations[0].moves[0], s->variations[0].score);
    ply_search_report_progress(s);
}

static void run_thread(void *context, size_t piece, unsigned worker)
{
    (void)piece;
    alphabeta_thread *t = &((alphabeta_thread *)context)[worker];
    const ply_search_limits *limits = t->time->limits;
    int last = limits->depth > 0 && limits->depth < MAX_PLY ? limits->depth : MAX_PLY - 1;
    size_t wanted = search_multipv(limits);
    size_t move_count = ply_game_count_moves(t->rules, t->state.position);
    memset(t->found, 0, sizeof t->found);
    /* Every other thread starts one ply deeper, so that they do not all search the same. */
    for (int depth = 1 + (int)(t->number & 1);
         depth <= last && ply_time_control_may_iterate(t->time); depth++) {
        ply_variation previous[MAX_MULTIPV];
        memcpy(previous, t->found, sizeof previous);
        size_t found = search_iteration(t, depth, wanted, previous);
        if (found == 0)
            memcpy(t->found, previous, sizeof previous);
        else
            t->found_depth = depth;
        if (t->number > 0 || found == 0)
            continue;
        publish(t, depth, found);
        if (is_decided(t->searcher, limits, depth, move_count))
            break;
    }
    if (t->number == 0) {
        /* While pondering or without a limit, the answer waits for a ponderhit or a stop. */
        ply_time_control_wait(t->time);
        ply_time_control_stop(t->time);
    }
    poll_remaining(t);
}

/* --- threads --------------------------------------------------------------------------------- */
static void fill_reductions(alphabeta_thread *t)
{
    const search_params *params = t->params;
    for (int depth = 1; depth < LMR_DEPTHS; depth++)
        for (int tried = 1; tried < LMR_MOVES; tried++)
            t->reductions[depth][tried] =
                (int16_t)(params->lmr_base + 1048576.0 * log((double)depth) * log((double)tried) /
                                                 params->lmr_divisor);
}

/* Collects the keys of the game so far by taking all moves back and playing them again. */
static ply_status collect_keys(alphabeta_thread *t, const ply_state *state)
{
    ply_status status = PLY_OK;
    for (size_t i = state->plies + 1; i-- > 0;) {
        push_key(t);
        ply_state_undo(&t->state);
    }
    for (size_t i = 0; i < state->plies && status == PLY_OK; i++)
        status = ply_state_play(&t->state, state->moves[i]);
    return status;
}

ply_status ply_alphabeta_open(alphabeta_thread *t, ply_searcher *searcher, const ply_state *state,
                              time_control *time, size_t max_plies)
{
    t->searcher = searcher;
    t->rules = searcher->rules;
    t->time = time;
    t->poll_interval = t->rules->game->copy ? 1 : POLL_INTERVAL;
    t->params = &searcher->params;
    for (int ply = -FRAME_OFFSET; ply < 0; ply++)
        frame_of(t, ply)->eval = NO_EVAL;
    fill_reductions(t);
    ply_status status = ply_state_copy(&t->state, state);
    if (status == PLY_OK)
        status = ply_state_reserve(&t->state, max_plies);
    t->keys = malloc((state->plies + max_plies + 1) * sizeof *t->keys);
    if (status != PLY_OK || !t->keys || !reserve_moves(t) ||
        !evaluator_open(&t->evaluator, searcher, t->state.position, MAX_PLY + 1))
        return PLY_NO_MEMORY;
    return collect_keys(t, state);
}

void ply_alphabeta_close(alphabeta_thread *t)
{
    if (t->state.position)
        ply_state_free(&t->state);
    evaluator_close(&t->evaluator);
    free(t->keys);
    free(t->moves);
    free(t->scores);
    free(t->order);
    free(t->logits);
}

bool ply_alphabeta_init(ply_searcher *searcher)
{
    searcher->histories = calloc(searcher->options.threads, sizeof *searcher->histories);
    return searcher->histories && ply_tt_init(&searcher->tt, searcher->options.memory_mb);
}

void ply_alphabeta_clear(ply_searcher *searcher)
{
    ply_tt_clear(&searcher->tt);
    memset(searcher->histories, 0, searcher->options.threads * sizeof *searcher->histories);
}

void ply_alphabeta_free(ply_searcher *searcher)
{
    ply_tt_free(&searcher->tt);
    free(searcher->histories);
    searcher->histories = NULL;
}

/*
 * The thread whose variation becomes the answer. Every thread votes for its best move, with a
 * weight that grows with the depth it reached and with its score. A forced win needs no vote.
 */
static const alphabeta_thread *elect_thread(const alphabeta_thread *threads, unsigned count)
{
    const alphabeta_thread *best = threads;
    int32_t least = INFINITE;
    int64_t most_votes = -1;
    for (unsigned i = 0; i < count; i++)
        if (threads[i].found_depth > 0 && threads[i].found[0].score < least)
            least = threads[i].found[0].score;
    for (unsigned i = 0; i < count; i++) {
        const ply_variation *variation = &threads[i].found[0];
        int64_t votes = 0;
        if (threads[i].found_depth == 0)
            continue;
        if (variation->score >= PLY_SCORE_FORCED || best->found[0].score >= PLY_SCORE_FORCED) {
            if (variation->score > best->found[0].score)
                best = &threads[i];
            continue;
        }
        for (unsigned k = 0; k < count; k++)
            if (threads[k].found_depth > 0 && threads[k].found[0].moves[0] == variation->moves[0])
                votes += (int64_t)(threads[k].found[0].score - least + VOTE_OFFSET) *
                         threads[k].found_depth;
        if (votes > most_votes) {
            most_votes = votes;
            best = &threads[i];
        }
    }
    return best;
}

/* With several threads, the answer may be another thread's than the first one's. */
static void publish_elected(ply_searcher *s, const alphabeta_thread *threads, unsigned count)
{
    if (count < 2 || s->report.pv_count != 1)
        return;
    const alphabeta_thread *best = elect_thread(threads, count);
    if (best == threads)
        return;
    s->variations[0] = best->found[0];
    s->report.depth = best->found_depth;
    s->report.selective_depth = best->selective_depth;
    ply_search_report_progress(s);
}

ply_status ply_alphabeta_run(ply_searcher *searcher, const ply_state *state)
{
    if (searcher->rules->game->multi_move_turns)
        return ply_turn_search_run(searcher, state);
    unsigned count = searcher->options.threads;
    alphabeta_thread *threads = calloc(count, sizeof *threads);
    if (!threads)
        return PLY_NO_MEMORY;
    ply_status status = PLY_OK;
    for (unsigned i = 0; i < count && status == PLY_OK; i++) {
        threads[i].number = i;
        threads[i].history = &searcher->histories[i];
        status = ply_alphabeta_open(&threads[i], searcher, state, &searcher->time, MAX_PLY + 1);
    }
    if (status == PLY_OK) {
        ply_tt_new_search(&searcher->tt);
        ply_workers_run_all(searcher->workers, run_thread, threads);
        publish_elected(searcher, threads, count);
    }
    for (unsigned i = 0; i < count; i++) {
        if (threads[i].failed)
            status = PLY_NO_MEMORY;
        ply_alphabeta_close(&threads[i]);
    }
    free(threads);
    return status;
}
