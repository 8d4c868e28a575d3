/* SPDX-License-Identifier: MIT */
/*
 * multiverse_view.h - the multiverse as the turn search sees it, and the threats in it.
 *
 * A view is the rows of a position, which nobody writes, plus at most one board more on each line:
 * what the turn being tried would append there. Lines that branches would make stand beside the
 * others with that one board alone.
 *
 * Threats. Let a board be appended at the slot (l, v) with the other player to move on it. Whether
 * this makes a royal piece of the player capturable is decided by a few masks of the slot that do
 * not depend on the board, so that a candidate is tried with a handful of ANDs:
 *
 *     z[n]       squares of the slot from which a slider along n axes would hit a royal piece
 *     leap, step, pawn, brawn      the same for the other ways of moving
 *     y          squares of the slot that some enemy piece elsewhere attacks
 *     through    squares of the slot which, if empty, let an enemy slider pass to a royal piece
 *
 *     bad = enemy sliders & z | ... | own royals & y | empty squares & through
 *
 * Boards are only ever appended, so a threat once there stays: pruning on it is exact.
 */
#ifndef PLY_GAMES_FIVED_TURNS_MULTIVERSE_VIEW_H
#define PLY_GAMES_FIVED_TURNS_MULTIVERSE_VIEW_H

#include "games/fived/fived.h"

typedef struct fived_view_line {
    fived_board *const *row;
    const fived_board *extra; /* at v = end + 1, or NULL */
    int start, end;
} fived_view_line;

typedef struct fived_view {
    fived_view_line *lines; /* by l - base */
    int base, count;
    int side; /* whose turn is tried: 0 or 1 */
    uint64_t valid;
} fived_view;

typedef struct fived_masks {
    uint64_t z[4];
    uint64_t leap, step, pawn, brawn;
    uint64_t y, through;
} fived_masks;

/* A line that does not exist (yet). */
#define FIVED_NOWHERE (1 << 28)

static inline const fived_board *fived_view_board(const fived_view *w, int l, int v)
{
    unsigned i = (unsigned)(l - w->base);
    if (i >= (unsigned)w->count)
        return NULL;
    const fived_view_line *line = &w->lines[i];
    if (v < line->start)
        return NULL;
    if (v <= line->end)
        return line->row[v - line->start];
    return v == line->end + 1 ? line->extra : NULL;
}

/* The board at (l, v) with *is_end told whether it is the last of its line. */
static inline const fived_board *fived_view_end(const fived_view *w, int l, int v, bool *is_end)
{
    unsigned i = (unsigned)(l - w->base);
    *is_end = false;
    if (i >= (unsigned)w->count)
        return NULL;
    const fived_view_line *line = &w->lines[i];
    if (v < line->start)
        return NULL;
    if (v <= line->end) {
        *is_end = v == line->end && !line->extra;
        return line->row[v - line->start];
    }
    *is_end = v == line->end + 1;
    return *is_end ? line->extra : NULL;
}

void fived_view_masks(const fived_view *w, int l, int v, fived_masks *m);

/* Enemy pieces of a board at a slot that would hit a royal piece on other boards. */
static inline uint64_t fived_masks_attackers(const fived_masks *m, const fived_board *b, int enemy)
{
    uint64_t hit = (b->set[FIVED_ALONG_1] & m->z[0]) | (b->set[FIVED_ALONG_2] & m->z[1]) |
                   (b->set[FIVED_ALONG_3] & m->z[2]) | (b->set[FIVED_ALONG_4] & m->z[3]) |
                   (b->set[FIVED_LEAPERS] & m->leap) | (b->set[FIVED_STEPPERS] & m->step) |
                   (b->set[FIVED_PAWNS] & m->pawn) | (b->set[FIVED_BRAWNS] & m->brawn);
    return hit & b->colour[enemy];
}

/*
 * Whether the enemy, to move on a board, can capture one of `royals` on the board itself. occupied
 * and gone (enemy pieces taken away) say how it differs from b.
 */
bool fived_board_hits(const fived_board *b, int enemy, uint64_t gone, uint64_t occupied,
                      uint64_t royals);

/* Whether the enemy can capture a royal piece of w->side somewhere, as the view stands. */
bool fived_view_in_check(const fived_view *w);

#endif
