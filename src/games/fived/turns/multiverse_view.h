/* SPDX-License-Identifier: MIT */
/*
 * multiverse_view.h - the multiverse as a turn query sees it, and the threats in it.
 *
 * A view is the timelines of a position, which it only reads, plus at most one extra board on each:
 * the board that the turn under construction would append there. Timelines that branches would
 * create stand beside the others with that one board.
 *
 * Threats. A slot (l, v) is where a board can be appended, with the enemy to move on it. Whether
 * appending a board there lets the enemy capture a royal piece is decided by a few masks of the
 * slot. The masks do not depend on the board, so testing a candidate takes a handful of ANDs:
 *
 *     slide[n]   squares of the slot from which a slider along n + 1 dimensions hits a royal piece
 *     leap, step, pawn, brawn      the same for the other ways of moving
 *     attacked   squares of the slot that some enemy piece elsewhere attacks
 *     between    squares of the slot that, if empty, open a slider's path to a royal piece
 *
 *     bad = enemy sliders & slide | ... | own royals & attacked | empty squares & between
 *
 * Boards are only ever appended, so a threat stays once it exists: pruning on it is exact.
 */
#ifndef PLY_GAMES_FIVED_TURNS_MULTIVERSE_VIEW_H
#define PLY_GAMES_FIVED_TURNS_MULTIVERSE_VIEW_H

#include "games/fived/fived.h"

typedef struct fived_view_timeline {
    fived_board *const *boards;
    const fived_board *extra; /* at v = end + 1, or NULL */
    int start, end;
} fived_view_timeline;

typedef struct fived_view {
    fived_view_timeline *timelines; /* by l - base */
    int base, count;
    int side; /* whose turn it is: 0 or 1 */
    uint64_t valid;
} fived_view;

typedef struct fived_masks {
    uint64_t slide[4];
    uint64_t leap, step, pawn, brawn;
    uint64_t attacked, between;
} fived_masks;

/* Later than any v; the v of a timeline that does not exist (yet). */
#define FIVED_NOWHERE (1 << 28)
#define FIVED_NO_TIMELINE ((fived_view_timeline){.start = FIVED_NOWHERE, .end = FIVED_NOWHERE - 1})

PLY_HD const fived_board *fived_view_board(const fived_view *w, int l, int v)
{
    unsigned i = (unsigned)(l - w->base);
    if (i >= (unsigned)w->count)
        return NULL;
    const fived_view_timeline *timeline = &w->timelines[i];
    if (v < timeline->start)
        return NULL;
    if (v <= timeline->end)
        return timeline->boards[v - timeline->start];
    return v == timeline->end + 1 ? timeline->extra : NULL;
}

/* The board at (l, v), or NULL; *is_end: whether it is the last of its timeline. */
PLY_HD const fived_board *fived_view_end(const fived_view *w, int l, int v, bool *is_end)
{
    unsigned i = (unsigned)(l - w->base);
    *is_end = false;
    if (i >= (unsigned)w->count)
        return NULL;
    const fived_view_timeline *timeline = &w->timelines[i];
    if (v < timeline->start)
        return NULL;
    if (v <= timeline->end) {
        *is_end = v == timeline->end && !timeline->extra;
        return timeline->boards[v - timeline->start];
    }
    *is_end = v == timeline->end + 1;
    return *is_end ? timeline->extra : NULL;
}

/* Computes the masks of slot (l, v) from the other boards of the view. */
PLY_HD_EXTERN void fived_view_masks(const fived_view *w, int l, int v, fived_masks *m);

/* Only the mask `attacked`. */
PLY_HD_EXTERN uint64_t fived_view_attacked(const fived_view *w, int l, int v);

/* Squares of the slot from which a queen or a knight hits a royal piece on another board. */
PLY_HD_EXTERN uint64_t fived_view_queen_checks(const fived_view *w, int l, int v);
PLY_HD_EXTERN uint64_t fived_view_knight_checks(const fived_view *w, int l, int v);

/* What the masks of a slot mean for a known board: which of its enemy pieces would hit a royal piece
 * on another board, and the masks that do not depend on it. Faster than all masks. */
typedef struct fived_threats {
    uint64_t attackers, attacked, between;
} fived_threats;

PLY_HD_EXTERN fived_threats fived_view_threats(const fived_view *w, int l, int v,
                                               const fived_board *b);

/* Enemy pieces of a board placed at the slot that would hit a royal piece on another board. */
PLY_HD uint64_t fived_masks_attackers(const fived_masks *m, const fived_board *b, int enemy)
{
    uint64_t hit =
        (b->set[FIVED_SLIDERS_1] & m->slide[0]) | (b->set[FIVED_SLIDERS_2] & m->slide[1]) |
        (b->set[FIVED_SLIDERS_3] & m->slide[2]) | (b->set[FIVED_SLIDERS_4] & m->slide[3]) |
        (b->set[FIVED_LEAPERS] & m->leap) | (b->set[FIVED_STEPPERS] & m->step) |
        (b->set[FIVED_PAWNS] & m->pawn) | (b->set[FIVED_BRAWNS] & m->brawn);
    return hit & b->colour[enemy];
}

/*
 * Whether the enemy, to move on a board, can capture one of `royals` on the board itself. The board
 * is b with other occupied squares and without the enemy pieces on `gone`.
 */
PLY_HD_EXTERN bool fived_board_hits(const fived_board *b, int enemy, uint64_t gone,
                                    uint64_t occupied, uint64_t royals);

/* Whether the enemy can capture a royal piece of w->side anywhere in the view. */
PLY_HD_EXTERN bool fived_view_in_check(const fived_view *w);

#endif
