/* SPDX-License-Identifier: MIT */
/*
 * viable_moves.c - which single moves begin a legal turn.
 *
 * First one legal turn is found. A move that can replace what its board does in that turn, with all
 * other boards left alone, begins a legal turn too; a few masks decide that. The remaining moves
 * are searched one by one. A turn that the SAT solver had to find is expensive, so it is searched
 * for replacements as well.
 */
#include "games/fived/turns/turns_internal.h"
#include <string.h>

/* The masks of an axis as the view stands; the values are left out. */
PLY_SHARED fived_domain domain_of(const fived_turn_query *q, uint32_t number)
{
    const fived_axis *a = &q->candidates.axes[number];
    fived_threats m = fived_view_threats(&q->view, a->l, a->v + 1, a->board);
    return (fived_domain){.attackers = m.attackers, .attacked = m.attacked, .between = m.between};
}

PLY_HD_EXTERN void fived_turn_save_witness(fived_turn_query *q)
{
    const fived_choice *c = q->partial.choices;
    q->partial.move_count = fived_turn_write_moves(q);
    uint32_t count = 0;
    for (uint32_t i = 0; i < q->partial.choice_count; i++)
        if (c[i].type != FIVED_BRANCH)
            q->witness.choices[count++] = c[i];
    q->witness.choice_count = q->partial.choice_count;
    for (uint32_t i = 0, k = 0; i < q->partial.choice_count; i++)
        if (c[i].type == FIVED_BRANCH) {
            int n = q->partial.new_timeline[q->candidates.jumps[c[i].id].source];
            q->witness.choices[count + (n >= 0 ? (uint32_t)n : k)] = c[i];
            k++;
        }
    if (!q->witness.domains_wanted)
        return;
    memset(q->witness.replaceable, 1, q->candidates.axis_count);
    for (uint32_t i = 0; i < q->partial.choice_count; i++)
        if (c[i].type != FIVED_PHYSICAL) {
            const fived_jump *j = &q->candidates.jumps[c[i].id];
            q->witness.replaceable[j->source] = 0;
            if (c[i].type == FIVED_HOP)
                q->witness.replaceable[j->destination] = 0;
        }
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        fived_view_timeline *timeline = fived_turn_view_timeline(q, q->candidates.axes[a].l);
        const fived_board *board = timeline->extra;
        if (!q->witness.replaceable[a])
            continue;
        timeline->extra = NULL;
        q->witness.domains[a] = domain_of(q, a);
        timeline->extra = board;
    }
}

/* Whether the turn may still be submitted if axis a instead leaves by a branch to v. */
PLY_SHARED bool present_allows(const fived_turn_query *q, uint32_t a, int v)
{
    const fived_position *p = q->position;
    int lo, hi, white = p->hi - p->start_hi, black = p->start_lo - p->lo;
    fived_active_range(p, white + !p->side, black + p->side, &lo, &hi);
    int timeline = fived_turn_new_timeline(q, 0),
        least = timeline >= lo && timeline <= hi ? v : FIVED_NOWHERE;
    for (int l = lo > p->lo ? lo : p->lo; l <= hi && l <= p->hi; l++) {
        int end = fived_position_timeline(p, l)->end,
            axis = q->candidates.axis_of[l - q->view.base];
        if (axis >= 0 && ((uint32_t)axis == a || q->view.timelines[l - q->view.base].extra))
            end++;
        least = end < least ? end : least;
    }
    return (least & 1) != p->side;
}

/* Whether all of the jumps first..end-1 are marked. */
PLY_SHARED bool all_marked(const fived_turn_query *q, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (!q->marks.viable[q->candidates.physical_count + i])
            return false;
    return true;
}

