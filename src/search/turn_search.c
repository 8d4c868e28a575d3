/* SPDX-License-Identifier: MIT */
/*
 * turn_search.c - alpha-beta for games whose turns are several moves.
 *
 * A node is a position at the start of a turn and a branch is a whole turn, so that depth means
 * turns and a half-made turn is never judged. There may be millions of turns: the game's good_turns
 * gives the promising ones. Where it says that they are all there are, the search is exact; where
 * not, a forced loss is not believed, since a turn that was left out may have saved the player. A
 * forced win needs one turn only and is always exact, because good_turns finds a legal turn where
 * there is any.
 *
 * The interface plays single moves. The turn chosen is remembered, and when the search is asked
 * again in the middle of it, the rest is the answer at once.
 */
#include "core/array.h"
#include "search/searcher.h"
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 40,     /* turns */
    ROOT_TURNS = 240, /* looked at */
    INNER_TURNS = 24,
    QUIET_TURNS = 6, /* turns that change material, past the depth */
    QUIET_DEPTH = 4,
    REDUCED_FROM = 6,       /* later turns are searched less deep first */
    DOUBTFUL_LOSS = -30000, /* what a forced loss counts that is not certain */
    INFINITE_SCORE = PLY_SCORE_WIN + 1,
};

struct turn_search_plan {
    size_t count;
    int32_t score;
    int depth;
    ply_move *moves; /* of the turn; keys[i]: the position before move i */
    uint64_t *keys;
};

typedef struct turn {
    size_t first, count; /* in the arena of moves */
    int32_t score;
    uint32_t tag; /* names it in the table */
} turn;

/* One thread's search. All share the table and the clock; the first one's lines are the answer. */
typedef struct turn_search_thread {
    unsigned number;
    ply_searcher *searcher;
    const ply_rules *rules;
    search_clock *clock;
    ply_state *state;
    ply_state own; /* what state is, but for eyes */
    turn *turns;
    ply_move *moves;
    size_t turn_room, turn_count, move_room, move_count;
    uint64_t unreported;
    bool failed;
    ply_variation line[DEEPEST + 2]; /* by turns from the root: the best line from there */
    size_t root_count;
    int32_t *root_scores;
} walk;

static bool is_stopped(void *context)
{
    walk *w = context;
    ply_search_clock_poll(w->clock, w->unreported);
    w->unreported = 0;
    return search_clock_stopped(w->clock) || w->failed;
}

/* The same for the list of the root, which takes a quarter of the time at most. */
static bool is_listed(void *context)
{
    walk *w = context;
    return is_stopped(w) || (w->turn_count > 0 && w->clock->hard &&
                             ply_search_clock_seconds(w->clock) * 4e9 > (double)w->clock->hard);
}

static bool keep_turn(void *context, const ply_move *moves, size_t count, int32_t score)
{
    walk *w = context;
    if (!ply_array_grow(&w->turns, &w->turn_room, w->turn_count + 1, sizeof *w->turns) ||
        !ply_array_grow(&w->moves, &w->move_room, w->move_count + count, sizeof *w->moves)) {
        w->failed = true;
        return false;
    }
    uint64_t tag = 0;
    for (size_t i = 0; i < count; i++)
        tag = tag * 31 + moves[i] % 0xFFFFFFFB;
    memcpy(w->moves + w->move_count, moves, count * sizeof *moves);
    w->turns[w->turn_count++] = (turn){.first = w->move_count,
                                       .count = count,
                                       .score = score,
                                       .tag = (uint32_t)(tag % (TABLE_NO_MOVE - 1))};
    w->move_count += count;
    return true;
}

