/* SPDX-License-Identifier: MIT */
/*
 * turns_internal.h - shared by the files of the turn query; private to this folder.
 *
 *     turn_memory.c       memory
 *     turn_prepare.c      preparing a query
 *     candidate_moves.c   single moves
 *     turn_query.c        the questions, and where the search starts
 *     turn_search.c       the backtracking search over axes
 *     new_timelines.c     branches
 *     viable_moves.c      which single moves begin a legal turn
 *     turn_sat.c          the same questions as SAT problems (turn_sat_internal.h)
 *     promising_turns.c   a selection of turns for the engine
 */
#ifndef PLY_GAMES_FIVED_TURNS_TURNS_INTERNAL_H
#define PLY_GAMES_FIVED_TURNS_TURNS_INTERNAL_H

#include "games/fived/turns/turn_query.h"

/* The state of an axis. Waiting: left by a branch whose new timeline is still to be chosen. */
enum { AXIS_OPEN, AXIS_DONE, AXIS_WAITING };

/* Whether the new timelines of a turn may, must not or must move the present back. */
enum { REWIND_ALLOWED, REWIND_FORBIDDEN, REWIND_REQUIRED };

/* Which turns found are searched for replacements: none, all, those the SAT solver found. */
enum { MARK_NONE, MARK_ALL, MARK_SAT };

/* --- whether a value is still safe given the domain of its axis ------------------------------ */
PLY_HD bool fived_turn_physical_fits(const fived_axis *a, const fived_domain *d,
                                     const fived_physical *m)
{
    return !(d->attackers & ~m->taken) && !(((a->royals & ~m->from) | m->royal_to) & d->attacked) &&
           !(((a->empty | m->from | m->taken) & ~m->to) & d->between);
}

PLY_HD bool fived_turn_leave_fits(const fived_axis *a, const fived_domain *d, uint64_t from)
{
    return !d->attackers && !(a->royals & ~from & d->attacked) && !((a->empty | from) & d->between);
}

PLY_HD bool fived_turn_arrival_fits(const fived_axis *a, const fived_domain *d, const fived_jump *j)
{
    uint64_t to = ply_bit(j->to_square);
    return !(d->attackers & ~to) && !((a->royals | (j->royal ? to : 0)) & d->attacked) &&
           !(a->empty & ~to & d->between);
}

/* --- accessors ------------------------------------------------------------------------------ */
PLY_HD fived_view_timeline *fived_turn_view_timeline(fived_turn_query *q, int l)
{
    return &q->view.timelines[l - q->view.base];
}

PLY_HD void fived_turn_push_choice(fived_turn_query *q, enum fived_move_type type, uint32_t id)
{
    q->partial.choices[q->partial.choice_count++] = (fived_choice){.type = (uint8_t)type, .id = id};
}

/* Whether turns need only be counted. */
PLY_HD bool fived_turn_counts_only(const fived_turn_query *q)
{
    return !q->run.exists && !q->run.distinct && !q->run.visit;
}

/* The first new timeline from n on that has no board yet. */
PLY_HD int fived_turn_free_timeline(const fived_turn_query *q, int n)
{
    while (n < q->present.max_new && q->partial.filled[n])
        n++;
    return n;
}

/* The end of the group of jumps from the same square that starts at i. */
PLY_HD uint32_t fived_turn_jump_group_end(const fived_turn_query *q, const fived_axis *axis,
                                          uint32_t i)
{
    uint32_t end = axis->jump + axis->jump_count, first = i;
    while (i < end && q->candidates.jumps[i].from_square == q->candidates.jumps[first].from_square)
        i++;
    return i;
}

/* The l of new timeline number n. */
PLY_HD int fived_turn_new_timeline(const fived_turn_query *q, int n)
{
    const fived_position *p = q->position;
    return p->side ? p->lo - 1 - n : p->hi + 1 + n;
}

/* --- turn_memory.c -------------------------------------------------------------------------- */
/* The domains of a level; NULL when out of memory. */
PLY_HD_EXTERN fived_domain *fived_turn_level(fived_turn_query *q, uint32_t level);
/* Makes room for a position; false when out of memory. */
PLY_HD_EXTERN bool fived_turn_reserve(fived_turn_query *q, size_t timelines, size_t boards,
                                      size_t axes);
/* Adds the key of a result to run.seen; false if it was there already, or when out of memory. */
PLY_HD_EXTERN bool fived_turn_add_result(fived_turn_query *q, uint64_t key);
/* Whether the arrays have room already. */
PLY_HD bool fived_turn_has_room(const fived_turn_query *q, size_t timelines, size_t boards,
                                size_t axes)
{
    return timelines <= q->timeline_room && boards <= q->board_room && axes <= q->axis_room;
}

/* --- turn_prepare.c ------------------------------------------------------------------------- */
/* Records that memory ran out and stops the search. */
PLY_HD_EXTERN void fived_turn_out_of_memory(fived_turn_query *q);
/* Recomputes the masks of an axis and keeps the values of `before` that are still safe (NULL: of
 * all candidates). */
PLY_HD_EXTERN void fived_turn_filter_domain(fived_turn_query *q, uint32_t number,
                                            const fived_domain *before, fived_domain *d);

