/* SPDX-License-Identifier: MIT */
/*
 * viable_moves.c - which single moves begin a legal turn.
 *
 * One legal turn is found. A move that can take the place of what its board does in that turn, all
 * other boards staying as they are, begins a legal turn too; a few masks tell. The moves for which
 * this fails are searched one by one; where turns are dear, those found are looked around as well.
 */
#include "games/fived/turns/turns_internal.h"
#include <string.h>

/* What is left of a slot with everything else of a turn in place. */
static fived_domain look_at(const fived_search *s, uint32_t number)
{
    const fived_axis *a = &s->axes[number];
    fived_masks m;
    fived_view_masks(&s->view, a->l, a->v + 1, &m);
    return (fived_domain){.attackers = fived_masks_attackers(&m, a->board, !s->view.side),
                          .y = m.y,
                          .through = m.through};
}

void fived_turn_keep(fived_search *s)
{
    const fived_choice *c = s->choices;
    s->turn_count = fived_turn_write(s);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->choice_count; i++)
        if (c[i].type != FIVED_BRANCH)
            s->kept[count++] = c[i];
    s->kept_count = s->choice_count;
    for (uint32_t i = 0, k = 0; i < s->choice_count; i++)
        if (c[i].type == FIVED_BRANCH) {
            int n = s->left_by[s->jumps[c[i].id].source];
            s->kept[count + (n >= 0 ? (uint32_t)n : k)] = c[i];
            k++;
        }
    if (!s->keep_around)
        return;
    memset(s->alone, 1, s->axis_count);
    for (uint32_t i = 0; i < s->choice_count; i++)
        if (c[i].type != FIVED_PHYSICAL) {
            const fived_jump *j = &s->jumps[c[i].id];
            s->alone[j->source] = 0;
            if (c[i].type == FIVED_HOP)
                s->alone[j->destination] = 0;
        }
    for (uint32_t a = 0; a < s->axis_count; a++) {
        fived_view_line *line = fived_turn_line(s, s->axes[a].l);
        const fived_board *held = line->extra;
        if (!s->alone[a])
            continue;
        line->extra = NULL;
        s->around[a] = look_at(s, a);
        line->extra = held;
    }
}

/* Whether a turn stays right about the present when axis a is left by a branch to v. */
static bool present_allows(const fived_search *s, uint32_t a, int v)
{
    const fived_position *p = s->position;
    int lo, hi, white = p->hi - p->hi0, black = p->lo0 - p->lo;
    fived_active_range(p, white + !p->side, black + p->side, &lo, &hi);
    int line = fived_turn_new_line(s, 0), least = line >= lo && line <= hi ? v : FIVED_NOWHERE;
    for (int l = lo > p->lo ? lo : p->lo; l <= hi && l <= p->hi; l++) {
        int end = fived_position_line(p, l)->end, axis = s->line_axis[l - s->view.base];
        if (axis >= 0 && ((uint32_t)axis == a || s->view.lines[l - s->view.base].extra))
            end++;
        least = end < least ? end : least;
    }
    return (least & 1) != p->side;
}

/* Whether all of the jumps first..end-1 are marked. */
static bool all_marked(const fived_search *s, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (!s->viable[s->inner_count + i])
            return false;
    return true;
}

/* Whether a candidate of the axis waits for a mark. */
static bool has_unmarked(const fived_search *s, uint32_t a)
{
    const fived_axis *axis = &s->axes[a];
    const fived_domain *root = &s->levels[0][a];
    for (uint32_t i = 0; i < root->count; i++)
        if (!s->viable[s->ids[root->ids + i]])
            return true;
    for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
        if ((root->leave & ply_bit(s->jumps[i].from_square)) && !s->viable[s->inner_count + i])
            return true;
    return false;
}

