/* SPDX-License-Identifier: MIT */
/* multiverse_view.c - threats; see multiverse_view.h. */
#include "games/fived/turns/multiverse_view.h"

enum { CHAIN = 7 }; /* boards in a row that a slider can cross while it also moves on them */

static uint64_t around(uint64_t squares)
{
    uint64_t row = squares | fived_shifted(squares, 1, 0) | fived_shifted(squares, -1, 0);
    return row | fived_shifted(row, 0, 1) | fived_shifted(row, 0, -1);
}

/* Sliders straight along a fan, not moving on the boards: as far as the chain goes. */
static void straight(const fived_view *w, int l, int v, const fived_fan *fan, uint64_t *z,
                     uint64_t *y)
{
    int enemy = !w->side;
    const fived_board *b;
    uint64_t open = w->valid;
    *z = *y = 0;
    for (int k = 1; open && (b = fived_view_board(w, l + fan->l * k, v + 2 * fan->t * k)); k++) {
        *z |= open & b->set[FIVED_ROYALS] & b->colour[w->side];
        open &= ~fived_board_occupied(b);
    }
    if (fan->l == 0)
        return; /* behind are boards of the same line, of which none is an end */
    open = w->valid;
    bool is_end;
    for (int k = 1; open && (b = fived_view_end(w, l - fan->l * k, v - 2 * fan->t * k, &is_end));
         k++) {
        if (is_end)
            *y |= open & b->set[FIVED_ALONG_1 + fan->axes - 1] & b->colour[enemy];
        open &= ~fived_board_occupied(b);
    }
}

static void fan_masks(const fived_view *w, int l, int v, const fived_fan *fan, fived_masks *m)
{
    int side = w->side, enemy = !side, ahead = 0, behind = 0, last_end = -1;
    uint64_t royals[CHAIN], empty[CHAIN], back_empty[CHAIN], sliders[CHAIN][2];
    const fived_board *b, *first_ahead = NULL, *first_behind = NULL;
    uint64_t any_royal = 0;
    for (int k = 1; ahead < CHAIN; k++, ahead++) {
        b = fived_view_board(w, l + fan->l * k, v + 2 * fan->t * k);
        if (!b)
            break;
        if (k == 1)
            first_ahead = b;
        royals[ahead] = b->set[FIVED_ROYALS] & b->colour[side];
        empty[ahead] = ~fived_board_occupied(b);
        any_royal |= royals[ahead];
    }
    for (int k = 1; fan->l != 0 && behind < CHAIN; k++, behind++) {
        bool is_end;
        b = fived_view_end(w, l - fan->l * k, v - 2 * fan->t * k, &is_end);
        if (!b)
            break;
        sliders[behind][0] = sliders[behind][1] = 0;
        if (is_end) {
            if (k == 1)
                first_behind = b;
            last_end = behind;
            sliders[behind][0] = b->set[FIVED_ALONG_1 + fan->axes] & b->colour[enemy];
            sliders[behind][1] = b->set[FIVED_ALONG_1 + fan->axes + 1] & b->colour[enemy];
        }
        back_empty[behind] = ~fived_board_occupied(b);
    }
    if (ahead == 0 && behind == 0)
        return;
    uint64_t z, y;
    straight(w, l, v, fan, &z, &y);
    m->z[fan->axes - 1] |= z;
    m->y |= y;
    m->through |= z & y;
    if (first_ahead)
        m->step |= around(royals[0]);
    if (first_behind)
        m->y |= around(first_behind->set[FIVED_STEPPERS] & first_behind->colour[enemy]);
    if (!any_royal)
        ahead = 0;
    behind = last_end + 1;
    if (ahead == 0 && behind == 0)
        return;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (!dx && !dy)
                continue;
            const fived_shift *forth = &fived_shifts[dy + 2][dx + 2];
            const fived_shift *back = &fived_shifts[2 - dy][2 - dx];
            int more = (dx != 0) + (dy != 0); /* 1 or 2 axes on the board */
            z = y = 0;
            for (int k = ahead - 1; k >= 0; k--)
                z = fived_shift_by(royals[k] | (empty[k] & z), back);
            for (int k = behind - 1; k >= 0; k--)
                y = fived_shift_by(sliders[k][more - 1] | (back_empty[k] & y), forth);
            m->z[fan->axes + more - 1] |= z;
            m->y |= y;
            m->through |= z & y;
        }
}

