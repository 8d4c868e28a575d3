/* SPDX-License-Identifier: MIT */
/* turn_search.c - the backtracking search for legal turns; see turn_query.h. */
#include "games/fived/turns/turn_sat.h"
#include "games/fived/turns/turns_internal.h"
#include <string.h>

/* Whether a piece on one slot could attack, or slide through, the other. */
PLY_HD bool related(int l1, int v1, int l2, int v2)
{
    int l = l1 > l2 ? l1 - l2 : l2 - l1, t = (v1 > v2 ? v1 - v2 : v2 - v1) / 2;
    return l == 0 || t == 0 || l == t || (l == 1 && t == 2) || (l == 2 && t == 1);
}

PLY_HD_EXTERN bool fived_turn_has_hop_onto(const fived_turn_query *q, const fived_domain *d,
                                           uint32_t number)
{
    const fived_axis *a = &q->candidates.axes[number];
    for (uint32_t i = 0; i < a->hop_count; i++) {
        const fived_jump *j = &q->candidates.jumps[q->candidates.hop_index[a->hop + i]];
        if (q->partial.state[j->source] == AXIS_OPEN &&
            (d[j->source].leave & ply_bit(j->from_square)) &&
            fived_turn_arrival_fits(a, &d[number], j))
            return true;
    }
    return false;
}

PLY_HD_EXTERN bool fived_turn_propagate(fived_turn_query *q, uint32_t level, int l, int v)
{
    fived_domain *next = fived_turn_level(q, level + 1);
    if (!next) {
        fived_turn_out_of_memory(q);
        return false;
    }
    const fived_domain *d = q->domains.levels[level];
    q->effort.spent++;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        if (q->partial.state[a] != AXIS_OPEN)
            continue;
        if (!related(l, v, q->candidates.axes[a].l, q->candidates.axes[a].v + 1)) {
            next[a] = d[a];
            continue;
        }
        fived_turn_filter_domain(q, a, &d[a], &next[a]);
        if (q->run.stop)
            return false;
    }
    for (uint32_t a = 0; a < q->candidates.axis_count; a++)
        if (q->partial.state[a] == AXIS_OPEN && (q->present.required[a] || q->partial.must[a]) &&
            !next[a].count && !next[a].leave && !fived_turn_has_hop_onto(q, next, a)) {
            q->candidates.axes[a].weight++;
            return false;
        }
    return true;
}

PLY_HD_EXTERN bool fived_turn_place_board(fived_turn_query *q, uint32_t level, uint32_t a)
{
    fived_axis *axis = &q->candidates.axes[a];
    fived_turn_view_timeline(q, axis->l)->extra = &q->partial.boards[a];
    q->partial.key += fived_board_key(q->partial.boards[a].hash, axis->l, axis->v + 1);
    return fived_turn_propagate(q, level, axis->l, axis->v + 1);
}

PLY_HD_EXTERN void fived_turn_remove_board(fived_turn_query *q, uint32_t a)
{
    fived_axis *axis = &q->candidates.axes[a];
    fived_turn_view_timeline(q, axis->l)->extra = NULL;
    q->partial.key -= fived_board_key(q->partial.boards[a].hash, axis->l, axis->v + 1);
}

/* --- turns found ---------------------------------------------------------------------------- */
/* The timeline by which a move is sorted when a turn is written. */
PLY_SHARED int sort_timeline(const fived_turn_query *q, fived_choice c)
{
    return c.type == FIVED_PHYSICAL ? q->candidates.axes[q->candidates.physical[c.id].axis].l
                                    : q->candidates.jumps[c.id].l;
}

/*
 * Moves that do not branch come first, sorted by target timeline (upwards for White, downwards for
 * Black), then the branches in their order, then the submit.
 */
