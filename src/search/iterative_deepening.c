/* SPDX-License-Identifier: MIT */
/*
 * iterative_deepening.c - iterative deepening over the tree of alphabeta.c.
 *
 * Every thread searches the same tree with a state, ordering tables and stacks of its own; what
 * they share is the transposition table and the clock, so each profits from what the others have
 * refuted. The first thread's lines are the answer.
 */
#include "search/alphabeta.h"
#include <stdlib.h>
#include <string.h>

enum { ASPIRATION = 40, ONLY_MOVE_DEPTH = 4 };

/* One line at one depth, within a window that widens until the score is inside. */
static int32_t search_root(searcher_thread *t, int depth, int32_t guess)
{
    int32_t window = ASPIRATION;
    int32_t alpha = depth < 4 ? -INFINITE : guess - window;
    int32_t beta = depth < 4 ? INFINITE : guess + window;
    for (;;) {
        int32_t score = ply_alphabeta_search(t, alpha, beta, depth, 0);
        if (search_clock_stopped(t->clock))
            return score;
        if (score <= alpha && alpha > -INFINITE)
            alpha = window > 2000 ? -INFINITE : score - window;
        else if (score >= beta && beta < INFINITE)
            beta = window > 2000 ? INFINITE : score + window;
        else
            return score;
        window *= 4;
    }
}

static void keep_line(ply_variation *kept, int32_t score, const node_line *line)
{
    kept->score = score;
    kept->length = line->length < PLY_PV_LIMIT ? line->length : PLY_PV_LIMIT;
    memcpy(kept->moves, line->moves, kept->length * sizeof(ply_move));
}

/* Lines found at one depth, best first. */
static void sort_lines(ply_variation *lines, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && lines[k].score > lines[k - 1].score; k--) {
            ply_variation line = lines[k];
            lines[k] = lines[k - 1];
            lines[k - 1] = line;
        }
}

static bool is_decided(const ply_searcher *s, const ply_search_limits *limits, int depth,
                       size_t moves)
{
    int32_t score = s->lines[0].score;
    int32_t distance = PLY_SCORE_WIN - (score < 0 ? -score : score);
    if (limits->mate && score > PLY_SCORE_FORCED && distance <= limits->mate)
        return true;
    /* On a clock an only move costs no time. */
    if (moves == 1 && limits->has_clock && depth >= ONLY_MOVE_DEPTH)
        return true;
    /* A forced end nearer than the horizon will not change any more. */
    return (limits->millis || limits->has_clock || limits->depth) && s->report.pv_count <= 1 &&
           distance < PLY_SCORE_WIN - PLY_SCORE_FORCED && depth > distance + 2;
}

/*
 * Searches the wanted number of lines at one depth into t->found; returns how many. When stopped on
 * the way, an only line counts if it is not worse than what the depth before gave: its move was
 * searched first or has beaten the one that was. Of several, those found by then count at the first
 * depth, where there is nothing else: they are the best ones.
 */
static size_t search_lines(searcher_thread *t, int depth, size_t wanted, const ply_variation *old)
{
    size_t found = 0;
    t->root_depth = depth;
    t->excluded_count = 0;
    while (found < wanted) {
        int32_t score = search_root(t, depth, old[found].score);
        const node_line *line = &t->lines[0];
        if (search_clock_stopped(t->clock) && wanted > 1 && old[0].length == 0 && found > 0)
            break;
        if (search_clock_stopped(t->clock) &&
            (wanted > 1 || line->length == 0 || score < old[0].score))
            return 0;
        if (line->length == 0)
            break; /* no move is left */
        keep_line(&t->found[found++], score, line);
        t->excluded[t->excluded_count++] = line->moves[0];
        if (search_clock_stopped(t->clock))
            break;
    }
    sort_lines(t->found, found);
    return found;
}

/* The first thread's lines become the answer so far. */
static void publish(searcher_thread *t, int depth, size_t found)
{
    ply_searcher *s = t->searcher;
    memcpy(s->lines, t->found, found * sizeof s->lines[0]);
    s->report.pv_count = found;
    s->report.selective_depth = t->selective_depth;
    s->report.table_full = ply_tt_fullness(&s->table);
    ply_search_clock_poll(t->clock, t->unreported);
    t->unreported = 0;
    if (search_clock_stopped(t->clock) && s->report.depth > 0)
        return; /* an unfinished depth is not told */
    s->report.depth = depth;
    ply_search_report_progress(s);
}

