/* SPDX-License-Identifier: MIT */
/* sat_solver.c - a small CDCL SAT solver; see sat_solver.h. */
#include "games/fived/turns/sat_solver.h"
#include "core/array.h"
#include <stdlib.h>
#include <string.h>

enum {
    NONE = UINT32_MAX,
    HEADER = 3,                 /* words of a clause before its literals */
    FIRST_LEARNED_LIMIT = 4000, /* learned clauses before some are deleted */
};
#define ACTIVITY_LIMIT 1e100
#define ACTIVITY_DECAY 0.95

/* The arrays by variable: X(c, member, elements per variable). */
#define PER_VARIABLE(X, c) \
    X(c, value, 2)         \
    X(c, level, 1)         \
    X(c, reason, 1)        \
    X(c, groups, 1)        \
    X(c, heap_index, 1)    \
    X(c, activity, 1)      \
    X(c, phase, 1)         \
    X(c, is_decision, 1)   \
    X(c, seen, 1)          \
    X(c, watches, 2)       \
    X(c, heap, 1)          \
    X(c, trail, 1)         \
    X(c, trail_limits, 2)
/* Those with a capacity of their own: X(c, member, capacity). */
#define OTHER_ARRAYS(X, c)          \
    X(c, arena, (c)->arena_room)    \
    X(c, members, (c)->member_room) \
    X(c, links, (c)->link_room)     \
    X(c, clause, (c)->clause_room)  \
    X(c, scratch, (c)->clause_room) \
    X(c, learned, (c)->learned_room)

static void out_of_memory(fived_sat *c)
{
    c->no_memory = c->unsatisfiable = true;
}

void fived_sat_init(fived_sat *c)
{
    memset(c, 0, sizeof *c);
}

void fived_sat_free(fived_sat *c)
{
#define FREE(c, member, count) free((c)->member);
    PER_VARIABLE(FREE, c)
    OTHER_ARRAYS(FREE, c)
#undef FREE
    memset(c, 0, sizeof *c);
}

size_t fived_sat_bytes(const fived_sat *c)
{
#define BYTES(c, member, count) (count) * sizeof *(c)->member,
    const size_t per_variable[] = {PER_VARIABLE(BYTES, c)}, others[] = {OTHER_ARRAYS(BYTES, c)};
#undef BYTES
    size_t bytes = 0;
    for (size_t i = 0; i < sizeof per_variable / sizeof per_variable[0]; i++)
        bytes += c->variable_room * per_variable[i];
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        bytes += others[i];
    return bytes;
}

void fived_sat_reset(fived_sat *c)
{
    c->variables = c->heap_count = c->trail_count = c->level_count = c->propagated = 0;
    c->arena_count = c->member_count = c->link_count = c->learned_count = 0;
    c->learned_limit = FIRST_LEARNED_LIMIT;
    c->conflicts = c->checks = 0;
    c->activity_step = 1;
    c->unsatisfiable = c->no_memory = false;
}

/* --- decision order: a binary heap by activity ----------------------------------------------- */
static void heap_put(fived_sat *c, uint32_t at, uint32_t variable)
{
    c->heap[at] = variable;
    c->heap_index[variable] = at;
}

static void heap_up(fived_sat *c, uint32_t at)
{
    uint32_t variable = c->heap[at];
    for (; at > 0 && c->activity[variable] > c->activity[c->heap[(at - 1) / 2]]; at = (at - 1) / 2)
        heap_put(c, at, c->heap[(at - 1) / 2]);
    heap_put(c, at, variable);
}

static void heap_down(fived_sat *c, uint32_t at)
{
    uint32_t variable = c->heap[at];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= c->heap_count)
            break;
        if (child + 1 < c->heap_count &&
            c->activity[c->heap[child + 1]] > c->activity[c->heap[child]])
            child++;
        if (c->activity[c->heap[child]] <= c->activity[variable])
            break;
        heap_put(c, at, c->heap[child]);
        at = child;
    }
    heap_put(c, at, variable);
}

