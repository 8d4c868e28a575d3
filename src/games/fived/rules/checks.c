/* SPDX-License-Identifier: MIT */
/*
 * checks.c - who gives check to whom, and where lines branched off: what the page draws arrows
 * from.
 *
 * Asked once for a position that somebody looks at, so it walks steps square by square; the masks
 * of multiverse_view.c answer the same question at speed, and the tests compare the two. The boards due are
 * taken to pass, as when asking whether a player is in check: the enemy then moves on a copy one
 * half turn later, which is told as the board it copies.
 */
#include "games/fived/rules/checks.h"
#include "games/fived/notation/move_text.h"

typedef struct scene {
    const fived_position *p;
    int present, lo, hi;
    bool all; /* every board of the player's passes */
    fived_visit_threat *visit;
    void *context;
} scene;

static bool is_passing(const scene *s, int l)
{
    int end = fived_position_line(s->p, l)->end;
    if ((end & 1) != s->p->side)
        return false;
    return s->all || (end == s->present && l >= s->lo && l <= s->hi);
}

/* The board at (l, v) when the passing boards have passed; *shown is the v of the one there is. */
static const fived_board *board_at(const scene *s, int l, int v, int *shown)
{
    *shown = v;
    const fived_board *board = fived_position_board(s->p, l, v);
    if (board || l < s->p->lo || l > s->p->hi)
        return board;
    *shown = v - 1;
    bool copy = v == fived_position_line(s->p, l)->end + 1 && is_passing(s, l);
    return copy ? fived_position_board(s->p, l, v - 1) : NULL;
}

static const fived_steps *steps_of(fived_kind kind, int colour, bool *slides)
{
    *slides = kind != FIVED_KNIGHT && kind != FIVED_KING && kind != FIVED_COMMON_KING &&
              kind != FIVED_PAWN && kind != FIVED_BRAWN;
    switch (kind) {
    case FIVED_PAWN:
        return colour ? &fived_steps_black_pawn_take : &fived_steps_white_pawn_take;
    case FIVED_BRAWN:
        return colour ? &fived_steps_black_brawn_take : &fived_steps_white_brawn_take;
    case FIVED_KNIGHT:
        return &fived_steps_knight;
    case FIVED_BISHOP:
        return &fived_steps_bishop;
    case FIVED_ROOK:
        return &fived_steps_rook;
    case FIVED_UNICORN:
        return &fived_steps_unicorn;
    case FIVED_DRAGON:
        return &fived_steps_dragon;
    case FIVED_PRINCESS:
        return &fived_steps_princess;
    default:
        return &fived_steps_queen;
    }
}

static void look_along(const scene *s, fived_threat from, int v, fived_step step, bool slides)
{
    fived_threat t = from;
    t.to_l = from.from_l;
    t.to_x = from.from_x;
    t.to_y = from.from_y;
    do {
        t.to_x += step.x;
        t.to_y += step.y;
        t.to_l += step.l;
        v += 2 * step.t;
        if (t.to_x < 0 || t.to_x >= s->p->width || t.to_y < 0 || t.to_y >= s->p->height || v < 0)
            return;
        const fived_board *board = board_at(s, t.to_l, v, &t.to_v);
        if (!board)
            return;
        fived_piece piece = board->square[t.to_x + 8 * t.to_y];
        if (piece == 0)
            continue;
        if (fived_piece_colour(piece) == s->p->side &&
            (board->set[FIVED_ROYALS] >> (t.to_x + 8 * t.to_y) & 1))
            s->visit(s->context, &t);
        return;
    } while (slides);
}

void fived_visit_threats(const ply_rules *rules, const fived_position *p, fived_visit_threat *visit,
                         void *context)
{
    scene s = {.p = p,
               .present = fived_position_present(p),
               .all = rules->option[FIVED_OPTION_CHECK_PASS] == FIVED_PASS_ALL,
               .visit = visit,
               .context = context};
    fived_active_range(p, p->hi - p->hi0, p->lo0 - p->lo, &s.lo, &s.hi);
    for (int l = p->lo; l <= p->hi; l++) {
        const fived_line *line = fived_position_line(p, l);
        int v = line->end + is_passing(&s, l);
        if ((v & 1) == p->side)
            continue; /* the player's own, not passing */
        const fived_board *board = fived_position_board(p, l, line->end);
        for (uint64_t left = board->colour[!p->side]; left; left &= left - 1) {
            int square = ply_lowest(left);
            bool slides;
            const fived_steps *steps =
                steps_of(fived_piece_kind(board->square[square]), !p->side, &slides);
            fived_threat from = {
                .from_l = l, .from_v = line->end, .from_x = square & 7, .from_y = square >> 3};
            for (int i = 0; i < steps->count; i++)
                look_along(&s, from, v, steps->step[i], slides);
        }
    }
}

/* A line's first board is the one it branched off with one piece more, or another one captured. */
static bool is_arrival(const fived_board *before, const fived_board *after)
{
    int changed = 0;
    for (int square = 0; square < 64; square++)
        changed += before->square[square] != after->square[square];
    return changed == 1;
}

bool fived_line_origin(const fived_position *p, int l, int *from_l)
{
    if (l >= p->lo0 && l <= p->hi0)
        return false;
    const fived_line *line = fived_position_line(p, l);
    int nearest = 0;
    bool found = false;
    for (int k = p->lo; k <= p->hi; k++) {
        const fived_board *before = k == l ? NULL : fived_position_board(p, k, line->start - 1);
        int distance = k > l ? k - l : l - k;
        if (!before || !is_arrival(before, line->row[0]) || (found && distance >= nearest))
            continue;
        found = true;
        nearest = distance;
        *from_l = k;
    }
    return found;
}
