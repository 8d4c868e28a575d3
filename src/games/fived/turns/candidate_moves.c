/* SPDX-License-Identifier: MIT */
/*
 * candidate_moves.c - every single move that a turn could contain.
 *
 * What a piece can do from an end board does not change during the turn, because every board that
 * is appended meanwhile has the other colour. Only whether a jump to an end board is a hop or a
 * branch can change. Moves that let the enemy capture a royal piece on the resulting board itself
 * are left out here.
 */
#include "games/fived/turns/turn_query.h"

/* The board that moves start from, and what is needed to generate them. */
typedef struct origin {
    fived_turn_query *query;
    fived_axis *axis;
    uint32_t number; /* index of the axis */
    const fived_board *board;
    fived_vec4 place;              /* of square 0 of the board */
    const fived_board *near[3][3]; /* [l + 1][t + 1]: the boards around it, and itself */
    uint64_t own, enemy, occupied, royals;
    uint64_t guards;      /* own pieces nearest to a royal piece, which may be pinned */
    uint64_t leave_known; /* squares for which leave_bad is valid */
    uint64_t leave_bad;   /* leaving them exposes a royal piece on the board */
    int side;
    bool checked; /* a royal piece is attacked on this board */
    bool no_memory;
} origin;

/* Own pieces nearest to a royal piece in each direction on the board. */
PLY_SHARED uint64_t nearest_own(const origin *o)
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

/* Adds a physical move unless the enemy could then capture a royal piece on the board. */
PLY_SHARED void add_physical(origin *o, fived_physical m)
{
    fived_turn_query *q = o->query;
    bool plain = !m.royal_to && (!m.taken || m.taken == m.to);
    if (o->checked || !plain || (m.from & o->guards)) {
        uint64_t occupied = (o->occupied & ~m.from & ~m.taken) | m.to;
        uint64_t royals = (o->royals & ~m.from) | m.royal_to;
        if (fived_board_hits(o->board, !o->side, m.taken, occupied, royals))
            return;
    }
    if (!FIVED_GROW(q, q->candidates.physical, q->candidates.physical_room,
                    (size_t)q->candidates.physical_count + 1)) {
        o->no_memory = true;
        return;
    }
    m.axis = o->number;
    q->candidates.physical[q->candidates.physical_count++] = m;
}

PLY_SHARED bool is_pawn(fived_kind kind)
{
    return kind == FIVED_PAWN || kind == FIVED_BRAWN;
}

PLY_SHARED bool is_royal(fived_kind kind)
{
    return kind == FIVED_KING || kind == FIVED_ROYAL_QUEEN;
}

/* Whether a pawn on the square has reached the far end of the board. */
PLY_SHARED bool is_last_rank(const origin *o, int square)
{
    return square >> 3 == (o->side ? 0 : o->query->position->height - 1);
}

PLY_SHARED void physical_move(origin *o, int from, int to, fived_kind kind, uint64_t taken)
{
    fived_physical m = {.from = ply_bit(from),
                        .to = ply_bit(to),
                        .taken = taken,
                        .from_square = (uint8_t)from,
                        .to_square = (uint8_t)to};
    if (is_royal(kind))
        m.royal_to = m.to;
    if (!is_pawn(kind) || !is_last_rank(o, to)) {
        add_physical(o, m);
        return;
    }
    for (uint64_t kinds = o->query->position->promotions; kinds; kinds &= kinds - 1) {
        m.promotion = (uint8_t)ply_lowest(kinds);
        add_physical(o, m);
    }
}

/* Whether a piece may leave the square without exposing a royal piece on the board. */
PLY_SHARED bool can_leave(origin *o, int square)
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

/* Whether no enemy piece on the board attacks a royal piece on it; cached. */
PLY_SHARED bool is_safe(origin *o, const fived_board *b, int l, int v)
{
    enum { UNKNOWN, SAFE, ATTACKED };
    fived_turn_query *q = o->query;
    int i = l - q->view.base;
    uint32_t board = q->candidates.safe_base[i] + (uint32_t)(v - q->view.timelines[i].start);
    uint8_t *cached = &q->candidates.safe[board];
    if (*cached == UNKNOWN) {
        uint64_t royals = b->set[FIVED_ROYALS] & b->colour[o->side];
        *cached =
            fived_board_hits(b, !o->side, 0, fived_board_occupied(b), royals) ? ATTACKED : SAFE;
    }
    return *cached == SAFE;
}

