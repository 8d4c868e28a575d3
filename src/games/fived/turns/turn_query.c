/* SPDX-License-Identifier: MIT */
/*
 * turn_query.c - the questions a query answers, and where the search starts for each.
 *
 * The number of new timelines decides which timelines will be active and so which boards are due.
 * The search starts afresh for each number, with the first move already in place if one is given.
 */
#include "games/fived/turns/turn_sat.h"
#include "games/fived/turns/turns_internal.h"
#include <string.h>

/* Starts the search from some point; id is what that point needs: a level or a jump. */
typedef void search_start(fived_turn_query *q, uint32_t id);

PLY_HD_EXTERN fived_turn_present fived_turn_present_after(const fived_turn_query *q, int k)
{
    const fived_position *p = q->position;
    fived_turn_present present = {.earliest = FIVED_NOWHERE};
    int white = p->hi - p->start_hi, black = p->start_lo - p->lo, enemys = FIVED_NOWHERE;
    if (p->side)
        black += k;
    else
        white += k;
    fived_active_range(p, white, black, &present.lo, &present.hi);
    for (int l = present.lo > p->lo ? present.lo : p->lo; l <= present.hi && l <= p->hi; l++) {
        int end = fived_position_timeline(p, l)->end;
        if ((end & 1) == p->side)
            present.earliest = end < present.earliest ? end : present.earliest;
        else
            enemys = end < enemys ? end : enemys;
    }
    int active = p->side ? p->lo - present.lo : present.hi - p->hi;
    present.active = active > 0 ? active : 0;
    present.is_enemys = enemys < present.earliest || present.earliest == FIVED_NOWHERE;
    return present;
}

PLY_HD_EXTERN int fived_turn_settled_count(const fived_turn_query *q)
{
    const fived_position *p = q->position;
    int white = p->hi - p->start_hi, black = p->start_lo - p->lo;
    return p->side ? white + 1 - black : black + 1 - white;
}

/*
 * Searches turns with `least` new timelines, or with up to `most` where more of them change nothing
 * about the present. A turn must either play every board that is due or move the present back.
 */
PLY_SHARED void search_with_new_timelines(fived_turn_query *q, int least, int most, bool no_rewind,
                                          search_start *start, uint32_t id)
{
    fived_turn_present present = fived_turn_present_after(q, least);
    q->present.max_new = most;
    q->present.min_new = least;
    q->partial.filled_count = q->partial.waiting = 0;
    q->present.active_new = present.active;
    q->partial.open = (int)q->candidates.axis_count;
    q->present.earliest = present.earliest;
    q->partial.rewound = false;
    if (present.is_enemys) {
        memset(q->present.required, 0, q->candidates.axis_count);
        q->present.rewind = REWIND_ALLOWED;
        if (!no_rewind)
            start(q, id);
        return;
    }
    for (uint32_t a = 0; a < q->candidates.axis_count; a++)
        q->present.required[a] = fived_turn_is_due(q, a, &present);
    q->present.rewind = REWIND_FORBIDDEN;
    if (!no_rewind || present.earliest >= fived_position_present(q->position))
        start(q, id);
    if (no_rewind || q->run.stop || q->present.active_new == 0)
        return;
    memset(q->present.required, 0, q->candidates.axis_count);
    q->present.rewind = REWIND_REQUIRED;
    q->present.max_new = least;
    if (!q->run.exists || least <= q->present.active_new)
        start(q, id);
}

PLY_SHARED void run(fived_turn_query *q, int min_new, bool no_rewind, search_start *start,
                    uint32_t id)
{
    q->run.total = 0;
    q->run.stop = q->royal_lost || q->status != PLY_OK;
    q->partial.key = 0;
    q->run.found = q->run.idle = q->run.idle_found = 0;
    if (q->run.distinct && q->run.seen.room)
        memset(q->run.seen.keys, 0, q->run.seen.room * sizeof *q->run.seen.keys);
    q->run.seen.count = 0;
    int settled = fived_turn_settled_count(q);
    for (int k = min_new; k <= q->candidates.max_new && !q->run.stop; k++) {
        bool rest = q->run.exists && k >= settled;
        search_with_new_timelines(q, k, rest ? q->candidates.max_new : k, no_rewind, start, id);
        if (rest)
            break;
    }
}

/*
 * Looks for one turn with limited effort, and very little once the position has proved hard. True:
 * the answer is in q->run.total. False: undecided.
 */
