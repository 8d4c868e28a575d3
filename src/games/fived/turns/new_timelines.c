/* SPDX-License-Identifier: MIT */
/*
 * new_timelines.c - branches, which create new timelines.
 *
 * A search that lists turns gives new timelines their boards in order. A search for existence gives
 * the ones it needs their boards on any new timeline and fills the gaps afterwards.
 */
#include "games/fived/turns/turns_internal.h"

PLY_HD_EXTERN const fived_masks *fived_turn_slot_masks(const fived_turn_query *q,
                                                       fived_slot_cache *slots, int l, int v)
{
    for (int i = 0; i < slots->count && i < SLOT_CACHE; i++)
        if (slots->slot[i].v == v)
            return &slots->slot[i].masks;
    fived_cached_slot *slot = &slots->slot[slots->count++ % SLOT_CACHE];
    slot->v = v;
    fived_view_masks(&q->view, l, v, &slot->masks);
    return &slot->masks;
}

PLY_HD_EXTERN bool fived_turn_branch_fits(const fived_turn_query *q, const fived_jump *j,
                                          const fived_masks *m)
{
    const fived_board *b = j->target;
    int side = q->view.side;
    uint64_t to = ply_bit(j->to_square), royals = b->set[FIVED_ROYALS] & b->colour[side];
    uint64_t empty = q->view.valid & ~fived_board_occupied(b);
    return !(fived_masks_attackers(m, b, !side) & ~to) &&
           !((royals | (j->royal ? to : 0)) & m->attacked) && !(empty & ~to & m->between);
}

/* Whether the branch to new timeline n moves the present back. */
PLY_SHARED bool rewinds_present(const fived_turn_query *q, const fived_jump *j, int n)
{
    return n < q->present.active_new && j->v + 1 < q->present.earliest;
}

/* Whether a branch may create new timeline n, by the rules of order and of the present. */
PLY_SHARED bool branch_allowed(const fived_turn_query *q, const fived_jump *j, int n)
{
    int to = j->destination;
    if (to >= 0) {
        /* The end board must be played before the branch (or be promised); otherwise this is a hop. */
        if (q->partial.state[to] == AXIS_WAITING && !q->run.exists)
            return false;
        if (q->partial.state[to] == AXIS_DONE &&
            (!q->view.timelines[q->candidates.axes[to].l - q->view.base].extra ||
             q->partial.new_timeline[to] >= n))
            return false;
    }
    if (q->present.rewind == REWIND_FORBIDDEN)
        return !rewinds_present(q, j, n);
    if (q->present.rewind == REWIND_REQUIRED && !q->partial.rewound)
        return rewinds_present(q, j, n) ||
               (q->run.exists ? n + 1 < q->present.max_new : n + 1 < q->present.active_new);
    return true;
}

PLY_HD_EXTERN void fived_turn_try_branches(fived_turn_query *q, uint32_t level, uint32_t a,
                                           uint32_t first, uint32_t end, int n)
{
    int l = fived_turn_new_timeline(q, n);
    fived_slot_cache slots = {.count = 0};
    bool last = q->partial.open == 0 && q->partial.filled_count + 1 == q->present.max_new &&
                fived_turn_counts_only(q);
    for (uint32_t i = first; i < end && !q->run.stop; i++) {
        const fived_jump *j = &q->candidates.jumps[i];
        if (!branch_allowed(q, j, n) ||
            !fived_turn_branch_fits(q, j, fived_turn_slot_masks(q, &slots, l, j->v + 1)))
            continue;
        if (last) {
            q->run.total++;
            continue;
        }
        uint32_t ids = q->domains.id_count;
        int to = j->destination;
        bool promise = to >= 0 && q->partial.state[to] != AXIS_DONE; /* it must be played later */
        bool was_rewound = q->partial.rewound;
        uint8_t must = 0;
        int32_t limit = 0;
        if (promise) {
            must = q->partial.must[to];
            limit = q->partial.limit[to];
            q->partial.must[to] = 1;
            q->partial.limit[to] = n < limit ? n : limit;
            if (!q->run.exists)
                q->partial.limit[to] = 0;
        }
        fived_board *b = &q->partial.boards[q->candidates.axis_count + (uint32_t)n];
        fived_piece piece = q->candidates.axes[a].board->square[j->from_square];
        fived_board_arrive(b, j->target, j->to_square, piece, (fived_kind)j->promotion);
        fived_view_timeline *timeline = fived_turn_view_timeline(q, l);
        *timeline = (fived_view_timeline){.extra = b, .start = j->v + 1, .end = j->v};
        q->partial.key += fived_board_key(b->hash, l, j->v + 1);
        q->partial.new_timeline[a] = n;
        q->partial.filled[n] = 1;
        q->partial.filled_count++;
        q->partial.rewound = q->partial.rewound || rewinds_present(q, j, n);
        fived_turn_push_choice(q, FIVED_BRANCH, i);
        if (fived_turn_propagate(q, level, l, j->v + 1))
            fived_turn_search(q, level + 1);
        q->partial.choice_count--;
        q->partial.rewound = was_rewound;
        q->partial.filled_count--;
        q->partial.filled[n] = 0;
        q->partial.new_timeline[a] = -1;
        if (promise) {
            q->partial.must[to] = must;
            q->partial.limit[to] = limit;
        }
        q->partial.key -= fived_board_key(b->hash, l, j->v + 1);
        *timeline = FIVED_NO_TIMELINE;
        q->domains.id_count = ids;
    }
}

