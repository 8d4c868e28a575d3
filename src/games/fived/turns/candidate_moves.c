/* SPDX-License-Identifier: MIT */
/*
 * candidate_moves.c - every single move that a turn could be made of.
 *
 * What a piece can do from an end board does not change during the turn, because whatever is
 * appended meanwhile has the other colour; only whether a jump to an end board is a hop or a
 * branch does. Moves whose board lets the enemy capture a royal piece on that same board are left
 * out here.
 */
#include "games/fived/turns/legal_turns.h"
#include <stdlib.h>
#include <string.h>

/* The board moves are made from, with what its moves need to know. */
typedef struct origin {
    fived_search *s;
    fived_axis *axis;
    uint32_t number; /* of the axis */
    const fived_board *board;
    const fived_board *near[3][3]; /* neighbours, [l + 1][t + 1]; the middle is the board */
    uint64_t own, enemy, occupied, royals;
    uint64_t guards;      /* own pieces nearest to a royal one in some direction */
    uint64_t leave_known; /* squares whose leaving has been judged */
    uint64_t leave_bad;
    int side;
    bool checked; /* a royal piece is attacked on this board */
    bool no_memory;
} origin;

static uint64_t nearest_own(const origin *o)
{
    uint64_t found = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (!dx && !dy)
                continue;
            const fived_shift *shift = &fived_shifts[dy + 2][dx + 2];
            for (uint64_t ray = fived_shift_by(o->royals, shift); ray;
                 ray = fived_shift_by(ray & ~o->occupied, shift))
                found |= ray & o->own;
        }
    return found;
}

/* Adds a move within the board unless it leaves a royal piece to capture there. */
static void add_inner(origin *o, fived_inner m)
{
    fived_search *s = o->s;
    bool plain = !m.royal_to && (!m.taken || m.taken == m.to);
    if (o->checked || !plain || (m.from & o->guards)) {
        uint64_t occupied = (o->occupied & ~m.from & ~m.taken) | m.to;
        uint64_t royals = (o->royals & ~m.from) | m.royal_to;
        if (fived_board_hits(o->board, !o->side, m.taken, occupied, royals))
            return;
    }
    size_t room = s->inner_room;
    if (!ply_array_grow(&s->inner, &room, (size_t)s->inner_count + 1, sizeof *s->inner)) {
        o->no_memory = true;
        return;
    }
    s->inner_room = room;
    m.axis = o->number;
    s->inner[s->inner_count++] = m;
}

static bool is_pawn(fived_kind kind)
{
    return kind == FIVED_PAWN || kind == FIVED_BRAWN;
}

static bool is_royal(fived_kind kind)
{
    return kind == FIVED_KING || kind == FIVED_ROYAL_QUEEN;
}

/* Whether a pawn that goes on to square has reached the end of the board. */
static bool is_last_rank(const origin *o, int square)
{
    return square >> 3 == (o->side ? 0 : o->s->position->height - 1);
}

static void inner_move(origin *o, int from, int to, fived_kind kind, uint64_t taken)
{
    fived_inner m = {.from = ply_bit(from),
                     .to = ply_bit(to),
                     .taken = taken,
                     .from_square = (uint8_t)from,
                     .to_square = (uint8_t)to};
    if (is_royal(kind))
        m.royal_to = m.to;
    if (!is_pawn(kind) || !is_last_rank(o, to)) {
        add_inner(o, m);
        return;
    }
    for (uint64_t kinds = o->s->position->becoming; kinds; kinds &= kinds - 1) {
        m.becomes = (uint8_t)ply_lowest(kinds);
        add_inner(o, m);
    }
}

/* Whether a piece may go from the square: its going bares no royal piece on the board. */
static bool can_leave(origin *o, int square)
{
    uint64_t bit = ply_bit(square);
    if (!(o->leave_known & bit)) {
        o->leave_known |= bit;
        if ((o->checked || (o->guards & bit)) &&
            fived_board_hits(o->board, !o->side, 0, o->occupied & ~bit, o->royals & ~bit))
            o->leave_bad |= bit;
    }
    return !(o->leave_bad & bit);
}

