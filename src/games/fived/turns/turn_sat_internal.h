/* SPDX-License-Identifier: MIT */
/*
 * turn_sat_internal.h - shared by the files of turn_sat.h; private to them.
 *
 *     turn_sat.c          assignments, questions
 *     turn_clauses.c      variables and clauses of the rules
 *     threat_clauses.c    threats of an assignment, and the clauses that forbid them
 */
#ifndef PLY_GAMES_FIVED_TURNS_TURN_SAT_INTERNAL_H
#define PLY_GAMES_FIVED_TURNS_TURN_SAT_INTERNAL_H

#include "games/fived/turns/turn_sat.h"
#include "games/fived/turns/turns_internal.h"

enum { NO_VARIABLE = 0 }; /* variable 0 is created first and is always false */

/*
 * A property of a square on a board that the turn makes:
 *
 *      63   32 31  12 11      4 3      0
 *     |  slot |   v  |  square |  what  |      slot: an axis, or axis_count + new timeline
 */
typedef uint64_t feature;

/* Variables about new timelines before `active` that start before `earliest`. */
typedef struct rewind_rule {
    int active, earliest;
    uint32_t needed;    /* implies that one of them exists */
    uint32_t forbidden; /* implies that none does */
} rewind_rule;

struct fived_turn_sat {
    fived_sat sat;
    bool made;
    int new_timelines;                      /* that a turn may create */
    uint32_t pass, creates, used, at_least; /* the first variable of each array */
    uint32_t *physical, *hop, *branch;      /* by candidate: its variable, or NO_VARIABLE */
    uint32_t *leave;                        /* by axis and square */
    size_t physical_room, hop_room, branch_room, leave_room;
    fived_board *boards; /* of the assignment under test */
    size_t board_room;
    fived_view_timeline *saved; /* the timelines of the view meanwhile */
    size_t saved_room;
    uint64_t *feature_keys; /* hash map from features to variables */
    uint32_t *feature_variables;
    size_t feature_room, feature_count;
    feature *threats; /* lists of features, each preceded by its length */
    size_t threat_room, threat_count;
    uint32_t *list; /* the clause, group or assumptions being built */
    uint32_t *assumptions;
    size_t list_room, assumption_room;
    uint32_t list_count;
    rewind_rule *rewinds;
    size_t rewind_room, rewind_count;
    fived_turn_query *query;
};

static inline void fived_turn_sat_out_of_memory(fived_turn_sat *t)
{
    t->sat.no_memory = t->sat.unsatisfiable = true;
}

/* --- building clauses ----------------------------------------------------------------------- */
static inline void fived_turn_sat_push(fived_turn_sat *t, uint32_t x)
{
    if (!ply_array_grow(&t->list, &t->list_room, (size_t)t->list_count + 1, sizeof *t->list))
        fived_turn_sat_out_of_memory(t);
    else
        t->list[t->list_count++] = x;
}

static inline void fived_turn_sat_add_clause(fived_turn_sat *t)
{
    fived_sat_add_clause(&t->sat, t->list, t->list_count);
    t->list_count = 0;
}

static inline void fived_turn_sat_at_most_one(fived_turn_sat *t)
{
    fived_sat_at_most_one(&t->sat, t->list, t->list_count);
    t->list_count = 0;
}

static inline void fived_turn_sat_implies(fived_turn_sat *t, uint32_t a, uint32_t b)
{
    fived_literal both[2] = {fived_negative(a), fived_positive(b)};
    fived_sat_add_clause(&t->sat, both, 2);
}

static inline void fived_turn_sat_excludes(fived_turn_sat *t, uint32_t a, uint32_t b)
{
    fived_literal both[2] = {fived_negative(a), fived_negative(b)};
    fived_sat_add_clause(&t->sat, both, 2);
}

/* a and b together imply x, a literal. */
static inline void fived_turn_sat_both_imply(fived_turn_sat *t, uint32_t a, uint32_t b,
                                             fived_literal x)
{
    fived_literal three[3] = {fived_negative(a), fived_negative(b), x};
    fived_sat_add_clause(&t->sat, three, 3);
}

/* The variable "the branch from axis a creates new timeline n". */
static inline uint32_t fived_turn_sat_creates(const fived_turn_sat *t, uint32_t a, int n)
{
    return t->creates + a * (uint32_t)t->new_timelines + (uint32_t)n;
}

/* --- turn_clauses.c ------------------------------------------------------------------------- */
/* Allocates what the encoding of the query's position needs. False when out of memory. */
bool fived_turn_sat_reserve(fived_turn_sat *t);
/* Creates the variables and the clauses of the rules. */
void fived_turn_sat_encode(fived_turn_sat *t);
/* The variables about what the first `active` new timelines do to the present; made if need be. */
rewind_rule fived_turn_sat_rewind_rule(fived_turn_sat *t, int active, int earliest);

/* --- threat_clauses.c ----------------------------------------------------------------------- */
/* Lists the threats against the assignment played into the view; true if there are any. */
bool fived_turn_sat_find_threats(fived_turn_sat *t);
/* Adds a clause that excludes each threat listed. */
void fived_turn_sat_forbid_threats(fived_turn_sat *t);

#endif
