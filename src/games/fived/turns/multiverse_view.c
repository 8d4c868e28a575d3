/* SPDX-License-Identifier: MIT */
/* multiverse_view.c - threat masks; see multiverse_view.h. */
#include "games/fived/turns/multiverse_view.h"

enum { CHAIN = 7 }; /* boards that a slider can cross while it also moves across squares */

/* Ways to move across squares, straight ones first; opposite ways are neighbours. */
enum { WAYS = 8, DIAGONAL = 4 };

/* The squares it leads to have numbers larger by this, and files by the second. */
PLY_HD int way_step(int way)
{
    return way == 0   ? 1
           : way == 1 ? -1
           : way == 2 ? 8
           : way == 3 ? -8
           : way == 4 ? 9
           : way == 5 ? -9
           : way == 6 ? -7
                      : 7;
}

PLY_HD int way_files(int way)
{
    return way == 2 || way == 3 ? 0 : way & 1 ? -1 : 1;
}

PLY_HD int opposite(int way)
{
    return way ^ 1;
}

/* Moves all squares one step; those that leave 8x8 are dropped. For loops that are unrolled: the
 * way is then a constant, and a step is two instructions. */
PLY_HD __attribute__((always_inline)) uint64_t shift_way(uint64_t squares, const int way)
{
    const uint64_t first_file = 0x0101010101010101, last_file = 0x8080808080808080;
    const int bits = way_step(way), files = way_files(way);
    squares &= files > 0 ? ~last_file : files < 0 ? ~first_file : ~(uint64_t)0;
    return bits > 0 ? squares << bits : squares >> -bits;
}

/* The squares and their neighbours. */
PLY_SHARED uint64_t around(uint64_t squares)
{
    uint64_t row = squares | fived_shifted(squares, 1, 0) | fived_shifted(squares, -1, 0);
    return row | fived_shifted(row, 0, 1) | fived_shifted(row, 0, -1);
}

/* Sliders that stay on their square while they move from board to board, at any distance. */
PLY_SHARED void straight(const fived_view *w, int l, int v, const fived_direction *direction,
                         uint64_t *hits, uint64_t *attacked)
{
    int enemy = !w->side;
    const fived_board *b;
    uint64_t open = w->valid;
    *hits = *attacked = 0;
    for (int k = 1;
         open && (b = fived_view_board(w, l + direction->l * k, v + 2 * direction->t * k)); k++) {
        *hits |= open & b->set[FIVED_ROYALS] & b->colour[w->side];
        open &= ~fived_board_occupied(b);
    }
    if (direction->l == 0)
        return; /* behind lie boards of the same timeline, none of which is an end */
    open = w->valid;
    bool is_end;
    for (int k = 1;
         open && (b = fived_view_end(w, l - direction->l * k, v - 2 * direction->t * k, &is_end));
         k++) {
        if (is_end)
            *attacked |=
                open & b->set[FIVED_SLIDERS_1 + direction->dimensions - 1] & b->colour[enemy];
        open &= ~fived_board_occupied(b);
    }
}

/*
 * Sliders and kings along one direction from board to board: royal pieces ahead of the slot, enemy
 * pieces behind it.
 */