/* Whether the board is free of attacks on royal pieces by its own pieces; remembered. */
static bool is_safe(origin *o, const fived_board *b, int l, int v)
{
    fived_search *s = o->s;
    int i = l - s->view.base;
    uint8_t *memory = &s->safe[s->safe_base[i] + (uint32_t)(v - s->view.lines[i].start)];
    if (*memory == 0) {
        uint64_t royals = b->set[FIVED_ROYALS] & b->colour[o->side];
        *memory = fived_board_hits(b, !o->side, 0, fived_board_occupied(b), royals) ? 2 : 1;
    }
    return *memory == 1;
}

static void jump_move(origin *o, int from, int l, int v, const fived_board *target, int to,
                      fived_kind kind, bool climbs)
{
    fived_search *s = o->s;
    if (!can_leave(o, from))
        return;
    uint64_t bit = ply_bit(to);
    if (is_royal(kind) || !is_safe(o, target, l, v)) {
        uint64_t royals = target->set[FIVED_ROYALS] & target->colour[o->side];
        if (fived_board_hits(target, !o->side, bit, fived_board_occupied(target) | bit,
                             is_royal(kind) ? royals | bit : royals))
            return;
    }
    fived_jump j = {.target = target,
                    .l = l,
                    .v = v,
                    .source = (int32_t)o->number,
                    .destination = -1,
                    .from_square = (uint8_t)from,
                    .to_square = (uint8_t)to,
                    .royal = is_royal(kind)};
    const fived_view_line *line = &s->view.lines[l - s->view.base];
    if (v == line->end)
        j.destination = s->line_axis[l - s->view.base];
    bool promotes = is_pawn(kind) && climbs && is_last_rank(o, to);
    uint64_t kinds = promotes ? s->position->becoming : 1;
    for (; kinds; kinds &= kinds - 1) {
        j.becomes = promotes ? (uint8_t)ply_lowest(kinds) : 0;
        size_t room = s->jump_room;
        if (!ply_array_grow(&s->jumps, &room, (size_t)s->jump_count + 1, sizeof *s->jumps)) {
            o->no_memory = true;
            return;
        }
        s->jump_room = room;
        s->jumps[s->jump_count++] = j;
    }
    o->axis->leave |= ply_bit(from);
}

/* Steps of sliders, kings and knights; far: how many steps a piece may take. */
static void piece_moves(origin *o, int from, fived_kind kind, const fived_steps *steps, int far)
{
    int x0 = from & 7, y0 = from >> 3;
    const fived_position *p = o->s->position;
    for (int i = 0; i < steps->count; i++) {
        fived_step s = steps->step[i];
        const fived_board *b =
            kind == FIVED_KNIGHT
                ? fived_view_board(&o->s->view, o->axis->l + s.l, o->axis->v + 2 * s.t)
                : o->near[s.l + 1][s.t + 1];
        if (!b)
            continue;
        int x = x0, y = y0, l = o->axis->l, v = o->axis->v;
        bool inside = s.l == 0 && s.t == 0;
        for (int k = 1; k <= far; k++) {
            x += s.x, y += s.y, l += s.l, v += 2 * s.t;
            if (x < 0 || x >= p->width || y < 0 || y >= p->height)
                break;
            if (k > 1 && !inside && !(b = fived_view_board(&o->s->view, l, v)))
                break;
            int to = x + 8 * y;
            uint64_t bit = ply_bit(to);
            if (b->colour[o->side] & bit)
                break;
            uint64_t taken = b->colour[!o->side] & bit;
            if (inside)
                inner_move(o, from, to, kind, taken);
            else
                jump_move(o, from, l, v, b, to, kind, false);
            if (taken)
                break;
        }
    }
}