/* advances: a pawn comes closer to the last rank by it and may promote. */
PLY_SHARED void jump_move(origin *o, int from, int l, int v, const fived_board *target, int to,
                          fived_kind kind, bool advances)
{
    fived_turn_query *q = o->query;
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
    const fived_view_timeline *timeline = &q->view.timelines[l - q->view.base];
    if (v == timeline->end)
        j.destination = q->candidates.axis_of[l - q->view.base];
    bool promotes = is_pawn(kind) && advances && is_last_rank(o, to);
    uint64_t kinds = promotes ? q->position->promotions : 1;
    for (; kinds; kinds &= kinds - 1) {
        j.promotion = promotes ? (uint8_t)ply_lowest(kinds) : 0;
        if (!FIVED_GROW(q, q->candidates.jumps, q->candidates.jump_room,
                        (size_t)q->candidates.jump_count + 1)) {
            o->no_memory = true;
            return;
        }
        q->candidates.jumps[q->candidates.jump_count++] = j;
    }
    o->axis->leave |= ply_bit(from);
}

/* Moves of sliders, kings and knights; far: the most steps a piece may take. */
PLY_SHARED void piece_moves(origin *o, int from, fived_kind kind, const fived_steps *steps, int far)
{
    const fived_view *view = &o->query->view;
    fived_vec4 start = {o->place.word | fived_vec4_make(from & 7, from >> 3, 0, 0).word};
    for (uint32_t i = 0; i < steps->count; i++) {
        fived_vec4 step = steps->step[i], at = start;
        int step_t = fived_vec4_t(step), step_l = fived_vec4_l(step);
        const fived_board *b = kind == FIVED_KNIGHT ? fived_view_board(view, o->axis->l + step_l,
                                                                       o->axis->v + 2 * step_t)
                                                    : o->near[step_l + 1][step_t + 1];
        if (!b)
            continue;
        bool inside = fived_vec4_within_board(step);
        for (int k = 1; k <= far; k++) {
            at = fived_vec4_add(at, step);
            int to = fived_vec4_square(at);
            uint64_t bit = ply_bit(to);
            if (!fived_vec4_on_8x8(at) || !(view->valid & bit))
                break;
            int l = fived_vec4_l(at), v = fived_tc_to_v(fived_vec4_t(at), o->side);
            if (k > 1 && !inside && !(b = fived_view_board(view, l, v)))
                break;
            if (b->colour[o->side] & bit)
                break;
            uint64_t taken = b->colour[!o->side] & bit;
            if (inside)
                physical_move(o, from, to, kind, taken);
            else
                jump_move(o, from, l, v, b, to, kind, false);
            if (taken)
                break;
        }
    }
}

PLY_SHARED void pawn_captures(origin *o, int from, fived_kind kind)
{
    bool slides;
    const fived_steps *steps = fived_steps_of(kind, o->side, &slides);
    const fived_view_timeline *timeline =
        &o->query->view.timelines[o->axis->l - o->query->view.base];
    bool passing =
        o->board->en_passant >= 0 && (o->query->rules->option[FIVED_OPTION_NEW_TIMELINE_EP] ||
                                      o->axis->v - 2 >= timeline->start);
    fived_vec4 start = {o->place.word | fived_vec4_make(from & 7, from >> 3, 0, 0).word};
    for (uint32_t i = 0; i < steps->count; i++) {
        fived_vec4 step = steps->step[i], at = fived_vec4_add(start, step);
        const fived_board *b = o->near[fived_vec4_l(step) + 1][fived_vec4_t(step) + 1];
        int to = fived_vec4_square(at);
        if (!b || !fived_vec4_on_8x8(at) || !(o->query->view.valid & ply_bit(to)))
            continue;
        uint64_t taken = b->colour[!o->side] & ply_bit(to);
        if (!fived_vec4_within_board(step)) {
            if (taken)
                jump_move(o, from, fived_vec4_l(at), fived_tc_to_v(fived_vec4_t(at), o->side), b,
                          to, kind, fived_vec4_y(step) != 0);
        } else if (taken) {
            physical_move(o, from, to, kind, taken);
        } else if (passing && to == o->board->en_passant) {
            physical_move(o, from, to, kind, ply_bit((to & 7) + (from & ~7)));
        }
    }
}

PLY_SHARED void pawn_moves(origin *o, int from, fived_kind kind)
{
    int forward = o->side ? -1 : 1;
    int far = o->board->unmoved & ply_bit(from) ? 2 : 1;
    const fived_position *p = o->query->position;
    for (int k = 1; k <= far; k++) {
        int y = (from >> 3) + forward * k, to = from + 8 * forward * k;
        if (y < 0 || y >= p->height || (o->occupied & ply_bit(to)))
            break;
        physical_move(o, from, to, kind, 0);
    }
    for (int k = 1; k <= far; k++) {
        int l = o->axis->l - forward * k;
        const fived_board *b = fived_view_board(&o->query->view, l, o->axis->v);
        if (!b || (fived_board_occupied(b) & ply_bit(from)))
            break;
        jump_move(o, from, l, o->axis->v, b, from, kind, false);
    }
    pawn_captures(o, from, kind);
}