/* --- turn_query.c --------------------------------------------------------------------------- */
/* What a turn with k new timelines means for the present. */
typedef struct fived_turn_present {
    int lo, hi;     /* timelines that will be active */
    int active;     /* new timelines among them, counted from the first */
    int earliest;   /* v of the player's earliest board on them */
    bool is_enemys; /* the present is the enemy's whatever the player does */
} fived_turn_present;

PLY_HD_EXTERN fived_turn_present fived_turn_present_after(const fived_turn_query *q, int k);
/* Whether an axis must be played unless a new timeline moves the present back. */
PLY_HD bool fived_turn_is_due(const fived_turn_query *q, uint32_t a,
                              const fived_turn_present *present)
{
    const fived_axis *axis = &q->candidates.axes[a];
    return axis->l >= present->lo && axis->l <= present->hi && axis->v == present->earliest;
}
/* With this many new timelines or more, creating another one activates no further timeline. */
PLY_HD_EXTERN int fived_turn_settled_count(const fived_turn_query *q);

/* --- turn_search.c -------------------------------------------------------------------------- */
/* Continues the turn under construction at a level. */
PLY_HD_EXTERN void fived_turn_search(fived_turn_query *q, uint32_t level);
/*
 * Where only existence matters: plays the first safe physical move on each board that must still be
 * played, without filtering the others after each of them. That is a legal turn most often, and then
 * the search is over.
 */
PLY_HD_EXTERN void fived_turn_dive(fived_turn_query *q, uint32_t level);
/* Whether some hop onto the axis is still possible. */
PLY_HD_EXTERN bool fived_turn_has_hop_onto(const fived_turn_query *q, const fived_domain *d,
                                           uint32_t number);
/* Appends partial.boards[a] to the timeline of axis a and propagates. Undone by remove_board. */
PLY_HD_EXTERN bool fived_turn_place_board(fived_turn_query *q, uint32_t level, uint32_t a);
/* The same for the board after a piece has left the square. */
PLY_HD_EXTERN bool fived_turn_place_leave(fived_turn_query *q, uint32_t level, uint32_t a,
                                          int square);
PLY_HD_EXTERN void fived_turn_remove_board(fived_turn_query *q, uint32_t a);
/* A board has been placed at (l, v): computes level + 1 from level. False if an axis that must be
 * played has no value left, or when out of memory. */
PLY_HD_EXTERN bool fived_turn_propagate(fived_turn_query *q, uint32_t level, int l, int v);
/* Writes partial.choices as moves in playing order into partial.moves; returns their number. */
PLY_HD_EXTERN size_t fived_turn_write_moves(fived_turn_query *q);
/* Polls the caller now and then; true once the query has been interrupted. */
PLY_HD_EXTERN bool fived_turn_interrupted(fived_turn_query *q);

/* --- new_timelines.c ------------------------------------------------------------------------ */
/* The masks of a new timeline's slot depend on when the timeline starts; the last few are kept. */
enum { SLOT_CACHE = 8 };

typedef struct fived_cached_slot {
    int v;
    fived_masks masks;
} fived_cached_slot;

typedef struct fived_slot_cache {
    int count;
    fived_cached_slot slot[SLOT_CACHE];
} fived_slot_cache;

PLY_HD_EXTERN const fived_masks *fived_turn_slot_masks(const fived_turn_query *q,
                                                       fived_slot_cache *slots, int l, int v);
PLY_HD_EXTERN bool fived_turn_branch_fits(const fived_turn_query *q, const fived_jump *j,
                                          const fived_masks *m);
/* Axis a has been left at this level: tries jumps first..end-1 as branches to new timeline n. */
PLY_HD_EXTERN void fived_turn_try_branches(fived_turn_query *q, uint32_t level, uint32_t a,
                                           uint32_t first, uint32_t end, int n);
/* Tries the branches of an axis to new timeline n, from the square it was left from or from any. */
PLY_HD_EXTERN void fived_turn_try_new_timeline_from(fived_turn_query *q, uint32_t level, uint32_t a,
                                                    int n);
/* Gives new timeline n a board, by a branch of any axis that may still branch. */
PLY_HD_EXTERN void fived_turn_try_new_timeline(fived_turn_query *q, uint32_t level, int n);
/* Whether some branch that moves the present back could still be safe. */
PLY_HD_EXTERN bool fived_turn_rewind_possible(const fived_turn_query *q);
/* Whether an axis that waits for a new timeline could still get one. */
PLY_HD_EXTERN bool fived_turn_can_branch(const fived_turn_query *q, uint32_t a);
/* Whether every free new timeline up to `highest` could still get a board; may err towards yes. */
PLY_HD_EXTERN bool fived_turn_can_fill_gaps(const fived_turn_query *q, const fived_domain *d,
                                            int highest);

/* --- viable_moves.c ------------------------------------------------------------------------- */
/* A legal turn is in place: marks the moves that could replace what one axis does in it. */
PLY_HD_EXTERN void fived_turn_mark_replacements(fived_turn_query *q);
/* A legal turn is in place: saves it in q->witness. */
PLY_HD_EXTERN void fived_turn_save_witness(fived_turn_query *q);

#endif
