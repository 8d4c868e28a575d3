/* SPDX-License-Identifier: MIT */
/* legal_turns.c - the search for legal turns; see legal_turns.h. */
#include "games/fived/turns/turn_sat.h"
#include "games/fived/turns/turns_internal.h"
#include <stdlib.h>
#include <string.h>

/* Whether a board at one slot can have to do with a board at another. */
static inline bool related(int l1, int v1, int l2, int v2)
{
    int l = l1 > l2 ? l1 - l2 : l2 - l1, t = (v1 > v2 ? v1 - v2 : v2 - v1) / 2;
    return l == 0 || t == 0 || l == t || (l == 1 && t == 2) || (l == 2 && t == 1);
}

/* Whether some hop onto the axis is still possible. */
bool fived_turn_has_arrival(const fived_search *s, const fived_domain *d, uint32_t number)
{
    const fived_axis *a = &s->axes[number];
    for (uint32_t i = 0; i < a->hop_count; i++) {
        const fived_jump *j = &s->jumps[s->hop_index[a->hop + i]];
        if (s->status[j->source] == OPEN && (d[j->source].leave & ply_bit(j->from_square)) &&
            fived_turn_arrival_fits(a, &d[number], j))
            return true;
    }
    return false;
}

/*
 * A board has been put at (l, v): makes level + 1 from level. False when an axis that must be
 * played has no value left.
 */
bool fived_turn_spread(fived_search *s, uint32_t level, int l, int v)
{
    fived_domain *next = fived_turn_level(s, level + 1);
    if (!next) {
        fived_turn_fail(s);
        return false;
    }
    const fived_domain *d = s->levels[level];
    for (uint32_t a = 0; a < s->axis_count; a++) {
        if (s->status[a] != OPEN)
            continue;
        if (!related(l, v, s->axes[a].l, s->axes[a].v + 1)) {
            next[a] = d[a];
            continue;
        }
        fived_turn_refresh(s, a, &d[a], &next[a]);
        if (s->stop)
            return false;
    }
    for (uint32_t a = 0; a < s->axis_count; a++)
        if (s->status[a] == OPEN && (s->required[a] || s->must[a]) && !next[a].count &&
            !next[a].leave && !fived_turn_has_arrival(s, next, a)) {
            s->axes[a].weight++;
            return false;
        }
    return true;
}

/* Puts the board tried for an axis in place; the caller has made it in s->boards[a]. */
bool fived_turn_put(fived_search *s, uint32_t level, uint32_t a)
{
    fived_axis *axis = &s->axes[a];
    fived_turn_line(s, axis->l)->extra = &s->boards[a];
    s->key += fived_board_key(s->boards[a].hash, axis->l, axis->v + 1);
    return fived_turn_spread(s, level, axis->l, axis->v + 1);
}

void fived_turn_take(fived_search *s, uint32_t a)
{
    fived_axis *axis = &s->axes[a];
    fived_turn_line(s, axis->l)->extra = NULL;
    s->key -= fived_board_key(s->boards[a].hash, axis->l, axis->v + 1);
}

/* --- solutions ------------------------------------------------------------------------------ */
/* Remembers a key; false if it was there. */
static bool remember(fived_search *s, uint64_t key)
{
    if ((s->seen_count + 1) * 2 > s->seen_room) {
        size_t room = s->seen_room ? s->seen_room * 2 : 1024;
        uint64_t *old = s->seen, *fresh = calloc(room, sizeof *fresh);
        if (!fresh) {
            fived_turn_fail(s);
            return false;
        }
        for (size_t i = 0; i < s->seen_room; i++)
            if (old[i]) {
                size_t at = (size_t)ply_mix64(old[i]) & (room - 1);
                while (fresh[at])
                    at = (at + 1) & (room - 1);
                fresh[at] = old[i];
            }
        free(old);
        s->seen = fresh;
        s->seen_room = room;
    }
    key = key ? key : 1;
    size_t at = (size_t)ply_mix64(key) & (s->seen_room - 1);
    for (; s->seen[at]; at = (at + 1) & (s->seen_room - 1))
        if (s->seen[at] == key)
            return false;
    s->seen[at] = key;
    s->seen_count++;
    return true;
}