static void heap_insert(fived_sat *c, uint32_t variable)
{
    if (c->is_decision[variable] && c->heap_index[variable] == NONE) {
        heap_put(c, c->heap_count, variable);
        heap_up(c, c->heap_count++);
    }
}

static uint32_t heap_take(fived_sat *c)
{
    uint32_t top = c->heap[0];
    c->heap_index[top] = NONE;
    if (--c->heap_count > 0) {
        heap_put(c, 0, c->heap[c->heap_count]);
        heap_down(c, 0);
    }
    return top;
}

/* Bumps the activity of a variable; rescales all before a double overflows. */
static void raise_activity(fived_sat *c, uint32_t variable)
{
    c->activity[variable] += c->activity_step;
    if (c->activity[variable] > ACTIVITY_LIMIT) {
        for (uint32_t i = 0; i < c->variables; i++)
            c->activity[i] *= 1 / ACTIVITY_LIMIT;
        c->activity_step *= 1 / ACTIVITY_LIMIT;
    }
    if (c->heap_index[variable] != NONE)
        heap_up(c, c->heap_index[variable]);
}

/* --- variables, clauses, at-most-one groups -------------------------------------------------- */
static bool grow_variables(fived_sat *c)
{
    size_t room = c->variable_room ? c->variable_room * 2 : 256;
    struct {
        void *array;
        size_t bytes; /* per variable */
    } arrays[] = {
#define GROW(c, member, per_variable) {&(c)->member, (per_variable) * sizeof *(c)->member},
        PER_VARIABLE(GROW, c)
#undef GROW
    };
    /* If one fails, those before it are merely larger than variable_room says. */
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        size_t had = c->variable_room;
        if (!ply_array_grow(arrays[i].array, &had, room, arrays[i].bytes))
            return false;
    }
    c->variable_room = room;
    return true;
}

uint32_t fived_sat_new_variable(fived_sat *c, bool decide, bool phase, double activity)
{
    if (c->unsatisfiable)
        return 0;
    if (c->variables + 1 >= c->variable_room && !grow_variables(c)) {
        out_of_memory(c);
        return 0;
    }
    uint32_t v = c->variables++;
    c->value[2 * v] = c->value[2 * v + 1] = 0;
    c->reason[v] = c->groups[v] = c->heap_index[v] = NONE;
    c->activity[v] = activity;
    c->phase[v] = phase;
    c->is_decision[v] = decide;
    c->seen[v] = 0;
    c->watches[2 * v] = c->watches[2 * v + 1] = NONE;
    heap_insert(c, v);
    return v;
}

static void assign(fived_sat *c, fived_literal x, uint32_t reason)
{
    c->value[x] = 1;
    c->value[x ^ 1] = -1;
    c->level[x >> 1] = c->level_count;
    c->reason[x >> 1] = reason;
    c->trail[c->trail_count++] = x;
}

static void backjump(fived_sat *c, uint32_t level)
{
    if (c->level_count <= level)
        return;
    uint32_t keep = c->trail_limits[level];
    while (c->trail_count > keep) {
        fived_literal x = c->trail[--c->trail_count];
        c->value[x] = c->value[x ^ 1] = 0;
        c->phase[x >> 1] = !(x & 1);
        heap_insert(c, x >> 1);
    }
    c->propagated = keep;
    c->level_count = level;
}

/* Adds the clause to the watch list of its literal number watch_index (0 or 1). */
static void watch(fived_sat *c, uint32_t ref, uint32_t watch_index)
{
    fived_literal x = c->arena[ref + HEADER + watch_index];
    c->arena[ref + 1 + watch_index] = c->watches[x];
    c->watches[x] = ref * 2 + watch_index;
}