PLY_SHARED void slider_masks(const fived_view *w, int l, int v, const fived_direction *direction,
                             fived_masks *m)
{
    int side = w->side, enemy = !side, ahead = 0, behind = 0, last_slider = -1;
    uint64_t royals[CHAIN], empty[CHAIN], back_empty[CHAIN], sliders[CHAIN][2];
    const fived_board *b, *first_ahead = NULL, *first_behind = NULL;
    uint64_t any_royal = 0;
    for (int k = 1; ahead < CHAIN; k++, ahead++) {
        b = fived_view_board(w, l + direction->l * k, v + 2 * direction->t * k);
        if (!b)
            break;
        if (k == 1)
            first_ahead = b;
        royals[ahead] = b->set[FIVED_ROYALS] & b->colour[side];
        empty[ahead] = ~fived_board_occupied(b);
        any_royal |= royals[ahead];
    }
    for (int k = 1; direction->l != 0 && behind < CHAIN; k++, behind++) {
        bool is_end;
        b = fived_view_end(w, l - direction->l * k, v - 2 * direction->t * k, &is_end);
        if (!b)
            break;
        sliders[behind][0] = sliders[behind][1] = 0;
        if (is_end) {
            if (k == 1)
                first_behind = b;
            sliders[behind][0] = b->set[FIVED_SLIDERS_1 + direction->dimensions] & b->colour[enemy];
            sliders[behind][1] =
                b->set[FIVED_SLIDERS_1 + direction->dimensions + 1] & b->colour[enemy];
            if (sliders[behind][0] | sliders[behind][1])
                last_slider = behind;
        }
        back_empty[behind] = ~fived_board_occupied(b);
    }
    if (ahead == 0 && behind == 0)
        return;
    uint64_t hits, attacked;
    straight(w, l, v, direction, &hits, &attacked);
    m->slide[direction->dimensions - 1] |= hits;
    m->attacked |= attacked;
    m->between |= hits & attacked;
    if (first_ahead)
        m->step |= around(royals[0]);
    if (first_behind)
        m->attacked |= around(first_behind->set[FIVED_STEPPERS] & first_behind->colour[enemy]);
    if (!any_royal)
        ahead = 0;
    behind = last_slider + 1;
    if (ahead == 0 && behind == 0)
        return;
    uint64_t ways_hit[WAYS] = {0}, ways_attacked[WAYS] = {0};
    for (int k = ahead - 1; k >= 0; k--) {
#pragma GCC unroll 8
        for (int i = 0; i < WAYS; i++)
            ways_hit[i] = shift_way(royals[k] | (empty[k] & ways_hit[i]), opposite(i));
    }
    for (int k = behind - 1; k >= 0; k--) {
#pragma GCC unroll 8
        for (int i = 0; i < WAYS; i++)
            ways_attacked[i] =
                shift_way(sliders[k][i >= DIAGONAL] | (back_empty[k] & ways_attacked[i]), i);
    }
#pragma GCC unroll 8
    for (int i = 0; i < WAYS; i++) {
        m->slide[direction->dimensions + (i >= DIAGONAL)] |= ways_hit[i];
        m->attacked |= ways_attacked[i];
        m->between |= ways_hit[i] & ways_attacked[i];
    }
}

/* Knights. */
PLY_SHARED void leap_masks(const fived_view *w, int l, int v, fived_masks *m)
{
    for (int i = 0; i < 16; i++) {
        const fived_leap *leap = &fived_leaps[i];
        bool is_end;
        const fived_board *b = fived_view_end(w, l + leap->l, v + 2 * leap->t, &is_end);
        if (!b)
            continue;
        uint64_t royals = b->set[FIVED_ROYALS] & b->colour[w->side];
        uint64_t knights = is_end ? b->set[FIVED_LEAPERS] & b->colour[!w->side] : 0;
        if (!(royals | knights))
            continue;
        for (int k = 0; k < leap->count; k++) {
            const fived_shift *shift = &fived_shifts[leap->on[k].y + 2][leap->on[k].x + 2];
            m->leap |= fived_shift_by(royals, shift);
            m->attacked |= fived_shift_by(knights, shift);
        }
    }
}

/* Captures of enemy pawns and brawns that leave their board. */
PLY_SHARED void pawn_masks(const fived_view *w, int l, int v, fived_masks *m)
{
    int enemy = !w->side;
    const fived_steps *steps =
        enemy ? &fived_steps_black_brawn_capture : &fived_steps_white_brawn_capture;
    for (uint32_t i = 0; i < steps->count; i++) {
        fived_vec4 step = steps->step[i];
        if (fived_vec4_within_board(step))
            continue;
        int step_l = fived_vec4_l(step), step_v = 2 * fived_vec4_t(step);
        bool pawns_too = step.word << (32 - FIVED_T_SHIFT) == 0; /* the others are only a brawn's */
        bool is_end;
        const fived_board *b = fived_view_board(w, l + step_l, v + step_v);
        if (b) {
            uint64_t hit = fived_shifted(b->set[FIVED_ROYALS] & b->colour[w->side],
                                         -fived_vec4_x(step), -fived_vec4_y(step));
            if (pawns_too)
                m->pawn |= hit;
            else
                m->brawn |= hit;
        }
        b = fived_view_end(w, l - step_l, v - step_v, &is_end);
        if (b && is_end)
            m->attacked |=
                fived_shifted(b->set[pawns_too ? FIVED_PAWNS : FIVED_BRAWNS] & b->colour[enemy],
                              fived_vec4_x(step), fived_vec4_y(step));
    }
}

