/* SPDX-License-Identifier: MIT */
/* turn_sat.c - questions about legal turns as SAT problems; see turn_sat.h. */
#include "games/fived/turns/turn_sat_internal.h"
#include <stdlib.h>
#include <string.h>

/* The arrays: X(t, member, capacity). */
#define ARRAYS(X, t)                           \
    X(t, physical, (t)->physical_room)         \
    X(t, hop, (t)->hop_room)                   \
    X(t, branch, (t)->branch_room)             \
    X(t, leave, (t)->leave_room)               \
    X(t, boards, (t)->board_room)              \
    X(t, saved, (t)->saved_room)               \
    X(t, feature_keys, (t)->feature_room)      \
    X(t, feature_variables, (t)->feature_room) \
    X(t, threats, (t)->threat_room)            \
    X(t, list, (t)->list_room)                 \
    X(t, assumptions, (t)->assumption_room)    \
    X(t, rewinds, (t)->rewind_room)

void fived_turn_sat_free(fived_turn_sat *t)
{
    if (!t)
        return;
    fived_sat_free(&t->sat);
#define FREE(t, member, room) free((t)->member);
    ARRAYS(FREE, t)
#undef FREE
    free(t);
}

size_t fived_turn_sat_bytes(const fived_turn_sat *t)
{
    if (!t)
        return 0;
#define BYTES(t, member, room) (room) * sizeof *(t)->member,
    const size_t arrays[] = {ARRAYS(BYTES, t)};
#undef BYTES
    size_t bytes = sizeof *t + fived_sat_bytes(&t->sat);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        bytes += arrays[i];
    return bytes;
}

/* --- assignments ----------------------------------------------------------------------------- */
/* Plays the assignment into the view, building its boards in `boards`. */
static void play_assignment(fived_turn_sat *t, fived_board *boards)
{
    fived_turn_query *q = t->query;
    const fived_sat *c = &t->sat;
    fived_view *w = &q->view;
    memcpy(t->saved, w->timelines, (size_t)w->count * sizeof *w->timelines);
    for (int i = 0; i < w->count; i++) {
        int l = w->base + i;
        w->timelines[i].extra = NULL;
        if (l < q->position->lo || l > q->position->hi)
            w->timelines[i] = FIVED_NO_TIMELINE;
    }
    q->partial.choice_count = 0;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        const fived_axis *axis = &q->candidates.axes[a];
        fived_domain root = q->domains.levels[0][a];
        const fived_board *extra = NULL;
        for (uint32_t i = 0; i < root.count && !extra; i++) {
            uint32_t id = q->domains.ids[root.ids + i];
            const fived_physical *m = &q->candidates.physical[id];
            if (!fived_sat_is_true(c, t->physical[id]))
                continue;
            fived_board_after(&boards[a], axis->board, m->from_square, m->to_square,
                              (fived_kind)m->promotion);
            fived_turn_push_choice(q, FIVED_PHYSICAL, id);
            extra = &boards[a];
        }
        for (uint64_t from = root.leave; from && !extra; from &= from - 1)
            if (fived_sat_is_true(c, t->leave[64 * a + (uint32_t)ply_lowest(from)])) {
                fived_board_leave(&boards[a], axis->board, ply_lowest(from));
                extra = &boards[a];
            }
        for (uint32_t i = 0; i < axis->hop_count && !extra; i++) {
            uint32_t id = q->candidates.hop_index[axis->hop + i];
            const fived_jump *j = &q->candidates.jumps[id];
            if (!fived_sat_is_true(c, t->hop[id]))
                continue;
            fived_board_arrive(&boards[a], j->target, j->to_square,
                               q->candidates.axes[j->source].board->square[j->from_square],
                               (fived_kind)j->promotion);
            fived_turn_push_choice(q, FIVED_HOP, id);
            extra = &boards[a];
        }
        fived_turn_view_timeline(q, axis->l)->extra = extra;
    }
    for (int n = 0; n < t->new_timelines && fived_sat_is_true(c, t->used + (uint32_t)n); n++)
        for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
            const fived_axis *axis = &q->candidates.axes[a];
            if (!fived_sat_is_true(c, fived_turn_sat_creates(t, a, n)))
                continue;
            for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++) {
                const fived_jump *j = &q->candidates.jumps[i];
                if (!fived_sat_is_true(c, t->branch[i]))
                    continue;
                fived_board *b = &boards[q->candidates.axis_count + (uint32_t)n];
                fived_board_arrive(b, j->target, j->to_square, axis->board->square[j->from_square],
                                   (fived_kind)j->promotion);
                *fived_turn_view_timeline(q, fived_turn_new_timeline(q, n)) =
                    (fived_view_timeline){.start = j->v + 1, .end = j->v, .extra = b};
                fived_turn_push_choice(q, FIVED_BRANCH, i);
            }
        }
}

