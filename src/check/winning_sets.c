/* SPDX-License-Identifier: MIT */
/*
 * winning_sets.c - checks that a defender stops every row: the node `rows`, drawn in docs/solve.md.
 *
 * Nothing but sets of cells is left of the game. The attacker takes a cell, then the defender, and
 * so on; a row is stopped when the defender has one of its cells. Lemmas come first, each about
 * some rows that are stopped with the attacker to move, and rest on lemmas before them only. What
 * is kept is three sets of rows, whatever the number of lemmas.
 */
#include "check/check_internal.h"

enum { CELLS = 64, REASON_FEW = 0, REASON_ANSWERS = 1, MAP_SAME = 0, MAP_LISTED = 1 };
#define UNIT ((uint64_t)1 << 60) /* weight of a row without a cell left */

typedef struct row_set {
    unsigned count;
    uint64_t row[PLY_GOAL_WINNING_SETS];
} row_set;

/* Where the lemmas are. */
typedef struct lemmas {
    uint64_t count, table, first;
    uint64_t checked; /* so many have been found good */
} lemmas;

static uint64_t cells_of(const row_set *rows)
{
    uint64_t cells = 0;
    for (unsigned i = 0; i < rows->count; i++)
        cells |= rows->row[i];
    return cells;
}

static bool take_row_set(checker *c, row_set *out)
{
    if (!ply_check_take_byte(c, &out->count))
        return false;
    if (out->count > PLY_GOAL_WINNING_SETS)
        return ply_check_bad(c, "too many rows");
    for (unsigned i = 0; i < out->count; i++) {
        if (!ply_check_take_word(c, &out->row[i]))
            return false;
        if (!out->row[i])
            return ply_check_bad(c, "a row without cells");
    }
    return true;
}

/* The rows of a lemma that has been checked. */
static bool read_lemma(checker *c, const lemmas *all, uint64_t number, row_set *out)
{
    uint64_t offset;
    unsigned char count;
    if (!ply_check_read_word(c, all->table + 8 * number, &offset) ||
        !ply_check_read_at(c, all->first + offset, &count, 1))
        return false;
    out->count = count;
    for (unsigned i = 0; i < out->count; i++)
        if (!ply_check_read_word(c, all->first + offset + 1 + 8 * i, &out->row[i]))
            return false;
    return true;
}

static bool take_cell(checker *c, unsigned *cell)
{
    return ply_check_take_byte(c, cell) &&
           (*cell < CELLS || ply_check_bad(c, "there is no such cell"));
}

/* A cell that nothing else in the cover uses. */
static bool take_unused(checker *c, uint64_t *used, unsigned *cell)
{
    if (!take_cell(c, cell))
        return false;
    if (*used >> *cell & 1)
        return ply_check_bad(c, "a cell is used twice");
    *used |= (uint64_t)1 << *cell;
    return true;
}

/* Rows that contain the cells given are stopped. */
static void strike_rows(row_set *rows, uint64_t cells)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < rows->count; i++)
        if (cells & ~rows->row[i])
            rows->row[kept++] = rows->row[i];
    rows->count = kept;
}

/* A part: the rows of a lemma, laid on other cells of the board. */
static bool take_part(checker *c, const lemmas *all, uint64_t *used, row_set *rows)
{
    uint64_t number, mine = 0;
    unsigned map, to[CELLS];
    row_set lemma;
    if (!ply_check_take_varint(c, &number))
        return false;
    if (number >= all->checked)
        return ply_check_bad(c, "a lemma not yet met");
    if (!read_lemma(c, all, number, &lemma) || !ply_check_take_byte(c, &map))
        return false;
    if (map != MAP_SAME && map != MAP_LISTED)
        return ply_check_bad(c, "a letter that the format does not have");
    uint64_t cells = cells_of(&lemma);
    for (unsigned cell = 0; cell < CELLS; cell++) {
        if (!(cells >> cell & 1))
            continue;
        if (map == MAP_LISTED) {
            if (!take_unused(c, used, &to[cell]))
                return false;
        } else {
            to[cell] = cell;
            mine |= (uint64_t)1 << cell;
        }
    }
    if (*used & mine)
        return ply_check_bad(c, "a cell is used twice");
    *used |= mine;
    for (unsigned i = 0; i < lemma.count; i++) {
        uint64_t row = 0;
        for (unsigned cell = 0; cell < CELLS; cell++)
            if (lemma.row[i] >> cell & 1)
                row |= (uint64_t)1 << to[cell];
        strike_rows(rows, row);
    }
    return true;
}