/* Appends a clause of at least two literals to the arena and watches the first two. */
static uint32_t attach_clause(fived_sat *c, const fived_literal *literals, size_t count)
{
    if (!ply_array_grow(&c->arena, &c->arena_room, c->arena_count + count + HEADER,
                        sizeof *c->arena)) {
        out_of_memory(c);
        return NONE;
    }
    uint32_t ref = (uint32_t)c->arena_count;
    c->arena[ref] = (uint32_t)count;
    memcpy(c->arena + ref + HEADER, literals, count * sizeof *literals);
    c->arena_count += count + HEADER;
    watch(c, ref, 0);
    watch(c, ref, 1);
    return ref;
}

static bool reserve_scratch(fived_sat *c, size_t count)
{
    size_t room = c->clause_room;
    if (!ply_array_grow(&c->clause, &room, count, sizeof *c->clause))
        return false;
    room = c->clause_room;
    if (!ply_array_grow(&c->scratch, &room, count, sizeof *c->scratch))
        return false;
    c->clause_room = room;
    return true;
}

void fived_sat_add_clause(fived_sat *c, const fived_literal *literals, size_t count)
{
    backjump(c, 0);
    if (c->unsatisfiable)
        return;
    if (!reserve_scratch(c, count + 1)) {
        out_of_memory(c);
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (c->value[literals[i]] > 0)
            return;
        bool redundant = c->value[literals[i]] < 0;
        for (size_t k = 0; k < kept && !redundant; k++) {
            if (c->scratch[k] == (literals[i] ^ 1))
                return;
            redundant = c->scratch[k] == literals[i];
        }
        if (!redundant)
            c->scratch[kept++] = literals[i];
    }
    if (kept == 0)
        c->unsatisfiable = true;
    else if (kept == 1)
        assign(c, c->scratch[0], NONE);
    else
        attach_clause(c, c->scratch, kept);
}

void fived_sat_at_most_one(fived_sat *c, const uint32_t *variables, size_t count)
{
    if (c->unsatisfiable)
        return;
    if (!ply_array_grow(&c->members, &c->member_room, c->member_count + count + 1,
                        sizeof *c->members) ||
        !ply_array_grow(&c->links, &c->link_room, c->link_count + 3 * count + 1,
                        sizeof *c->links)) {
        out_of_memory(c);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t *link = c->links + c->link_count;
        link[0] = (uint32_t)c->member_count;
        link[1] = (uint32_t)count;
        link[2] = c->groups[variables[i]];
        c->groups[variables[i]] = (uint32_t)c->link_count;
        c->link_count += 3;
    }
    memcpy(c->members + c->member_count, variables, count * sizeof *variables);
    c->member_count += count;
}

/* --- propagation ----------------------------------------------------------------------------- */
/* Variable v became true: the other members of its groups become false. False on a conflict. */
static bool propagate_groups(fived_sat *c, uint32_t v)
{
    for (uint32_t link = c->groups[v]; link != NONE; link = c->links[link + 2])
        for (uint32_t i = 0; i < c->links[link + 1]; i++) {
            uint32_t other = c->members[c->links[link] + i];
            if (other == v || c->value[2 * other] < 0)
                continue;
            if (c->value[2 * other] > 0) {
                c->conflict_clause = NONE;
                c->conflict_pair[0] = fived_negative(v);
                c->conflict_pair[1] = fived_negative(other);
                return false;
            }
            assign(c, fived_negative(other), fived_negative(v) * 2 + 1);
        }
    return true;
}

/* Literal x became false: visits the clauses that watch it. False on a conflict. */
static bool propagate_watches(fived_sat *c, fived_literal x)
{
    uint32_t *from = &c->watches[x];
    while (*from != NONE) {
        uint32_t ref = *from >> 1, watch_index = *from & 1;
        uint32_t *clause = c->arena + ref, *literals = clause + HEADER;
        fived_literal other = literals[!watch_index];
        if (c->value[other] > 0) {
            from = &clause[1 + watch_index];
            continue;
        }
        uint32_t i = 2;
        while (i < clause[0] && c->value[literals[i]] < 0)
            i++;
        if (i < clause[0]) {
            *from = clause[1 + watch_index];
            literals[watch_index] = literals[i];
            literals[i] = x;
            watch(c, ref, watch_index);
            continue;
        }
        if (c->value[other] < 0) {
            c->conflict_clause = ref;
            return false;
        }
        assign(c, other, ref * 2);
        from = &clause[1 + watch_index];
    }
    return true;
}

