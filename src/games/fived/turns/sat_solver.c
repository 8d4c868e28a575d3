/* SPDX-License-Identifier: MIT */
/* sat_solver.c - a small solver that learns from conflicts; see sat_solver.h. */
#include "games/fived/turns/sat_solver.h"
#include "games/fived/turns/legal_turns.h"
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, HEADER = 3, FIRST_KEPT = 4000 };

void fived_clauses_init(fived_clauses *c)
{
    memset(c, 0, sizeof *c);
}

void fived_clauses_free(fived_clauses *c)
{
    void *all[] = {c->value,        c->level,   c->reason,  c->groups,  c->heap_at,
                   c->activity,     c->phase,   c->decided, c->seen,    c->head,
                   c->heap,         c->trail,   c->arena,   c->members, c->links,
                   c->trail_levels, c->learned, c->minimal, c->kept};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    memset(c, 0, sizeof *c);
}

void fived_clauses_reset(fived_clauses *c)
{
    c->variables = c->heap_count = c->trail_count = c->level_count = c->head_count = 0;
    c->arena_count = c->member_count = c->link_count = c->kept_count = 0;
    c->kept_limit = FIRST_KEPT;
    c->conflicts = c->checks = 0;
    c->step = 1;
    c->broken = c->no_memory = false;
}

/* --- the order of guessing: a heap by activity ---------------------------------------------- */
static void heap_put(fived_clauses *c, uint32_t at, uint32_t variable)
{
    c->heap[at] = variable;
    c->heap_at[variable] = at;
}

static void heap_up(fived_clauses *c, uint32_t at)
{
    uint32_t variable = c->heap[at];
    for (; at > 0 && c->activity[variable] > c->activity[c->heap[(at - 1) / 2]]; at = (at - 1) / 2)
        heap_put(c, at, c->heap[(at - 1) / 2]);
    heap_put(c, at, variable);
}

static void heap_down(fived_clauses *c, uint32_t at)
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

static void heap_insert(fived_clauses *c, uint32_t variable)
{
    if (c->decided[variable] && c->heap_at[variable] == NONE) {
        heap_put(c, c->heap_count, variable);
        heap_up(c, c->heap_count++);
    }
}

static uint32_t heap_take(fived_clauses *c)
{
    uint32_t top = c->heap[0];
    c->heap_at[top] = NONE;
    if (--c->heap_count > 0) {
        heap_put(c, 0, c->heap[c->heap_count]);
        heap_down(c, 0);
    }
    return top;
}

static void raise_activity(fived_clauses *c, uint32_t variable)
{
    c->activity[variable] += c->step;
    if (c->activity[variable] > 1e100) {
        for (uint32_t i = 0; i < c->variables; i++)
            c->activity[i] *= 1e-100;
        c->step *= 1e-100;
    }
    if (c->heap_at[variable] != NONE)
        heap_up(c, c->heap_at[variable]);
}

/* --- variables, clauses, groups ------------------------------------------------------------- */
static bool grow_variables(fived_clauses *c)
{
    size_t room = c->variable_room ? c->variable_room * 2 : 256;
    struct {
        void *array;
        size_t size;
    } all[] = {
        {&c->value, 2},
        {&c->level, sizeof(uint32_t)},
        {&c->reason, sizeof(uint32_t)},
        {&c->groups, sizeof(uint32_t)},
        {&c->heap_at, sizeof(uint32_t)},
        {&c->activity, sizeof(double)},
        {&c->phase, 1},
        {&c->decided, 1},
        {&c->seen, 1},
        {&c->head, 2 * sizeof(uint32_t)},
        {&c->heap, sizeof(uint32_t)},
        {&c->trail, sizeof(uint32_t)},
        {&c->trail_levels, 2 * sizeof(uint32_t)},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        size_t had = c->variable_room;
        if (!ply_array_grow(all[i].array, &had, room, all[i].size))
            return false;
    }
    c->variable_room = room;
    return true;
}