/* Whether some candidate of the axis is not marked yet. */
PLY_SHARED bool has_unmarked(const fived_turn_query *q, uint32_t a)
{
    const fived_axis *axis = &q->candidates.axes[a];
    const fived_domain *root = &q->domains.levels[0][a];
    for (uint32_t i = 0; i < root->count; i++)
        if (!q->marks.viable[q->domains.ids[root->ids + i]])
            return true;
    for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
        if ((root->leave & ply_bit(q->candidates.jumps[i].from_square)) &&
            !q->marks.viable[q->candidates.physical_count + i])
            return true;
    return false;
}

/* --- replacements --------------------------------------------------------------------------- */
/* The turn in place, as the search for replacements sees it. */
typedef struct turn_in_place {
    uint8_t *jumping; /* by axis: a jump of the turn leaves it or lands on it */
    bool branches;    /* the turn creates a new timeline */
} turn_in_place;

PLY_SHARED turn_in_place describe_turn(fived_turn_query *q)
{
    /* No axis is waiting in a complete turn, so left_from is free. */
    turn_in_place turn = {.jumping = q->partial.left_from};
    memset(turn.jumping, 0, q->candidates.axis_count);
    for (uint32_t i = 0; i < q->partial.choice_count; i++) {
        fived_choice choice = q->partial.choices[i];
        if (choice.type == FIVED_PHYSICAL)
            continue;
        const fived_jump *j = &q->candidates.jumps[choice.id];
        turn.jumping[j->source] = 1;
        if (choice.type == FIVED_HOP)
            turn.jumping[j->destination] = 1;
        else
            turn.branches = true;
    }
    return turn;
}

PLY_SHARED void mark_physical(fived_turn_query *q, uint32_t a, const fived_domain *d)
{
    const fived_axis *axis = &q->candidates.axes[a];
    const fived_domain *root = &q->domains.levels[0][a];
    for (uint32_t i = 0; i < root->count; i++) {
        uint32_t id = q->domains.ids[root->ids + i];
        q->marks.viable[id] |= fived_turn_physical_fits(axis, d, &q->candidates.physical[id]);
    }
}

/* The slot of an axis with its own board of the turn taken away. */
PLY_SHARED fived_domain domain_without_board(fived_turn_query *q, uint32_t a)
{
    fived_view_timeline *timeline = fived_turn_view_timeline(q, q->candidates.axes[a].l);
    const fived_board *board = timeline->extra;
    timeline->extra = NULL;
    fived_domain d = domain_of(q, a);
    timeline->extra = board;
    return d;
}

/* Axis a has been left: marks the jumps first..end-1, all from one square, that are safe. */
PLY_SHARED void mark_jumps(fived_turn_query *q, const turn_in_place *turn, uint32_t a,
                           uint32_t first, uint32_t end)
{
    uint8_t *viable = q->marks.viable + q->candidates.physical_count;
    fived_slot_cache slots = {.count = 0};
    fived_domain target = {0};
    int target_axis = -1; /* whose domain is in `target` */
    for (uint32_t i = first; i < end; i++) {
        const fived_jump *j = &q->candidates.jumps[i];
        int to = j->destination;
        if (to >= 0 && !turn->jumping[to]) {
            if (target_axis != to)
                target = domain_without_board(q, (uint32_t)to);
            target_axis = to;
            viable[i] |= fived_turn_arrival_fits(&q->candidates.axes[to], &target, j);
        } else if (to < 0 && !turn->branches && present_allows(q, a, j->v + 1)) {
            int l = fived_turn_new_timeline(q, 0);
            viable[i] |=
                fived_turn_branch_fits(q, j, fived_turn_slot_masks(q, &slots, l, j->v + 1));
        }
    }
}