PLY_HD_EXTERN size_t fived_turn_write_moves(fived_turn_query *q)
{
    fived_choice *c = q->partial.choices;
    ply_move *out = q->partial.moves;
    size_t count = 0;
    for (uint32_t i = 0; i < q->partial.choice_count; i++) {
        if (c[i].type == FIVED_BRANCH)
            continue;
        ply_move move = c[i].type == FIVED_PHYSICAL ? fived_physical_move(q, c[i].id)
                                                    : fived_jump_move(q, c[i].id);
        int timeline = sort_timeline(q, c[i]);
        size_t at = count++;
        for (; at > 0; at--) {
            int before = fived_move_to(out[at - 1]).l;
            if (q->view.side ? before >= timeline : before <= timeline)
                break;
            out[at] = out[at - 1];
        }
        out[at] = move;
    }
    size_t branches = 0;
    for (uint32_t i = 0; i < q->partial.choice_count; i++)
        if (c[i].type == FIVED_BRANCH)
            branches++;
    for (uint32_t i = 0, k = 0; i < q->partial.choice_count; i++) {
        if (c[i].type != FIVED_BRANCH)
            continue;
        /* A search for existence gives new timelines their boards out of order. */
        int n = q->partial.new_timeline[q->candidates.jumps[c[i].id].source];
        out[count + (n >= 0 ? (uint32_t)n : k)] = fived_jump_move(q, c[i].id);
        k++;
    }
    count += branches;
    out[count++] = FIVED_SUBMIT;
    return count;
}

/* The turn under construction is complete and legal. */
PLY_SHARED void turn_found(fived_turn_query *q)
{
    q->run.found++;
    if (q->run.exists) {
        for (uint32_t i = 0; i < q->partial.choice_count; i++)
            if (q->partial.choices[i].type == FIVED_PHYSICAL)
                q->domains.preferred[q->candidates.physical[q->partial.choices[i].id].axis] =
                    q->partial.choices[i].id;
        if (q->marks.mode == MARK_ALL)
            fived_turn_mark_replacements(q);
        if (q->witness.wanted)
            fived_turn_save_witness(q);
        q->run.total = 1;
        q->run.stop = true;
        return;
    }
    if (q->run.distinct && !fived_turn_add_result(q, q->partial.key))
        return;
    q->run.total++;
    if (q->run.visit && !q->run.visit(q->run.context, q->partial.moves, fived_turn_write_moves(q)))
        q->run.stop = true;
}

/* --- trying the values of an axis ----------------------------------------------------------- */
PLY_SHARED void try_physical(fived_turn_query *q, uint32_t level, uint32_t a)
{
    const fived_axis *axis = &q->candidates.axes[a];
    fived_domain d = q->domains.levels[level][a];
    if (q->partial.open == 0 && q->partial.filled_count == q->present.max_new &&
        fived_turn_counts_only(q)) {
        q->run.total += d.count;
        q->run.found += d.count;
        return;
    }
    uint32_t preferred = q->domains.preferred[a];
    bool prefers = q->run.exists && preferred != UINT32_MAX &&
                   fived_turn_physical_fits(axis, &d, &q->candidates.physical[preferred]);
    for (uint32_t i = 0; i < d.count + prefers && !q->run.stop; i++) {
        uint32_t id = prefers && i == 0 ? preferred : q->domains.ids[d.ids + i - prefers];
        uint32_t ids = q->domains.id_count;
        const fived_physical *m = &q->candidates.physical[id];
        if (prefers && i > 0 && id == preferred)
            continue;
        fived_board_after(&q->partial.boards[a], axis->board, m->from_square, m->to_square,
                          (fived_kind)m->promotion);
        fived_turn_push_choice(q, FIVED_PHYSICAL, id);
        if (fived_turn_place_board(q, level, a))
            fived_turn_search(q, level + 1);
        fived_turn_remove_board(q, a);
        q->partial.choice_count--;
        q->domains.id_count = ids;
    }
}