/* The line that tells where a move stands in the written order of a turn. */
static int order_line(const fived_search *s, fived_choice c)
{
    return c.type == FIVED_PHYSICAL ? s->axes[s->inner[c.id].axis].l : s->jumps[c.id].l;
}

/*
 * The moves of the turn: those that do not branch by target line (White upwards, Black downwards),
 * then the branches in their order, then the submit.
 */
size_t fived_turn_write(fived_search *s)
{
    fived_choice *c = s->choices;
    ply_move *out = s->turn;
    size_t count = 0;
    for (uint32_t i = 0; i < s->choice_count; i++) {
        if (c[i].type == FIVED_BRANCH)
            continue;
        ply_move move = c[i].type == FIVED_PHYSICAL ? fived_inner_move(s, c[i].id)
                                                    : fived_jump_move(s, c[i].id);
        int line = order_line(s, c[i]);
        size_t at = count++;
        for (; at > 0; at--) {
            int before = fived_move_to(out[at - 1]).l;
            if (s->view.side ? before >= line : before <= line)
                break;
            out[at] = out[at - 1];
        }
        out[at] = move;
    }
    size_t branches = 0;
    for (uint32_t i = 0; i < s->choice_count; i++)
        if (c[i].type == FIVED_BRANCH)
            branches++;
    for (uint32_t i = 0, k = 0; i < s->choice_count; i++) {
        if (c[i].type != FIVED_BRANCH)
            continue;
        /* Where only existence is asked, new lines get their boards out of order. */
        int n = s->left_by[s->jumps[c[i].id].source];
        out[count + (n >= 0 ? (uint32_t)n : k)] = fived_jump_move(s, c[i].id);
        k++;
    }
    count += branches;
    out[count++] = FIVED_SUBMIT;
    return count;
}

static void solution(fived_search *s)
{
    s->found++;
    if (s->exists) {
        for (uint32_t i = 0; i < s->choice_count; i++)
            if (s->choices[i].type == FIVED_PHYSICAL)
                s->guide[s->inner[s->choices[i].id].axis] = s->choices[i].id;
        if (s->marking == MARK_ALL)
            fived_turn_mark_around(s);
        if (s->keep_turn)
            fived_turn_keep(s);
        s->total = 1;
        s->stop = true;
        return;
    }
    if (s->distinct && !remember(s, s->key))
        return;
    s->total++;
    if (s->visit && !s->visit(s->context, s->turn, fived_turn_write(s)))
        s->stop = true;
}

/* --- trying ---------------------------------------------------------------------------------- */
static void try_inner(fived_search *s, uint32_t level, uint32_t a)
{
    const fived_axis *axis = &s->axes[a];
    fived_domain d = s->levels[level][a];
    if (s->open == 0 && s->new_next == s->new_lines && fived_turn_only_counts(s)) {
        s->total += d.count;
        s->found += d.count;
        return;
    }
    uint32_t guide = s->guide[a];
    bool guided =
        s->exists && guide != UINT32_MAX && fived_turn_inner_fits(axis, &d, &s->inner[guide]);
    for (uint32_t i = 0; i < d.count + guided && !s->stop; i++) {
        uint32_t id = guided ? i ? s->ids[d.ids + i - 1] : guide : s->ids[d.ids + i];
        uint32_t ids = s->id_count;
        const fived_inner *m = &s->inner[id];
        if (guided && i && id == guide)
            continue;
        fived_board_after(&s->boards[a], axis->board, m->from_square, m->to_square,
                          (fived_kind)m->becomes);
        fived_turn_choose(s, FIVED_PHYSICAL, id);
        if (fived_turn_put(s, level, a))
            fived_turn_step(s, level + 1);
        fived_turn_take(s, a);
        s->choice_count--;
        s->id_count = ids;
    }
}

