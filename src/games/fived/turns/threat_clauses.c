/* SPDX-License-Identifier: MIT */
/*
 * threat_clauses.c - captures of royal pieces as clauses; see turn_sat.h.
 *
 * A threat is a list of features: what it needs of the boards that the turn makes. What it needs of
 * existing boards holds anyway.
 */
#include "games/fived/turns/turn_sat_internal.h"
#include <stdlib.h>

/* What a feature says about a square: it holds an enemy piece of a set (enum fived_set), or: */
enum { HOLDS_ROYAL = FIVED_SETS, IS_EMPTY };

/* --- threats --------------------------------------------------------------------------------- */
static feature feature_make(uint32_t slot, int v, int square, int what)
{
    return (uint64_t)slot << 32 | (uint64_t)(uint32_t)v << 12 | (uint64_t)square << 4 |
           (uint64_t)what;
}

static uint32_t feature_slot(feature f)
{
    return (uint32_t)(f >> 32);
}

static int feature_v(feature f)
{
    return (int)(f >> 12 & 0xFFFFF);
}

static int feature_square(feature f)
{
    return (int)(f >> 4 & 63);
}

static int feature_what(feature f)
{
    return (int)(f & 15);
}

/* The number of the slot at (l, v) if the assignment put a board there, or -1. */
static int slot_at(const fived_turn_query *q, int l, int v)
{
    int i = l - q->view.base;
    const fived_view_timeline *timeline = &q->view.timelines[i];
    if (!timeline->extra || v != timeline->end + 1)
        return -1;
    if (q->candidates.axis_of[i] >= 0)
        return q->candidates.axis_of[i];
    int n = q->position->side ? q->position->lo - 1 - l : l - q->position->hi - 1;
    return (int)q->candidates.axis_count + n;
}

/* Appends a word to the list of threats. */
static void need(fived_turn_sat *t, feature f)
{
    if (!ply_array_grow(&t->threats, &t->threat_room, t->threat_count + 1, sizeof *t->threats))
        fived_turn_sat_out_of_memory(t);
    else
        t->threats[t->threat_count++] = f;
}

/* Appends a feature unless the board exists already. */
static void need_if_made(fived_turn_sat *t, int l, int v, int square, int what)
{
    int slot = slot_at(t->query, l, v);
    if (slot >= 0)
        need(t, feature_make((uint32_t)slot, v, square, what));
}

/*
 * Follows a step of an enemy piece; records the threat if it reaches a royal piece. In plain numbers:
 * the turn in question may have more timelines than a vector can name.
 */
static bool follow_step(fived_turn_sat *t, int l, int v, int square, fived_location step, int set,
                        bool slides)
{
    const fived_turn_query *q = t->query;
    const fived_position *p = q->position;
    int x = (square & 7) + step.x, y = (square >> 3) + step.y, l2 = l + step.l, v2 = v + 2 * step.t;
    size_t begin = t->threat_count;
    need(t, 0);
    need_if_made(t, l, v, square, set);
    for (;; x += step.x, y += step.y, l2 += step.l, v2 += 2 * step.t) {
        const fived_board *b = NULL;
        if (x >= 0 && x < p->width && y >= 0 && y < p->height)
            b = fived_view_board(&q->view, l2, v2);
        if (!b)
            break;
        int to = x + 8 * y;
        if (b->set[FIVED_ROYALS] & b->colour[q->view.side] & ply_bit(to)) {
            need_if_made(t, l2, v2, to, HOLDS_ROYAL);
            if (!t->sat.no_memory)
                t->threats[begin] = t->threat_count - begin - 1;
            return true;
        }
        if (!slides || (fived_board_occupied(b) & ply_bit(to)))
            break;
        need_if_made(t, l2, v2, to, IS_EMPTY);
    }
    t->threat_count = begin;
    return false;
}

