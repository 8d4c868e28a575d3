/* SPDX-License-Identifier: MIT */
/* turn_clauses.c - the variables and clauses of the rules of a turn; see turn_sat.h. */
#include "games/fived/turns/turn_sat_internal.h"
#include <stdlib.h>
#include <string.h>

/* --- variables ------------------------------------------------------------------------------ */
bool fived_turn_sat_reserve(fived_turn_sat *t)
{
    const fived_turn_query *q = t->query;
    size_t leave = 64 * (size_t)q->candidates.axis_count + 1;
    if (!ply_array_grow(&t->physical, &t->physical_room, (size_t)q->candidates.physical_count + 1,
                        sizeof *t->physical) ||
        !ply_array_grow(&t->hop, &t->hop_room, (size_t)q->candidates.jump_count + 1,
                        sizeof *t->hop) ||
        !ply_array_grow(&t->branch, &t->branch_room, (size_t)q->candidates.jump_count + 1,
                        sizeof *t->branch) ||
        !ply_array_grow(&t->leave, &t->leave_room, leave, sizeof *t->leave) ||
        !ply_array_grow(&t->saved, &t->saved_room, (size_t)q->view.count, sizeof *t->saved))
        return false;
    if (t->board_room < 2 * (size_t)q->candidates.axis_count + 1) {
        size_t room = 4 * (size_t)q->candidates.axis_count + 2;
        fived_board *boards = aligned_alloc(alignof(fived_board), room * sizeof *boards);
        if (!boards)
            return false;
        free(t->boards);
        t->boards = boards;
        t->board_room = room;
    }
    return true;
}

static void make_variables(fived_turn_sat *t)
{
    fived_turn_query *q = t->query;
    fived_sat *c = &t->sat;
    const fived_domain *root = q->domains.levels[0];
    uint32_t never = fived_sat_new_variable(c, false, false, 0);
    fived_turn_sat_push(t, fived_negative(never));
    fived_turn_sat_add_clause(t);
    t->pass = c->variables;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++)
        fived_sat_new_variable(c, true, true, 2);
    t->used = c->variables;
    for (int n = 0; n <= t->new_timelines; n++)
        fived_sat_new_variable(c, true, false, 3);
    t->creates = c->variables;
    for (uint32_t i = 0; i < q->candidates.axis_count * (uint32_t)t->new_timelines; i++)
        fived_sat_new_variable(c, true, true, 0);
    t->at_least = c->variables; /* the axis creates new timeline n or a later one */
    for (uint32_t i = 0; i < q->candidates.axis_count * (uint32_t)t->new_timelines; i++)
        fived_sat_new_variable(c, false, false, 0);
    memset(t->physical, 0, q->candidates.physical_count * sizeof *t->physical);
    memset(t->hop, 0, q->candidates.jump_count * sizeof *t->hop);
    memset(t->branch, 0, q->candidates.jump_count * sizeof *t->branch);
    memset(t->leave, 0, 64 * (size_t)q->candidates.axis_count * sizeof *t->leave);
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        const fived_axis *axis = &q->candidates.axes[a];
        for (uint32_t i = 0; i < root[a].count; i++)
            t->physical[q->domains.ids[root[a].ids + i]] = fived_sat_new_variable(c, true, true, 1);
        for (uint64_t from = root[a].leave; from; from &= from - 1)
            t->leave[64 * a + (uint32_t)ply_lowest(from)] =
                fived_sat_new_variable(c, true, true, 0);
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++) {
            const fived_jump *j = &q->candidates.jumps[i];
            if (!(root[a].leave & ply_bit(j->from_square)))
                continue;
            if (j->destination >= 0 && fived_turn_arrival_fits(&q->candidates.axes[j->destination],
                                                               &root[j->destination], j))
                t->hop[i] = fived_sat_new_variable(c, true, true, 1);
            if (t->new_timelines > 0)
                t->branch[i] = fived_sat_new_variable(c, true, true, 0);
        }
    }
}

/* Exactly one thing happens to an end board. */
static void value_clauses(fived_turn_sat *t, uint32_t a)
{
    fived_turn_query *q = t->query;
    const fived_axis *axis = &q->candidates.axes[a];
    fived_domain root = q->domains.levels[0][a];
    for (int pass = 0; pass < 2; pass++) { /* at least one, then at most one */
        fived_turn_sat_push(t, pass ? t->pass + a : fived_positive(t->pass + a));
        for (uint32_t i = 0; i < root.count; i++) {
            uint32_t v = t->physical[q->domains.ids[root.ids + i]];
            fived_turn_sat_push(t, pass ? v : fived_positive(v));
        }
        for (uint64_t from = root.leave; from; from &= from - 1) {
            uint32_t v = t->leave[64 * a + (uint32_t)ply_lowest(from)];
            fived_turn_sat_push(t, pass ? v : fived_positive(v));
        }
        for (uint32_t i = 0; i < axis->hop_count; i++) {
            uint32_t v = t->hop[q->candidates.hop_index[axis->hop + i]];
            if (v)
                fived_turn_sat_push(t, pass ? v : fived_positive(v));
        }
        if (pass)
            fived_turn_sat_at_most_one(t);
        else
            fived_turn_sat_add_clause(t);
    }
}