/* Leaves the axis from each possible square and marks the jumps. Overwrites the axis's board. */
PLY_SHARED void mark_leaving(fived_turn_query *q, const turn_in_place *turn, uint32_t a,
                             const fived_domain *d)
{
    const fived_axis *axis = &q->candidates.axes[a];
    fived_view_timeline *timeline = fived_turn_view_timeline(q, axis->l);
    uint64_t leave = q->domains.levels[0][a].leave;
    for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count; i = end) {
        end = fived_turn_jump_group_end(q, axis, i);
        int square = q->candidates.jumps[i].from_square;
        uint64_t from = ply_bit(square);
        if (!(leave & from) || !fived_turn_leave_fits(axis, d, from) || all_marked(q, i, end))
            continue;
        fived_board_leave(&q->partial.boards[a], axis->board, square);
        timeline->extra = &q->partial.boards[a];
        mark_jumps(q, turn, a, i, end);
        timeline->extra = NULL;
    }
}

/* Builds the board of the axis again if the turn has a physical move there. */
PLY_SHARED void restore_board(fived_turn_query *q, uint32_t a)
{
    for (uint32_t i = 0; i < q->partial.choice_count; i++) {
        fived_choice choice = q->partial.choices[i];
        const fived_physical *m = &q->candidates.physical[choice.id];
        if (choice.type == FIVED_PHYSICAL && m->axis == a)
            fived_board_after(&q->partial.boards[a], q->candidates.axes[a].board, m->from_square,
                              m->to_square, (fived_kind)m->promotion);
    }
}

PLY_HD_EXTERN void fived_turn_mark_replacements(fived_turn_query *q)
{
    turn_in_place turn = describe_turn(q);
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        fived_view_timeline *timeline = fived_turn_view_timeline(q, q->candidates.axes[a].l);
        const fived_board *board = timeline->extra;
        if (turn.jumping[a] || !has_unmarked(q, a))
            continue;
        timeline->extra = NULL;
        fived_domain d = domain_of(q, a);
        mark_physical(q, a, &d);
        mark_leaving(q, &turn, a, &d);
        timeline->extra = board;
        if (board)
            restore_board(q, a);
    }
}

PLY_HD_EXTERN bool fived_turn_query_mark_viable(fived_turn_query *q)
{
    size_t count = (size_t)q->candidates.physical_count + q->candidates.jump_count;
    if (q->royal_lost || q->status != PLY_OK)
        return false;
    if (!FIVED_GROW(q, q->marks.viable, q->marks.room, count + 1)) {
        fived_turn_out_of_memory(q);
        return false;
    }
    memset(q->marks.viable, 0, count);
    q->marks.mode = MARK_ALL;
    bool found = fived_turn_query_exists(q, false);
    q->marks.mode = found ? MARK_SAT : MARK_NONE;
    if (!found)
        return false;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        const fived_axis *axis = &q->candidates.axes[a];
        fived_domain d = q->domains.levels[0][a];
        for (uint32_t i = 0; i < d.count; i++) {
            uint32_t id = q->domains.ids[d.ids + i];
            if (!q->marks.viable[id])
                q->marks.viable[id] = fived_turn_query_is_viable(q, false, id);
        }
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            if ((d.leave & ply_bit(q->candidates.jumps[i].from_square)) &&
                !q->marks.viable[q->candidates.physical_count + i])
                q->marks.viable[q->candidates.physical_count + i] =
                    fived_turn_query_is_viable(q, true, i);
    }
    q->marks.mode = MARK_NONE;
    return q->status == PLY_OK;
}

PLY_HD_EXTERN void fived_turn_query_each_move(fived_turn_query *q, fived_move_visitor *visit,
                                              void *context)
{
    const fived_candidates *c = &q->candidates;
    if (!q->reuse.marked && !fived_turn_query_mark_viable(q))
        return;
    q->reuse.marked = true;
    for (uint32_t a = 0; a < c->axis_count; a++) {
        const fived_axis *axis = &c->axes[a];
        for (uint32_t i = axis->physical; i < axis->physical + axis->physical_count; i++)
            if (q->marks.viable[i] && !visit(context, fived_physical_move(q, i)))
                return;
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            if (q->marks.viable[c->physical_count + i] && !visit(context, fived_jump_move(q, i)))
                return;
    }
    if (fived_turn_query_may_submit(q))
        visit(context, FIVED_SUBMIT);
}