static void leap_masks(const fived_view *w, int l, int v, fived_masks *m)
{
    for (int i = 0; i < 16; i++) {
        const fived_leap *leap = &fived_leaps[i];
        bool is_end;
        const fived_board *b = fived_view_end(w, l + leap->l, v + 2 * leap->t, &is_end);
        if (!b)
            continue;
        uint64_t royals = b->set[FIVED_ROYALS] & b->colour[w->side];
        uint64_t knights = is_end ? b->set[FIVED_LEAPERS] & b->colour[!w->side] : 0;
        for (int k = 0; k < leap->count; k++) {
            const fived_shift *shift = &fived_shifts[leap->on[k].y + 2][leap->on[k].x + 2];
            m->leap |= fived_shift_by(royals, shift);
            m->y |= fived_shift_by(knights, shift);
        }
    }
}

/* Captures of enemy pawns and brawns that leave their board. */
static void pawn_masks(const fived_view *w, int l, int v, fived_masks *m)
{
    int enemy = !w->side;
    const fived_steps *steps =
        enemy ? &fived_steps_black_brawn_take : &fived_steps_white_brawn_take;
    for (int i = 0; i < steps->count; i++) {
        fived_step s = steps->step[i];
        if (s.l == 0 && s.t == 0)
            continue;
        bool of_pawns = s.x == 0 && s.y == 0; /* the others are the brawn's alone */
        bool is_end;
        const fived_board *b = fived_view_board(w, l + s.l, v + 2 * s.t);
        if (b) {
            uint64_t hit = fived_shifted(b->set[FIVED_ROYALS] & b->colour[w->side], -s.x, -s.y);
            if (of_pawns)
                m->pawn |= hit;
            else
                m->brawn |= hit;
        }
        b = fived_view_end(w, l - s.l, v - 2 * s.t, &is_end);
        if (b && is_end)
            m->y |= fived_shifted(b->set[of_pawns ? FIVED_PAWNS : FIVED_BRAWNS] & b->colour[enemy],
                                  s.x, s.y);
    }
}

void fived_view_masks(const fived_view *w, int l, int v, fived_masks *m)
{
    *m = (fived_masks){0};
    for (int i = 0; i < 8; i++)
        fan_masks(w, l, v, &fived_fans[i], m);
    leap_masks(w, l, v, m);
    pawn_masks(w, l, v, m);
}

bool fived_board_hits(const fived_board *b, int enemy, uint64_t gone, uint64_t occupied,
                      uint64_t royals)
{
    if (!royals)
        return false;
    uint64_t they = b->colour[enemy] & ~gone;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (!dx && !dy)
                continue;
            uint64_t sliders = they & b->set[dx && dy ? FIVED_ALONG_2 : FIVED_ALONG_1];
            if (!sliders)
                continue;
            const fived_shift *shift = &fived_shifts[dy + 2][dx + 2];
            for (uint64_t ray = fived_shift_by(royals, shift); ray;
                 ray = fived_shift_by(ray & ~occupied, shift))
                if (ray & sliders)
                    return true;
        }
    if (around(royals) & b->set[FIVED_STEPPERS] & they)
        return true;
    int forward = enemy ? -1 : 1;
    uint64_t pawns = b->set[FIVED_PAWNS] & they;
    if ((fived_shifted(royals, 1, -forward) | fived_shifted(royals, -1, -forward)) & pawns)
        return true;
    uint64_t knights = b->set[FIVED_LEAPERS] & they;
    if (!knights)
        return false;
    for (int far = -2; far <= 2; far += 4)
        for (int near = -1; near <= 1; near += 2)
            if ((fived_shifted(royals, far, near) | fived_shifted(royals, near, far)) & knights)
                return true;
    return false;
}

bool fived_view_in_check(const fived_view *w)
{
    int enemy = !w->side;
    for (int i = 0; i < w->count; i++) {
        const fived_view_line *line = &w->lines[i];
        int v = line->extra ? line->end + 1 : line->end;
        if (v < line->start || (v & 1) != enemy)
            continue;
        const fived_board *b = line->extra ? line->extra : line->row[v - line->start];
        uint64_t royals = b->set[FIVED_ROYALS] & b->colour[w->side];
        fived_masks m;
        if (fived_board_hits(b, enemy, 0, fived_board_occupied(b), royals))
            return true;
        fived_view_masks(w, w->base + i, v, &m);
        if (fived_masks_attackers(&m, b, enemy))
            return true;
    }
    return false;
}