PLY_HD_EXTERN void fived_view_masks(const fived_view *w, int l, int v, fived_masks *m)
{
    *m = (fived_masks){0};
    for (int i = 0; i < 8; i++)
        slider_masks(w, l, v, &fived_directions[i], m);
    leap_masks(w, l, v, m);
    pawn_masks(w, l, v, m);
}

/* Squares of the slot that enemy sliders and kings attack along one direction from board to board;
 * the second half of slider_masks. */
PLY_SHARED uint64_t slider_attacks(const fived_view *w, int l, int v,
                                   const fived_direction *direction)
{
    int enemy = !w->side, behind = 0, last_slider = -1;
    uint64_t attacked = 0, open = w->valid;
    uint64_t empty[CHAIN], sliders[CHAIN][2], ways[WAYS] = {0};
    const uint64_t set = FIVED_SLIDERS_1 + (uint64_t)direction->dimensions - 1;
    const fived_board *b;
    bool is_end;
    for (int k = 1;
         (behind < CHAIN || open) &&
         (b = fived_view_end(w, l - direction->l * k, v - 2 * direction->t * k, &is_end));
         k++) {
        uint64_t pieces = is_end ? b->colour[enemy] : 0;
        attacked |= open & b->set[set] & pieces;
        open &= ~fived_board_occupied(b);
        if (k == 1)
            attacked |= around(b->set[FIVED_STEPPERS] & pieces);
        if (behind == CHAIN)
            continue;
        sliders[behind][0] = b->set[set + 1] & pieces;
        sliders[behind][1] = b->set[set + 2] & pieces;
        empty[behind] = ~fived_board_occupied(b);
        if (sliders[behind][0] | sliders[behind][1])
            last_slider = behind;
        behind++;
    }
    if (last_slider < 0)
        return attacked;
    for (int k = last_slider; k >= 0; k--) {
#pragma GCC unroll 8
        for (int i = 0; i < WAYS; i++)
            ways[i] = shift_way(sliders[k][i >= DIAGONAL] | (empty[k] & ways[i]), i);
    }
    for (int i = 0; i < WAYS; i++)
        attacked |= ways[i];
    return attacked;
}

PLY_HD_EXTERN uint64_t fived_view_attacked(const fived_view *w, int l, int v)
{
    fived_masks m = {0};
    for (int i = 0; i < 8; i++)
        if (fived_directions[i].l != 0)
            m.attacked |= slider_attacks(w, l, v, &fived_directions[i]);
    leap_masks(w, l, v, &m);
    pawn_masks(w, l, v, &m);
    return m.attacked;
}

/* Squares of the slot from which a slider hits a royal piece along one direction. */
PLY_SHARED uint64_t slides_ahead(const fived_view *w, int l, int v,
                                 const fived_direction *direction)
{
    int ahead = 0, last_royal = -1;
    uint64_t royals[CHAIN] = {0}, empty[CHAIN] = {0}, ways[WAYS] = {0}, hits = 0, open = w->valid;
    const fived_board *b;
    for (int k = 1; (ahead < CHAIN || open) &&
                    (b = fived_view_board(w, l + direction->l * k, v + 2 * direction->t * k));
         k++) {
        uint64_t targets = b->set[FIVED_ROYALS] & b->colour[w->side];
        uint64_t free = ~fived_board_occupied(b);
        hits |= open & targets;
        open &= free;
        if (ahead == CHAIN)
            continue;
        if (targets)
            last_royal = ahead;
        royals[ahead] = targets;
        empty[ahead++] = free;
    }
    for (int k = last_royal; k >= 0; k--) {
#pragma GCC unroll 8
        for (int i = 0; i < WAYS; i++)
            ways[i] = shift_way(royals[k] | (empty[k] & ways[i]), opposite(i));
    }
    for (int i = 0; i < WAYS; i++)
        hits |= ways[i];
    return hits & w->valid;
}

PLY_HD_EXTERN uint64_t fived_view_queen_checks(const fived_view *w, int l, int v)
{
    uint64_t found = 0;
    for (int i = 0; i < 8; i++)
        found |= slides_ahead(w, l, v, &fived_directions[i]);
    return found;
}

PLY_HD_EXTERN uint64_t fived_view_knight_checks(const fived_view *w, int l, int v)
{
    uint64_t found = 0;
    for (int i = 0; i < 16; i++) {
        const fived_leap *leap = &fived_leaps[i];
        const fived_board *b = fived_view_board(w, l + leap->l, v + 2 * leap->t);
        uint64_t royals = b ? b->set[FIVED_ROYALS] & b->colour[w->side] : 0;
        for (int k = 0; royals && k < leap->count; k++)
            found |= fived_shifted(royals, leap->on[k].x, leap->on[k].y);
    }
    return found;
}

