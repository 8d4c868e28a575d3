/* SPDX-License-Identifier: MIT */
/* turn_sat.c - turns as clauses; see turn_sat.h. */
#include "games/fived/turns/turn_sat_internal.h"
#include <stdlib.h>
#include <string.h>

void fived_tangle_free(fived_tangle *t)
{
    if (!t)
        return;
    fived_clauses_free(&t->clauses);
    void *all[] = {t->inner, t->hop,          t->branch,  t->leave, t->boards, t->kept,
                   t->keys,  t->key_variable, t->threats, t->list,  t->shifts, t->assumed};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    free(t);
}

/* --- the variables --------------------------------------------------------------------------- */
static bool reserve(fived_tangle *t)
{
    const fived_search *s = t->search;
    size_t leave = 64 * (size_t)s->axis_count + 1;
    if (!ply_array_grow(&t->inner, &t->inner_room, (size_t)s->inner_count + 1, sizeof *t->inner) ||
        !ply_array_grow(&t->hop, &t->hop_room, (size_t)s->jump_count + 1, sizeof *t->hop) ||
        !ply_array_grow(&t->branch, &t->branch_room, (size_t)s->jump_count + 1,
                        sizeof *t->branch) ||
        !ply_array_grow(&t->leave, &t->leave_room, leave, sizeof *t->leave) ||
        !ply_array_grow(&t->kept, &t->kept_room, (size_t)s->view.count, sizeof *t->kept))
        return false;
    if (t->board_room < 2 * (size_t)s->axis_count + 1) {
        free(t->boards);
        t->board_room = 4 * (size_t)s->axis_count + 2;
        t->boards = aligned_alloc(alignof(fived_board), t->board_room * sizeof *t->boards);
    }
    return t->boards != NULL;
}

static void make_variables(fived_tangle *t)
{
    fived_search *s = t->search;
    fived_clauses *c = &t->clauses;
    const fived_domain *root = s->levels[0];
    uint32_t never = fived_clauses_variable(c, false, false, 0);
    fived_tangle_push(t, fived_not(never));
    fived_tangle_add(t);
    t->pass = c->variables;
    for (uint32_t a = 0; a < s->axis_count; a++)
        fived_clauses_variable(c, true, true, 2);
    t->used = c->variables;
    for (int n = 0; n <= t->lines; n++)
        fived_clauses_variable(c, true, false, 3);
    t->place = c->variables;
    for (uint32_t i = 0; i < s->axis_count * (uint32_t)t->lines; i++)
        fived_clauses_variable(c, true, true, 0);
    t->above = c->variables; /* the place is n or more */
    for (uint32_t i = 0; i < s->axis_count * (uint32_t)t->lines; i++)
        fived_clauses_variable(c, false, false, 0);
    memset(t->inner, 0, s->inner_count * sizeof *t->inner);
    memset(t->hop, 0, s->jump_count * sizeof *t->hop);
    memset(t->branch, 0, s->jump_count * sizeof *t->branch);
    memset(t->leave, 0, 64 * (size_t)s->axis_count * sizeof *t->leave);
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        for (uint32_t i = 0; i < root[a].count; i++)
            t->inner[s->ids[root[a].ids + i]] = fived_clauses_variable(c, true, true, 1);
        for (uint64_t from = root[a].leave; from; from &= from - 1)
            t->leave[64 * a + (uint32_t)ply_lowest(from)] =
                fived_clauses_variable(c, true, true, 0);
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++) {
            const fived_jump *j = &s->jumps[i];
            if (!(root[a].leave & ply_bit(j->from_square)))
                continue;
            if (j->destination >= 0 &&
                fived_turn_arrival_fits(&s->axes[j->destination], &root[j->destination], j))
                t->hop[i] = fived_clauses_variable(c, true, true, 1);
            if (t->lines > 0)
                t->branch[i] = fived_clauses_variable(c, true, true, 0);
        }
    }
}