PLY_SHARED bool run_with_limit(fived_turn_query *q, int min_new, bool no_rewind,
                               search_start *start, uint32_t id)
{
    enum { EFFORT = 3000, EFFORT_IF_HARD = 100 };
    q->run.distinct = false;
    q->run.exists = true;
    q->run.visit = NULL;
    q->effort.spent = q->run.total = 0;
    q->effort.limit = q->effort.gave_up ? EFFORT_IF_HARD : EFFORT;
    if (q->effort.method == FIVED_METHOD_SEARCH)
        q->effort.limit = UINT64_MAX;
    if (q->effort.method == FIVED_METHOD_BOUNDED)
        q->effort.limit = q->effort.bound - q->effort.total;
    if (q->effort.method == FIVED_METHOD_SAT)
        return q->royal_lost;
    bool gave_up = q->effort.gave_up;
    q->effort.gave_up = false;
    run(q, min_new, no_rewind, start, id);
    bool done = !q->effort.gave_up || q->interrupt.raised;
    q->effort.gave_up |= gave_up;
    q->effort.total += q->effort.spent;
    if (q->effort.method != FIVED_METHOD_BOUNDED)
        return done;
    q->effort.gave_up |= q->effort.total > q->effort.bound;
    return true;
}

/* Whether an axis that must be played has no value left at a level. */
PLY_SHARED bool is_dead_end(const fived_turn_query *q, uint32_t level)
{
    const fived_domain *d = q->domains.levels[level];
    for (uint32_t a = 0; a < q->candidates.axis_count; a++)
        if (q->present.required[a] && q->partial.state[a] == AXIS_OPEN && !d[a].count &&
            !d[a].leave && !fived_turn_has_hop_onto(q, d, a))
            return true;
    return false;
}

PLY_SHARED void from_root(fived_turn_query *q, uint32_t id)
{
    (void)id;
    if (is_dead_end(q, 0))
        return;
    if (q->run.exists)
        fived_turn_dive(q, 0);
    if (!q->run.stop)
        fived_turn_search(q, 0);
}

/* The first move is in place at a level. */
PLY_SHARED void from_first_move(fived_turn_query *q, uint32_t level)
{
    int decided = level == 2 ? 2 : 1; /* a hop decides two axes */
    if (is_dead_end(q, level))
        return;
    q->partial.open -= decided;
    fived_turn_dive(q, level);
    fived_turn_search(q, level);
    q->partial.open += decided;
}

PLY_HD_EXTERN uint64_t fived_turn_query_count(fived_turn_query *q, bool distinct)
{
    q->run.distinct = distinct;
    q->run.exists = false;
    q->run.visit = NULL;
    run(q, 0, false, from_root, 0);
    return q->run.total;
}

PLY_HD_EXTERN void fived_turn_query_each(fived_turn_query *q, bool distinct,
                                         fived_turn_visitor *visit, void *context)
{
    q->run.distinct = distinct;
    q->run.exists = false;
    q->run.visit = visit;
    q->run.context = context;
    run(q, 0, false, from_root, 0);
}

PLY_HD_EXTERN bool fived_turn_query_exists(fived_turn_query *q, bool no_rewind)
{
    if (run_with_limit(q, 0, no_rewind, from_root, 0))
        return q->run.total > 0;
    return fived_turn_sat_exists(q, no_rewind);
}

/* Whether a legal turn continues the first move in place; *done: the answer is certain. */
PLY_SHARED bool continues(fived_turn_query *q, uint32_t level, bool *done)
{
    *done = q->run.stop || run_with_limit(q, 0, false, from_first_move, level);
    return q->run.total > 0;
}

PLY_SHARED bool physical_begins_turn(fived_turn_query *q, uint32_t id, bool *done)
{
    uint32_t a = q->candidates.physical[id].axis, ids = q->domains.id_count;
    const fived_physical *m = &q->candidates.physical[id];
    if (!fived_turn_physical_fits(&q->candidates.axes[a], &q->domains.levels[0][a], m))
        return false;
    fived_board_after(&q->partial.boards[a], q->candidates.axes[a].board, m->from_square,
                      m->to_square, (fived_kind)m->promotion);
    q->partial.state[a] = AXIS_DONE;
    fived_turn_push_choice(q, FIVED_PHYSICAL, id);
    fived_turn_place_board(q, 0, a);
    bool found = continues(q, 1, done);
    fived_turn_remove_board(q, a);
    q->partial.choice_count--;
    q->partial.state[a] = AXIS_OPEN;
    q->domains.id_count = ids;
    return found;
}