PLY_HD_EXTERN bool fived_board_hits(const fived_board *b, int enemy, uint64_t gone,
                                    uint64_t occupied, uint64_t royals)
{
    if (!royals)
        return false;
    uint64_t pieces = b->colour[enemy] & ~gone;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (!dx && !dy)
                continue;
            uint64_t sliders = pieces & b->set[dx && dy ? FIVED_SLIDERS_2 : FIVED_SLIDERS_1];
            if (!sliders)
                continue;
            const fived_shift *shift = &fived_shifts[dy + 2][dx + 2];
            for (uint64_t ray = fived_shift_by(royals, shift); ray;
                 ray = fived_shift_by(ray & ~occupied, shift))
                if (ray & sliders)
                    return true;
        }
    if (around(royals) & b->set[FIVED_STEPPERS] & pieces)
        return true;
    int forward = enemy ? -1 : 1;
    uint64_t pawns = b->set[FIVED_PAWNS] & pieces;
    if ((fived_shifted(royals, 1, -forward) | fived_shifted(royals, -1, -forward)) & pawns)
        return true;
    uint64_t knights = b->set[FIVED_LEAPERS] & pieces;
    if (!knights)
        return false;
    for (int far = -2; far <= 2; far += 4)
        for (int near = -1; near <= 1; near += 2)
            if ((fived_shifted(royals, far, near) | fived_shifted(royals, near, far)) & knights)
                return true;
    return false;
}

/* Whether the boards between a square and one that lies `far` steps of the direction away leave a
 * slider's path open. */
PLY_SHARED bool path_is_open(const fived_view *w, int l, int v, const fived_direction *direction,
                             int far, int from, int to)
{
    int step = (to - from) / far;
    for (int k = 1; k < far; k++) {
        const fived_board *b = fived_view_board(w, l + direction->l * k, v + 2 * direction->t * k);
        if (fived_board_occupied(b) & ply_bit(from + step * k))
            return false;
    }
    return true;
}

/* Enemy sliders of b, which is at (l, v), that hit a royal piece along the direction. */
PLY_SHARED uint64_t sliders_to_royal(const fived_view *w, const fived_board *b, int l, int v,
                                     const fived_direction *direction)
{
    const uint64_t *sliders = &b->set[FIVED_SLIDERS_1 + direction->dimensions - 1];
    uint64_t pieces = b->colour[!w->side], staying = sliders[0] & pieces;
    uint64_t straight = sliders[1] & pieces, diagonal = sliders[2] & pieces, found = 0;
    if (!(staying | straight | diagonal))
        return 0;
    const fived_board *target;
    for (int k = 1; (k <= CHAIN || staying) &&
                    (target = fived_view_board(w, l + direction->l * k, v + 2 * direction->t * k));
         k++) {
        uint64_t royals = target->set[FIVED_ROYALS] & target->colour[w->side];
        found |= staying & royals;
        for (; k <= CHAIN && royals; royals &= royals - 1) {
            int to = ply_lowest(royals);
            uint64_t from = (straight & fived_straight_squares[k][to]) |
                            (diagonal & fived_diagonal_squares[k][to]);
            for (; from; from &= from - 1)
                if (path_is_open(w, l, v, direction, k, ply_lowest(from), to))
                    found |= from & -from;
        }
        staying &= ~fived_board_occupied(target);
    }
    return found;
}

/* Whether an enemy slider or king that is behind a slot could move along the direction. */
PLY_SHARED bool is_backed(const fived_view *w, int l, int v, const fived_direction *direction)
{
    const fived_board *b;
    bool is_end;
    if (direction->l == 0)
        return false; /* behind lie boards of the same timeline, none of which is an end */
    for (int k = 1;
         (b = fived_view_end(w, l - direction->l * k, v - 2 * direction->t * k, &is_end)); k++) {
        const uint64_t *set = &b->set[FIVED_SLIDERS_1 + direction->dimensions - 1];
        uint64_t movers = set[0] | set[1] | set[2] | b->set[FIVED_STEPPERS];
        if (is_end && (movers & b->colour[!w->side]))
            return true;
    }
    return false;
}