/* What one end board may get, and how it is left. */
static void axis_clauses(fived_tangle *t, uint32_t a)
{
    fived_search *s = t->search;
    const fived_axis *axis = &s->axes[a];
    fived_domain root = s->levels[0][a];
    for (int pass = 0; pass < 2; pass++) { /* one at least, one at most */
        fived_tangle_push(t, pass ? t->pass + a : fived_is(t->pass + a));
        for (uint32_t i = 0; i < root.count; i++) {
            uint32_t v = t->inner[s->ids[root.ids + i]];
            fived_tangle_push(t, pass ? v : fived_is(v));
        }
        for (uint64_t from = root.leave; from; from &= from - 1) {
            uint32_t v = t->leave[64 * a + (uint32_t)ply_lowest(from)];
            fived_tangle_push(t, pass ? v : fived_is(v));
        }
        for (uint32_t i = 0; i < axis->hop_count; i++) {
            uint32_t v = t->hop[s->hop_index[axis->hop + i]];
            if (v)
                fived_tangle_push(t, pass ? v : fived_is(v));
        }
        if (pass)
            fived_tangle_group(t);
        else
            fived_tangle_add(t);
    }
    for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count; i = end) {
        end = fived_turn_group_end(s, axis, i);
        uint32_t leave = t->leave[64 * a + s->jumps[i].from_square];
        if (!leave)
            continue;
        fived_tangle_push(t, fived_not(leave));
        for (uint32_t k = i; k < end; k++) {
            if (t->hop[k])
                fived_tangle_push(t, fived_is(t->hop[k]));
            if (t->branch[k])
                fived_tangle_push(t, fived_is(t->branch[k]));
        }
        fived_tangle_add(t);
        for (uint32_t k = i; k < end; k++) {
            if (t->hop[k])
                fived_tangle_push(t, t->hop[k]);
            if (t->branch[k])
                fived_tangle_push(t, t->branch[k]);
        }
        fived_tangle_group(t);
        for (uint32_t k = i; k < end; k++) {
            if (t->hop[k])
                fived_tangle_implies(t, t->hop[k], leave);
            if (t->branch[k])
                fived_tangle_implies(t, t->branch[k], leave);
        }
    }
}

/* Which branch makes which new line. */
static void place_clauses(fived_tangle *t)
{
    fived_search *s = t->search;
    for (int n = 0; n < t->lines; n++) {
        if (n > 0)
            fived_tangle_implies(t, t->used + (uint32_t)n, t->used + (uint32_t)n - 1);
        fived_tangle_push(t, fived_not(t->used + (uint32_t)n));
        for (uint32_t a = 0; a < s->axis_count; a++)
            fived_tangle_push(t, fived_is(fived_tangle_place(t, a, n)));
        fived_tangle_add(t);
        for (uint32_t a = 0; a < s->axis_count; a++) {
            fived_tangle_implies(t, fived_tangle_place(t, a, n), t->used + (uint32_t)n);
            fived_tangle_push(t, fived_tangle_place(t, a, n));
        }
        fived_tangle_group(t);
    }
    fived_tangle_push(t, fived_not(t->used + (uint32_t)t->lines));
    fived_tangle_add(t);
    for (uint32_t a = 0; t->lines > 0 && a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        uint32_t above = t->above + a * (uint32_t)t->lines;
        for (int n = 0; n < t->lines; n++) {
            fived_tangle_push(t, fived_tangle_place(t, a, n));
            fived_tangle_implies(t, fived_tangle_place(t, a, n), above + (uint32_t)n);
            if (n > 0)
                fived_tangle_implies(t, above + (uint32_t)n, above + (uint32_t)n - 1);
        }
        fived_tangle_group(t);
        uint32_t some = fived_clauses_variable(&t->clauses, true, false, 0); /* it branches */
        fived_tangle_push(t, fived_not(some));
        for (int n = 0; n < t->lines; n++)
            fived_tangle_push(t, fived_is(fived_tangle_place(t, a, n)));
        fived_tangle_add(t);
        fived_tangle_push(t, fived_not(some));
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            if (t->branch[i])
                fived_tangle_push(t, fived_is(t->branch[i]));
        fived_tangle_add(t);
        for (int n = 0; n < t->lines; n++)
            fived_tangle_implies(t, fived_tangle_place(t, a, n), some);
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            if (t->branch[i])
                fived_tangle_implies(t, t->branch[i], some);
        /*
         * A branch to an end board of the player's: that board must have been played before, and
         * if it was left by a branch, by one that made an earlier line.
         */
        for (uint32_t b = 0; b < s->axis_count; b++) {
            uint32_t onto = NO_VARIABLE;
            for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
                if (t->branch[i] && s->jumps[i].destination == (int)b) {
                    if (!onto)
                        onto = fived_clauses_variable(&t->clauses, false, false, 0);
                    fived_tangle_implies(t, t->branch[i], onto);
                }
            if (!onto)
                continue;
            fived_tangle_excludes(t, onto, t->pass + b);
            for (int n = 0; n < t->lines; n++)
                fived_tangle_forces(t, onto, fived_tangle_place(t, a, n),
                                    fived_not(t->above + b * (uint32_t)t->lines + (uint32_t)n));
        }
    }
}

