/* SPDX-License-Identifier: MIT */
/*
 * threat_clauses.c - captures of royal pieces as clauses; see turn_sat.h.
 *
 * A threat is a list of features: what it needs of the boards that the turn makes. What it needs of
 * boards that are there already is so anyway.
 */
#include "games/fived/turns/turn_sat_internal.h"
#include <stdlib.h>

/* What a clause about a threat wants of a board: an enemy piece of a set, or one of these. */
enum { WANT_ROYAL = FIVED_SETS, WANT_EMPTY };

/* --- threats --------------------------------------------------------------------------------- */
static feature feature_make(uint32_t slot, int v, int square, int what)
{
    return (uint64_t)slot << 32 | (uint64_t)(uint32_t)v << 12 | (uint64_t)square << 4 |
           (uint64_t)what;
}

/* The slot of a board that the assignment made at (l, v), or -1. */
static int slot_at(const fived_search *s, int l, int v)
{
    int i = l - s->view.base;
    const fived_view_line *line = &s->view.lines[i];
    if (!line->extra || v != line->end + 1)
        return -1;
    if (s->line_axis[i] >= 0)
        return s->line_axis[i];
    int n = s->position->side ? s->position->lo - 1 - l : l - s->position->hi - 1;
    return (int)s->axis_count + n;
}

static void note(fived_tangle *t, feature f)
{
    if (!ply_array_grow(&t->threats, &t->threat_room, t->threat_count + 1, sizeof *t->threats))
        fived_tangle_no_memory(t);
    else
        t->threats[t->threat_count++] = f;
}

static void note_if_made(fived_tangle *t, int l, int v, int square, int what)
{
    int slot = slot_at(t->search, l, v);
    if (slot >= 0)
        note(t, feature_make((uint32_t)slot, v, square, what));
}

/* Follows one step of an enemy piece; notes the threat if it ends on a royal piece. */
static bool follow_step(fived_tangle *t, int l, int v, int square, fived_step step, int set,
                        bool far)
{
    const fived_search *s = t->search;
    const fived_position *p = s->position;
    int x = (square & 7) + step.x, y = (square >> 3) + step.y, l2 = l + step.l, v2 = v + 2 * step.t;
    size_t begin = t->threat_count;
    note(t, 0);
    note_if_made(t, l, v, square, set);
    for (;; x += step.x, y += step.y, l2 += step.l, v2 += 2 * step.t) {
        const fived_board *b = NULL;
        if (x >= 0 && x < p->width && y >= 0 && y < p->height)
            b = fived_view_board(&s->view, l2, v2);
        if (!b)
            break;
        int to = x + 8 * y;
        if (b->set[FIVED_ROYALS] & b->colour[s->view.side] & ply_bit(to)) {
            note_if_made(t, l2, v2, to, WANT_ROYAL);
            if (!t->clauses.no_memory)
                t->threats[begin] = t->threat_count - begin - 1;
            return true;
        }
        if (!far || (fived_board_occupied(b) & ply_bit(to)))
            break;
        note_if_made(t, l2, v2, to, WANT_EMPTY);
    }
    t->threat_count = begin;
    return false;
}

/* Notes every capture of a royal piece on another board by the enemy piece on a square. */
static bool threats_of(fived_tangle *t, const fived_board *b, int l, int v, int square)
{
    int enemy = !t->search->view.side;
    const fived_steps *steps;
    fived_kind kind = fived_piece_kind(b->square[square]);
    bool far = true, found = false;
    switch (kind) {
    case FIVED_PAWN:
    case FIVED_BRAWN:
        far = false;
        steps = kind == FIVED_PAWN
                    ? enemy ? &fived_steps_black_pawn_take : &fived_steps_white_pawn_take
                : enemy ? &fived_steps_black_brawn_take
                        : &fived_steps_white_brawn_take;
        break;
    case FIVED_KNIGHT:
        far = false;
        steps = &fived_steps_knight;
        break;
    case FIVED_KING:
    case FIVED_COMMON_KING:
        far = false;
        steps = &fived_steps_queen;
        break;
    default: /* the sets of a slider say along how many axes it goes */
        steps = &fived_steps_queen;
        break;
    }
    for (int i = 0; i < steps->count; i++) {
        fived_step step = steps->step[i];
        int axes = (step.x != 0) + (step.y != 0) + (step.t != 0) + (step.l != 0), set;
        if (!step.t && !step.l)
            continue;
        if (far) {
            set = FIVED_ALONG_1 + axes - 1;
            if (!(fived_kind_sets[kind] >> set & 1))
                continue;
        } else {
            set = kind == FIVED_KNIGHT                                 ? FIVED_LEAPERS
                  : kind == FIVED_KING || kind == FIVED_COMMON_KING    ? FIVED_STEPPERS
                  : kind == FIVED_PAWN || (step.x == 0 && step.y == 0) ? FIVED_PAWNS
                                                                       : FIVED_BRAWNS;
        }
        found |= follow_step(t, l, v, square, step, set, far);
    }
    return found;
}