static void undo_assignment(fived_turn_sat *t)
{
    fived_view *w = &t->query->view;
    memcpy(w->timelines, t->saved, (size_t)w->count * sizeof *w->timelines);
}

static bool check_assignment(void *context, fived_sat *c)
{
    fived_turn_sat *t = context;
    fived_turn_query *q = t->query;
    uint32_t choices = q->partial.choice_count;
    fived_choice *saved_choices = q->partial.choices;
    q->partial.choices = q->sat.choices; /* a search may be using its own */
    play_assignment(t, t->boards);
    bool found = fived_turn_sat_find_threats(t);
    undo_assignment(t);
    q->partial.choices = saved_choices;
    q->partial.choice_count = choices;
    if (!found)
        return true;
    fived_turn_sat_forbid_threats(t);
    return c->unsatisfiable;
}

static bool interrupted(void *context)
{
    return fived_turn_interrupted(((fived_turn_sat *)context)->query);
}

/* --- questions ------------------------------------------------------------------------------- */
/* Encodes the position unless that has been done. False when out of memory. */
static bool encode(fived_turn_query *q)
{
    if (q->status != PLY_OK)
        return false;
    if (q->sat.encoding && q->sat.ready)
        return true;
    if (!q->sat.encoding && !(q->sat.encoding = calloc(1, sizeof *q->sat.encoding))) {
        fived_turn_out_of_memory(q);
        return false;
    }
    fived_turn_sat *t = q->sat.encoding;
    t->query = q;
    t->new_timelines = q->candidates.max_new;
    t->list_count = 0;
    t->rewind_count = t->feature_count = 0;
    if (t->feature_room)
        memset(t->feature_variables, 0, t->feature_room * sizeof *t->feature_variables);
    fived_sat_reset(&t->sat);
    t->sat.check = check_assignment;
    t->sat.interrupted = q->interrupt.poll ? interrupted : NULL;
    t->sat.context = t;
    if (!fived_turn_sat_reserve(t)) {
        fived_turn_out_of_memory(q);
        return false;
    }
    fived_turn_sat_encode(t);
    q->sat.ready = true;
    return true;
}

/* A legal turn has been found: marks what else it proves, as turn_found does in turn_search.c. */
static void use_assignment(fived_turn_sat *t)
{
    fived_turn_query *q = t->query;
    play_assignment(t, q->partial.boards);
    for (uint32_t i = 0; q->marks.mode && i < q->partial.choice_count; i++) {
        fived_choice c = q->partial.choices[i];
        if (c.type == FIVED_PHYSICAL)
            q->marks.viable[c.id] = 1;
        else if (c.type == FIVED_HOP ||
                 (q->candidates.jumps[c.id].destination < 0 &&
                  fived_sat_is_true(
                      &t->sat,
                      fived_turn_sat_creates(t, (uint32_t)q->candidates.jumps[c.id].source, 0))))
            q->marks.viable[q->candidates.physical_count + c.id] = 1;
    }
    if (q->marks.mode)
        fived_turn_mark_replacements(q);
    if (q->witness.wanted)
        fived_turn_save_witness(q);
    undo_assignment(t);
    q->partial.choice_count = 0;
}

/* Solves under the assumptions in t->list. */
static bool solve(fived_turn_sat *t)
{
    size_t count = t->list_count;
    t->list_count = 0; /* clauses are built in it meanwhile */
    if (!ply_array_grow(&t->assumptions, &t->assumption_room, count + 1, sizeof *t->assumptions)) {
        fived_turn_out_of_memory(t->query);
        return false;
    }
    memcpy(t->assumptions, t->list, count * sizeof *t->assumptions);
    uint64_t conflicts = t->sat.conflicts, checks = t->sat.checks;
    bool found = fived_sat_solve(&t->sat, t->assumptions, count);
    t->query->effort.total +=
        t->sat.conflicts - conflicts + (t->sat.checks - checks) * (uint64_t)t->query->view.count;
    if (t->sat.no_memory) {
        fived_turn_out_of_memory(t->query);
        return false;
    }
    if (found && (t->query->marks.mode || t->query->witness.wanted))
        use_assignment(t);
    return found;
}