uint32_t fived_clauses_variable(fived_clauses *c, bool decide, bool phase, double activity)
{
    if (c->variables + 1 >= c->variable_room && !grow_variables(c)) {
        c->no_memory = c->broken = true;
        return 0;
    }
    uint32_t v = c->variables++;
    c->value[2 * v] = c->value[2 * v + 1] = 0;
    c->reason[v] = c->groups[v] = c->heap_at[v] = NONE;
    c->activity[v] = activity;
    c->phase[v] = phase;
    c->decided[v] = decide;
    c->seen[v] = 0;
    c->head[2 * v] = c->head[2 * v + 1] = NONE;
    heap_insert(c, v);
    return v;
}

static void enqueue(fived_clauses *c, fived_literal x, uint32_t reason)
{
    c->value[x] = 1;
    c->value[x ^ 1] = -1;
    c->level[x >> 1] = c->level_count;
    c->reason[x >> 1] = reason;
    c->trail[c->trail_count++] = x;
}

static void take_back(fived_clauses *c, uint32_t level)
{
    if (c->level_count <= level)
        return;
    uint32_t keep = c->trail_levels[level];
    while (c->trail_count > keep) {
        fived_literal x = c->trail[--c->trail_count];
        c->value[x] = c->value[x ^ 1] = 0;
        c->phase[x >> 1] = !(x & 1);
        heap_insert(c, x >> 1);
    }
    c->head_count = keep;
    c->level_count = level;
}

/* Lets a clause in the arena be watched by its literal number `which` (0 or 1). */
static void watch(fived_clauses *c, uint32_t place, uint32_t which)
{
    fived_literal x = c->arena[place + HEADER + which];
    c->arena[place + 1 + which] = c->head[x];
    c->head[x] = place * 2 + which;
}

/* Stores a clause of at least two literals, the first two to be watched. */
static uint32_t store(fived_clauses *c, const fived_literal *literals, size_t count)
{
    if (!ply_array_grow(&c->arena, &c->arena_room, c->arena_count + count + HEADER,
                        sizeof *c->arena)) {
        c->no_memory = c->broken = true;
        return NONE;
    }
    uint32_t place = (uint32_t)c->arena_count;
    c->arena[place] = (uint32_t)count;
    memcpy(c->arena + place + HEADER, literals, count * sizeof *literals);
    c->arena_count += count + HEADER;
    watch(c, place, 0);
    watch(c, place, 1);
    return place;
}

static bool reserve_scratch(fived_clauses *c, size_t count)
{
    size_t room = c->learned_room;
    if (!ply_array_grow(&c->learned, &room, count, sizeof *c->learned))
        return false;
    room = c->learned_room;
    if (!ply_array_grow(&c->minimal, &room, count, sizeof *c->minimal))
        return false;
    c->learned_room = room;
    return true;
}

void fived_clauses_add(fived_clauses *c, const fived_literal *literals, size_t count)
{
    take_back(c, 0);
    if (c->broken || !reserve_scratch(c, count + 1)) {
        c->no_memory |= !c->broken;
        c->broken = true;
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (c->value[literals[i]] > 0)
            return;
        bool again = c->value[literals[i]] < 0;
        for (size_t k = 0; k < kept && !again; k++) {
            if (c->minimal[k] == (literals[i] ^ 1))
                return;
            again = c->minimal[k] == literals[i];
        }
        if (!again)
            c->minimal[kept++] = literals[i];
    }
    if (kept == 0)
        c->broken = true;
    else if (kept == 1)
        enqueue(c, c->minimal[0], NONE);
    else
        store(c, c->minimal, kept);
}