/* The leave of a hop is in place at `level`; its arrival is tried. */
static void try_arrival(fived_search *s, uint32_t level, uint32_t id)
{
    const fived_jump *j = &s->jumps[id];
    uint32_t to = (uint32_t)j->destination, ids = s->id_count;
    if (!fived_turn_arrival_fits(&s->axes[to], &s->levels[level][to], j))
        return;
    fived_piece piece = s->axes[j->source].board->square[j->from_square];
    fived_board_arrive(&s->boards[to], j->target, j->to_square, piece, (fived_kind)j->becomes);
    s->status[to] = DONE;
    s->open--;
    fived_turn_choose(s, FIVED_HOP, id);
    if (fived_turn_put(s, level, to))
        fived_turn_step(s, level + 1);
    fived_turn_take(s, to);
    s->choice_count--;
    s->status[to] = OPEN;
    s->open++;
    s->id_count = ids;
}

/* Builds the board that a piece has left; true when no axis is lost by it. */
bool fived_turn_put_leave(fived_search *s, uint32_t level, uint32_t a, int square)
{
    fived_board_leave(&s->boards[a], s->axes[a].board, square);
    return fived_turn_put(s, level, a);
}

/* Hops from the axis, which is DONE by now; and leaving it for a branch that comes later. */
static void try_leaving(fived_search *s, uint32_t level, uint32_t a)
{
    const fived_axis *axis = &s->axes[a];
    uint64_t leave = s->levels[level][a].leave;
    bool branches =
        s->new_lines - s->new_next > s->pending && fived_turn_free_line(s, 0) < s->limit[a];
    for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count && !s->stop; i = end) {
        end = fived_turn_group_end(s, axis, i);
        int square = s->jumps[i].from_square;
        if (!(leave & ply_bit(square)))
            continue;
        bool hops = false;
        const fived_domain *d = s->levels[level];
        for (uint32_t k = i; k < end && !hops; k++) {
            int to = s->jumps[k].destination;
            hops = to >= 0 && s->status[to] == OPEN &&
                   fived_turn_arrival_fits(&s->axes[to], &d[to], &s->jumps[k]);
        }
        if (!hops && !branches)
            continue;
        uint32_t ids = s->id_count;
        bool fits = fived_turn_put_leave(s, level, a, square);
        if (fits && branches) {
            s->status[a] = WAITING;
            s->left_from[a] = (uint8_t)square;
            s->pending++;
            fived_turn_step(s, level + 1);
            s->pending--;
            s->status[a] = DONE;
        }
        /* An arrival may save an axis that the leaving alone has emptied. */
        for (uint32_t k = i; hops && k < end && !s->stop; k++) {
            int to = s->jumps[k].destination;
            if (to >= 0 && s->status[to] == OPEN)
                try_arrival(s, level + 1, k);
        }
        fived_turn_take(s, a);
        s->id_count = ids;
    }
}

/* Hops onto the axis, which is still OPEN. */
static void try_hops_onto(fived_search *s, uint32_t level, uint32_t a)
{
    const fived_axis *axis = &s->axes[a];
    for (uint32_t i = 0; i < axis->hop_count && !s->stop; i++) {
        uint32_t id = s->hop_index[axis->hop + i];
        const fived_jump *j = &s->jumps[id];
        uint32_t from = (uint32_t)j->source, ids = s->id_count;
        const fived_domain *d = s->levels[level];
        if (s->status[from] != OPEN || !(d[from].leave & ply_bit(j->from_square)) ||
            !fived_turn_arrival_fits(axis, &d[a], j))
            continue;
        s->status[from] = DONE;
        s->open--;
        fived_turn_put_leave(s, level, from, j->from_square);
        if (!s->stop)
            try_arrival(s, level + 1, id);
        fived_turn_take(s, from);
        s->status[from] = OPEN;
        s->open++;
        s->id_count = ids;
    }
}

static void try_axis(fived_search *s, uint32_t level, uint32_t a)
{
    bool may_pass = !s->required[a] && !s->must[a];
    s->status[a] = DONE;
    s->open--;
    try_inner(s, level, a);
    s->status[a] = OPEN;
    s->open++;
    if (!s->stop)
        try_hops_onto(s, level, a);
    if (s->stop)
        return;
    s->status[a] = DONE;
    s->open--;
    if (s->open > 0 || s->new_next < s->new_lines)
        try_leaving(s, level, a);
    if (!s->stop && may_pass)
        fived_turn_step(s, level);
    s->status[a] = OPEN;
    s->open++;
}