/* Exactly one jump leaves an end board that is left. */
static void leave_clauses(fived_turn_sat *t, uint32_t a)
{
    fived_turn_query *q = t->query;
    const fived_axis *axis = &q->candidates.axes[a];
    for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count; i = end) {
        end = fived_turn_jump_group_end(q, axis, i);
        uint32_t leave = t->leave[64 * a + q->candidates.jumps[i].from_square];
        if (!leave)
            continue;
        fived_turn_sat_push(t, fived_negative(leave));
        for (uint32_t k = i; k < end; k++) {
            if (t->hop[k])
                fived_turn_sat_push(t, fived_positive(t->hop[k]));
            if (t->branch[k])
                fived_turn_sat_push(t, fived_positive(t->branch[k]));
        }
        fived_turn_sat_add_clause(t);
        for (uint32_t k = i; k < end; k++) {
            if (t->hop[k])
                fived_turn_sat_push(t, t->hop[k]);
            if (t->branch[k])
                fived_turn_sat_push(t, t->branch[k]);
        }
        fived_turn_sat_at_most_one(t);
        for (uint32_t k = i; k < end; k++) {
            if (t->hop[k])
                fived_turn_sat_implies(t, t->hop[k], leave);
            if (t->branch[k])
                fived_turn_sat_implies(t, t->branch[k], leave);
        }
    }
}

/*
 * A branch from axis a onto an end board of the player: that board must have been played before. If
 * it was left by a branch, that branch must have created an earlier timeline.
 */
static void onto_end_board_clauses(fived_turn_sat *t, uint32_t a)
{
    fived_turn_query *q = t->query;
    const fived_axis *axis = &q->candidates.axes[a];
    for (uint32_t b = 0; b < q->candidates.axis_count; b++) {
        uint32_t onto = NO_VARIABLE;
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            if (t->branch[i] && q->candidates.jumps[i].destination == (int)b) {
                if (!onto)
                    onto = fived_sat_new_variable(&t->sat, false, false, 0);
                fived_turn_sat_implies(t, t->branch[i], onto);
            }
        if (!onto)
            continue;
        fived_turn_sat_excludes(t, onto, t->pass + b);
        for (int n = 0; n < t->new_timelines; n++)
            fived_turn_sat_both_imply(
                t, onto, fived_turn_sat_creates(t, a, n),
                fived_negative(t->at_least + b * (uint32_t)t->new_timelines + (uint32_t)n));
    }
}

/* An axis that branches creates exactly one new timeline. */
static void branch_clauses(fived_turn_sat *t, uint32_t a)
{
    fived_turn_query *q = t->query;
    const fived_axis *axis = &q->candidates.axes[a];
    uint32_t at_least = t->at_least + a * (uint32_t)t->new_timelines;
    for (int n = 0; n < t->new_timelines; n++) {
        fived_turn_sat_push(t, fived_turn_sat_creates(t, a, n));
        fived_turn_sat_implies(t, fived_turn_sat_creates(t, a, n), at_least + (uint32_t)n);
        if (n > 0)
            fived_turn_sat_implies(t, at_least + (uint32_t)n, at_least + (uint32_t)n - 1);
    }
    fived_turn_sat_at_most_one(t);
    uint32_t some = fived_sat_new_variable(&t->sat, true, false, 0); /* the axis branches */
    fived_turn_sat_push(t, fived_negative(some));
    for (int n = 0; n < t->new_timelines; n++)
        fived_turn_sat_push(t, fived_positive(fived_turn_sat_creates(t, a, n)));
    fived_turn_sat_add_clause(t);
    fived_turn_sat_push(t, fived_negative(some));
    for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
        if (t->branch[i])
            fived_turn_sat_push(t, fived_positive(t->branch[i]));
    fived_turn_sat_add_clause(t);
    for (int n = 0; n < t->new_timelines; n++)
        fived_turn_sat_implies(t, fived_turn_sat_creates(t, a, n), some);
    for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
        if (t->branch[i])
            fived_turn_sat_implies(t, t->branch[i], some);
}

