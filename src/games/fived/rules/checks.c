/* SPDX-License-Identifier: MIT */
/*
 * checks.c - each check by itself, and where timelines branched off: what the web app draws as
 * arrows.
 *
 * This runs once for a position that someone looks at, so it follows steps square by square. The
 * masks of multiverse_view.c answer the same question fast, and the tests compare the two. Boards
 * that are due are assumed to pass, as in the test for check: the enemy then moves on a copy one
 * half-turn later, which is reported as the board it copies.
 */
#include "games/fived/rules/checks.h"
#include "games/fived/notation/move_text.h"

typedef struct check_scan {
    const fived_position *p;
    int present, lo, hi;
    bool all; /* every board of the player to move passes, not only those that are due */
    fived_threat_visitor *visit;
    void *context;
} check_scan;

static bool is_passing(const check_scan *scan, int l)
{
    int end = fived_position_timeline(scan->p, l)->end;
    if ((end & 1) != scan->p->side)
        return false;
    return scan->all || (end == scan->present && l >= scan->lo && l <= scan->hi);
}

/*
 * The board at (l, v) after the passing boards have passed; *shown: the v of the board it copies.
 */
static const fived_board *board_at(const check_scan *scan, int l, int v, int *shown)
{
    *shown = v;
    const fived_board *board = fived_position_board(scan->p, l, v);
    if (board || l < scan->p->lo || l > scan->p->hi)
        return board;
    *shown = v - 1;
    bool copy = v == fived_position_timeline(scan->p, l)->end + 1 && is_passing(scan, l);
    return copy ? fived_position_board(scan->p, l, v - 1) : NULL;
}

/* Reports the first piece in a direction if it is a royal piece of the player to move. */
static void follow_step(const check_scan *scan, const fived_threat *from, fived_vec4 at,
                        fived_vec4 step, bool slides)
{
    const fived_position *p = scan->p;
    do {
        at = fived_vec4_add(at, step);
        int square = fived_vec4_square(at), l = fived_vec4_l(at), shown;
        if (!fived_vec4_on_8x8(at) || !(p->valid & ply_bit(square)))
            return;
        const fived_board *board =
            board_at(scan, l, fived_tc_to_v(fived_vec4_t(at), !p->side), &shown);
        if (!board)
            return;
        fived_piece piece = board->square[square];
        if (piece == 0)
            continue;
        if (fived_piece_colour(piece) == p->side && (board->set[FIVED_ROYALS] >> square & 1)) {
            fived_threat t = *from;
            t.to_l = l;
            t.to_v = shown;
            t.to_x = fived_vec4_x(at);
            t.to_y = fived_vec4_y(at);
            scan->visit(scan->context, &t);
        }
        return;
    } while (slides);
}

void fived_visit_threats(const ply_rules *rules, const fived_position *p,
                         fived_threat_visitor *visit, void *context)
{
    check_scan scan = {.p = p,
                       .present = fived_position_present(p),
                       .all = rules->option[FIVED_OPTION_CHECK_PASS] == FIVED_PASS_ALL,
                       .visit = visit,
                       .context = context};
    fived_active_range(p, p->hi - p->start_hi, p->start_lo - p->lo, &scan.lo, &scan.hi);
    for (int l = p->lo; l <= p->hi; l++) {
        const fived_timeline *timeline = fived_position_timeline(p, l);
        int t, c;
        fived_v_to_tc(timeline->end + is_passing(&scan, l), &t, &c);
        if (c == p->side)
            continue; /* the player moves here and does not pass */
        const fived_board *board = fived_position_board(p, l, timeline->end);
        for (uint64_t left = board->colour[!p->side]; left; left &= left - 1) {
            int square = ply_lowest(left);
            bool slides;
            const fived_steps *steps =
                fived_piece_steps(fived_piece_kind(board->square[square]), !p->side, &slides);
            fived_threat from = {
                .from_l = l, .from_v = timeline->end, .from_x = square & 7, .from_y = square >> 3};
            fived_vec4 start = fived_vec4_make(square & 7, square >> 3, t, l);
            for (uint32_t i = 0; i < steps->count; i++)
                follow_step(&scan, &from, start, steps->step[i], slides);
        }
    }
}

/*
 * The first board of a timeline differs from the board it branched off by the piece that arrived.
 */
static bool is_arrival(const fived_board *before, const fived_board *after)
{
    int changed = 0;
    for (int square = 0; square < 64; square++)
        changed += before->square[square] != after->square[square];
    return changed == 1;
}

bool fived_timeline_origin(const fived_position *p, int l, int *from_l)
{
    if (l >= p->start_lo && l <= p->start_hi)
        return false;
    const fived_timeline *timeline = fived_position_timeline(p, l);
    int nearest = 0;
    bool found = false;
    for (int k = p->lo; k <= p->hi; k++) {
        const fived_board *before = k == l ? NULL : fived_position_board(p, k, timeline->start - 1);
        int distance = k > l ? k - l : l - k;
        if (!before || !is_arrival(before, timeline->boards[0]) || (found && distance >= nearest))
            continue;
        found = true;
        nearest = distance;
        *from_l = k;
    }
    return found;
}