/* The set a piece must be in to attack by this step: what the attacker's square needs. */
static int attacker_set(fived_kind kind, fived_location step, bool slides)
{
    if (slides)
        return FIVED_SLIDERS_1 + (step.x != 0) + (step.y != 0) + (step.t != 0) + (step.l != 0) - 1;
    if (kind == FIVED_KNIGHT)
        return FIVED_LEAPERS;
    if (kind == FIVED_KING || kind == FIVED_COMMON_KING)
        return FIVED_STEPPERS;
    return kind == FIVED_PAWN || (step.x == 0 && step.y == 0) ? FIVED_PAWNS : FIVED_BRAWNS;
}

/* Records every capture of a royal piece on another board by the enemy piece on a square. */
static bool threats_of(fived_turn_sat *t, const fived_board *b, int l, int v, int square)
{
    fived_kind kind = fived_piece_kind(b->square[square]);
    bool slides, found = false;
    const fived_steps *steps = fived_piece_steps(kind, !t->query->view.side, &slides);
    for (uint32_t i = 0; i < steps->count; i++) {
        fived_location step = fived_vec4_location(steps->step[i]);
        if (step.t || step.l)
            found |= follow_step(t, l, v, square, step, attacker_set(kind, step, slides), slides);
    }
    return found;
}

bool fived_turn_sat_find_threats(fived_turn_sat *t)
{
    enum { ENOUGH = 2048 }; /* words of threats to add in one round */
    const fived_view *w = &t->query->view;
    int enemy = !w->side;
    bool found = false;
    t->threat_count = 0;
    for (int i = 0; i < w->count && t->threat_count < ENOUGH; i++) {
        const fived_view_timeline *timeline = &w->timelines[i];
        int v = timeline->extra ? timeline->end + 1 : timeline->end;
        if (v < timeline->start || (v & 1) != enemy)
            continue;
        const fived_board *b =
            timeline->extra ? timeline->extra : timeline->boards[v - timeline->start];
        fived_masks m;
        fived_view_masks(w, w->base + i, v, &m);
        for (uint64_t pieces = fived_masks_attackers(&m, b, enemy); pieces; pieces &= pieces - 1)
            found |= threats_of(t, b, w->base + i, v, ply_lowest(pieces));
    }
    return found;
}

/* --- features -------------------------------------------------------------------------------- */
/*
 * How a board made by the turn differs from the one before: squares emptied, filled, captured on.
 */
typedef struct change {
    uint64_t from, to, taken, royal_to;
} change;

/* Whether the board that the change makes of b has the feature. */
static bool has_feature(const fived_turn_query *q, const fived_board *b, change k, feature f)
{
    int side = q->view.side, what = feature_what(f);
    uint64_t squares;
    if (what == HOLDS_ROYAL)
        squares = (b->set[FIVED_ROYALS] & b->colour[side] & ~k.from) | k.royal_to;
    else if (what == IS_EMPTY)
        squares = ((q->view.valid & ~fived_board_occupied(b)) | k.from | k.taken) & ~k.to;
    else
        squares = b->set[what] & b->colour[!side] & ~k.taken;
    return squares >> feature_square(f) & 1;
}

static change change_of_arrival(const fived_jump *j)
{
    uint64_t to = ply_bit(j->to_square);
    return (change){.to = to, .taken = to, .royal_to = j->royal ? to : 0};
}

/* Makes room for one more entry in the hash map of features. */
static bool reserve_feature(fived_turn_sat *t)
{
    if (2 * (t->feature_count + 1) <= t->feature_room)
        return true;
    size_t room = t->feature_room ? 2 * t->feature_room : 256;
    uint64_t *keys = calloc(room, sizeof *keys);
    uint32_t *variables = calloc(room, sizeof *variables);
    if (!keys || !variables) {
        free(keys);
        free(variables);
        return false;
    }
    for (size_t i = 0; i < t->feature_room; i++)
        if (t->feature_variables[i]) {
            size_t at = (size_t)ply_mix64(t->feature_keys[i]) & (room - 1);
            while (variables[at])
                at = (at + 1) & (room - 1);
            keys[at] = t->feature_keys[i];
            variables[at] = t->feature_variables[i];
        }
    free(t->feature_keys);
    free(t->feature_variables);
    t->feature_keys = keys;
    t->feature_variables = variables;
    t->feature_room = room;
    return true;
}