static void pawn_captures(origin *o, int from, fived_kind kind)
{
    const fived_steps *steps =
        kind == FIVED_PAWN ? o->side ? &fived_steps_black_pawn_take : &fived_steps_white_pawn_take
        : o->side          ? &fived_steps_black_brawn_take
                           : &fived_steps_white_brawn_take;
    const fived_position *p = o->s->position;
    const fived_view_line *line = &o->s->view.lines[o->axis->l - o->s->view.base];
    bool passing = o->board->passed >= 0 &&
                   (o->s->rules->option[FIVED_OPTION_NEW_LINE_EP] || o->axis->v - 2 >= line->start);
    for (int i = 0; i < steps->count; i++) {
        fived_step s = steps->step[i];
        int x = (from & 7) + s.x, y = (from >> 3) + s.y;
        const fived_board *b = o->near[s.l + 1][s.t + 1];
        if (!b || x < 0 || x >= p->width || y < 0 || y >= p->height)
            continue;
        int to = x + 8 * y;
        uint64_t taken = b->colour[!o->side] & ply_bit(to);
        if (s.l || s.t) {
            if (taken)
                jump_move(o, from, o->axis->l + s.l, o->axis->v + 2 * s.t, b, to, kind, s.y != 0);
        } else if (taken) {
            inner_move(o, from, to, kind, taken);
        } else if (passing && to == o->board->passed) {
            inner_move(o, from, to, kind, ply_bit(x + (from & ~7)));
        }
    }
}

static void pawn_moves(origin *o, int from, fived_kind kind)
{
    int forward = o->side ? -1 : 1;
    int far = o->board->unmoved & ply_bit(from) ? 2 : 1;
    const fived_position *p = o->s->position;
    for (int k = 1; k <= far; k++) {
        int y = (from >> 3) + forward * k, to = from + 8 * forward * k;
        if (y < 0 || y >= p->height || (o->occupied & ply_bit(to)))
            break;
        inner_move(o, from, to, kind, 0);
    }
    for (int k = 1; k <= far; k++) {
        int l = o->axis->l - forward * k;
        const fived_board *b = fived_view_board(&o->s->view, l, o->axis->v);
        if (!b || (fived_board_occupied(b) & ply_bit(from)))
            break;
        jump_move(o, from, l, o->axis->v, b, from, kind, false);
    }
    pawn_captures(o, from, kind);
}

static void castling(origin *o, int from)
{
    const fived_position *p = o->s->position;
    if (!(o->board->unmoved & ply_bit(from)))
        return;
    for (int step = -1; step <= 1; step += 2) {
        int x = (from & 7) + step, distance = 1;
        while (x >= 0 && x < p->width && !(o->occupied & ply_bit((from & ~7) + x)))
            x += step, distance++;
        if (x < 0 || x >= p->width)
            continue;
        int rook = (from & ~7) + x;
        fived_piece wanted =
            (fived_piece)(FIVED_ROOK | FIVED_UNMOVED | (o->side ? FIVED_BLACK : 0));
        int near = o->s->rules->option[FIVED_OPTION_NEAR_CASTLE];
        int nearest = near == FIVED_NEAR_ON || (near == FIVED_NEAR_A_SIDE && step < 0) ? 2 : 3;
        if (o->board->square[rook] != wanted || distance < nearest)
            continue;
        uint64_t path = ply_bit(from) | ply_bit(from + step) | ply_bit(from + 2 * step);
        if (fived_board_hits(o->board, !o->side, 0, o->occupied, path))
            continue;
        add_inner(o, (fived_inner){.from = ply_bit(from) | ply_bit(rook),
                                   .to = ply_bit(from + step) | ply_bit(from + 2 * step),
                                   .royal_to = ply_bit(from + 2 * step),
                                   .from_square = (uint8_t)from,
                                   .to_square = (uint8_t)(from + 2 * step)});
    }
}