/* The variables that say what new active lines (those before `active`) do to the present. */
static shift_rule shift_of(fived_tangle *t, int active, int earliest)
{
    fived_search *s = t->search;
    fived_clauses *c = &t->clauses;
    active = active > t->lines ? t->lines : active;
    for (size_t i = 0; i < t->shift_count; i++)
        if (t->shifts[i].active == active && t->shifts[i].earliest == earliest)
            return t->shifts[i];
    shift_rule rule = {.active = active,
                       .earliest = earliest,
                       .needed = fived_clauses_variable(c, true, false, 0),
                       .forbidden = fived_clauses_variable(c, false, false, 0)};
    uint32_t *ways = NULL;
    size_t way_room = 0, way_count = 0;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        uint32_t early = NO_VARIABLE;
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count && active > 0; i++)
            if (t->branch[i] && s->jumps[i].v + 1 < earliest) {
                if (!early) {
                    early = fived_clauses_variable(c, true, false, 0);
                    fived_tangle_push(t, fived_not(early));
                }
                fived_tangle_push(t, fived_is(t->branch[i]));
            }
        if (!early)
            continue;
        fived_tangle_add(t);
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            if (t->branch[i] && s->jumps[i].v + 1 < earliest)
                fived_tangle_implies(t, t->branch[i], early);
        for (int n = 0; n < active; n++) {
            fived_literal no[3] = {fived_not(rule.forbidden), fived_not(early),
                                   fived_not(fived_tangle_place(t, a, n))};
            fived_clauses_add(c, no, 3);
            uint32_t way = fived_clauses_variable(c, true, false, 0);
            fived_tangle_implies(t, way, early);
            fived_tangle_implies(t, way, fived_tangle_place(t, a, n));
            if (!ply_array_grow(&ways, &way_room, way_count + 1, sizeof *ways))
                fived_tangle_no_memory(t);
            else
                ways[way_count++] = way;
        }
    }
    fived_tangle_push(t, fived_not(rule.needed));
    for (size_t i = 0; i < way_count; i++)
        fived_tangle_push(t, fived_is(ways[i]));
    fived_tangle_add(t);
    free(ways);
    if (!ply_array_grow(&t->shifts, &t->shift_room, t->shift_count + 1, sizeof *t->shifts))
        fived_tangle_no_memory(t);
    else
        t->shifts[t->shift_count++] = rule;
    return rule;
}

/* For each number of new lines: what must be played, unless the present is moved back. */
static void present_clauses(fived_tangle *t)
{
    fived_search *s = t->search;
    int settled = fived_turn_settled(s);
    for (int k = 0; k <= t->lines; k++) {
        fived_turn_present present = fived_turn_present_with(s, k);
        bool rest = k >= settled;
        if (!present.theirs) {
            uint32_t shift = shift_of(t, present.active, present.earliest).needed;
            for (uint32_t a = 0; a < s->axis_count; a++) {
                if (!fived_turn_is_due(s, a, &present))
                    continue;
                if (k > 0)
                    fived_tangle_push(t, fived_not(t->used + (uint32_t)k - 1));
                if (!rest)
                    fived_tangle_push(t, fived_is(t->used + (uint32_t)k));
                fived_tangle_push(t, fived_not(t->pass + a));
                fived_tangle_push(t, fived_is(shift));
                fived_tangle_add(t);
            }
        }
        if (rest)
            break;
    }
}