/* --- the search ----------------------------------------------------------------------------- */
/*
 * The axis to try next, or -1: among those that must be played when only existence is asked (the
 * rest pass), among all otherwise. *size gets how many values it has, about.
 */
static int pick_axis(const fived_search *s, const fived_domain *d, uint32_t *size)
{
    int best = -1;
    uint64_t best_weight = 1;
    *size = UINT32_MAX;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        if (s->status[a] != OPEN)
            continue;
        bool bound = s->required[a] || s->must[a];
        if (s->exists && !bound)
            continue;
        uint32_t values = d[a].count + (uint32_t)ply_popcount(d[a].leave) + !bound;
        uint64_t weight = s->axes[a].weight + 1;
        if (best < 0 || (uint64_t)values * best_weight < (uint64_t)*size * weight) {
            best = (int)a;
            best_weight = weight;
            *size = values;
        }
    }
    return best;
}

/* One step of listing all turns: new lines in their order, then axes. */
static void list_step(fived_search *s, uint32_t level)
{
    uint32_t size;
    int axis = pick_axis(s, s->levels[level], &size);
    bool lines = s->new_next < s->new_lines;
    if (lines && s->shift_rule == SHIFT_NEEDED && !s->shifted && !fived_turn_shift_possible(s))
        return;
    if (lines && (axis < 0 || size > 2))
        fived_turn_try_new_line(s, level, s->new_next);
    else if (axis >= 0)
        try_axis(s, level, (uint32_t)axis);
    else if (s->shift_rule != SHIFT_NEEDED || s->shifted)
        solution(s);
}

/* One step of looking for a turn: what is needed first, what only fills lines last. */
static void prove_step(fived_search *s, uint32_t level)
{
    int waiting = -1;
    for (uint32_t a = 0; s->pending > 0 && a < s->axis_count; a++)
        if (s->status[a] == WAITING) {
            if (!fived_turn_can_branch(s, a)) {
                s->axes[a].weight++;
                return;
            }
            waiting = (int)a;
        }
    uint32_t size;
    int axis = pick_axis(s, s->levels[level], &size);
    if (s->shift_rule == SHIFT_NEEDED && !s->shifted) {
        int n = s->new_lines - 1; /* no new line is needed after the one that moves the present */
        if (!s->used[n] && fived_turn_shift_possible(s))
            fived_turn_try_new_line(s, level, n);
    } else if (axis >= 0) {
        try_axis(s, level, (uint32_t)axis);
    } else if (waiting >= 0) {
        for (int n = fived_turn_free_line(s, 0);
             n < s->new_lines && n < s->limit[waiting] && !s->stop;
             n = fived_turn_free_line(s, n + 1))
            fived_turn_try_line_from(s, level, (uint32_t)waiting, n);
    } else {
        int n = fived_turn_free_line(s, 0), highest = s->new_lines - 1;
        while (highest >= s->new_least && !s->used[highest])
            highest--;
        if (n > highest)
            solution(s);
        else if (fived_turn_can_fill(s, s->levels[level], highest))
            fived_turn_try_new_line(s, level, n);
    }
}

bool fived_turn_halts(fived_search *s)
{
    enum { OFTEN = 32 };
    if (s->halt && s->steps++ % OFTEN == OFTEN - 1 && s->halt(s->halt_context))
        s->halted = s->stop = true;
    return s->halted;
}

/* Whether the listing has gone on for some time without a turn and can find none from here. */
static bool is_hopeless(fived_search *s)
{
    enum { PATIENCE = 1000 };
    if (s->method != FIVED_MIXED)
        return s->method == FIVED_TANGLED && !fived_tangle_completes(s);
    if (s->found != s->idle_found) {
        s->idle_found = s->found;
        s->idle = 0;
    }
    return ++s->idle > PATIENCE && !fived_tangle_completes(s);
}

void fived_turn_step(fived_search *s, uint32_t level)
{
    if (s->stop)
        return;
    if (!s->exists) {
        if (!is_hopeless(s))
            list_step(s, level);
    } else if (s->work > s->work_limit) {
        s->lost = s->stop = true;
    } else if (!fived_turn_halts(s)) {
        prove_step(s, level);
    }
}