bool fived_turn_sat_exists(fived_turn_query *q, bool no_rewind)
{
    if (!encode(q))
        return false;
    fived_turn_sat *t = q->sat.encoding;
    if (!no_rewind)
        return solve(t);
    int now = fived_position_present(q->position);
    for (int k = 0; k <= t->new_timelines; k++) {
        fived_turn_present present = fived_turn_present_after(q, k);
        if (present.is_enemys || present.earliest < now)
            continue;
        rewind_rule rewind = fived_turn_sat_rewind_rule(t, present.active, present.earliest);
        if (k > 0)
            fived_turn_sat_push(t, fived_positive(t->used + (uint32_t)k - 1));
        fived_turn_sat_push(t, fived_negative(t->used + (uint32_t)k));
        fived_turn_sat_push(t, fived_positive(rewind.forbidden));
        for (uint32_t a = 0; a < q->candidates.axis_count; a++)
            if (fived_turn_is_due(q, a, &present))
                fived_turn_sat_push(t, fived_negative(t->pass + a));
        if (solve(t))
            return true;
        if (q->status != PLY_OK)
            return false;
    }
    return false;
}

bool fived_turn_sat_is_viable(fived_turn_query *q, bool is_jump, uint32_t id)
{
    if (!encode(q))
        return false;
    fived_turn_sat *t = q->sat.encoding;
    if (!is_jump) {
        fived_turn_sat_push(t, fived_positive(t->physical[id]));
    } else if (q->candidates.jumps[id].destination >= 0) {
        fived_turn_sat_push(t, fived_positive(t->hop[id]));
    } else {
        if (t->new_timelines == 0)
            return false;
        fived_turn_sat_push(t, fived_positive(t->branch[id]));
        fived_turn_sat_push(t, fived_positive(fived_turn_sat_creates(
                                   t, (uint32_t)q->candidates.jumps[id].source, 0)));
    }
    return solve(t);
}

bool fived_turn_sat_can_complete(fived_turn_query *q)
{
    if (!encode(q))
        return true; /* out of memory: the search stops by itself */
    fived_turn_sat *t = q->sat.encoding;
    int k = q->present.max_new;
    rewind_rule rewind = {0};
    if (q->present.rewind != REWIND_ALLOWED)
        rewind = fived_turn_sat_rewind_rule(t, q->present.active_new, q->present.earliest);
    if (k > 0)
        fived_turn_sat_push(t, fived_positive(t->used + (uint32_t)k - 1));
    fived_turn_sat_push(t, fived_negative(t->used + (uint32_t)k));
    if (q->present.rewind == REWIND_FORBIDDEN)
        fived_turn_sat_push(t, fived_positive(rewind.forbidden));
    else if (q->present.rewind == REWIND_REQUIRED)
        fived_turn_sat_push(t, fived_positive(rewind.needed));
    for (uint32_t i = 0; i < q->partial.choice_count; i++) {
        fived_choice c = q->partial.choices[i];
        if (c.type == FIVED_PHYSICAL) {
            fived_turn_sat_push(t, fived_positive(t->physical[c.id]));
        } else if (c.type == FIVED_HOP) {
            fived_turn_sat_push(t, fived_positive(t->hop[c.id]));
        } else {
            uint32_t a = (uint32_t)q->candidates.jumps[c.id].source;
            fived_turn_sat_push(t, fived_positive(t->branch[c.id]));
            fived_turn_sat_push(
                t, fived_positive(fived_turn_sat_creates(t, a, q->partial.new_timeline[a])));
        }
    }
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        const fived_axis *axis = &q->candidates.axes[a];
        bool extra = fived_turn_view_timeline(q, axis->l)->extra != NULL;
        if (q->partial.state[a] == AXIS_DONE && !extra) {
            fived_turn_sat_push(t, fived_positive(t->pass + a));
        } else if (q->partial.state[a] == AXIS_OPEN && q->present.required[a]) {
            fived_turn_sat_push(t, fived_negative(t->pass + a));
        } else if (q->partial.state[a] == AXIS_WAITING) {
            fived_turn_sat_push(t, fived_positive(t->leave[64 * a + q->partial.left_from[a]]));
            for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
                if (t->hop[i])
                    fived_turn_sat_push(t, fived_negative(t->hop[i]));
        }
    }
    return solve(t);
}