PLY_HD_EXTERN fived_threats fived_view_threats(const fived_view *w, int l, int v,
                                               const fived_board *b)
{
    fived_masks m = {0};
    int enemy = !w->side;
    uint64_t attackers = 0, steppers = b->set[FIVED_STEPPERS] & b->colour[enemy];
    for (int i = 0; i < 8; i++) {
        const fived_direction *direction = &fived_directions[i];
        if (is_backed(w, l, v, direction)) {
            slider_masks(w, l, v, direction, &m);
            continue;
        }
        attackers |= sliders_to_royal(w, b, l, v, direction);
        const fived_board *next = fived_view_board(w, l + direction->l, v + 2 * direction->t);
        if (next && steppers)
            attackers |= around(next->set[FIVED_ROYALS] & next->colour[w->side]) & steppers;
    }
    leap_masks(w, l, v, &m);
    pawn_masks(w, l, v, &m);
    return (fived_threats){.attackers = attackers | fived_masks_attackers(&m, b, enemy),
                           .attacked = m.attacked,
                           .between = m.between};
}

/* Whether an enemy knight of b, which is at (l, v), hits a royal piece on another board. */
PLY_SHARED bool leaps_to_royal(const fived_view *w, const fived_board *b, int l, int v)
{
    uint64_t knights = b->set[FIVED_LEAPERS] & b->colour[!w->side];
    for (int i = 0; knights && i < 16; i++) {
        const fived_leap *leap = &fived_leaps[i];
        const fived_board *target = fived_view_board(w, l + leap->l, v + 2 * leap->t);
        if (!target)
            continue;
        uint64_t royals = target->set[FIVED_ROYALS] & target->colour[w->side];
        for (int k = 0; royals && k < leap->count; k++)
            if (fived_shifted(royals, leap->on[k].x, leap->on[k].y) & knights)
                return true;
    }
    return false;
}

/* Whether an enemy pawn or king of b, which is at (l, v), hits a royal piece on another board. */
PLY_SHARED bool steps_to_royal(const fived_view *w, const fived_board *b, int l, int v)
{
    int enemy = !w->side;
    uint64_t steppers = b->set[FIVED_STEPPERS] & b->colour[enemy];
    for (int i = 0; steppers && i < 8; i++) {
        const fived_board *target =
            fived_view_board(w, l + fived_directions[i].l, v + 2 * fived_directions[i].t);
        if (target && (around(steppers) & target->set[FIVED_ROYALS] & target->colour[w->side]))
            return true;
    }
    uint64_t pawns = b->set[FIVED_PAWNS] & b->colour[enemy];
    const fived_steps *steps =
        enemy ? &fived_steps_black_brawn_capture : &fived_steps_white_brawn_capture;
    for (uint32_t i = 0; pawns && i < steps->count; i++) {
        fived_vec4 step = steps->step[i];
        if (fived_vec4_within_board(step))
            continue;
        const fived_board *target =
            fived_view_board(w, l + fived_vec4_l(step), v + 2 * fived_vec4_t(step));
        if (!target)
            continue;
        bool pawns_too = step.word << (32 - FIVED_T_SHIFT) == 0; /* the others are only a brawn's */
        uint64_t movers = pawns_too ? pawns : pawns & b->set[FIVED_BRAWNS];
        if (fived_shifted(movers, fived_vec4_x(step), fived_vec4_y(step)) &
            target->set[FIVED_ROYALS] & target->colour[w->side])
            return true;
    }
    return false;
}

PLY_HD_EXTERN bool fived_view_in_check(const fived_view *w)
{
    int enemy = !w->side;
    for (int i = 0; i < w->count; i++) {
        const fived_view_timeline *timeline = &w->timelines[i];
        int l = w->base + i, v = timeline->extra ? timeline->end + 1 : timeline->end;
        if (v < timeline->start || (v & 1) != enemy)
            continue;
        const fived_board *b =
            timeline->extra ? timeline->extra : timeline->boards[v - timeline->start];
        uint64_t royals = b->set[FIVED_ROYALS] & b->colour[w->side];
        if (fived_board_hits(b, enemy, 0, fived_board_occupied(b), royals) ||
            leaps_to_royal(w, b, l, v) || steps_to_royal(w, b, l, v))
            return true;
        for (int k = 0; k < 8; k++)
            if (sliders_to_royal(w, b, l, v, &fived_directions[k]))
                return true;
    }
    return false;
}