static bool propagate(fived_sat *c)
{
    while (c->propagated < c->trail_count) {
        fived_literal x = c->trail[c->propagated++];
        if ((!(x & 1) && !propagate_groups(c, x >> 1)) || !propagate_watches(c, x ^ 1))
            return false;
    }
    return true;
}

/* --- conflict analysis ----------------------------------------------------------------------- */
/* The literals of a reason, or of the conflict if the reason is NONE. */
static const uint32_t *reason_literals(fived_sat *c, uint32_t reason, uint32_t *count,
                                       uint32_t *single)
{
    if (reason == NONE && c->conflict_clause == NONE) {
        *count = 2;
        return c->conflict_pair;
    }
    if (reason != NONE && (reason & 1)) {
        *count = 1;
        *single = reason >> 1;
        return single;
    }
    uint32_t ref = reason == NONE ? c->conflict_clause : reason >> 1;
    *count = c->arena[ref];
    return c->arena + ref + HEADER;
}

/* Whether the other literals of the learned clause imply this one by its reason. */
static bool is_redundant(fived_sat *c, fived_literal x)
{
    uint32_t reason = c->reason[x >> 1], count, single;
    if (reason == NONE)
        return false;
    const uint32_t *literals = reason_literals(c, reason, &count, &single);
    for (uint32_t i = 0; i < count; i++)
        if (literals[i] >> 1 != x >> 1 && !c->seen[literals[i] >> 1] &&
            c->level[literals[i] >> 1] > 0)
            return false;
    return true;
}

/*
 * Resolves from the conflict back to the first unique implication point of this level. Writes the
 * learned clause, that literal first, to c->clause and returns the level to jump back to.
 */
static uint32_t analyse_conflict(fived_sat *c)
{
    uint32_t reason = NONE, open = 0, at = c->trail_count, count, single;
    fived_literal x = 0;
    c->clause_count = 1;
    do {
        const uint32_t *literals = reason_literals(c, reason, &count, &single);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t v = literals[i] >> 1;
            if (c->seen[v] || c->level[v] == 0 || (reason != NONE && v == x >> 1))
                continue;
            c->seen[v] = 1;
            raise_activity(c, v);
            if (c->level[v] == c->level_count)
                open++;
            else
                c->clause[c->clause_count++] = literals[i];
        }
        do
            x = c->trail[--at];
        while (!c->seen[x >> 1]);
        reason = c->reason[x >> 1];
        c->seen[x >> 1] = 0;
        open--;
    } while (open > 0);
    c->clause[0] = x ^ 1;
    uint32_t kept = 1, level = 0;
    for (uint32_t i = 1; i < c->clause_count; i++)
        c->scratch[i] = c->clause[i];
    for (uint32_t i = 1; i < c->clause_count; i++)
        if (!is_redundant(c, c->scratch[i]))
            c->clause[kept++] = c->scratch[i];
    for (uint32_t i = 1; i < c->clause_count; i++)
        c->seen[c->scratch[i] >> 1] = 0;
    c->clause_count = kept;
    for (uint32_t i = 1; i < kept; i++)
        if (c->level[c->clause[i] >> 1] > level) {
            level = c->level[c->clause[i] >> 1];
            fived_literal swap = c->clause[i];
            c->clause[i] = c->clause[1];
            c->clause[1] = swap;
        }
    return level;
}

/* Removes a clause from a watch list. */
static void unwatch(fived_sat *c, uint32_t ref, uint32_t watch_index)
{
    uint32_t *from = &c->watches[c->arena[ref + HEADER + watch_index]];
    while (*from >> 1 != ref)
        from = &c->arena[(*from >> 1) + 1 + (*from & 1)];
    *from = c->arena[ref + 1 + watch_index];
}

