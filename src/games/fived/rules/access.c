/* SPDX-License-Identifier: MIT */
/* access.c - the public view of a position: its boards by LTC and by UV, its pieces by vector. */
#include "games/fived/turns/turn_query.h"

fived_overview fived_position_overview(const ply_rules *rules, const void *position)
{
    (void)rules;
    const fived_position *p = position;
    fived_overview o = {.width = p->width,
                        .height = p->height,
                        .lo = p->lo,
                        .hi = p->hi,
                        .start_lo = p->start_lo,
                        .start_hi = p->start_hi,
                        .side = p->side,
                        .even = p->even};
    fived_active_range(p, p->hi - p->start_hi, p->start_lo - p->lo, &o.active_lo, &o.active_hi);
    fived_v_to_tc(fived_position_present(p), &o.present_t, &o.present_c);
    return o;
}

bool fived_timeline_boards(const ply_rules *rules, const void *position, int l, int *first,
                           int *last)
{
    (void)rules;
    const fived_position *p = position;
    if (l < p->lo || l > p->hi)
        return false;
    const fived_timeline *timeline = fived_position_timeline(p, l);
    *first = timeline->start;
    *last = timeline->end;
    return true;
}

const fived_piece *fived_board_at_uv(const ply_rules *rules, const void *position, unsigned u,
                                     int v)
{
    (void)rules;
    const fived_position *p = position;
    if (u >= p->multiverse->timeline_room)
        return NULL;
    const fived_board *board = fived_position_board(p, fived_u_to_l(u), v);
    return board ? board->square : NULL;
}

const fived_piece *fived_board_at(const ply_rules *rules, const void *position, int l, int t, int c)
{
    (void)rules;
    const fived_board *board = NULL;
    if (t >= 0 && t <= FIVED_T_MAX && (c == 0 || c == 1))
        board = fived_position_board(position, l, fived_tc_to_v(t, c));
    return board ? board->square : NULL;
}

int fived_piece_at(const ply_rules *rules, const void *position, fived_vec4 at, int c)
{
    const fived_position *p = position;
    if (!fived_vec4_on_8x8(at) || !(p->valid >> fived_vec4_square(at) & 1))
        return -1;
    const fived_piece *board =
        fived_board_at(rules, position, fived_vec4_l(at), fived_vec4_t(at), c);
    return board ? board[fived_vec4_square(at)] : -1;
}

ply_status fived_may_submit(const ply_rules *rules, const void *position, bool *may)
{
    fived_turn_query *q;
    ply_status status = fived_turn_query_open(&q, rules, position);
    if (status == PLY_OK)
        *may = !q->royal_lost && fived_turn_query_may_submit(q);
    fived_turn_query_close(q);
    return status;
}

void fived_vec4_widths(int widths[4])
{
    widths[0] = FIVED_X_BITS;
    widths[1] = FIVED_Y_BITS;
    widths[2] = FIVED_T_BITS;
    widths[3] = FIVED_L_BITS;
}
