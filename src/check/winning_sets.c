/* SPDX-License-Identifier: MIT */
/*
 * winning_sets.c - checks that the defender blocks every winning set: the winning-sets node of
 * docs/solve.md.
 *
 * The game is reduced to sets of cells. The attacker takes a cell, then the defender, and so on; a
 * winning set is blocked when the defender owns one of its cells. A lemma states that the defender
 * can block certain sets with the attacker to move. Lemmas come first and use only earlier lemmas.
 * Memory holds three families of sets, whatever the number of lemmas.
 */
#include "check/check_internal.h"

enum { CELLS = 64, REASON_WEIGHT = 0, REASON_ANSWERS = 1, MAP_IDENTITY = 0, MAP_LISTED = 1 };
#define UNIT ((uint64_t)1 << 60) /* the weight of a set without free cells */

/* A family of winning sets, each a bit per cell. */
typedef struct set_family {
    unsigned count;
    uint64_t set[PLY_GOAL_WINNING_SETS];
} set_family;

/* The lemmas of a node. */
typedef struct lemmas {
    uint64_t count;
    uint64_t table;   /* offset of the table of lemma offsets */
    uint64_t first;   /* offset of the first lemma */
    uint64_t checked; /* lemmas verified so far */
} lemmas;

static uint64_t cells_of(const set_family *family)
{
    uint64_t cells = 0;
    for (unsigned i = 0; i < family->count; i++)
        cells |= family->set[i];
    return cells;
}

static bool take_family(checker *c, set_family *out)
{
    if (!ply_check_take_byte(c, &out->count))
        return false;
    if (out->count > PLY_GOAL_WINNING_SETS)
        return ply_check_bad(c, "too many winning sets");
    for (unsigned i = 0; i < out->count; i++) {
        if (!ply_check_take_word(c, &out->set[i]))
            return false;
        if (!out->set[i])
            return ply_check_bad(c, "empty winning set");
    }
    return true;
}

/* Reads the sets of a lemma that has been verified. */
static bool read_lemma(checker *c, const lemmas *all, uint64_t number, set_family *out)
{
    uint64_t offset;
    unsigned char count;
    if (!ply_check_read_word(c, all->table + 8 * number, &offset) ||
        !ply_check_read_at(c, all->first + offset, &count, 1))
        return false;
    out->count = count;
    for (unsigned i = 0; i < out->count; i++)
        if (!ply_check_read_word(c, all->first + offset + 1 + 8 * i, &out->set[i]))
            return false;
    return true;
}

static bool take_cell(checker *c, unsigned *cell)
{
    return ply_check_take_byte(c, cell) && (*cell < CELLS || ply_check_bad(c, "cell out of range"));
}

/* Reads a cell that nothing else in the cover uses. */
static bool take_unused(checker *c, uint64_t *used, unsigned *cell)
{
    if (!take_cell(c, cell))
        return false;
    if (*used >> *cell & 1)
        return ply_check_bad(c, "cell used twice");
    *used |= (uint64_t)1 << *cell;
    return true;
}

/* Removes the sets that contain all of these cells: they are blocked. */
static void remove_supersets(set_family *family, uint64_t cells)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < family->count; i++)
        if (cells & ~family->set[i])
            family->set[kept++] = family->set[i];
    family->count = kept;
}

/* Reads a part of a cover, an instance of a lemma on other cells, and removes what it blocks. */
static bool take_instance(checker *c, const lemmas *all, uint64_t *used, set_family *family)
{
    uint64_t number, own = 0;
    unsigned map, to[CELLS];
    set_family lemma;
    if (!ply_check_take_varint(c, &number))
        return false;
    if (number >= all->checked)
        return ply_check_bad(c, "reference to an unknown lemma");
    if (!read_lemma(c, all, number, &lemma) || !ply_check_take_byte(c, &map))
        return false;
    if (map != MAP_IDENTITY && map != MAP_LISTED)
        return ply_check_bad(c, "invalid byte");
    uint64_t cells = cells_of(&lemma);
    for (unsigned cell = 0; cell < CELLS; cell++) {
        if (!(cells >> cell & 1))
            continue;
        if (map == MAP_LISTED) {
            if (!take_unused(c, used, &to[cell]))
                return false;
        } else {
            to[cell] = cell;
            own |= (uint64_t)1 << cell;
        }
    }
    if (*used & own)
        return ply_check_bad(c, "cell used twice");
    *used |= own;
    for (unsigned i = 0; i < lemma.count; i++) {
        uint64_t image = 0;
        for (unsigned cell = 0; cell < CELLS; cell++)
            if (lemma.set[i] >> cell & 1)
                image |= (uint64_t)1 << to[cell];
        remove_supersets(family, image);
    }
    return true;
}