static void deepen(void *context, size_t piece, unsigned worker)
{
    (void)piece;
    searcher_thread *t = &((searcher_thread *)context)[worker];
    const ply_search_limits *limits = t->clock->limits;
    int last = limits->depth > 0 && limits->depth < MAX_PLY ? limits->depth : MAX_PLY - 1;
    size_t wanted = limits->multipv ? limits->multipv : 1;
    wanted = wanted < SEARCH_LINES ? wanted : SEARCH_LINES;
    size_t moves = ply_game_count_moves(t->rules, t->state.position);
    memset(t->found, 0, sizeof t->found);
    /* Helpers start one deeper every other thread, so that they do not all do the same. */
    for (int depth = 1 + (int)(t->number & 1); depth <= last && ply_search_clock_go_on(t->clock);
         depth++) {
        ply_variation old[SEARCH_LINES];
        memcpy(old, t->found, sizeof old);
        size_t found = search_lines(t, depth, wanted, old);
        if (found == 0)
            memcpy(t->found, old, sizeof old);
        if (t->number > 0 || found == 0)
            continue;
        publish(t, depth, found);
        if (is_decided(t->searcher, limits, depth, moves))
            break;
    }
    if (t->number == 0) {
        /* With no limit or while pondering, the answer waits until it is asked for. */
        ply_search_clock_wait(t->clock);
        ply_search_clock_stop(t->clock);
    }
    ply_search_clock_poll(t->clock, t->unreported);
    t->unreported = 0;
}

ply_status ply_alphabeta_open(searcher_thread *t, ply_searcher *s, const ply_state *state,
                              search_clock *clock, size_t room)
{
    t->searcher = s;
    t->rules = s->rules;
    t->clock = clock;
    ply_alphabeta_prepare(t);
    ply_status status = ply_state_copy(&t->state, state);
    if (status == PLY_OK)
        status = ply_state_reserve(&t->state, room);
    t->keys = malloc((state->plies + room + 1) * sizeof *t->keys);
    if (status != PLY_OK || !t->keys || !ply_alphabeta_reserve(t))
        return PLY_NO_MEMORY;
    /* Keys of the game so far, from the end back to the start and forward again. */
    for (size_t i = t->state.plies + 1; i-- > 0;) {
        t->keys[i] = t->rules->game->hash(t->rules, t->state.position);
        ++*ply_alphabeta_is_repetition(t, t->keys[i]);
        ply_state_undo(&t->state);
    }
    for (size_t i = 0; i < state->plies && status == PLY_OK; i++)
        status = ply_state_play(&t->state, state->moves[i]);
    return status;
}

void ply_alphabeta_close(searcher_thread *t)
{
    if (t->state.position)
        ply_state_free(&t->state);
    free(t->keys);
    free(t->stack);
    free(t->scores);
    free(t->order);
}

bool ply_alphabeta_init(ply_searcher *searcher)
{
    searcher->memory = calloc(searcher->options.threads, sizeof *searcher->memory);
    return searcher->memory && ply_tt_init(&searcher->table, searcher->options.memory_mb);
}

void ply_alphabeta_clear(ply_searcher *searcher)
{
    ply_tt_clear(&searcher->table);
    memset(searcher->memory, 0, searcher->options.threads * sizeof *searcher->memory);
}

void ply_alphabeta_free(ply_searcher *searcher)
{
    ply_tt_free(&searcher->table);
    free(searcher->memory);
    searcher->memory = NULL;
}

ply_status ply_alphabeta_run(ply_searcher *searcher, const ply_state *state)
{
    if (searcher->rules->game->multi_move_turns)
        return ply_turn_search_run(searcher, state);
    unsigned count = searcher->options.threads;
    searcher_thread *threads = calloc(count, sizeof *threads);
    if (!threads)
        return PLY_NO_MEMORY;
    ply_status status = PLY_OK;
    for (unsigned i = 0; i < count && status == PLY_OK; i++) {
        threads[i].number = i;
        threads[i].memory = &searcher->memory[i];
        status = ply_alphabeta_open(&threads[i], searcher, state, &searcher->clock, MAX_PLY + 1);
    }
    if (status == PLY_OK) {
        ply_tt_new_search(&searcher->table);
        ply_workers_run_all(searcher->team, deepen, threads);
    }
    for (unsigned i = 0; i < count; i++) {
        if (threads[i].failed)
            status = PLY_NO_MEMORY;
        ply_alphabeta_close(&threads[i]);
    }
    free(threads);
    return status;
}
