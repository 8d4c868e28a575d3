/* SPDX-License-Identifier: MIT */
/*
 * new_timelines.c - new lines.
 *
 * Where turns are listed, new lines get their boards in order. Where only existence is asked, the
 * ones that are needed get theirs on any line, and the gaps are filled afterwards.
 */
#include "games/fived/turns/turns_internal.h"

const fived_masks *fived_turn_slot_masks(const fived_search *s, fived_new_slots *slots, int l,
                                         int v)
{
    for (int i = 0; i < slots->count && i < SLOTS; i++)
        if (slots->slot[i].v == v)
            return &slots->slot[i].masks;
    fived_new_slot *slot = &slots->slot[slots->count++ % SLOTS];
    slot->v = v;
    fived_view_masks(&s->view, l, v, &slot->masks);
    return &slot->masks;
}

bool fived_turn_branch_fits(const fived_search *s, const fived_jump *j, const fived_masks *m)
{
    const fived_board *b = j->target;
    int side = s->view.side;
    uint64_t to = ply_bit(j->to_square), royals = b->set[FIVED_ROYALS] & b->colour[side];
    uint64_t empty = s->view.valid & ~fived_board_occupied(b);
    return !(fived_masks_attackers(m, b, !side) & ~to) &&
           !((royals | (j->royal ? to : 0)) & m->y) && !(empty & ~to & m->through);
}

static bool is_shift(const fived_search *s, const fived_jump *j, int n)
{
    return n < s->new_active && j->v + 1 < s->earliest;
}

/* Whether a branch may make new line n, by the rules of order and of the present. */
static bool branch_allowed(const fived_search *s, const fived_jump *j, int n)
{
    int to = j->destination;
    if (to >= 0) {
        /* The end board must have been played before (or be promised), else this were a hop. */
        if (s->status[to] == WAITING && !s->exists)
            return false;
        if (s->status[to] == DONE &&
            (!s->view.lines[s->axes[to].l - s->view.base].extra || s->left_by[to] >= n))
            return false;
    }
    if (s->shift_rule == SHIFT_FORBIDDEN)
        return !is_shift(s, j, n);
    if (s->shift_rule == SHIFT_NEEDED && !s->shifted)
        return is_shift(s, j, n) || (s->exists ? n + 1 < s->new_lines : n + 1 < s->new_active);
    return true;
}

/* The leave of axis a is in place at level; jumps first..end-1 are tried as new line n. */
void fived_turn_try_branches(fived_search *s, uint32_t level, uint32_t a, uint32_t first,
                             uint32_t end, int n)
{
    int l = fived_turn_new_line(s, n);
    fived_new_slots slots = {.count = 0};
    bool last = s->open == 0 && s->new_next + 1 == s->new_lines && fived_turn_only_counts(s);
    for (uint32_t i = first; i < end && !s->stop; i++) {
        const fived_jump *j = &s->jumps[i];
        if (!branch_allowed(s, j, n) ||
            !fived_turn_branch_fits(s, j, fived_turn_slot_masks(s, &slots, l, j->v + 1)))
            continue;
        if (last) {
            s->total++;
            continue;
        }
        uint32_t ids = s->id_count;
        int to = j->destination;
        bool promise = to >= 0 && s->status[to] != DONE, was_shifted = s->shifted;
        uint8_t must = 0;
        int32_t limit = 0;
        if (promise) {
            must = s->must[to];
            limit = s->limit[to];
            s->must[to] = 1;
            s->limit[to] = !s->exists ? 0 : n < limit ? n : limit;
        }
        fived_board *b = &s->boards[s->axis_count + (uint32_t)n];
        fived_piece piece = s->axes[a].board->square[j->from_square];
        fived_board_arrive(b, j->target, j->to_square, piece, (fived_kind)j->becomes);
        fived_view_line *line = fived_turn_line(s, l);
        *line = (fived_view_line){.start = j->v + 1, .end = j->v, .extra = b};
        s->key += fived_board_key(b->hash, l, j->v + 1);
        s->left_by[a] = n;
        s->used[n] = 1;
        s->new_next++;
        s->shifted = s->shifted || is_shift(s, j, n);
        fived_turn_choose(s, FIVED_BRANCH, i);
        if (fived_turn_spread(s, level, l, j->v + 1))
            fived_turn_step(s, level + 1);
        s->choice_count--;
        s->shifted = was_shifted;
        s->new_next--;
        s->used[n] = 0;
        s->left_by[a] = -1;
        if (promise) {
            s->must[to] = must;
            s->limit[to] = limit;
        }
        s->key -= fived_board_key(b->hash, l, j->v + 1);
        *line = (fived_view_line){.start = FIVED_NOWHERE, .end = FIVED_NOWHERE - 1};
        s->id_count = ids;
    }
}