/* The board that a hop leaves is in place at `level`: tries its arrival. */
PLY_SHARED void try_arrival(fived_turn_query *q, uint32_t level, uint32_t id)
{
    const fived_jump *j = &q->candidates.jumps[id];
    uint32_t to = (uint32_t)j->destination, ids = q->domains.id_count;
    if (!fived_turn_arrival_fits(&q->candidates.axes[to], &q->domains.levels[level][to], j))
        return;
    fived_piece piece = q->candidates.axes[j->source].board->square[j->from_square];
    fived_board_arrive(&q->partial.boards[to], j->target, j->to_square, piece,
                       (fived_kind)j->promotion);
    q->partial.state[to] = AXIS_DONE;
    q->partial.open--;
    fived_turn_push_choice(q, FIVED_HOP, id);
    if (fived_turn_place_board(q, level, to))
        fived_turn_search(q, level + 1);
    fived_turn_remove_board(q, to);
    q->partial.choice_count--;
    q->partial.state[to] = AXIS_OPEN;
    q->partial.open++;
    q->domains.id_count = ids;
}

PLY_HD_EXTERN bool fived_turn_place_leave(fived_turn_query *q, uint32_t level, uint32_t a,
                                          int square)
{
    fived_board_leave(&q->partial.boards[a], q->candidates.axes[a].board, square);
    return fived_turn_place_board(q, level, a);
}

/* Tries to leave the axis, which is AXIS_DONE by now: by a hop, or by a branch chosen later. */
PLY_SHARED void try_leaving(fived_turn_query *q, uint32_t level, uint32_t a)
{
    const fived_axis *axis = &q->candidates.axes[a];
    uint64_t leave = q->domains.levels[level][a].leave;
    bool branches = q->present.max_new - q->partial.filled_count > q->partial.waiting &&
                    fived_turn_free_timeline(q, 0) < q->partial.limit[a];
    for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count && !q->run.stop; i = end) {
        end = fived_turn_jump_group_end(q, axis, i);
        int square = q->candidates.jumps[i].from_square;
        if (!(leave & ply_bit(square)))
            continue;
        bool hops = false;
        const fived_domain *d = q->domains.levels[level];
        for (uint32_t k = i; k < end && !hops; k++) {
            int to = q->candidates.jumps[k].destination;
            hops =
                to >= 0 && q->partial.state[to] == AXIS_OPEN &&
                fived_turn_arrival_fits(&q->candidates.axes[to], &d[to], &q->candidates.jumps[k]);
        }
        if (!hops && !branches)
            continue;
        uint32_t ids = q->domains.id_count;
        bool fits = fived_turn_place_leave(q, level, a, square);
        if (fits && branches) {
            q->partial.state[a] = AXIS_WAITING;
            q->partial.left_from[a] = (uint8_t)square;
            q->partial.waiting++;
            fived_turn_search(q, level + 1);
            q->partial.waiting--;
            q->partial.state[a] = AXIS_DONE;
        }
        /* An arrival may save an axis that has no value left after the leave alone. */
        for (uint32_t k = i; hops && k < end && !q->run.stop; k++) {
            int to = q->candidates.jumps[k].destination;
            if (to >= 0 && q->partial.state[to] == AXIS_OPEN)
                try_arrival(q, level + 1, k);
        }
        fived_turn_remove_board(q, a);
        q->domains.id_count = ids;
    }
}

/* Hops onto the axis, which is still AXIS_OPEN. */
PLY_SHARED void try_hops_onto(fived_turn_query *q, uint32_t level, uint32_t a)
{
    const fived_axis *axis = &q->candidates.axes[a];
    for (uint32_t i = 0; i < axis->hop_count && !q->run.stop; i++) {
        uint32_t id = q->candidates.hop_index[axis->hop + i];
        const fived_jump *j = &q->candidates.jumps[id];
        uint32_t from = (uint32_t)j->source, ids = q->domains.id_count;
        const fived_domain *d = q->domains.levels[level];
        if (q->partial.state[from] != AXIS_OPEN || !(d[from].leave & ply_bit(j->from_square)) ||
            !fived_turn_arrival_fits(axis, &d[a], j))
            continue;
        q->partial.state[from] = AXIS_DONE;
        q->partial.open--;
        fived_turn_place_leave(q, level, from, j->from_square);
        if (!q->run.stop)
            try_arrival(q, level + 1, id);
        fived_turn_remove_board(q, from);
        q->partial.state[from] = AXIS_OPEN;
        q->partial.open++;
        q->domains.id_count = ids;
    }
}