/*
 * Reads a cover: why all these sets are blocked with the attacker to move. It consists of pairs of
 * cells and instances of lemmas, no two of which share a cell. The defender answers in the pair or
 * instance in which the attacker has just played.
 */
static bool take_cover(checker *c, const lemmas *all, set_family *family)
{
    uint64_t used = 0;
    unsigned pairs, instances, a, b;
    if (!ply_check_take_byte(c, &pairs))
        return false;
    while (pairs-- > 0) {
        if (!take_unused(c, &used, &a) || !take_unused(c, &used, &b))
            return false;
        remove_supersets(family, (uint64_t)1 << a | (uint64_t)1 << b);
    }
    if (!ply_check_take_byte(c, &instances))
        return false;
    while (instances-- > 0)
        if (!take_instance(c, all, &used, family))
            return false;
    return family->count == 0 || ply_check_bad(c, "a winning set is not blocked");
}

/*
 * The Erdős-Selfridge criterion: if the weights 2^-cells add up to less than 1/2, the defender
 * blocks every set by always taking the cell of the greatest weight.
 */
static bool check_weight(checker *c, const set_family *family)
{
    uint64_t weight = 0;
    for (unsigned i = 0; i < family->count; i++) {
        unsigned cells = (unsigned)__builtin_popcountll(family->set[i]);
        weight += cells < 60 ? UNIT >> cells : 1;
        if (weight >= UNIT / 2)
            return ply_check_bad(c, "the winning sets weigh too much");
    }
    return true;
}

/* For every cell that the attacker may take: the defender's answer, and a cover of what is left. */
static bool check_answers(checker *c, const lemmas *all, const set_family *family)
{
    uint64_t cells = cells_of(family);
    for (unsigned cell = 0; cell < CELLS; cell++) {
        unsigned answer;
        set_family left = {0};
        if (!(cells >> cell & 1))
            continue;
        if (ply_check_should_stop(c) || !take_cell(c, &answer))
            return false;
        c->nodes++;
        if (answer == cell)
            return ply_check_bad(c, "answer on the cell just taken");
        for (unsigned i = 0; i < family->count; i++) {
            uint64_t set = family->set[i] & ~((uint64_t)1 << cell);
            if (set >> answer & 1)
                continue;
            if (!set)
                return ply_check_bad(c, "the attacker completes a winning set");
            left.set[left.count++] = set;
        }
        if (!take_cover(c, all, &left))
            return false;
    }
    return true;
}

bool ply_check_take_winning_sets(checker *c)
{
    lemmas all = {0};
    uint64_t bytes;
    if (!ply_check_take_varint(c, &all.count) || !ply_check_take_varint(c, &bytes))
        return false;
    all.table = c->at;
    if (bytes > c->label_table - c->at || all.count > (c->label_table - c->at - bytes) / 8)
        return ply_check_bad(c, "lemmas do not fit the file");
    c->at = all.first = all.table + 8 * all.count;
    for (; all.checked < all.count; all.checked++) {
        uint64_t offset;
        set_family family;
        unsigned reason;
        if (!ply_check_read_word(c, all.table + 8 * all.checked, &offset))
            return false;
        if (all.first + offset != c->at)
            return ply_check_bad(c, "lemma is not at the offset in the table");
        if (ply_check_should_stop(c) || !take_family(c, &family) ||
            !ply_check_take_byte(c, &reason))
            return false;
        if (reason != REASON_WEIGHT && reason != REASON_ANSWERS)
            return ply_check_bad(c, "invalid byte");
        if (!(reason == REASON_WEIGHT ? check_weight(c, &family) : check_answers(c, &all, &family)))
            return false;
    }
    if (c->at != all.first + bytes)
        return ply_check_bad(c, "lemmas have the wrong length");
    set_family family;
    int count = c->goal->winning_sets(&c->rules, c->position, c->attacker, family.set);
    if (count < 0)
        return ply_check_bad(c, "winning sets do not apply here");
    family.count = (unsigned)count;
    return take_cover(c, &all, &family);
}
