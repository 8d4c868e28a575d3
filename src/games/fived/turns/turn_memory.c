/* SPDX-License-Identifier: MIT */
/* turn_memory.c - the memory of a turn search, and what it knows at the start. */
#include "games/fived/turns/turn_sat.h"
#include "games/fived/turns/turns_internal.h"
#include <stdlib.h>
#include <string.h>

void fived_search_init(fived_search *s)
{
    memset(s, 0, sizeof *s);
}

void fived_search_free(fived_search *s)
{
    for (size_t i = 0; i < s->level_room; i++)
        free(s->levels[i]);
    free(s->view.lines);
    free(s->line_axis);
    free(s->safe_base);
    free(s->axes);
    free(s->inner);
    free(s->jumps);
    free(s->hop_index);
    free(s->ids);
    free(s->safe);
    free(s->boards);
    free(s->levels);
    free(s->status);
    free(s->required);
    free(s->must);
    free(s->left_from);
    free(s->left_by);
    free(s->limit);
    free(s->used);
    free(s->guide);
    free(s->choices);
    free(s->spare_choices);
    free(s->kept);
    free(s->around);
    free(s->alone);
    free(s->turn);
    free(s->seen);
    free(s->viable);
    fived_tangle_free(s->tangle);
    memset(s, 0, sizeof *s);
}

/* --- preparing ------------------------------------------------------------------------------ */
static bool reserve_axes(fived_search *s, size_t lines, size_t axes, size_t boards)
{
    size_t room = s->line_room;
    if (!ply_array_grow(&s->view.lines, &room, lines, sizeof *s->view.lines))
        return false;
    room = s->line_room;
    if (!ply_array_grow(&s->line_axis, &room, lines, sizeof *s->line_axis))
        return false;
    room = s->line_room;
    if (!ply_array_grow(&s->safe_base, &room, lines, sizeof *s->safe_base))
        return false;
    s->line_room = room;
    if (boards > s->safe_room) {
        free(s->safe);
        s->safe = malloc(boards * 2);
        s->safe_room = s->safe ? boards * 2 : 0;
    }
    if (!s->safe)
        return false;
    if (axes <= s->axis_room && s->axis_room > 0)
        return true;
    size_t more = s->axis_room ? s->axis_room : 4;
    while (more < axes)
        more *= 2;
    for (size_t i = 0; i < s->level_room; i++) {
        free(s->levels[i]); /* they hold a domain for each axis */
        s->levels[i] = NULL;
    }
    free(s->axes);
    free(s->boards);
    free(s->status);
    free(s->required);
    free(s->must);
    free(s->left_from);
    free(s->left_by);
    free(s->limit);
    free(s->used);
    free(s->guide);
    free(s->choices);
    free(s->spare_choices);
    free(s->kept);
    free(s->around);
    free(s->alone);
    free(s->turn);
    s->axes = malloc(more * sizeof *s->axes);
    s->boards = aligned_alloc(alignof(fived_board), 2 * more * sizeof *s->boards);
    s->status = malloc(more);
    s->required = malloc(more);
    s->must = malloc(more);
    s->left_from = malloc(more);
    s->left_by = malloc(more * sizeof *s->left_by);
    s->limit = malloc(more * sizeof *s->limit);
    s->used = malloc(more);
    s->guide = malloc(more * sizeof *s->guide);
    s->choices = malloc((2 * more + 1) * sizeof *s->choices);
    s->spare_choices = malloc((2 * more + 1) * sizeof *s->spare_choices);
    s->kept = malloc((2 * more + 1) * sizeof *s->kept);
    s->around = malloc(more * sizeof *s->around);
    s->alone = malloc(more);
    s->turn = malloc((2 * more + 1) * sizeof *s->turn);
    s->axis_room = more;
    return s->axes && s->boards && s->status && s->required && s->must && s->left_from &&
           s->left_by && s->limit && s->used && s->guide && s->choices && s->spare_choices &&
           s->turn;
}

/* The domains of a level; NULL when memory is out. */
fived_domain *fived_turn_level(fived_search *s, uint32_t level)
{
    size_t room = s->level_room;
    if (level >= room) {
        if (!ply_array_grow(&s->levels, &s->level_room, (size_t)level + 1, sizeof *s->levels))
            return NULL;
        memset(s->levels + room, 0, (s->level_room - room) * sizeof *s->levels);
    }
    if (!s->levels[level])
        s->levels[level] = malloc(s->axis_room * sizeof(fived_domain));
    return s->levels[level];
}