/* Notes the threats of the view; true when there are any. */
bool fived_tangle_find_threats(fived_tangle *t)
{
    enum { ENOUGH = 2048 };
    const fived_view *w = &t->search->view;
    int enemy = !w->side;
    bool found = false;
    t->threat_count = 0;
    for (int i = 0; i < w->count && t->threat_count < ENOUGH; i++) {
        const fived_view_line *line = &w->lines[i];
        int v = line->extra ? line->end + 1 : line->end;
        if (v < line->start || (v & 1) != enemy)
            continue;
        const fived_board *b = line->extra ? line->extra : line->row[v - line->start];
        fived_masks m;
        fived_view_masks(w, w->base + i, v, &m);
        for (uint64_t pieces = fived_masks_attackers(&m, b, enemy); pieces; pieces &= pieces - 1)
            found |= threats_of(t, b, w->base + i, v, ply_lowest(pieces));
    }
    return found;
}

/* --- features -------------------------------------------------------------------------------- */
/* What stands on a board made from b: squares emptied, squares filled, an enemy taken. */
typedef struct change {
    uint64_t from, to, taken, royal_to;
} change;

static bool has_feature(const fived_search *s, const fived_board *b, change k, int square, int what)
{
    int side = s->view.side;
    uint64_t squares;
    if (what == WANT_ROYAL)
        squares = (b->set[FIVED_ROYALS] & b->colour[side] & ~k.from) | k.royal_to;
    else if (what == WANT_EMPTY)
        squares = ((s->view.valid & ~fived_board_occupied(b)) | k.from | k.taken) & ~k.to;
    else
        squares = b->set[what] & b->colour[!side] & ~k.taken;
    return squares >> square & 1;
}

static change change_of_arrival(const fived_jump *j)
{
    uint64_t to = ply_bit(j->to_square);
    return (change){.to = to, .taken = to, .royal_to = j->royal ? to : 0};
}

/* The variable that every value of the slot with the feature makes true. */
static uint32_t feature_variable(fived_tangle *t, feature f)
{
    fived_search *s = t->search;
    if (2 * (t->key_count + 1) > t->key_room) {
        size_t room = t->key_room ? 2 * t->key_room : 256;
        uint64_t *keys = calloc(room, sizeof *keys);
        uint32_t *variables = calloc(room, sizeof *variables);
        if (!keys || !variables) {
            free(keys);
            free(variables);
            fived_tangle_no_memory(t);
            return NO_VARIABLE;
        }
        for (size_t i = 0; i < t->key_room; i++)
            if (t->key_variable[i]) {
                size_t at = (size_t)ply_mix64(t->keys[i]) & (room - 1);
                while (variables[at])
                    at = (at + 1) & (room - 1);
                keys[at] = t->keys[i];
                variables[at] = t->key_variable[i];
            }
        free(t->keys);
        free(t->key_variable);
        t->keys = keys;
        t->key_variable = variables;
        t->key_room = room;
    }
    size_t at = (size_t)ply_mix64(f) & (t->key_room - 1);
    for (; t->key_variable[at]; at = (at + 1) & (t->key_room - 1))
        if (t->keys[at] == f)
            return t->key_variable[at];
    uint32_t variable = fived_clauses_variable(&t->clauses, false, false, 0);
    t->keys[at] = f;
    t->key_variable[at] = variable;
    t->key_count++;
    uint32_t slot = (uint32_t)(f >> 32);
    int v = (int)(f >> 12 & 0xFFFFF), square = (int)(f >> 4 & 63), what = (int)(f & 15);
    if (slot >= s->axis_count) {
        int n = (int)(slot - s->axis_count);
        for (uint32_t i = 0; i < s->jump_count; i++) {
            const fived_jump *j = &s->jumps[i];
            if (t->branch[i] && j->v + 1 == v &&
                has_feature(s, j->target, change_of_arrival(j), square, what))
                fived_tangle_forces(t, t->branch[i], fived_tangle_place(t, (uint32_t)j->source, n),
                                    fived_is(variable));
        }
        return variable;
    }
    const fived_axis *axis = &s->axes[slot];
    fived_domain root = s->levels[0][slot];
    for (uint32_t i = 0; i < root.count; i++) {
        uint32_t id = s->ids[root.ids + i];
        const fived_inner *m = &s->inner[id];
        change k = {.from = m->from, .to = m->to, .taken = m->taken, .royal_to = m->royal_to};
        if (has_feature(s, axis->board, k, square, what))
            fived_tangle_implies(t, t->inner[id], variable);
    }
    for (uint64_t from = root.leave; from; from &= from - 1) {
        change k = {.from = from & -from};
        if (has_feature(s, axis->board, k, square, what))
            fived_tangle_implies(t, t->leave[64 * slot + (uint32_t)ply_lowest(from)], variable);
    }
    for (uint32_t i = 0; i < axis->hop_count; i++) {
        uint32_t id = s->hop_index[axis->hop + i];
        if (t->hop[id] &&
            has_feature(s, axis->board, change_of_arrival(&s->jumps[id]), square, what))
            fived_tangle_implies(t, t->hop[id], variable);
    }
    return variable;
}

void fived_tangle_refuse_threats(fived_tangle *t)
{
    for (size_t i = 0; i < t->threat_count && !t->clauses.broken;) {
        size_t count = (size_t)t->threats[i++];
        for (size_t k = 0; k < count; k++) {
            uint32_t variable = feature_variable(t, t->threats[i + k]);
            fived_tangle_push(t, fived_not(variable));
        }
        fived_tangle_add(t);
        i += count;
    }
}