PLY_SHARED bool hop_begins_turn(fived_turn_query *q, uint32_t id, bool *done)
{
    const fived_jump *j = &q->candidates.jumps[id];
    uint32_t a = (uint32_t)j->source, to = (uint32_t)j->destination, ids = q->domains.id_count;
    bool found = false;
    if (!(q->domains.levels[0][a].leave & ply_bit(j->from_square)))
        return false;
    q->partial.state[a] = AXIS_DONE;
    fived_turn_place_leave(q, 0, a, j->from_square);
    if (!q->run.stop &&
        fived_turn_arrival_fits(&q->candidates.axes[to], &q->domains.levels[1][to], j)) {
        fived_piece piece = q->candidates.axes[a].board->square[j->from_square];
        fived_board_arrive(&q->partial.boards[to], j->target, j->to_square, piece,
                           (fived_kind)j->promotion);
        q->partial.state[to] = AXIS_DONE;
        fived_turn_push_choice(q, FIVED_HOP, id);
        fived_turn_place_board(q, 1, to);
        found = continues(q, 2, done);
        fived_turn_remove_board(q, to);
        q->partial.choice_count--;
        q->partial.state[to] = AXIS_OPEN;
    }
    fived_turn_remove_board(q, a);
    q->partial.state[a] = AXIS_OPEN;
    q->domains.id_count = ids;
    return found;
}

/* The board that a branch leaves is in place. */
PLY_SHARED void from_branch(fived_turn_query *q, uint32_t id)
{
    if (is_dead_end(q, 1))
        return;
    q->partial.open--;
    fived_turn_try_branches(q, 1, (uint32_t)q->candidates.jumps[id].source, id, id + 1, 0);
    q->partial.open++;
}

PLY_SHARED bool branch_begins_turn(fived_turn_query *q, uint32_t id, bool *done)
{
    const fived_jump *j = &q->candidates.jumps[id];
    uint32_t a = (uint32_t)j->source, ids = q->domains.id_count;
    if (!(q->domains.levels[0][a].leave & ply_bit(j->from_square)))
        return false;
    q->partial.state[a] = AXIS_DONE;
    fived_turn_place_leave(q, 0, a, j->from_square);
    *done = q->run.stop || run_with_limit(q, 1, false, from_branch, id);
    fived_turn_remove_board(q, a);
    q->partial.state[a] = AXIS_OPEN;
    q->domains.id_count = ids;
    return q->run.total > 0;
}

PLY_HD_EXTERN bool fived_turn_query_is_viable(fived_turn_query *q, bool is_jump, uint32_t id)
{
    bool done = true, found = false;
    if (q->royal_lost || q->status != PLY_OK ||
        (q->effort.method == FIVED_METHOD_BOUNDED && q->effort.gave_up))
        return false;
    q->run.stop = false;
    q->run.total = 0;
    if (q->effort.method == FIVED_METHOD_SAT)
        done = false;
    else if (!is_jump)
        found = physical_begins_turn(q, id, &done);
    else if (q->candidates.jumps[id].destination >= 0)
        found = hop_begins_turn(q, id, &done);
    else
        found = branch_begins_turn(q, id, &done);
    return done ? found : fived_turn_sat_is_viable(q, is_jump, id);
}

PLY_HD_EXTERN bool fived_turn_query_in_check(fived_turn_query *q)
{
    if (q->royal_lost)
        return true;
    const fived_position *p = q->position;
    const fived_candidates *c = &q->candidates;
    int present = fived_position_present(p), lo, hi;
    bool all = q->rules->option[FIVED_OPTION_CHECK_PASS] == FIVED_PASS_ALL;
    fived_active_range(p, p->hi - p->start_hi, p->start_lo - p->lo, &lo, &hi);
    for (uint32_t a = 0; a < c->axis_count; a++) {
        const fived_axis *axis = &c->axes[a];
        if (all || (axis->v == present && axis->l >= lo && axis->l <= hi))
            fived_turn_view_timeline(q, axis->l)->extra = axis->board;
    }
    bool check = fived_view_in_check(&q->view);
    for (uint32_t a = 0; a < c->axis_count; a++)
        fived_turn_view_timeline(q, c->axes[a].l)->extra = NULL;
    return check;
}

PLY_HD_EXTERN bool fived_turn_query_may_submit(const fived_turn_query *q)
{
    const fived_position *p = q->position;
    return (fived_position_present(p) & 1) != p->side && !q->royal_lost;
}

PLY_HD_EXTERN ply_outcome fived_turn_query_no_turn(fived_turn_query *q)
{
    if (fived_turn_query_in_check(q))
        return ply_outcome_win(!q->position->side, "checkmate");
    ply_outcome stalemate = {PLY_DRAW, "stalemate"};
    return stalemate;
}

PLY_HD_EXTERN ply_outcome fived_turn_query_outcome(fived_turn_query *q)
{
    ply_outcome ongoing = {PLY_ONGOING, NULL};
    return fived_turn_query_exists(q, false) || q->status != PLY_OK ? ongoing
                                                                    : fived_turn_query_no_turn(q);
}
