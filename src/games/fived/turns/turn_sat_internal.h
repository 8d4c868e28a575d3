/* SPDX-License-Identifier: MIT */
/*
 * turn_sat_internal.h - what the files of turn_sat.h share; nobody else includes it.
 *
 *     turn_sat.c     variables, clauses of the rules, assignments, questions
 *     threat_clauses.c    threats of an assignment, and the clauses that refuse them
 */
#ifndef PLY_GAMES_FIVED_TURNS_TURN_SAT_INTERNAL_H
#define PLY_GAMES_FIVED_TURNS_TURN_SAT_INTERNAL_H

#include "games/fived/turns/turn_sat.h"
#include "games/fived/turns/turns_internal.h"

enum { NO_VARIABLE = 0 }; /* number 0 is made first and is never true */

/* A board that the turn makes, and a square of it, and what stands there: slot, v, square, what. */
typedef uint64_t feature;

typedef struct shift_rule {
    int active, earliest;
    uint32_t needed, forbidden;
} shift_rule;

struct fived_tangle {
    fived_clauses clauses;
    bool made;
    int lines;                         /* new lines there may be */
    uint32_t pass, place, used, above; /* first variables */
    uint32_t *inner, *hop, *branch;    /* by number of the move: its variable */
    uint32_t *leave;                   /* by axis and square */
    size_t inner_room, hop_room, branch_room, leave_room;
    fived_board *boards; /* of the assignment that is looked at */
    size_t board_room;
    fived_view_line *kept; /* the view's lines meanwhile */
    size_t kept_room;
    uint64_t *keys; /* variables of features: key, variable */
    uint32_t *key_variable;
    size_t key_room, key_count;
    feature *threats; /* lists of features, each with its length before it */
    size_t threat_room, threat_count;
    uint32_t *list; /* literals or variables being put together */
    uint32_t *assumed;
    size_t list_room, assumed_room;
    uint32_t list_count;
    shift_rule *shifts;
    size_t shift_room, shift_count;
    fived_search *search;
};

static inline void fived_tangle_no_memory(fived_tangle *t)
{
    t->clauses.no_memory = t->clauses.broken = true;
}

/* --- putting clauses together ---------------------------------------------------------------- */
static inline void fived_tangle_push(fived_tangle *t, uint32_t x)
{
    if (!ply_array_grow(&t->list, &t->list_room, (size_t)t->list_count + 1, sizeof *t->list))
        fived_tangle_no_memory(t);
    else
        t->list[t->list_count++] = x;
}

static inline void fived_tangle_add(fived_tangle *t)
{
    fived_clauses_add(&t->clauses, t->list, t->list_count);
    t->list_count = 0;
}

static inline void fived_tangle_group(fived_tangle *t)
{
    fived_clauses_group(&t->clauses, t->list, t->list_count);
    t->list_count = 0;
}

static inline void fived_tangle_implies(fived_tangle *t, uint32_t a, uint32_t b)
{
    fived_literal both[2] = {fived_not(a), fived_is(b)};
    fived_clauses_add(&t->clauses, both, 2);
}

static inline void fived_tangle_excludes(fived_tangle *t, uint32_t a, uint32_t b)
{
    fived_literal both[2] = {fived_not(a), fived_not(b)};
    fived_clauses_add(&t->clauses, both, 2);
}

/* a and b together force x (a literal). */
static inline void fived_tangle_forces(fived_tangle *t, uint32_t a, uint32_t b, fived_literal x)
{
    fived_literal three[3] = {fived_not(a), fived_not(b), x};
    fived_clauses_add(&t->clauses, three, 3);
}

static inline uint32_t fived_tangle_place(const fived_tangle *t, uint32_t a, int n)
{
    return t->place + a * (uint32_t)t->lines + (uint32_t)n;
}

/* --- threat_clauses.c --- */
/* Notes the threats of the assignment that is in the view; true when there are any. */
bool fived_tangle_find_threats(fived_tangle *t);
/* Adds a clause for each threat noted. */
void fived_tangle_refuse_threats(fived_tangle *t);

#endif