static int by_score(const void *a, const void *b)
{
    const turn *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Lists turns behind those there are, best first; the one with the tag before all. */
static size_t list_turns(walk *w, size_t most, bool noisy, uint32_t tag, bool *complete,
                         bool (*stopped)(void *))
{
    size_t first = w->turn_count;
    ply_turn_request wish = {
        .most = most, .noisy = noisy, .stopped = stopped, .visit = keep_turn, .context = w};
    *complete = false;
    if (w->rules->search->promising_turns(w->rules, w->state->position, &wish, complete) != PLY_OK)
        w->failed = true;
    for (size_t i = first; i < w->turn_count; i++)
        if (w->turns[i].tag == tag)
            w->turns[i].score = INT32_MAX;
    size_t count = w->turn_count - first;
    if (count > 0)
        qsort(w->turns + first, count, sizeof *w->turns, by_score);
    return count;
}

/* Plays a turn; what could not be played is taken back. */
static bool play_turn(walk *w, const turn *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (ply_state_play(w->state, w->moves[t->first + i]) != PLY_OK) {
            while (i-- > 0)
                ply_state_undo(w->state);
            return false;
        }
    return true;
}

static void undo_turn(walk *w, const turn *t)
{
    for (size_t i = 0; i < t->count; i++)
        ply_state_undo(w->state);
}

static void set_line(walk *w, int ply, const turn *t, int32_t score)
{
    ply_variation *line = &w->line[ply], *rest = &w->line[ply + 1];
    line->score = score;
    line->length = 0;
    for (size_t i = 0; i < t->count && line->length < PLY_PV_LIMIT; i++)
        line->moves[line->length++] = w->moves[t->first + i];
    for (uint32_t i = 0; i < rest->length && line->length < PLY_PV_LIMIT; i++)
        line->moves[line->length++] = rest->moves[i];
}

static int32_t search(walk *w, int32_t alpha, int32_t beta, int depth, int ply);

/* Past the depth: the position as it stands, or what turns that change material make of it. */
static int32_t search_quiet(walk *w, int32_t alpha, int32_t beta, int left, int ply)
{
    const ply_rules *rules = w->rules;
    w->unreported++;
    w->line[ply].length = 0;
    if (is_stopped(w))
        return 0;
    int32_t best = rules->search->evaluate(w->rules, w->state->position);
    if (best >= beta || left == 0 || ply >= DEEPEST)
        return best;
    alpha = best > alpha ? best : alpha;
    size_t first = w->turn_count, moves = w->move_count;
    bool complete;
    size_t count = list_turns(w, QUIET_TURNS, true, TABLE_NO_MOVE, &complete, is_stopped);
    for (size_t i = 0; i < count && !search_clock_stopped(w->clock); i++) {
        turn t = w->turns[first + i];
        if (!play_turn(w, &t))
            continue;
        int32_t score = -search_quiet(w, -beta, -alpha, left - 1, ply + 1);
        undo_turn(w, &t);
        if (score > best) {
            best = score;
            alpha = score > alpha ? score : alpha;
            if (score >= beta)
                break;
        }
    }
    w->turn_count = first;
    w->move_count = moves;
    return best;
}

/* No turn was found: the game is over, or the search was stopped. */
static int32_t no_turn(walk *w, int ply)
{
    ply_outcome outcome = ply_state_outcome(w->state);
    return search_outcome_score(outcome, w->rules->game->side(w->rules, w->state->position), ply);
}

static int32_t search(walk *w, int32_t alpha, int32_t beta, int depth, int ply)
{
    const ply_rules *rules = w->rules;
    w->unreported++;
    w->line[ply].length = 0;
    if (is_stopped(w))
        return 0;
    if (ply >= DEEPEST)
        return rules->search->evaluate(w->rules, w->state->position);
    bool threatened =
        rules->search->in_check && rules->search->in_check(w->rules, w->state->position);
    if (depth <= 0 && !(threatened && depth > -2))
        return search_quiet(w, alpha, beta, QUIET_DEPTH, ply);
    uint64_t key = rules->game->hash(w->rules, w->state->position);
    tt_entry entry;
    uint32_t tag = TABLE_NO_MOVE;
    if (ply_tt_probe(&w->searcher->table, key, ply, &entry)) {
        tag = entry.move_number;
        if (entry.depth >= depth + 8 && ply > 0 &&
            (entry.bound == TABLE_EXACT || (entry.bound == TABLE_LOWER && entry.score >= beta) ||
             (entry.bound == TABLE_UPPER && entry.score <= alpha)))
            return entry.score;
    }
    size_t first = w->turn_count, moves = w->move_count;
    bool complete;
    size_t count =
        list_turns(w, depth > 1 ? INNER_TURNS : INNER_TURNS / 2, false, tag, &complete, is_stopped);
    if (count == 0)
        return search_clock_stopped(w->clock) ? 0 : no_turn(w, ply);
    int32_t best = -INFINITE_SCORE, before = alpha;
    tag = TABLE_NO_MOVE;
    for (size_t i = 0; i < count && !search_clock_stopped(w->clock); i++) {
        turn t = w->turns[first + i];
        if (!play_turn(w, &t))
            continue;
        int32_t score;
        int less = i >= REDUCED_FROM && depth >= 2 && !threatened ? 2 : 1;
        if (i == 0) {
            score = -search(w, -beta, -alpha, depth - 1, ply + 1);
        } else {
            score = -search(w, -alpha - 1, -alpha, depth - less, ply + 1);
            if (score > alpha && (score < beta || less > 1))
                score = -search(w, -beta, -alpha, depth - 1, ply + 1);
        }
        undo_turn(w, &t);
        if (search_clock_stopped(w->clock))
            break;
        if (score > best) {
            best = score;
            tag = t.tag;
            if (score > alpha) {
                alpha = score;
                set_line(w, ply, &t, score);
                if (score >= beta)
                    break;
            }
        }
    }
    w->turn_count = first;
    w->move_count = moves;
    if (search_clock_stopped(w->clock))
        return best > -INFINITE_SCORE ? best : 0;
    if (!complete && best <= -PLY_SCORE_FORCED)
        best = DOUBTFUL_LOSS;
    entry = (tt_entry){.score = best,
                       .move_number = tag,
                       .depth = depth + 8,
                       .bound = best >= beta     ? TABLE_LOWER
                                : best <= before ? TABLE_UPPER
                                                 : TABLE_EXACT};
    ply_tt_store(&w->searcher->table, key, ply, &entry);
    return best;
}

/* --- the root -------------------------------------------------------------------------------- */
/* One depth over the turns of the root, which stay sorted; false when it was stopped on the way. */
static bool search_root(walk *w, int depth, size_t wanted, ply_variation *found, size_t *lines)
{
    int32_t alpha = -INFINITE_SCORE;
    size_t kept = 0;
    for (size_t i = 0; i < w->root_count; i++) {
        turn t = w->turns[i]; /* the array may move meanwhile */
        w->root_scores[i] = -INFINITE_SCORE;
        if (!play_turn(w, &t))
            continue;
        int32_t score = 0;
        int less = i >= 2 * REDUCED_FROM && depth >= 2 ? 2 : 1;
        if (kept < wanted) {
            score = -search(w, -INFINITE_SCORE, INFINITE_SCORE, depth - 1, 1);
        } else {
            score = -search(w, -alpha - 1, -alpha, depth - less, 1);
            if (score > alpha)
                score = -search(w, -INFINITE_SCORE, -alpha, depth - 1, 1);
        }
        undo_turn(w, &t);
        if (search_clock_stopped(w->clock)) {
            *lines = kept;
            return false;
        }
        if (kept >= wanted && score <= alpha)
            continue;
        w->root_scores[i] = score;
        set_line(w, 0, &t, score);
        kept += kept < wanted;
        size_t at = kept - 1;
        for (; at > 0 && found[at - 1].score < score; at--)
            found[at] = found[at - 1];
        found[at] = w->line[0];
        if (kept == wanted)
            alpha = found[wanted - 1].score;
    }
    *lines = kept;
    return true;
}

/* What was best comes first at the next depth; the rest stays as it was. */
static void sort_root(walk *w)
{
    for (size_t i = 1; i < w->root_count; i++) {
        turn t = w->turns[i];
        int32_t score = w->root_scores[i];
        size_t at = i;
        for (; at > 0 && w->root_scores[at - 1] < score; at--) {
            w->turns[at] = w->turns[at - 1];
            w->root_scores[at] = w->root_scores[at - 1];
        }
        w->turns[at] = t;
        w->root_scores[at] = score;
    }
}

static void publish(walk *w, int depth, const ply_variation *found, size_t lines)
{
    ply_searcher *s = w->searcher;
    memcpy(s->lines, found, lines * sizeof *found);
    s->report.pv_count = lines;
    s->report.depth = s->report.selective_depth = depth;
    s->report.table_full = ply_tt_fullness(&s->table);
    ply_search_report_progress(s);
}

/* Whether the answer will not change any more, or is what was asked for. */
static bool is_decided(const walk *w, int32_t score, int depth)
{
    const ply_search_limits *limits = w->clock->limits;
    int distance = PLY_SCORE_WIN - (score < 0 ? -score : score);
    bool limited = limits->millis || limits->has_clock || limits->depth;
    if (limits->mate && score > 0 && distance <= limits->mate)
        return true;
    if (distance <= depth && limited)
        return true;
    return w->root_count == 1 && limited && !limits->ponder && !limits->depth; /* no choice */
}

static void deepen(void *context, size_t piece, unsigned worker)
{
    (void)piece;
    walk *w = &((walk *)context)[worker];
    ply_searcher *s = w->searcher;
    const ply_search_limits *limits = w->clock->limits;
    int last = limits->depth > 0 && limits->depth < DEEPEST ? limits->depth : DEEPEST - 1;
    size_t wanted = limits->multipv ? limits->multipv : 1, lines = 0;
    wanted = wanted < SEARCH_LINES ? wanted : SEARCH_LINES;
    wanted = wanted < w->root_count ? wanted : w->root_count;
    ply_variation *found = calloc(SEARCH_LINES, sizeof *found);
    w->failed |= !found;
    /* Helpers start one deeper every other thread, so that they do not all do the same. */
    for (int depth = 1 + (int)(w->number & 1);
         depth <= last && !w->failed && ply_search_clock_go_on(w->clock); depth++) {
        bool whole = search_root(w, depth, wanted, found, &lines);
        if (whole)
            sort_root(w);
        if (w->number > 0)
            continue;
        if (whole || (s->report.pv_count == 0 && lines > 0))
            publish(w, depth, found, lines);
        else if (lines == wanted && wanted == 1 && found[0].score > s->lines[0].score)
            s->lines[0] = found[0]; /* the best of before was searched first, and is beaten */
        if (!whole || is_decided(w, s->lines[0].score, depth))
            break;
    }
    if (w->number == 0) {
        /* With no limit or while pondering, the answer waits until it is asked for. */
        ply_search_clock_wait(w->clock);
        ply_search_clock_stop(w->clock);
    }
    ply_search_clock_poll(w->clock, w->unreported);
    w->unreported = 0;
    free(found);
}

/* --- the rest of a turn ------------------------------------------------------------------------
 */
void ply_turn_search_forget(ply_searcher *searcher)
{
    if (searcher->plan) {
        free(searcher->plan->moves);
        free(searcher->plan->keys);
        free(searcher->plan);
    }
    searcher->plan = NULL;
}

void ply_turn_search_remember(ply_searcher *s, ply_state *state)
{
    const ply_variation *best = &s->lines[0];
    ply_turn_search_forget(s);
    if (best->length == 0)
        return;
    int side = s->rules->game->side(s->rules, state->position);
    turn_search_plan *plan = calloc(1, sizeof *plan);
    s->plan = plan;
    if (!plan)
        return;
    plan->moves = malloc(best->length * sizeof *plan->moves);
    plan->keys = malloc(best->length * sizeof *plan->keys);
    if (!plan->moves || !plan->keys) {
        ply_turn_search_forget(s);
        return;
    }
    plan->score = best->score;
    plan->depth = s->report.depth;
    size_t played = 0;
    for (; played < best->length && s->rules->game->side(s->rules, state->position) == side;
         played++) {
        plan->moves[played] = best->moves[played];
        plan->keys[played] = s->rules->game->hash(s->rules, state->position);
        if (ply_state_play(state, best->moves[played]) != PLY_OK)
            break;
    }
    plan->count = played;
    while (played-- > 0)
        ply_state_undo(state);
}

bool ply_turn_search_go_on(ply_searcher *s, const ply_state *state)
{
    const turn_search_plan *plan = s->plan;
    const ply_search_limits *limits = s->clock.limits;
    if (!plan || limits->multipv > 1 || limits->only || limits->ponder)
        return false;
    uint64_t key = s->rules->game->hash(s->rules, state->position);
    for (size_t i = 1; i < plan->count; i++) {
        if (plan->keys[i] != key)
            continue;
        ply_variation *line = &s->lines[0];
        line->score = plan->score;
        line->length = 0;
        for (size_t k = i; k < plan->count && line->length < PLY_PV_LIMIT; k++)
            line->moves[line->length++] = plan->moves[k];
        s->report.pv_count = 1;
        s->report.depth = plan->depth;
        ply_search_report_progress(s);
        ply_search_clock_wait(&s->clock);
        return true;
    }
    return false;
}

static ply_status open_walk(walk *w, unsigned number, ply_searcher *searcher,
                            const ply_state *state)
{
    w->number = number;
    w->searcher = searcher;
    w->rules = searcher->rules;
    w->clock = &searcher->clock;
    w->state = &w->own;
    return ply_state_copy(&w->own, state);
}

static void close_walk(walk *w)
{
    if (w->own.position)
        ply_state_free(&w->own);
    free(w->turns);
    free(w->moves);
    free(w->root_scores);
}

/* Lists the turns of the root that begin with a wanted move. */
static void list_root(walk *w)
{
    bool complete;
    size_t count = list_turns(w, ROOT_TURNS, false, TABLE_NO_MOVE, &complete, is_listed), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (ply_search_move_wanted(w->clock->limits, w->moves[w->turns[i].first]))
            w->turns[kept++] = w->turns[i];
    w->root_count = w->turn_count = kept;
    w->root_scores = calloc(kept + 1, sizeof *w->root_scores);
    w->failed |= !w->root_scores;
}

/* Gives a helper the turns of the first thread. */
static void copy_root(walk *w, const walk *first)
{
    w->root_scores = calloc(first->root_count + 1, sizeof *w->root_scores);
    if (!w->root_scores ||
        !ply_array_grow(&w->turns, &w->turn_room, first->turn_count + 1, sizeof *w->turns) ||
        !ply_array_grow(&w->moves, &w->move_room, first->move_count + 1, sizeof *w->moves)) {
        w->failed = true;
        return;
    }
    if (first->root_count == 0)
        return;
    memcpy(w->turns, first->turns, first->turn_count * sizeof *w->turns);
    memcpy(w->moves, first->moves, first->move_count * sizeof *w->moves);
    w->root_count = w->turn_count = first->root_count;
    w->move_count = first->move_count;
}

ply_status ply_turn_search_run(ply_searcher *searcher, const ply_state *state)
{
    if (ply_turn_search_go_on(searcher, state))
        return PLY_OK;
    unsigned count = searcher->options.threads;
    walk *walks = calloc(count, sizeof *walks);
    if (!walks)
        return PLY_NO_MEMORY;
    ply_status status = PLY_OK;
    for (unsigned i = 0; i < count && status == PLY_OK; i++)
        status = open_walk(&walks[i], i, searcher, state);
    walk *first = &walks[0];
    if (status == PLY_OK) {
        ply_tt_new_search(&searcher->table);
        list_root(first);
        for (unsigned i = 1; i < count; i++)
            copy_root(&walks[i], first);
    }
    if (status == PLY_OK && first->root_count > 0 && !first->failed) {
        ply_workers_run_all(searcher->team, deepen, walks);
        if (searcher->report.pv_count == 0) { /* stopped before anything was known */
            first->line[1].length = 0;
            set_line(first, 0, &first->turns[0], 0);
            searcher->lines[0] = first->line[0];
            searcher->report.pv_count = 1;
        }
        ply_turn_search_remember(searcher, first->state);
    }
    for (unsigned i = 0; i < count; i++) {
        if (walks[i].failed)
            status = PLY_NO_MEMORY;
        close_walk(&walks[i]);
    }
    free(walks);
    return status;
}

/* --- eyes ------------------------------------------------------------------------------------ */
turn_search_thread *ply_turn_search_eye_new(ply_searcher *searcher, ply_state *state)
{
    walk *w = calloc(1, sizeof *w);
    if (w) {
        w->searcher = searcher;
        w->rules = searcher->rules;
        w->clock = &searcher->clock;
        w->state = state;
    }
    return w;
}

bool ply_turn_search_eye_look(turn_search_thread *w, int turns, int32_t *score)
{
    *score = search_quiet(w, -INFINITE_SCORE, INFINITE_SCORE, turns, 0);
    return !w->failed && !search_clock_stopped(w->clock);
}

void ply_turn_search_eye_free(turn_search_thread *w)
{
    if (w)
        close_walk(w);
    free(w);
}