/* Every branch that gives new timeline n a board with the feature implies the variable. */
static void define_on_new_timeline(fived_turn_sat *t, feature f, uint32_t variable)
{
    const fived_turn_query *q = t->query;
    int n = (int)(feature_slot(f) - q->candidates.axis_count);
    for (uint32_t i = 0; i < q->candidates.jump_count; i++) {
        const fived_jump *j = &q->candidates.jumps[i];
        if (t->branch[i] && j->v + 1 == feature_v(f) &&
            has_feature(q, j->target, change_of_arrival(j), f))
            fived_turn_sat_both_imply(t, t->branch[i],
                                      fived_turn_sat_creates(t, (uint32_t)j->source, n),
                                      fived_positive(variable));
    }
}

/* Every value that gives an end board's timeline a board with the feature implies the variable. */
static void define_on_axis(fived_turn_sat *t, feature f, uint32_t variable)
{
    const fived_turn_query *q = t->query;
    uint32_t a = feature_slot(f);
    const fived_axis *axis = &q->candidates.axes[a];
    fived_domain root = q->domains.levels[0][a];
    for (uint32_t i = 0; i < root.count; i++) {
        uint32_t id = q->domains.ids[root.ids + i];
        const fived_physical *m = &q->candidates.physical[id];
        change k = {.from = m->from, .to = m->to, .taken = m->taken, .royal_to = m->royal_to};
        if (has_feature(q, axis->board, k, f))
            fived_turn_sat_implies(t, t->physical[id], variable);
    }
    for (uint64_t from = root.leave; from; from &= from - 1) {
        change k = {.from = from & -from};
        if (has_feature(q, axis->board, k, f))
            fived_turn_sat_implies(t, t->leave[64 * a + (uint32_t)ply_lowest(from)], variable);
    }
    for (uint32_t i = 0; i < axis->hop_count; i++) {
        uint32_t id = q->candidates.hop_index[axis->hop + i];
        if (t->hop[id] &&
            has_feature(q, axis->board, change_of_arrival(&q->candidates.jumps[id]), f))
            fived_turn_sat_implies(t, t->hop[id], variable);
    }
}

/* The variable of a feature: implied by every value that has the feature. */
static uint32_t feature_variable(fived_turn_sat *t, feature f)
{
    if (!reserve_feature(t)) {
        fived_turn_sat_out_of_memory(t);
        return NO_VARIABLE;
    }
    size_t at = (size_t)ply_mix64(f) & (t->feature_room - 1);
    for (; t->feature_variables[at]; at = (at + 1) & (t->feature_room - 1))
        if (t->feature_keys[at] == f)
            return t->feature_variables[at];
    uint32_t variable = fived_sat_new_variable(&t->sat, false, false, 0);
    t->feature_keys[at] = f;
    t->feature_variables[at] = variable;
    t->feature_count++;
    if (feature_slot(f) >= t->query->candidates.axis_count)
        define_on_new_timeline(t, f, variable);
    else
        define_on_axis(t, f, variable);
    return variable;
}

void fived_turn_sat_forbid_threats(fived_turn_sat *t)
{
    for (size_t i = 0; i < t->threat_count && !t->sat.unsatisfiable;) {
        size_t count = (size_t)t->threats[i++];
        for (size_t k = 0; k < count; k++) {
            uint32_t variable = feature_variable(t, t->threats[i + k]);
            fived_turn_sat_push(t, fived_negative(variable));
        }
        fived_turn_sat_add_clause(t);
        i += count;
    }
}