/*
 * A cover: why these rows are stopped, the attacker to move. The defender answers in the pair or
 * the part in which the attacker has played; no two of them share a cell.
 */
static bool take_cover(checker *c, const lemmas *all, row_set *rows)
{
    uint64_t used = 0;
    unsigned pairs, parts, a, b;
    if (!ply_check_take_byte(c, &pairs))
        return false;
    while (pairs-- > 0) {
        if (!take_unused(c, &used, &a) || !take_unused(c, &used, &b))
            return false;
        strike_rows(rows, (uint64_t)1 << a | (uint64_t)1 << b);
    }
    if (!ply_check_take_byte(c, &parts))
        return false;
    while (parts-- > 0)
        if (!take_part(c, all, &used, rows))
            return false;
    return rows->count == 0 || ply_check_bad(c, "a row is not stopped");
}

/* Rows that weigh less than half of a full one are stopped by taking what weighs most. */
static bool check_few(checker *c, const row_set *rows)
{
    uint64_t weight = 0;
    for (unsigned i = 0; i < rows->count; i++) {
        unsigned cells = (unsigned)__builtin_popcountll(rows->row[i]);
        weight += cells < 60 ? UNIT >> cells : 1;
        if (weight >= UNIT / 2)
            return ply_check_bad(c, "the rows are not few");
    }
    return true;
}

/* Every cell that the attacker might take, its answer, and why that is enough. */
static bool check_answers(checker *c, const lemmas *all, const row_set *rows)
{
    uint64_t cells = cells_of(rows);
    for (unsigned cell = 0; cell < CELLS; cell++) {
        unsigned answer;
        row_set left = {0};
        if (!(cells >> cell & 1))
            continue;
        if (ply_check_should_stop(c) || !take_cell(c, &answer))
            return false;
        c->nodes++;
        if (answer == cell)
            return ply_check_bad(c, "an answer on the cell just taken");
        for (unsigned i = 0; i < rows->count; i++) {
            uint64_t row = rows->row[i] & ~((uint64_t)1 << cell);
            if (row >> answer & 1)
                continue;
            if (!row)
                return ply_check_bad(c, "the attacker fills a row");
            left.row[left.count++] = row;
        }
        if (!take_cover(c, all, &left))
            return false;
    }
    return true;
}

bool ply_check_take_rows(checker *c)
{
    lemmas all = {0};
    uint64_t bytes;
    if (!ply_check_take_varint(c, &all.count) || !ply_check_take_varint(c, &bytes))
        return false;
    all.table = c->at;
    if (bytes > c->table - c->at || all.count > (c->table - c->at - bytes) / 8)
        return ply_check_bad(c, "the lemmas do not fit the file");
    c->at = all.first = all.table + 8 * all.count;
    for (; all.checked < all.count; all.checked++) {
        uint64_t offset;
        row_set rows;
        unsigned reason;
        if (!ply_check_read_word(c, all.table + 8 * all.checked, &offset))
            return false;
        if (all.first + offset != c->at)
            return ply_check_bad(c, "a lemma is not where the table says");
        if (ply_check_should_stop(c) || !take_row_set(c, &rows) || !ply_check_take_byte(c, &reason))
            return false;
        if (reason != REASON_FEW && reason != REASON_ANSWERS)
            return ply_check_bad(c, "a letter that the format does not have");
        if (!(reason == REASON_FEW ? check_few(c, &rows) : check_answers(c, &all, &rows)))
            return false;
    }
    if (c->at != all.first + bytes)
        return ply_check_bad(c, "the lemmas do not end where they should");
    row_set rows;
    int count = c->goal->rows(&c->rules, c->position, c->attacker, rows.row);
    if (count < 0)
        return ply_check_bad(c, "rows have nothing to say here");
    rows.count = (unsigned)count;
    return take_cover(c, &all, &rows);
}