/* Whether a branch by one of the jumps to new timeline n would be safe as things stand. */
PLY_SHARED bool any_branch_fits(const fived_turn_query *q, uint32_t first, uint32_t end, int n,
                                fived_slot_cache *slots)
{
    for (uint32_t i = first; i < end; i++) {
        const fived_jump *j = &q->candidates.jumps[i];
        if (branch_allowed(q, j, n) &&
            fived_turn_branch_fits(
                q, j, fived_turn_slot_masks(q, slots, fived_turn_new_timeline(q, n), j->v + 1)))
            return true;
    }
    return false;
}

PLY_HD_EXTERN void fived_turn_try_new_timeline_from(fived_turn_query *q, uint32_t level, uint32_t a,
                                                    int n)
{
    const fived_axis *axis = &q->candidates.axes[a];
    int state = q->partial.state[a];
    uint64_t leave =
        state == AXIS_OPEN ? q->domains.levels[level][a].leave : ply_bit(q->partial.left_from[a]);
    fived_slot_cache slots = {.count = 0};
    q->partial.state[a] = AXIS_DONE;
    for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count && !q->run.stop; i = end) {
        end = fived_turn_jump_group_end(q, axis, i);
        if (!(leave & ply_bit(q->candidates.jumps[i].from_square)))
            continue;
        if (state == AXIS_WAITING) {
            q->partial.waiting--;
            fived_turn_try_branches(q, level, a, i, end, n);
            q->partial.waiting++;
        } else if (any_branch_fits(q, i, end, n, &slots)) {
            uint32_t ids = q->domains.id_count;
            q->partial.open--;
            if (fived_turn_place_leave(q, level, a, q->candidates.jumps[i].from_square))
                fived_turn_try_branches(q, level + 1, a, i, end, n);
            fived_turn_remove_board(q, a);
            q->partial.open++;
            q->domains.id_count = ids;
        }
    }
    q->partial.state[a] = (uint8_t)state;
}

PLY_HD_EXTERN void fived_turn_try_new_timeline(fived_turn_query *q, uint32_t level, int n)
{
    bool only_waiting = q->present.max_new - q->partial.filled_count == q->partial.waiting;
    for (uint32_t a = 0; a < q->candidates.axis_count && !q->run.stop; a++)
        if (q->partial.state[a] == AXIS_WAITING ||
            (q->partial.state[a] == AXIS_OPEN && !only_waiting))
            if (n < q->partial.limit[a])
                fived_turn_try_new_timeline_from(q, level, a, n);
}

PLY_HD_EXTERN bool fived_turn_rewind_possible(const fived_turn_query *q)
{
    for (int n = 0; n < q->present.active_new; n++) {
        if (q->partial.filled[n] || (q->run.exists && n + 1 < q->present.max_new))
            continue;
        fived_slot_cache slots = {.count = 0};
        for (uint32_t i = 0; i < q->candidates.jump_count; i++) {
            const fived_jump *j = &q->candidates.jumps[i];
            if (q->partial.state[j->source] != AXIS_DONE && rewinds_present(q, j, n) &&
                fived_turn_branch_fits(
                    q, j,
                    fived_turn_slot_masks(q, &slots, fived_turn_new_timeline(q, n), j->v + 1)))
                return true;
        }
    }
    return false;
}

PLY_HD_EXTERN bool fived_turn_can_branch(const fived_turn_query *q, uint32_t a)
{
    const fived_axis *axis = &q->candidates.axes[a];
    for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count; i = end) {
        end = fived_turn_jump_group_end(q, axis, i);
        if (q->candidates.jumps[i].from_square != q->partial.left_from[a])
            continue;
        for (int n = 0; n < q->present.max_new && n < q->partial.limit[a]; n++) {
            fived_slot_cache slots = {.count = 0};
            if (!q->partial.filled[n] && any_branch_fits(q, i, end, n, &slots))
                return true;
        }
    }
    return false;
}

PLY_HD_EXTERN bool fived_turn_can_fill_gaps(const fived_turn_query *q, const fived_domain *d,
                                            int highest)
{
    int gaps = 0, sources = 0, first = fived_turn_free_timeline(q, 0);
    for (uint32_t a = 0; a < q->candidates.axis_count; a++)
        sources += q->partial.state[a] == AXIS_OPEN && d[a].leave && first < q->partial.limit[a];
    for (int n = first; n <= highest; n = fived_turn_free_timeline(q, n + 1)) {
        fived_slot_cache slots = {.count = 0};
        bool found = false;
        for (uint32_t i = 0; i < q->candidates.jump_count && !found; i++) {
            const fived_jump *j = &q->candidates.jumps[i];
            found = q->partial.state[j->source] == AXIS_OPEN && n < q->partial.limit[j->source] &&
                    (d[j->source].leave & ply_bit(j->from_square)) && branch_allowed(q, j, n) &&
                    fived_turn_branch_fits(
                        q, j,
                        fived_turn_slot_masks(q, &slots, fived_turn_new_timeline(q, n), j->v + 1));
        }
        if (!found || ++gaps > sources)
            return false;
    }
    return true;
}