void fived_turn_fail(fived_search *s)
{
    s->status_code = PLY_NO_MEMORY;
    s->stop = true;
}

/* Reads the masks of the slot and keeps what still fits of `before` (NULL: of everything). */
void fived_turn_refresh(fived_search *s, uint32_t number, const fived_domain *before,
                        fived_domain *d)
{
    const fived_axis *a = &s->axes[number];
    fived_masks m;
    s->work++;
    fived_view_masks(&s->view, a->l, a->v + 1, &m);
    d->attackers = fived_masks_attackers(&m, a->board, !s->view.side);
    d->y = m.y;
    d->through = m.through;
    uint32_t count = before ? before->count : a->inner_count, kept = 0;
    uint32_t ids = before ? before->ids : 0;
    if (!ply_array_grow(&s->ids, &s->id_room, (size_t)s->id_count + count + 1, sizeof *s->ids)) {
        fived_turn_fail(s);
        return;
    }
    uint32_t *out = s->ids + s->id_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = before ? s->ids[ids + i] : a->inner + i;
        out[kept] = id;
        kept += fived_turn_inner_fits(a, d, &s->inner[id]);
    }
    d->ids = s->id_count;
    d->count = kept;
    s->id_count += kept;
    d->leave = 0;
    for (uint64_t from = before ? before->leave : a->leave; from; from &= from - 1)
        if (fived_turn_leave_fits(a, d, from & -from))
            d->leave |= from & -from;
}

ply_status fived_search_prepare(fived_search *s, const ply_rules *rules, const fived_position *p)
{
    s->rules = rules;
    s->position = p;
    s->status_code = PLY_OK;
    s->tangle_ready = s->lost = s->halted = false;
    s->effort = 0;
    uint32_t axes = 0, boards = 0;
    for (int l = p->lo; l <= p->hi; l++)
        axes += (fived_position_line(p, l)->end & 1) == p->side;
    int lines = p->hi - p->lo + 1, extra = (int)axes;
    if (!reserve_axes(s, (size_t)(lines + extra), axes, p->boards))
        return PLY_NO_MEMORY;
    fived_view *w = &s->view;
    w->base = p->side ? p->lo - extra : p->lo;
    w->count = lines + extra;
    w->side = p->side;
    w->valid = p->valid;
    s->axis_count = 0;
    for (int i = 0; i < w->count; i++) {
        int l = w->base + i;
        s->line_axis[i] = -1;
        if (l < p->lo || l > p->hi) {
            w->lines[i] = (fived_view_line){.start = FIVED_NOWHERE, .end = FIVED_NOWHERE - 1};
            continue;
        }
        const fived_line *line = fived_position_line(p, l);
        w->lines[i] = (fived_view_line){.row = line->row, .start = line->start, .end = line->end};
        s->safe_base[i] = boards;
        boards += (uint32_t)(line->end - line->start + 1);
        if ((line->end & 1) != p->side)
            continue;
        s->line_axis[i] = (int)s->axis_count;
        s->axes[s->axis_count++] =
            (fived_axis){.board = line->row[line->end - line->start], .l = l, .v = line->end};
    }
    memset(s->safe, 0, boards);
    s->id_count = s->choice_count = 0;
    s->dead = fived_view_in_check(w);
    if (s->dead)
        return PLY_OK; /* a threat that no move can undo: there is no legal turn */
    ply_status status = fived_search_candidates(s);
    if (status != PLY_OK)
        return status;
    fived_domain *root = fived_turn_level(s, 0);
    if (!root)
        return PLY_NO_MEMORY;
    s->new_lines_max = 0;
    s->stop = false;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        s->status[a] = OPEN;
        s->must[a] = s->required[a] = 0;
        s->left_by[a] = -1;
        s->limit[a] = INT32_MAX;
        s->used[a] = 0;
        s->guide[a] = UINT32_MAX;
        root[a].leave = 0;
        fived_turn_refresh(s, a, NULL, &root[a]);
        s->new_lines_max += root[a].leave != 0;
    }
    return s->status_code;
}

void fived_search_rebind(fived_search *s)
{
    const fived_position *p = s->position;
    for (int l = p->lo; l <= p->hi; l++)
        s->view.lines[l - s->view.base].row = fived_position_line(p, l)->row;
}
