/* SPDX-License-Identifier: MIT */
/*
 * sat_solver.h - a small CDCL SAT solver: watched literals, activities, Luby restarts.
 *
 * A variable is true or false. A literal is 2 * variable, plus 1 if negated. A clause requires one
 * of its literals to be true; an at-most-one group allows one of its variables to be true. The
 * solver makes decisions, propagates their consequences, and on a conflict learns a clause that
 * explains it and jumps back. Learned clauses are kept between calls of fived_sat_solve, which may
 * differ in their assumptions.
 *
 * Clauses are stored in one arena and referred to by their offset in it. Watch lists are linked
 * through the clauses: each clause is in the lists of its first two literals.
 *
 *     arena         | size | next0 | next1 | literal 0 | literal 1 | ... |
 *     watches[x]    ref * 2 + i: the first clause that watches literal x, as its literal i (0 or
 *                   1); next i of that clause continues the list
 *
 * Clauses may also be added lazily: `check` sees every complete assignment before it is accepted
 * and may refuse it by adding clauses that it violates.
 *
 * A solver belongs to one thread at a time. It is sized for some 10,000 variables and learns a few
 * thousand clauses; learned clauses that are deleted leave their space in the arena unused.
 */
#ifndef PLY_GAMES_FIVED_TURNS_SAT_SOLVER_H
#define PLY_GAMES_FIVED_TURNS_SAT_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t fived_literal;

static inline fived_literal fived_positive(uint32_t variable)
{
    return 2 * variable;
}

static inline fived_literal fived_negative(uint32_t variable)
{
    return 2 * variable + 1;
}

typedef struct fived_sat {
    uint32_t variables;
    size_t variable_room;
    int8_t *value;    /* by literal: 1 true, -1 false, 0 unassigned */
    uint32_t *level;  /* by variable, like the next seven: the decision level it was assigned on */
    uint32_t *reason; /* ref * 2, other literal of a group * 2 + 1, or none */
    uint32_t *groups; /* first link of the at-most-one groups it is in */
    double *activity; /* how often it took part in recent conflicts */
    uint32_t *heap_index;
    uint8_t *phase;                 /* the value to try first: the last one it had */
    uint8_t *is_decision;           /* the solver must give it a value */
    uint8_t *seen;                  /* scratch of conflict analysis */
    uint32_t *watches;              /* by literal: its watch list */
    uint32_t *heap, heap_count;     /* decision variables, highest activity first */
    uint32_t *trail, *trail_limits; /* assigned literals in order; where each level starts */
    uint32_t trail_count, level_count;
    uint32_t propagated; /* how much of the trail has been propagated */
    uint32_t *arena;
    size_t arena_room, arena_count;
    uint32_t *members, *links; /* of groups: variables; {first member, count, next link} */
    size_t member_room, member_count, link_room, link_count;
    uint32_t *clause, *scratch; /* the clause being learned or added */
    size_t clause_room;
    uint32_t clause_count;
    uint32_t conflict_clause, conflict_pair[2]; /* a ref; if none, two literals of a group */
    uint32_t *learned;                          /* refs of learned clauses */
    size_t learned_room, learned_count, learned_limit;
    double activity_step;
    uint64_t conflicts, checks;
    bool unsatisfiable; /* whatever is assumed */
    bool no_memory;     /* an allocation failed: answers mean nothing until the next reset */
    /* Called when every decision variable is assigned: false if it added clauses that refuse the
     * assignment. May be NULL. */
    bool (*check)(void *context, struct fived_sat *c);
    /* Polled at every decision; true makes fived_sat_solve return false. May be NULL. */
    bool (*interrupted)(void *context);
    void *context;
} fived_sat;

void fived_sat_init(fived_sat *c);
void fived_sat_free(fived_sat *c);
/* Bytes allocated. */
size_t fived_sat_bytes(const fived_sat *c);
/* Removes all variables and clauses but keeps the memory. Call it before the first use as well. */
void fived_sat_reset(fived_sat *c);

/*
 * A new variable. decide: the solver must give it a value, at first `phase`; other variables get
 * one only by propagation, and count as false if they have none. 0 when out of memory.
 */
uint32_t fived_sat_new_variable(fived_sat *c, bool decide, bool phase, double activity);
/* Adds a clause; undoes all decisions. */
void fived_sat_add_clause(fived_sat *c, const fived_literal *literals, size_t count);
/* Requires that at most one of the variables is true. Call it before the first solve. */
void fived_sat_at_most_one(fived_sat *c, const uint32_t *variables, size_t count);

/*
 * Whether all clauses can be satisfied with all assumptions true. If so the assignment stays in
 * place until the next call that changes the solver. False also when interrupted or out of memory.
 */
bool fived_sat_solve(fived_sat *c, const fived_literal *assumptions, size_t count);

static inline bool fived_sat_is_true(const fived_sat *c, uint32_t variable)
{
    return c->value[2 * variable] > 0;
}

#endif
