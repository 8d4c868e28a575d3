/* SPDX-License-Identifier: MIT */
/*
 * turns_internal.h - what the files of the turn search share; nobody else includes it.
 *
 *     turn_memory.c    memory, axes, domains
 *     candidate_moves.c single moves
 *     turn_query.c      questions, and where the search begins
 *     legal_turns.c      the search over axes
 *     new_timelines.c   new lines
 *     viable_moves.c       which single moves begin a legal turn
 *     turn_sat.c     the same questions where the search gets lost
 */
#ifndef PLY_GAMES_FIVED_TURNS_TURNS_INTERNAL_H
#define PLY_GAMES_FIVED_TURNS_TURNS_INTERNAL_H

#include "games/fived/turns/legal_turns.h"

/* What has become of an axis. */
enum { OPEN, DONE, WAITING /* left by a branch whose new line is still to come */ };

/* What new lines may do to the present. */
enum { SHIFT_FREE, SHIFT_FORBIDDEN, SHIFT_NEEDED };

/* Which turns found are looked around for others: none, any, those found by clauses. */
enum { MARK_NONE, MARK_ALL, MARK_TANGLED };

/* --- whether a value fits what is left of an axis --- */
static inline bool fived_turn_inner_fits(const fived_axis *a, const fived_domain *d,
                                         const fived_inner *m)
{
    return !(d->attackers & ~m->taken) && !(((a->royals & ~m->from) | m->royal_to) & d->y) &&
           !(((a->empty | m->from | m->taken) & ~m->to) & d->through);
}

static inline bool fived_turn_leave_fits(const fived_axis *a, const fived_domain *d, uint64_t from)
{
    return !d->attackers && !(a->royals & ~from & d->y) && !((a->empty | from) & d->through);
}

static inline bool fived_turn_arrival_fits(const fived_axis *a, const fived_domain *d,
                                           const fived_jump *j)
{
    uint64_t to = ply_bit(j->to_square);
    return !(d->attackers & ~to) && !((a->royals | (j->royal ? to : 0)) & d->y) &&
           !(a->empty & ~to & d->through);
}

static inline fived_view_line *fived_turn_line(fived_search *s, int l)
{
    return &s->view.lines[l - s->view.base];
}

static inline void fived_turn_choose(fived_search *s, enum fived_move_type type, uint32_t id)
{
    s->choices[s->choice_count++] = (fived_choice){.type = (uint8_t)type, .id = id};
}

/* True when solutions need only be counted. */
static inline bool fived_turn_only_counts(const fived_search *s)
{
    return !s->exists && !s->distinct && !s->visit;
}

/* The first new line from n on that has no board yet. */
static inline int fived_turn_free_line(const fived_search *s, int n)
{
    while (n < s->new_lines && s->used[n])
        n++;
    return n;
}

/* The end of a group of jumps from the same square. */
static inline uint32_t fived_turn_group_end(const fived_search *s, const fived_axis *axis,
                                            uint32_t i)
{
    uint32_t end = axis->jump + axis->jump_count, first = i;
    while (i < end && s->jumps[i].from_square == s->jumps[first].from_square)
        i++;
    return i;
}

/* The line that a new line's number stands for. */
static inline int fived_turn_new_line(const fived_search *s, int n)
{
    const fived_position *p = s->position;
    return p->side ? p->lo - 1 - n : p->hi + 1 + n;
}

/* --- turn_memory.c --- */
/* The domains of a level; NULL when memory is out. */
fived_domain *fived_turn_level(fived_search *s, uint32_t level);
void fived_turn_fail(fived_search *s);
/* Reads the masks of the slot and keeps what still fits of `before` (NULL: of everything). */
void fived_turn_refresh(fived_search *s, uint32_t number, const fived_domain *before,
                        fived_domain *d);

/* --- turn_query.c --- */
/* What the present depends on when a turn makes k new lines. */
typedef struct fived_turn_present {
    int lo, hi;   /* lines that will be active */
    int active;   /* new lines that will be, counted from the first */
    int earliest; /* v of the player's earliest board on them */
    bool theirs;  /* the present is the other's whatever the player does */
} fived_turn_present;

fived_turn_present fived_turn_present_with(const fived_search *s, int k);
/* Whether an axis must be played unless a new line moves the present back. */
static inline bool fived_turn_is_due(const fived_search *s, uint32_t a,
                                     const fived_turn_present *present)
{
    const fived_axis *axis = &s->axes[a];
    return axis->l >= present->lo && axis->l <= present->hi && axis->v == present->earliest;
}
/* From so many new lines on, no more lines get active by making more. */
int fived_turn_settled(const fived_search *s);

/* --- legal_turns.c --- */
/* Whether some hop onto the axis is still possible. */
bool fived_turn_has_arrival(const fived_search *s, const fived_domain *d, uint32_t number);
/* Puts the board tried for an axis in place; the caller has made it in s->boards[a]. */
bool fived_turn_put(fived_search *s, uint32_t level, uint32_t a);

void fived_turn_step(fived_search *s, uint32_t level);
/* Writes the turn in s->choices into s->turn, in playing order; returns how many moves. */
size_t fived_turn_write(fived_search *s);
/* Makes level + 1 from level after a board was put at (l, v). */
bool fived_turn_spread(fived_search *s, uint32_t level, int l, int v);
/* Puts the board that a piece has left; true when no axis is lost by it. */
bool fived_turn_put_leave(fived_search *s, uint32_t level, uint32_t a, int square);
void fived_turn_take(fived_search *s, uint32_t a);

/* --- new_timelines.c --- */
/* Masks of a new line's slot, which depend on when it starts. */
typedef struct fived_new_slot {
    int v;
    fived_masks masks;
} fived_new_slot;

enum { SLOTS = 8 };

typedef struct fived_new_slots {
    int count;
    fived_new_slot slot[SLOTS];
} fived_new_slots;

const fived_masks *fived_turn_slot_masks(const fived_search *s, fived_new_slots *slots, int l,
                                         int v);
bool fived_turn_branch_fits(const fived_search *s, const fived_jump *j, const fived_masks *m);
/* The leave of axis a is in place at level; jumps first..end-1 are tried as new line n. */
void fived_turn_try_branches(fived_search *s, uint32_t level, uint32_t a, uint32_t first,
                             uint32_t end, int n);
/* Tries the branches of an axis as new line n, from the square it was left or from any. */
void fived_turn_try_line_from(fived_search *s, uint32_t level, uint32_t a, int n);
/* Gives new line n a board, by any axis that may still make one. */
void fived_turn_try_new_line(fived_search *s, uint32_t level, int n);
/* Whether some branch that moves the present back could still be safe. */
bool fived_turn_shift_possible(const fived_search *s);
/* Whether an axis that waits for a new line could still get one. */
bool fived_turn_can_branch(const fived_search *s, uint32_t a);

/* Whether every free line up to `highest` could still get a board, as far as can be seen. */
bool fived_turn_can_fill(const fived_search *s, const fived_domain *d, int highest);

/* Asks whether to halt, and does. */
bool fived_turn_halts(fived_search *s);
/* A turn that answers is in place: keeps it, with what could take the place of its parts. */
void fived_turn_keep(fived_search *s);

/* --- viable_moves.c --- */
/* A turn is in place: marks what could take the place of one axis's part in it. */
void fived_turn_mark_around(fived_search *s);

#endif
