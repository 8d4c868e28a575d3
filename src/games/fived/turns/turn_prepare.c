/* SPDX-License-Identifier: MIT */
/* turn_prepare.c - preparing a query: the view, the axes and their first domains. Compiled for
 * devices, too. */
#include "games/fived/turns/turns_internal.h"
#include <string.h>

PLY_HD_EXTERN void fived_turn_out_of_memory(fived_turn_query *q)
{
    q->status = PLY_NO_MEMORY;
    q->run.stop = true;
}

PLY_HD_EXTERN void fived_turn_filter_domain(fived_turn_query *q, uint32_t number,
                                            const fived_domain *before, fived_domain *d)
{
    const fived_axis *a = &q->candidates.axes[number];
    q->effort.spent++;
    fived_threats threats = fived_view_threats(&q->view, a->l, a->v + 1, a->board);
    d->attackers = threats.attackers;
    d->attacked = threats.attacked;
    d->between = threats.between;
    uint32_t count = before ? before->count : a->physical_count, kept = 0;
    uint32_t ids = before ? before->ids : 0;
    if (!FIVED_GROW(q, q->domains.ids, q->domains.id_room,
                    (size_t)q->domains.id_count + count + 1)) {
        d->count = 0;
        d->leave = 0;
        fived_turn_out_of_memory(q);
        return;
    }
    uint32_t *out = q->domains.ids + q->domains.id_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = before ? q->domains.ids[ids + i] : a->physical + i;
        out[kept] = id;
        kept += fived_turn_physical_fits(a, d, &q->candidates.physical[id]);
    }
    d->ids = q->domains.id_count;
    d->count = kept;
    q->domains.id_count += kept;
    d->leave = 0;
    for (uint64_t from = before ? before->leave : a->leave; from; from &= from - 1)
        if (fived_turn_leave_fits(a, d, from & -from))
            d->leave |= from & -from;
}

/* Sets up the view and the axes; returns the number of boards in the view. */
PLY_SHARED uint32_t view_position(fived_turn_query *q, int new_timelines)
{
    const fived_position *p = q->position;
    fived_candidates *c = &q->candidates;
    fived_view *w = &q->view;
    uint32_t boards = 0;
    w->base = p->side ? p->lo - new_timelines : p->lo;
    w->count = p->hi - p->lo + 1 + new_timelines;
    w->side = p->side;
    w->valid = p->valid;
    c->axis_count = 0;
    for (int i = 0; i < w->count; i++) {
        int l = w->base + i;
        c->axis_of[i] = -1;
        if (l < p->lo || l > p->hi) {
            w->timelines[i] = FIVED_NO_TIMELINE;
            continue;
        }
        const fived_timeline *timeline = fived_position_timeline(p, l);
        w->timelines[i] = (fived_view_timeline){
            .boards = timeline->boards, .start = timeline->start, .end = timeline->end};
        c->safe_base[i] = boards;
        boards += (uint32_t)(timeline->end - timeline->start + 1);
        if ((timeline->end & 1) != p->side)
            continue;
        c->axis_of[i] = (int)c->axis_count;
        c->axes[c->axis_count++] = (fived_axis){
            .board = timeline->boards[timeline->end - timeline->start], .l = l, .v = timeline->end};
    }
    return boards;
}

/* Puts every axis into its initial state and fills the domains of the root. */
PLY_SHARED ply_status init_axes(fived_turn_query *q)
{
    fived_domain *root = fived_turn_level(q, 0);
    if (!root)
        return PLY_NO_MEMORY;
    q->candidates.max_new = 0;
    q->run.stop = false;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        q->partial.state[a] = AXIS_OPEN;
        q->partial.must[a] = q->present.required[a] = 0;
        q->partial.new_timeline[a] = -1;
        q->partial.limit[a] = INT32_MAX;
        q->partial.filled[a] = 0;
        q->domains.preferred[a] = UINT32_MAX;
        fived_turn_filter_domain(q, a, NULL, &root[a]);
        q->candidates.max_new += root[a].leave != 0;
    }
    return q->status;
}

PLY_SHARED ply_status prepare_position(fived_turn_query *q)
{
    const fived_position *p = q->position;
    uint32_t axes = 0;
    for (int l = p->lo; l <= p->hi; l++)
        axes += (fived_position_timeline(p, l)->end & 1) == p->side;
    size_t timelines = (size_t)(p->hi - p->lo + 1) + axes;
    if (!fived_turn_reserve(q, timelines, p->board_count, axes))
        return PLY_NO_MEMORY;
    memset(q->candidates.safe, 0, view_position(q, (int)axes));
    q->royal_lost = fived_view_in_check(&q->view);
    if (q->royal_lost)
        return PLY_OK; /* no move can undo the threat: there is no legal turn */
    ply_status status = fived_turn_query_list_candidates(q);
    return status == PLY_OK ? init_axes(q) : status;
}

PLY_HD_EXTERN ply_status fived_turn_query_prepare(fived_turn_query *q, const ply_rules *rules,
                                                  const fived_position *p)
{
    q->rules = rules;
    q->position = p;
    q->status = PLY_OK;
    q->royal_lost = q->sat.ready = q->effort.gave_up = q->interrupt.raised = false;
    q->effort.total = 0;
    q->candidates.axis_count = q->candidates.physical_count = q->candidates.jump_count = 0;
    q->domains.id_count = q->partial.choice_count = 0;
    q->reuse.allowed = q->reuse.marked = false;
    q->status = prepare_position(q);
    return q->status;
}