/* Which branch creates which new timeline. */
static void new_timeline_clauses(fived_turn_sat *t)
{
    fived_turn_query *q = t->query;
    for (int n = 0; n < t->new_timelines; n++) {
        if (n > 0)
            fived_turn_sat_implies(t, t->used + (uint32_t)n, t->used + (uint32_t)n - 1);
        fived_turn_sat_push(t, fived_negative(t->used + (uint32_t)n));
        for (uint32_t a = 0; a < q->candidates.axis_count; a++)
            fived_turn_sat_push(t, fived_positive(fived_turn_sat_creates(t, a, n)));
        fived_turn_sat_add_clause(t);
        for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
            fived_turn_sat_implies(t, fived_turn_sat_creates(t, a, n), t->used + (uint32_t)n);
            fived_turn_sat_push(t, fived_turn_sat_creates(t, a, n));
        }
        fived_turn_sat_at_most_one(t);
    }
    fived_turn_sat_push(t, fived_negative(t->used + (uint32_t)t->new_timelines));
    fived_turn_sat_add_clause(t);
    for (uint32_t a = 0; t->new_timelines > 0 && a < q->candidates.axis_count; a++) {
        branch_clauses(t, a);
        onto_end_board_clauses(t, a);
    }
}

rewind_rule fived_turn_sat_rewind_rule(fived_turn_sat *t, int active, int earliest)
{
    fived_turn_query *q = t->query;
    fived_sat *c = &t->sat;
    active = active > t->new_timelines ? t->new_timelines : active;
    for (size_t i = 0; i < t->rewind_count; i++)
        if (t->rewinds[i].active == active && t->rewinds[i].earliest == earliest)
            return t->rewinds[i];
    rewind_rule rule = {.active = active,
                        .earliest = earliest,
                        .needed = fived_sat_new_variable(c, true, false, 0),
                        .forbidden = fived_sat_new_variable(c, false, false, 0)};
    uint32_t *ways = NULL;
    size_t way_room = 0, way_count = 0;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        const fived_axis *axis = &q->candidates.axes[a];
        uint32_t early = NO_VARIABLE;
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count && active > 0; i++)
            if (t->branch[i] && q->candidates.jumps[i].v + 1 < earliest) {
                if (!early) {
                    early = fived_sat_new_variable(c, true, false, 0);
                    fived_turn_sat_push(t, fived_negative(early));
                }
                fived_turn_sat_push(t, fived_positive(t->branch[i]));
            }
        if (!early)
            continue;
        fived_turn_sat_add_clause(t);
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            if (t->branch[i] && q->candidates.jumps[i].v + 1 < earliest)
                fived_turn_sat_implies(t, t->branch[i], early);
        for (int n = 0; n < active; n++) {
            fived_literal forbid[3] = {fived_negative(rule.forbidden), fived_negative(early),
                                       fived_negative(fived_turn_sat_creates(t, a, n))};
            fived_sat_add_clause(c, forbid, 3);
            uint32_t way = fived_sat_new_variable(c, true, false, 0);
            fived_turn_sat_implies(t, way, early);
            fived_turn_sat_implies(t, way, fived_turn_sat_creates(t, a, n));
            if (!ply_array_grow(&ways, &way_room, way_count + 1, sizeof *ways))
                fived_turn_sat_out_of_memory(t);
            else
                ways[way_count++] = way;
        }
    }
    fived_turn_sat_push(t, fived_negative(rule.needed));
    for (size_t i = 0; i < way_count; i++)
        fived_turn_sat_push(t, fived_positive(ways[i]));
    fived_turn_sat_add_clause(t);
    free(ways);
    if (!ply_array_grow(&t->rewinds, &t->rewind_room, t->rewind_count + 1, sizeof *t->rewinds))
        fived_turn_sat_out_of_memory(t);
    else
        t->rewinds[t->rewind_count++] = rule;
    return rule;
}

/* For each number of new timelines: which boards must be played unless the present moves back. */
static void present_clauses(fived_turn_sat *t)
{
    fived_turn_query *q = t->query;
    int settled = fived_turn_settled_count(q);
    for (int k = 0; k <= t->new_timelines; k++) {
        fived_turn_present present = fived_turn_present_after(q, k);
        bool rest = k >= settled;
        if (!present.is_enemys) {
            uint32_t rewind =
                fived_turn_sat_rewind_rule(t, present.active, present.earliest).needed;
            for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
                if (!fived_turn_is_due(q, a, &present))
                    continue;
                if (k > 0)
                    fived_turn_sat_push(t, fived_negative(t->used + (uint32_t)k - 1));
                if (!rest)
                    fived_turn_sat_push(t, fived_positive(t->used + (uint32_t)k));
                fived_turn_sat_push(t, fived_negative(t->pass + a));
                fived_turn_sat_push(t, fived_positive(rewind));
                fived_turn_sat_add_clause(t);
            }
        }
        if (rest)
            break;
    }
}

void fived_turn_sat_encode(fived_turn_sat *t)
{
    make_variables(t);
    for (uint32_t a = 0; a < t->query->candidates.axis_count; a++) {
        value_clauses(t, a);
        leave_clauses(t, a);
    }
    new_timeline_clauses(t);
    present_clauses(t);
}