/* Deletes the longer clauses among the older half of the learned ones. Called at level 0, where no
 * clause is needed as a reason. */
static void reduce_learned(fived_sat *c)
{
    uint64_t sizes = 0;
    for (size_t i = 0; i < c->learned_count; i++)
        sizes += c->arena[c->learned[i]];
    uint64_t mean = sizes / c->learned_count;
    size_t left = 0;
    for (size_t i = 0; i < c->learned_count; i++) {
        uint32_t ref = c->learned[i], size = c->arena[ref];
        if (size <= 3 || size < mean || 2 * i > c->learned_count) {
            c->learned[left++] = ref;
            continue;
        }
        unwatch(c, ref, 0);
        unwatch(c, ref, 1);
    }
    c->learned_count = left;
    c->learned_limit += FIRST_LEARNED_LIMIT / 2;
}

static void learn(fived_sat *c)
{
    if (!reserve_scratch(c, c->variables + 1)) {
        out_of_memory(c);
        return;
    }
    backjump(c, analyse_conflict(c));
    c->conflicts++;
    c->activity_step *= 1 / ACTIVITY_DECAY;
    if (c->clause_count == 1) {
        assign(c, c->clause[0], NONE);
        return;
    }
    uint32_t ref = attach_clause(c, c->clause, c->clause_count);
    if (ref == NONE ||
        !ply_array_grow(&c->learned, &c->learned_room, c->learned_count + 1, sizeof *c->learned)) {
        out_of_memory(c);
        return;
    }
    c->learned[c->learned_count++] = ref;
    assign(c, c->clause[0], ref * 2);
}

/* --- the search ------------------------------------------------------------------------------ */
/*
 * The Luby sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., which sets the intervals between restarts.
 */
static uint64_t luby(uint64_t i)
{
    uint64_t size = 1;
    while (size < i + 1)
        size = 2 * size + 1;
    while (size - 1 != i) {
        size = (size - 1) / 2;
        i %= size;
    }
    return (size + 1) / 2;
}

static void decide(fived_sat *c, fived_literal x)
{
    c->trail_limits[c->level_count++] = c->trail_count;
    assign(c, x, NONE);
}

/* The undecided decision variable with the highest activity, or NONE. */
static uint32_t pick_decision(fived_sat *c)
{
    while (c->heap_count > 0) {
        uint32_t v = heap_take(c);
        if (!c->value[2 * v])
            return v;
    }
    return NONE;
}

bool fived_sat_solve(fived_sat *c, const fived_literal *assumptions, size_t count)
{
    enum { RESTART_UNIT = 64 };
    uint64_t restarts = 0, restart_at;
    backjump(c, 0);
    c->propagated = 0;
    restart_at = c->conflicts + RESTART_UNIT * luby(restarts++);
    while (!c->unsatisfiable) {
        if (!propagate(c)) {
            if (c->level_count == 0)
                c->unsatisfiable = true;
            else
                learn(c);
            continue;
        }
        if (c->conflicts >= restart_at) {
            backjump(c, 0);
            restart_at = c->conflicts + RESTART_UNIT * luby(restarts++);
            if (c->learned_count > c->learned_limit)
                reduce_learned(c);
        }
        if (c->interrupted && c->interrupted(c->context))
            return false;
        if (c->level_count < count) {
            fived_literal x = assumptions[c->level_count];
            if (c->value[x] < 0)
                return false;
            if (c->value[x] > 0)
                c->trail_limits[c->level_count++] = c->trail_count;
            else
                decide(c, x);
            continue;
        }
        uint32_t v = pick_decision(c);
        if (v != NONE) {
            decide(c, c->phase[v] ? fived_positive(v) : fived_negative(v));
            continue;
        }
        c->checks++;
        if (!c->check || c->check(c->context, c))
            return !c->unsatisfiable;
    }
    return false;
}