/* `step`: -1 towards the a-file, 1 towards the other side. */
PLY_SHARED void castling(origin *o, int from)
{
    const fived_position *p = o->query->position;
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
        int near = o->query->rules->option[FIVED_OPTION_NEAR_CASTLE];
        int nearest = near == FIVED_NEAR_ON || (near == FIVED_NEAR_A_SIDE && step < 0) ? 2 : 3;
        if (o->board->square[rook] != wanted || distance < nearest)
            continue;
        uint64_t path = ply_bit(from) | ply_bit(from + step) | ply_bit(from + 2 * step);
        if (fived_board_hits(o->board, !o->side, 0, o->occupied, path))
            continue;
        add_physical(o, (fived_physical){.from = ply_bit(from) | ply_bit(rook),
                                         .to = ply_bit(from + step) | ply_bit(from + 2 * step),
                                         .royal_to = ply_bit(from + 2 * step),
                                         .from_square = (uint8_t)from,
                                         .to_square = (uint8_t)(from + 2 * step)});
    }
}

PLY_SHARED void moves_from(origin *o, int from)
{
    fived_kind kind = fived_piece_kind(o->board->square[from]);
    if (is_pawn(kind)) {
        pawn_moves(o, from, kind);
        return;
    }
    bool slides;
    const fived_steps *steps = fived_steps_of(kind, o->side, &slides);
    piece_moves(o, from, kind, steps, slides ? INT32_MAX : 1);
    if (kind == FIVED_KING)
        castling(o, from);
}

/* Groups the hops by the axis they land on. */
PLY_SHARED bool index_hops(fived_turn_query *q)
{
    uint32_t hops = 0;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++)
        q->candidates.axes[a].hop_count = 0;
    for (uint32_t i = 0; i < q->candidates.jump_count; i++)
        if (q->candidates.jumps[i].destination >= 0) {
            q->candidates.axes[q->candidates.jumps[i].destination].hop_count++;
            hops++;
        }
    if (!FIVED_GROW(q, q->candidates.hop_index, q->candidates.hop_room, hops))
        return false;
    uint32_t at = 0;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        q->candidates.axes[a].hop = at;
        at += q->candidates.axes[a].hop_count;
        q->candidates.axes[a].hop_count = 0;
    }
    for (uint32_t i = 0; i < q->candidates.jump_count; i++)
        if (q->candidates.jumps[i].destination >= 0) {
            fived_axis *a = &q->candidates.axes[q->candidates.jumps[i].destination];
            q->candidates.hop_index[a->hop + a->hop_count++] = i;
        }
    return true;
}

PLY_HD_EXTERN ply_status fived_turn_query_list_candidates(fived_turn_query *q)
{
    q->candidates.physical_count = q->candidates.jump_count = 0;
    int side = q->position->side;
    for (uint32_t a = 0; a < q->candidates.axis_count; a++) {
        fived_axis *axis = &q->candidates.axes[a];
        const fived_board *b = axis->board;
        int t0, c;
        fived_v_to_tc(axis->v, &t0, &c);
        origin o = {.query = q,
                    .axis = axis,
                    .number = a,
                    .board = b,
                    .place = fived_vec4_make(0, 0, t0, axis->l),
                    .own = b->colour[side],
                    .enemy = b->colour[!side],
                    .occupied = fived_board_occupied(b),
                    .royals = b->set[FIVED_ROYALS] & b->colour[side],
                    .side = side};
        for (int l = -1; l <= 1; l++)
            for (int t = -1; t <= 1; t++)
                o.near[l + 1][t + 1] = fived_view_board(&q->view, axis->l + l, axis->v + 2 * t);
        o.checked = fived_board_hits(b, !side, 0, o.occupied, o.royals);
        o.guards = nearest_own(&o);
        axis->royals = o.royals;
        axis->empty = q->view.valid & ~o.occupied;
        axis->physical = q->candidates.physical_count;
        axis->jump = q->candidates.jump_count;
        axis->leave = 0;
        for (uint64_t pieces = o.own; pieces; pieces &= pieces - 1)
            moves_from(&o, ply_lowest(pieces));
        if (o.no_memory)
            return PLY_NO_MEMORY;
        axis->physical_count = q->candidates.physical_count - axis->physical;
        axis->jump_count = q->candidates.jump_count - axis->jump;
    }
    return index_hops(q) ? PLY_OK : PLY_NO_MEMORY;
}