void fived_clauses_group(fived_clauses *c, const uint32_t *variables, size_t count)
{
    if (!ply_array_grow(&c->members, &c->member_room, c->member_count + count + 1,
                        sizeof *c->members) ||
        !ply_array_grow(&c->links, &c->link_room, c->link_count + 3 * count + 1,
                        sizeof *c->links)) {
        c->no_memory = c->broken = true;
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

/* --- following what is forced ---------------------------------------------------------------- */
/* Variable v became true: the rest of its groups are false. False at a conflict. */
static bool follow_groups(fived_clauses *c, uint32_t v)
{
    for (uint32_t link = c->groups[v]; link != NONE; link = c->links[link + 2])
        for (uint32_t i = 0; i < c->links[link + 1]; i++) {
            uint32_t other = c->members[c->links[link] + i];
            if (other == v || c->value[2 * other] < 0)
                continue;
            if (c->value[2 * other] > 0) {
                c->conflict_place = NONE;
                c->conflict[0] = fived_not(v);
                c->conflict[1] = fived_not(other);
                return false;
            }
            enqueue(c, fived_not(other), fived_not(v) * 2 + 1);
        }
    return true;
}

/* Literal x became false: looks at the clauses that watch it. False at a conflict. */
static bool follow_watches(fived_clauses *c, fived_literal x)
{
    uint32_t *from = &c->head[x];
    while (*from != NONE) {
        uint32_t place = *from >> 1, which = *from & 1;
        uint32_t *clause = c->arena + place, *literals = clause + HEADER;
        fived_literal other = literals[!which];
        if (c->value[other] > 0) {
            from = &clause[1 + which];
            continue;
        }
        uint32_t i = 2;
        while (i < clause[0] && c->value[literals[i]] < 0)
            i++;
        if (i < clause[0]) {
            *from = clause[1 + which];
            literals[which] = literals[i];
            literals[i] = x;
            watch(c, place, which);
            continue;
        }
        if (c->value[other] < 0) {
            c->conflict_place = place;
            return false;
        }
        enqueue(c, other, place * 2);
        from = &clause[1 + which];
    }
    return true;
}

static bool follow(fived_clauses *c)
{
    while (c->head_count < c->trail_count) {
        fived_literal x = c->trail[c->head_count++];
        if ((!(x & 1) && !follow_groups(c, x >> 1)) || !follow_watches(c, x ^ 1))
            return false;
    }
    return true;
}

/* --- learning -------------------------------------------------------------------------------- */
/* The literals that a reason (or the conflict: reason NONE) is made of. */
static const uint32_t *literals_of(fived_clauses *c, uint32_t reason, uint32_t *count,
                                   uint32_t *single)
{
    if (reason == NONE && c->conflict_place == NONE) {
        *count = 2;
        return c->conflict;
    }
    if (reason != NONE && (reason & 1)) {
        *count = 1;
        *single = reason >> 1;
        return single;
    }
    uint32_t place = reason == NONE ? c->conflict_place : reason >> 1;
    *count = c->arena[place];
    return c->arena + place + HEADER;
}

/* Whether a literal of what is learned follows from the others of it by its reason. */
static bool is_spare(fived_clauses *c, fived_literal x)
{
    uint32_t reason = c->reason[x >> 1], count, single;
    if (reason == NONE)
        return false;
    const uint32_t *literals = literals_of(c, reason, &count, &single);
    for (uint32_t i = 0; i < count; i++)
        if (literals[i] >> 1 != x >> 1 && !c->seen[literals[i] >> 1] &&
            c->level[literals[i] >> 1] > 0)
            return false;
    return true;
}

/*
 * From the conflict back to the one literal of this level by which all of it came about; writes the
 * clause to learn, that literal first, and returns the level to go back to.
 */
static uint32_t analyse(fived_clauses *c)
{
    uint32_t reason = NONE, open = 0, at = c->trail_count, count, single;
    fived_literal x = 0;
    c->learned_count = 1;
    do {
        const uint32_t *literals = literals_of(c, reason, &count, &single);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t v = literals[i] >> 1;
            if (c->seen[v] || c->level[v] == 0 || (reason != NONE && v == x >> 1))
                continue;
            c->seen[v] = 1;
            raise_activity(c, v);
            if (c->level[v] == c->level_count)
                open++;
            else
                c->learned[c->learned_count++] = literals[i];
        }
        do
            x = c->trail[--at];
        while (!c->seen[x >> 1]);
        reason = c->reason[x >> 1];
        c->seen[x >> 1] = 0;
        open--;
    } while (open > 0);
    c->learned[0] = x ^ 1;
    uint32_t kept = 1, back = 0;
    for (uint32_t i = 1; i < c->learned_count; i++)
        c->minimal[i] = c->learned[i];
    for (uint32_t i = 1; i < c->learned_count; i++)
        if (!is_spare(c, c->minimal[i]))
            c->learned[kept++] = c->minimal[i];
    for (uint32_t i = 1; i < c->learned_count; i++)
        c->seen[c->minimal[i] >> 1] = 0;
    c->learned_count = kept;
    for (uint32_t i = 1; i < kept; i++)
        if (c->level[c->learned[i] >> 1] > back) {
            back = c->level[c->learned[i] >> 1];
            fived_literal swap = c->learned[i];
            c->learned[i] = c->learned[1];
            c->learned[1] = swap;
        }
    return back;
}

/* Takes a clause off the list of a literal that watches it. */
static void unwatch(fived_clauses *c, uint32_t place, uint32_t which)
{
    uint32_t *from = &c->head[c->arena[place + HEADER + which]];
    while (*from >> 1 != place)
        from = &c->arena[(*from >> 1) + 1 + (*from & 1)];
    *from = c->arena[place + 1 + which];
}

/* Too much has been learned: forgets the longer half of it, but nothing that is in use. */
static void forget(fived_clauses *c)
{
    uint64_t sizes = 0;
    for (size_t i = 0; i < c->kept_count; i++)
        sizes += c->arena[c->kept[i]];
    uint64_t mean = sizes / c->kept_count;
    size_t left = 0;
    for (size_t i = 0; i < c->kept_count; i++) {
        uint32_t place = c->kept[i], size = c->arena[place];
        if (size <= 3 || size < mean || 2 * i > c->kept_count) {
            c->kept[left++] = place;
            continue;
        }
        unwatch(c, place, 0);
        unwatch(c, place, 1);
    }
    c->kept_count = left;
    c->kept_limit += FIRST_KEPT / 2;
}

static void learn(fived_clauses *c)
{
    if (!reserve_scratch(c, c->variables + 1)) {
        c->no_memory = c->broken = true;
        return;
    }
    take_back(c, analyse(c));
    c->conflicts++;
    c->step *= 1.0 / 0.95;
    if (c->learned_count == 1) {
        enqueue(c, c->learned[0], NONE);
        return;
    }
    uint32_t place = store(c, c->learned, c->learned_count);
    if (place == NONE ||
        !ply_array_grow(&c->kept, &c->kept_room, c->kept_count + 1, sizeof *c->kept)) {
        c->no_memory = c->broken = true;
        return;
    }
    c->kept[c->kept_count++] = place;
    enqueue(c, c->learned[0], place * 2);
}

/* --- the search ------------------------------------------------------------------------------ */
/* The series 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... that tells when to begin anew. */
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

static void guess(fived_clauses *c, fived_literal x)
{
    c->trail_levels[c->level_count++] = c->trail_count;
    enqueue(c, x, NONE);
}

bool fived_clauses_solve(fived_clauses *c, const fived_literal *assumed, size_t count)
{
    enum { UNIT = 64 };
    uint64_t rounds = 0, until;
    take_back(c, 0);
    c->head_count = 0;
    until = c->conflicts + UNIT * luby(rounds++);
    while (!c->broken) {
        if (!follow(c)) {
            if (c->level_count == 0)
                c->broken = true;
            else
                learn(c);
            continue;
        }
        if (c->conflicts >= until) {
            take_back(c, 0);
            until = c->conflicts + UNIT * luby(rounds++);
            if (c->kept_count > c->kept_limit)
                forget(c);
        }
        if (c->halt && c->halt(c->context))
            return false;
        if (c->level_count < count) {
            fived_literal x = assumed[c->level_count];
            if (c->value[x] < 0)
                return false;
            if (c->value[x] > 0)
                c->trail_levels[c->level_count++] = c->trail_count;
            else
                guess(c, x);
            continue;
        }
        uint32_t v = NONE;
        while (c->heap_count > 0 && v == NONE) {
            v = heap_take(c);
            v = c->value[2 * v] ? NONE : v;
        }
        if (v != NONE) {
            guess(c, c->phase[v] ? fived_is(v) : fived_not(v));
            continue;
        }
        c->checks++;
        if (!c->check || c->check(c->context, c))
            return !c->broken;
    }
    return false;
}