PLY_SHARED void try_axis(fived_turn_query *q, uint32_t level, uint32_t a)
{
    bool may_pass = !q->present.required[a] && !q->partial.must[a];
    q->partial.state[a] = AXIS_DONE;
    q->partial.open--;
    try_physical(q, level, a);
    q->partial.state[a] = AXIS_OPEN;
    q->partial.open++;
    if (!q->run.stop)
        try_hops_onto(q, level, a);
    if (q->run.stop)
        return;
    q->partial.state[a] = AXIS_DONE;
    q->partial.open--;
    if (q->partial.open > 0 || q->partial.filled_count < q->present.max_new)
        try_leaving(q, level, a);
    if (!q->run.stop && may_pass)
        fived_turn_search(q, level);
    q->partial.state[a] = AXIS_OPEN;
    q->partial.open++;
}

/* --- the search ----------------------------------------------------------------------------- */
/*
 * The axis to try next, or -1. Where only existence matters, axes that need not be played pass and
 * are not considered. *size: roughly the number of values it has.
 */
PLY_SHARED int pick_axis(const fived_turn_query *q, const fived_domain *d, uint32_t *size)
{
    int best = -1;
    uint64_t best_weight = 1;
    *size = UINT32_MAX;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        if (q->partial.state[a] != AXIS_OPEN)
            continue;
        bool bound = q->present.required[a] || q->partial.must[a];
        if (q->run.exists && !bound)
            continue;
        uint32_t values = d[a].count + (uint32_t)ply_popcount(d[a].leave) + !bound;
        uint64_t weight = q->candidates.axes[a].weight + 1;
        if (best < 0 || (uint64_t)values * best_weight < (uint64_t)*size * weight) {
            best = (int)a;
            best_weight = weight;
            *size = values;
        }
    }
    return best;
}

/* One step of listing all turns: new timelines in their order, then axes. */
PLY_SHARED void list_step(fived_turn_query *q, uint32_t level)
{
    uint32_t size;
    int axis = pick_axis(q, q->domains.levels[level], &size);
    bool gaps = q->partial.filled_count < q->present.max_new;
    if (gaps && q->present.rewind == REWIND_REQUIRED && !q->partial.rewound &&
        !fived_turn_rewind_possible(q))
        return;
    if (gaps && (axis < 0 || size > 2))
        fived_turn_try_new_timeline(q, level, q->partial.filled_count);
    else if (axis >= 0)
        try_axis(q, level, (uint32_t)axis);
    else if (q->present.rewind != REWIND_REQUIRED || q->partial.rewound)
        turn_found(q);
}

/* One step of looking for one turn: first what the turn needs, last what only fills gaps. */
PLY_SHARED void existence_step(fived_turn_query *q, uint32_t level)
{
    int waiting = -1;
    for (uint32_t a = 0; q->partial.waiting > 0 && a < q->candidates.axis_count; a++)
        if (q->partial.state[a] == AXIS_WAITING) {
            if (!fived_turn_can_branch(q, a)) {
                q->candidates.axes[a].weight++;
                return;
            }
            waiting = (int)a;
        }
    uint32_t size;
    int axis = pick_axis(q, q->domains.levels[level], &size);
    if (q->present.rewind == REWIND_REQUIRED && !q->partial.rewound) {
        int n = q->present.max_new -
                1; /* nothing is needed after the one that moves the present back */
        if (!q->partial.filled[n] && fived_turn_rewind_possible(q))
            fived_turn_try_new_timeline(q, level, n);
    } else if (axis >= 0) {
        try_axis(q, level, (uint32_t)axis);
    } else if (waiting >= 0) {
        for (int n = fived_turn_free_timeline(q, 0);
             n < q->present.max_new && n < q->partial.limit[waiting] && !q->run.stop;
             n = fived_turn_free_timeline(q, n + 1))
            fived_turn_try_new_timeline_from(q, level, (uint32_t)waiting, n);
    } else {
        int n = fived_turn_free_timeline(q, 0), highest = q->present.max_new - 1;
        while (highest >= q->present.min_new && !q->partial.filled[highest])
            highest--;
        if (n > highest)
            turn_found(q);
        else if (fived_turn_can_fill_gaps(q, q->domains.levels[level], highest))
            fived_turn_try_new_timeline(q, level, n);
    }
}