static void moves_from(origin *o, int from)
{
    fived_kind kind = fived_piece_kind(o->board->square[from]);
    switch (kind) {
    case FIVED_PAWN:
    case FIVED_BRAWN:
        pawn_moves(o, from, kind);
        break;
    case FIVED_KNIGHT:
        piece_moves(o, from, kind, &fived_steps_knight, 1);
        break;
    case FIVED_BISHOP:
        piece_moves(o, from, kind, &fived_steps_bishop, INT32_MAX);
        break;
    case FIVED_ROOK:
        piece_moves(o, from, kind, &fived_steps_rook, INT32_MAX);
        break;
    case FIVED_UNICORN:
        piece_moves(o, from, kind, &fived_steps_unicorn, INT32_MAX);
        break;
    case FIVED_DRAGON:
        piece_moves(o, from, kind, &fived_steps_dragon, INT32_MAX);
        break;
    case FIVED_PRINCESS:
        piece_moves(o, from, kind, &fived_steps_princess, INT32_MAX);
        break;
    case FIVED_QUEEN:
    case FIVED_ROYAL_QUEEN:
        piece_moves(o, from, kind, &fived_steps_queen, INT32_MAX);
        break;
    case FIVED_KING:
        piece_moves(o, from, kind, &fived_steps_queen, 1);
        castling(o, from);
        break;
    case FIVED_COMMON_KING:
        piece_moves(o, from, kind, &fived_steps_queen, 1);
        break;
    case FIVED_NONE:
    case FIVED_KINDS:
        break;
    }
}

/* Sorts the hops by the axis they arrive at. */
static bool index_hops(fived_search *s)
{
    uint32_t hops = 0;
    for (uint32_t a = 0; a < s->axis_count; a++)
        s->axes[a].hop_count = 0;
    for (uint32_t i = 0; i < s->jump_count; i++)
        if (s->jumps[i].destination >= 0) {
            s->axes[s->jumps[i].destination].hop_count++;
            hops++;
        }
    if (!ply_array_grow(&s->hop_index, &s->hop_room, hops, sizeof *s->hop_index))
        return false;
    uint32_t at = 0;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        s->axes[a].hop = at;
        at += s->axes[a].hop_count;
        s->axes[a].hop_count = 0;
    }
    for (uint32_t i = 0; i < s->jump_count; i++)
        if (s->jumps[i].destination >= 0) {
            fived_axis *a = &s->axes[s->jumps[i].destination];
            s->hop_index[a->hop + a->hop_count++] = i;
        }
    return true;
}

ply_status fived_search_candidates(fived_search *s)
{
    s->inner_count = s->jump_count = 0;
    int side = s->position->side;
    for (uint32_t a = 0; a < s->axis_count; a++) {
        fived_axis *axis = &s->axes[a];
        const fived_board *b = axis->board;
        origin o = {.s = s,
                    .axis = axis,
                    .number = a,
                    .board = b,
                    .own = b->colour[side],
                    .enemy = b->colour[!side],
                    .occupied = fived_board_occupied(b),
                    .royals = b->set[FIVED_ROYALS] & b->colour[side],
                    .side = side};
        for (int l = -1; l <= 1; l++)
            for (int t = -1; t <= 1; t++)
                o.near[l + 1][t + 1] = fived_view_board(&s->view, axis->l + l, axis->v + 2 * t);
        o.checked = fived_board_hits(b, !side, 0, o.occupied, o.royals);
        o.guards = nearest_own(&o);
        axis->royals = o.royals;
        axis->empty = s->view.valid & ~o.occupied;
        axis->inner = s->inner_count;
        axis->jump = s->jump_count;
        axis->leave = 0;
        for (uint64_t pieces = o.own; pieces; pieces &= pieces - 1)
            moves_from(&o, ply_lowest(pieces));
        if (o.no_memory)
            return PLY_NO_MEMORY;
        axis->inner_count = s->inner_count - axis->inner;
        axis->jump_count = s->jump_count - axis->jump;
    }
    return index_hops(s) ? PLY_OK : PLY_NO_MEMORY;
}