/* --- assignments ----------------------------------------------------------------------------- */
/* Plays the assignment into the view, with its boards in `boards`. */
static void put_assignment(fived_tangle *t, fived_board *boards)
{
    fived_search *s = t->search;
    const fived_clauses *c = &t->clauses;
    fived_view *w = &s->view;
    memcpy(t->kept, w->lines, (size_t)w->count * sizeof *w->lines);
    for (int i = 0; i < w->count; i++) {
        int l = w->base + i;
        w->lines[i].extra = NULL;
        if (l < s->position->lo || l > s->position->hi)
            w->lines[i] = (fived_view_line){.start = FIVED_NOWHERE, .end = FIVED_NOWHERE - 1};
    }
    s->choice_count = 0;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        fived_domain root = s->levels[0][a];
        const fived_board *extra = NULL;
        for (uint32_t i = 0; i < root.count && !extra; i++) {
            uint32_t id = s->ids[root.ids + i];
            const fived_inner *m = &s->inner[id];
            if (!fived_clauses_true(c, t->inner[id]))
                continue;
            fived_board_after(&boards[a], axis->board, m->from_square, m->to_square,
                              (fived_kind)m->becomes);
            fived_turn_choose(s, FIVED_PHYSICAL, id);
            extra = &boards[a];
        }
        for (uint64_t from = root.leave; from && !extra; from &= from - 1)
            if (fived_clauses_true(c, t->leave[64 * a + (uint32_t)ply_lowest(from)])) {
                fived_board_leave(&boards[a], axis->board, ply_lowest(from));
                extra = &boards[a];
            }
        for (uint32_t i = 0; i < axis->hop_count && !extra; i++) {
            uint32_t id = s->hop_index[axis->hop + i];
            const fived_jump *j = &s->jumps[id];
            if (!fived_clauses_true(c, t->hop[id]))
                continue;
            fived_board_arrive(&boards[a], j->target, j->to_square,
                               s->axes[j->source].board->square[j->from_square],
                               (fived_kind)j->becomes);
            fived_turn_choose(s, FIVED_HOP, id);
            extra = &boards[a];
        }
        fived_turn_line(s, axis->l)->extra = extra;
    }
    for (int n = 0; n < t->lines && fived_clauses_true(c, t->used + (uint32_t)n); n++)
        for (uint32_t a = 0; a < s->axis_count; a++) {
            const fived_axis *axis = &s->axes[a];
            if (!fived_clauses_true(c, fived_tangle_place(t, a, n)))
                continue;
            for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++) {
                const fived_jump *j = &s->jumps[i];
                if (!fived_clauses_true(c, t->branch[i]))
                    continue;
                fived_board *b = &boards[s->axis_count + (uint32_t)n];
                fived_board_arrive(b, j->target, j->to_square, axis->board->square[j->from_square],
                                   (fived_kind)j->becomes);
                *fived_turn_line(s, fived_turn_new_line(s, n)) =
                    (fived_view_line){.start = j->v + 1, .end = j->v, .extra = b};
                fived_turn_choose(s, FIVED_BRANCH, i);
            }
        }
}

static void take_assignment(fived_tangle *t)
{
    fived_view *w = &t->search->view;
    memcpy(w->lines, t->kept, (size_t)w->count * sizeof *w->lines);
}

static bool check_assignment(void *context, fived_clauses *c)
{
    fived_tangle *t = context;
    fived_search *s = t->search;
    uint32_t choices = s->choice_count;
    fived_choice *held = s->choices;
    s->choices = s->spare_choices; /* a search may be under way */
    put_assignment(t, t->boards);
    bool found = fived_tangle_find_threats(t);
    take_assignment(t);
    s->choices = held;
    s->choice_count = choices;
    if (!found)
        return true;
    fived_tangle_refuse_threats(t);
    return c->broken;
}

static bool halts(void *context)
{
    return fived_turn_halts(((fived_tangle *)context)->search);
}

/* --- questions ------------------------------------------------------------------------------- */
static bool make(fived_search *s)
{
    if (s->tangle && s->tangle_ready)
        return true;
    if (!s->tangle && !(s->tangle = calloc(1, sizeof *s->tangle))) {
        fived_turn_fail(s);
        return false;
    }
    fived_tangle *t = s->tangle;
    t->search = s;
    t->lines = s->new_lines_max;
    t->list_count = 0;
    t->shift_count = t->key_count = 0;
    if (t->key_room)
        memset(t->key_variable, 0, t->key_room * sizeof *t->key_variable);
    fived_clauses_reset(&t->clauses);
    t->clauses.check = check_assignment;
    t->clauses.halt = s->halt ? halts : NULL;
    t->clauses.context = t;
    if (!reserve(t)) {
        fived_turn_fail(s);
        return false;
    }
    make_variables(t);
    for (uint32_t a = 0; a < s->axis_count; a++)
        axis_clauses(t, a);
    place_clauses(t);
    present_clauses(t);
    s->tangle_ready = true;
    return true;
}

/* A turn has been found: notes what else it shows, as the search does in solution(). */
static void use_assignment(fived_tangle *t)
{
    fived_search *s = t->search;
    put_assignment(t, s->boards);
    for (uint32_t i = 0; s->marking && i < s->choice_count; i++) {
        fived_choice c = s->choices[i];
        if (c.type == FIVED_PHYSICAL)
            s->viable[c.id] = 1;
        else if (c.type == FIVED_HOP ||
                 (s->jumps[c.id].destination < 0 &&
                  fived_clauses_true(&t->clauses,
                                     fived_tangle_place(t, (uint32_t)s->jumps[c.id].source, 0))))
            s->viable[s->inner_count + c.id] = 1;
    }
    if (s->marking)
        fived_turn_mark_around(s);
    if (s->keep_turn)
        fived_turn_keep(s);
    take_assignment(t);
    s->choice_count = 0;
}