PLY_HD_EXTERN void fived_turn_dive(fived_turn_query *q, uint32_t level)
{
    uint32_t first_choice = q->partial.choice_count, ids = q->domains.id_count;
    bool fits = true;
    if (q->present.min_new > 0 || q->present.rewind != REWIND_FORBIDDEN || q->partial.waiting > 0)
        return;
    for (uint32_t a = 0; a < q->candidates.axis_count && fits; a++) {
        const fived_axis *axis = &q->candidates.axes[a];
        if (q->partial.state[a] != AXIS_OPEN || !(q->present.required[a] || q->partial.must[a]))
            continue;
        fived_domain d;
        fived_turn_filter_domain(q, a, &q->domains.levels[level][a], &d);
        fits = d.count > 0 && !q->run.stop;
        if (!fits)
            break;
        uint32_t id = q->domains.ids[d.ids];
        const fived_physical *m = &q->candidates.physical[id];
        q->domains.id_count = ids;
        fived_board_after(&q->partial.boards[a], axis->board, m->from_square, m->to_square,
                          (fived_kind)m->promotion);
        fived_turn_view_timeline(q, axis->l)->extra = &q->partial.boards[a];
        q->partial.state[a] = AXIS_DONE;
        q->partial.open--;
        fived_turn_push_choice(q, FIVED_PHYSICAL, id);
    }
    if (fits)
        turn_found(q);
    while (q->partial.choice_count > first_choice) {
        uint32_t id = q->partial.choices[--q->partial.choice_count].id;
        uint32_t a = q->candidates.physical[id].axis;
        fived_turn_view_timeline(q, q->candidates.axes[a].l)->extra = NULL;
        q->partial.state[a] = AXIS_OPEN;
        q->partial.open++;
    }
    q->domains.id_count = ids;
}

PLY_HD_EXTERN bool fived_turn_interrupted(fived_turn_query *q)
{
    enum { POLL_INTERVAL = 32 };
    if (q->interrupt.poll && q->interrupt.steps++ % POLL_INTERVAL == POLL_INTERVAL - 1 &&
        q->interrupt.poll(q->interrupt.context))
        q->interrupt.raised = q->run.stop = true;
    return q->interrupt.raised;
}

/*
 * Whether the listing has found nothing for a while and the SAT solver says it never will from
 * here.
 */
PLY_SHARED bool never_completes(fived_turn_query *q)
{
    enum { PATIENCE = 1000 };
    if (q->effort.method != FIVED_METHOD_MIXED)
        return q->effort.method == FIVED_METHOD_SAT && !fived_turn_sat_can_complete(q);
    if (q->run.found != q->run.idle_found) {
        q->run.idle_found = q->run.found;
        q->run.idle = 0;
    }
    return ++q->run.idle > PATIENCE && !fived_turn_sat_can_complete(q);
}

PLY_HD_EXTERN void fived_turn_search(fived_turn_query *q, uint32_t level)
{
    if (q->run.stop)
        return;
    if (!q->run.exists) {
        if (!never_completes(q))
            list_step(q, level);
    } else if (q->effort.spent > q->effort.limit) {
        q->effort.gave_up = q->run.stop = true;
    } else if (!fived_turn_interrupted(q)) {
        existence_step(q, level);
    }
}