/* A turn is in place: marks what could take the place of one axis's part in it. */
void fived_turn_mark_around(fived_search *s)
{
    uint8_t *jump_viable = s->viable + s->inner_count;
    uint8_t *busy = s->left_from; /* no axis waits in a finished turn */
    memset(busy, 0, s->axis_count);
    bool branches = false;
    for (uint32_t i = 0; i < s->choice_count; i++)
        if (s->choices[i].type != FIVED_PHYSICAL) {
            const fived_jump *j = &s->jumps[s->choices[i].id];
            busy[j->source] = 1;
            if (s->choices[i].type == FIVED_HOP)
                busy[j->destination] = 1;
            else
                branches = true;
        }
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        const fived_domain *root = &s->levels[0][a];
        fived_view_line *line = fived_turn_line(s, axis->l);
        const fived_board *held = line->extra;
        if (busy[a] || !has_unmarked(s, a))
            continue;
        line->extra = NULL;
        fived_domain d = look_at(s, a);
        for (uint32_t i = 0; i < root->count; i++) {
            uint32_t id = s->ids[root->ids + i];
            s->viable[id] |= fived_turn_inner_fits(axis, &d, &s->inner[id]);
        }
        for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count; i = end) {
            end = fived_turn_group_end(s, axis, i);
            uint64_t from = ply_bit(s->jumps[i].from_square);
            if (!(root->leave & from) || !fived_turn_leave_fits(axis, &d, from) ||
                all_marked(s, i, end))
                continue;
            fived_new_slots slots = {.count = 0};
            int seen = -1;
            fived_domain there = {0};
            fived_board_leave(&s->boards[a], axis->board, s->jumps[i].from_square);
            line->extra = &s->boards[a];
            for (uint32_t k = i; k < end; k++) {
                const fived_jump *j = &s->jumps[k];
                int to = j->destination;
                if (to >= 0 && !busy[to]) {
                    fived_view_line *other = fived_turn_line(s, s->axes[to].l);
                    const fived_board *other_held = other->extra;
                    other->extra = NULL;
                    if (seen != to)
                        there = look_at(s, (uint32_t)to);
                    seen = to;
                    other->extra = other_held;
                    jump_viable[k] |= fived_turn_arrival_fits(&s->axes[to], &there, j);
                } else if (to < 0 && !branches && present_allows(s, a, j->v + 1)) {
                    jump_viable[k] |= fived_turn_branch_fits(
                        s, j,
                        fived_turn_slot_masks(s, &slots, fived_turn_new_line(s, 0), j->v + 1));
                }
            }
            line->extra = NULL;
        }
        /* The board of the turn itself, if it was a move within, is made again. */
        line->extra = held;
        for (uint32_t i = 0; held && i < s->choice_count; i++)
            if (s->choices[i].type == FIVED_PHYSICAL && s->inner[s->choices[i].id].axis == a) {
                const fived_inner *m = &s->inner[s->choices[i].id];
                fived_board_after(&s->boards[a], axis->board, m->from_square, m->to_square,
                                  (fived_kind)m->becomes);
            }
    }
}

bool fived_search_mark(fived_search *s)
{
    size_t count = (size_t)s->inner_count + s->jump_count;
    if (s->dead || !ply_array_grow(&s->viable, &s->viable_room, count + 1, 1))
        return false;
    memset(s->viable, 0, count);
    s->marking = MARK_ALL;
    bool found = fived_search_exists(s, false);
    s->marking = found ? MARK_TANGLED : MARK_NONE;
    if (!found)
        return false;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        const fived_axis *axis = &s->axes[a];
        fived_domain d = s->levels[0][a];
        for (uint32_t i = 0; i < d.count; i++) {
            uint32_t id = s->ids[d.ids + i];
            if (!s->viable[id])
                s->viable[id] = fived_search_viable(s, false, id);
        }
        for (uint32_t i = axis->jump; i < axis->jump + axis->jump_count; i++)
            if ((d.leave & ply_bit(s->jumps[i].from_square)) && !s->viable[s->inner_count + i])
                s->viable[s->inner_count + i] = fived_search_viable(s, true, i);
    }
    s->marking = MARK_NONE;
    return s->status_code == PLY_OK;
}