/* Whether a branch of one of the jumps would be safe on new line n, as far as can be seen now. */
static bool any_branch_fits(const fived_search *s, uint32_t first, uint32_t end, int n,
                            fived_new_slots *slots)
{
    for (uint32_t i = first; i < end; i++) {
        const fived_jump *j = &s->jumps[i];
        if (branch_allowed(s, j, n) &&
            fived_turn_branch_fits(
                s, j, fived_turn_slot_masks(s, slots, fived_turn_new_line(s, n), j->v + 1)))
            return true;
    }
    return false;
}

/* Tries the branches of an axis as new line n, from the square it was left or from any. */
void fived_turn_try_line_from(fived_search *s, uint32_t level, uint32_t a, int n)
{
    const fived_axis *axis = &s->axes[a];
    int status = s->status[a];
    uint64_t leave = status == OPEN ? s->levels[level][a].leave : ply_bit(s->left_from[a]);
    fived_new_slots slots = {.count = 0};
    s->status[a] = DONE;
    for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count && !s->stop; i = end) {
        end = fived_turn_group_end(s, axis, i);
        if (!(leave & ply_bit(s->jumps[i].from_square)))
            continue;
        if (status == WAITING) {
            s->pending--;
            fived_turn_try_branches(s, level, a, i, end, n);
            s->pending++;
        } else if (any_branch_fits(s, i, end, n, &slots)) {
            uint32_t ids = s->id_count;
            s->open--;
            if (fived_turn_put_leave(s, level, a, s->jumps[i].from_square))
                fived_turn_try_branches(s, level + 1, a, i, end, n);
            fived_turn_take(s, a);
            s->open++;
            s->id_count = ids;
        }
    }
    s->status[a] = (uint8_t)status;
}

/* Gives new line n a board, by any axis that may still make one. */
void fived_turn_try_new_line(fived_search *s, uint32_t level, int n)
{
    bool only_waiting = s->new_lines - s->new_next == s->pending;
    for (uint32_t a = 0; a < s->axis_count && !s->stop; a++)
        if (s->status[a] == WAITING || (s->status[a] == OPEN && !only_waiting))
            if (n < s->limit[a])
                fived_turn_try_line_from(s, level, a, n);
}

/* Whether some branch that moves the present back could still be safe. */
bool fived_turn_shift_possible(const fived_search *s)
{
    for (int n = 0; n < s->new_active; n++) {
        if (s->used[n] || (s->exists && n + 1 < s->new_lines))
            continue;
        fived_new_slots slots = {.count = 0};
        for (uint32_t i = 0; i < s->jump_count; i++) {
            const fived_jump *j = &s->jumps[i];
            if (s->status[j->source] != DONE && is_shift(s, j, n) &&
                fived_turn_branch_fits(
                    s, j, fived_turn_slot_masks(s, &slots, fived_turn_new_line(s, n), j->v + 1)))
                return true;
        }
    }
    return false;
}

/* Whether an axis that waits for a new line could still get one. */
bool fived_turn_can_branch(const fived_search *s, uint32_t a)
{
    const fived_axis *axis = &s->axes[a];
    for (uint32_t i = axis->jump, end; i < axis->jump + axis->jump_count; i = end) {
        end = fived_turn_group_end(s, axis, i);
        if (s->jumps[i].from_square != s->left_from[a])
            continue;
        for (int n = 0; n < s->new_lines && n < s->limit[a]; n++) {
            fived_new_slots slots = {.count = 0};
            if (!s->used[n] && any_branch_fits(s, i, end, n, &slots))
                return true;
        }
    }
    return false;
}

bool fived_turn_can_fill(const fived_search *s, const fived_domain *d, int highest)
{
    int lines = 0, sources = 0, first = fived_turn_free_line(s, 0);
    for (uint32_t a = 0; a < s->axis_count; a++)
        sources += s->status[a] == OPEN && d[a].leave && first < s->limit[a];
    for (int n = first; n <= highest; n = fived_turn_free_line(s, n + 1)) {
        fived_new_slots slots = {.count = 0};
        bool found = false;
        for (uint32_t i = 0; i < s->jump_count && !found; i++) {
            const fived_jump *j = &s->jumps[i];
            found =
                s->status[j->source] == OPEN && n < s->limit[j->source] &&
                (d[j->source].leave & ply_bit(j->from_square)) && branch_allowed(s, j, n) &&
                fived_turn_branch_fits(
                    s, j, fived_turn_slot_masks(s, &slots, fived_turn_new_line(s, n), j->v + 1));
        }
        if (!found || ++lines > sources)
            return false;
    }
    return true;
}