/* Solves with the assumptions in t->list. */
static bool solve(fived_tangle *t)
{
    size_t count = t->list_count;
    t->list_count = 0; /* clauses are put together meanwhile */
    if (!ply_array_grow(&t->assumed, &t->assumed_room, count + 1, sizeof *t->assumed)) {
        fived_turn_fail(t->search);
        return false;
    }
    memcpy(t->assumed, t->list, count * sizeof *t->assumed);
    uint64_t conflicts = t->clauses.conflicts, checks = t->clauses.checks;
    bool found = fived_clauses_solve(&t->clauses, t->assumed, count);
    t->search->effort += t->clauses.conflicts - conflicts +
                         (t->clauses.checks - checks) * (uint64_t)t->search->view.count;
    if (t->clauses.no_memory) {
        fived_turn_fail(t->search);
        return false;
    }
    if (found && (t->search->marking || t->search->keep_turn))
        use_assignment(t);
    return found;
}

bool fived_tangle_exists(fived_search *s, bool no_shift)
{
    if (!make(s))
        return false;
    fived_tangle *t = s->tangle;
    if (!no_shift)
        return solve(t);
    int now = fived_position_present(s->position);
    for (int k = 0; k <= t->lines; k++) {
        fived_turn_present present = fived_turn_present_with(s, k);
        if (present.theirs || present.earliest < now)
            continue;
        shift_rule shift = shift_of(t, present.active, present.earliest);
        if (k > 0)
            fived_tangle_push(t, fived_is(t->used + (uint32_t)k - 1));
        fived_tangle_push(t, fived_not(t->used + (uint32_t)k));
        fived_tangle_push(t, fived_is(shift.forbidden));
        for (uint32_t a = 0; a < s->axis_count; a++)
            if (fived_turn_is_due(s, a, &present))
                fived_tangle_push(t, fived_not(t->pass + a));
        if (solve(t))
            return true;
        if (s->status_code != PLY_OK)
            return false;
    }
    return false;
}

bool fived_tangle_viable(fived_search *s, bool is_jump, uint32_t id)
{
    if (!make(s))
        return false;
    fived_tangle *t = s->tangle;
    if (!is_jump) {
        fived_tangle_push(t, fived_is(t->inner[id]));
    } else if (s->jumps[id].destination >= 0) {
        fived_tangle_push(t, fived_is(t->hop[id]));
    } else {
        if (t->lines == 0)
            return false;
        fived_tangle_push(t, fived_is(t->branch[id]));
        fived_tangle_push(t, fived_is(fived_tangle_place(t, (uint32_t)s->jumps[id].source, 0)));
    }
    return solve(t);
}

bool fived_tangle_completes(fived_search *s)
{
    if (!make(s))
        return true; /* the search stops by itself */
    fived_tangle *t = s->tangle;
    int k = s->new_lines;
    shift_rule shift = {0};
    if (s->shift_rule != SHIFT_FREE)
        shift = shift_of(t, s->new_active, s->earliest);
    if (k > 0)
        fived_tangle_push(t, fived_is(t->used + (uint32_t)k - 1));
    fived_tangle_push(t, fived_not(t->used + (uint32_t)k));
    if (s->shift_rule == SHIFT_FORBIDDEN)
        fived_tangle_push(t, fived_is(shift.forbidden));
    else if (s->shift_rule == SHIFT_NEEDED)
        fived_tangle_push(t, fived_is(shift.needed));
    for (uint32_t i = 0; i < s->choice_count; i++) {
        fived_choice c = s->choices[i];
        if (c.type == FIVED_PHYSICAL) {
            fived_tangle_push(t, fived_is(t->inner[c.id]));
        } else if (c.type == FIVED_HOP) {
            fived_tangle_push(t, fived_is(t->hop[c.id]));
        } else {
            uint32_t a = (uint32_t)s->jumps[c.id].source;
            fived_tangle_push(t, fived_is(t->branch[c.id]));
            fived_tangle_push(t, fived_is(fived_tangle_place(t, a, s->left_by[a])));
        }
    }
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        bool extra = fived_turn_line(s, axis->l)->extra != NULL;
        if (s->status[a] == DONE && !extra) {
            fived_tangle_push(t, fived_is(t->pass + a));
        } else if (s->status[a] == OPEN && s->required[a]) {
            fived_tangle_push(t, fived_not(t->pass + a));
        } else if (s->status[a] == WAITING) {
            fived_tangle_push(t, fived_is(t->leave[64 * a + s->left_from[a]]));
            for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
                if (t->hop[i])
                    fived_tangle_push(t, fived_not(t->hop[i]));
        }
    }
    return solve(t);
}
