/* SPDX-License-Identifier: MIT */
/*
 * sat_solver.h - whether a set of clauses can be satisfied: a small solver that learns from conflicts.
 *
 * A variable is true or false; a literal is 2 * variable, plus 1 for its negation; a clause wants
 * one of its literals true; a group wants at most one of its variables true. The solver guesses,
 * follows what each guess forces, and at a conflict keeps the clause that explains it: the same
 * mistake is made once. What it learned stays for the next question, which may assume other
 * literals.
 *
 *     arena    | size | next0 | next1 | literal 0 | literal 1 | ... |      a clause at its place
 *     head[x]  place * 2 + which: the first clause that watches literal x; next0/1 go on from there
 *
 * Clauses may also come while it runs: `check` sees every assignment that is about to be accepted
 * and may refuse it by adding clauses that it breaks.
 */
#ifndef PLY_GAMES_FIVED_TURNS_SAT_SOLVER_H
#define PLY_GAMES_FIVED_TURNS_SAT_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t fived_literal;

static inline fived_literal fived_is(uint32_t variable)
{
    return 2 * variable;
}

static inline fived_literal fived_not(uint32_t variable)
{
    return 2 * variable + 1;
}

typedef struct fived_clauses {
    uint32_t variables;
    size_t variable_room;
    int8_t *value;    /* by literal: 1 true, -1 false, 0 open */
    uint32_t *level;  /* by variable, as the rest */
    uint32_t *reason; /* place * 2, other literal * 2 + 1, or none */
    uint32_t *groups; /* first link of the groups it is in */
    uint32_t *heap_at;
    double *activity;
    uint8_t *phase, *decided, *seen;
    uint32_t *head; /* by literal */
    uint32_t *heap, heap_count;
    uint32_t *trail, *trail_levels; /* literals in order; where each level begins */
    uint32_t trail_count, level_count, head_count /* of the trail, already followed */;
    uint32_t *arena;
    size_t arena_room, arena_count;
    uint32_t *members, *links; /* of groups: variables; {group's first, count, next link} */
    size_t member_room, member_count, link_room, link_count;
    uint32_t *learned, *minimal; /* scratch */
    size_t learned_room;
    uint32_t learned_count, conflict[2], conflict_place;
    uint32_t *kept; /* places of what was learned */
    size_t kept_room, kept_count, kept_limit;
    double step;
    uint64_t conflicts, checks;
    bool broken;    /* no assignment is possible any more */
    bool no_memory; /* answers are worth nothing */
    /* Called with all decided: false when it has added clauses that refuse the assignment. */
    bool (*check)(void *context, struct fived_clauses *c);
    /* May be NULL: asked at every guess; true ends it without an answer. */
    bool (*halt)(void *context);
    void *context;
} fived_clauses;

void fived_clauses_init(fived_clauses *c);
void fived_clauses_free(fived_clauses *c);
/* Forgets everything but keeps its memory. */
void fived_clauses_reset(fived_clauses *c);

/*
 * A new variable. decide: the solver must give it a value, `phase` if nothing else speaks; others
 * get one only where they are forced, and may be taken as false.
 */
uint32_t fived_clauses_variable(fived_clauses *c, bool decide, bool phase, double activity);
/* Adds a clause; takes back all guesses. */
void fived_clauses_add(fived_clauses *c, const fived_literal *literals, size_t count);
/* At most one of the variables. */
void fived_clauses_group(fived_clauses *c, const uint32_t *variables, size_t count);

/*
 * Whether all clauses can be satisfied with all of `assumed` true. If so the values stay in place
 * until the next call of anything.
 */
bool fived_clauses_solve(fived_clauses *c, const fived_literal *assumed, size_t count);

static inline bool fived_clauses_true(const fived_clauses *c, uint32_t variable)
{
    return c->value[2 * variable] > 0;
}

#endif
