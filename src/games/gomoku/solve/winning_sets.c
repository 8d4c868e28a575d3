/* SPDX-License-Identifier: MIT */
/* winning_sets.c - see winning_sets.h. */
#include "games/gomoku/solve/winning_sets.h"
#include "core/bits.h"
#include <string.h>

/* What a row with so many cells left is worth in the order of moves; 1.3 to the minus cells. */
static const int32_t row_worth[GOMOKU_LONGEST_ROW + 1] = {0, 788, 606, 466, 358, 276, 212};

void gomoku_rows_minimal(gomoku_rows *r)
{
    uint64_t sorted[GOMOKU_HOLD_ROWS];
    int start[GOMOKU_LONGEST_ROW + 2] = {0}, kept = 0, smaller = 0, size = 0;
    for (int i = 0; i < r->count; i++)
        start[ply_popcount(r->row[i]) + 1]++;
    for (int k = 1; k < GOMOKU_LONGEST_ROW + 2; k++)
        start[k] += start[k - 1];
    for (int i = 0; i < r->count; i++)
        sorted[start[ply_popcount(r->row[i])]++] = r->row[i];
    for (int i = 0; i < r->count; i++) {
        uint64_t row = sorted[i];
        bool contains = false;
        if (ply_popcount(row) != size) {
            size = ply_popcount(row);
            smaller = kept;
        }
        for (int k = 0; k < smaller && !contains; k++)
            contains = (r->row[k] & ~row) == 0;
        for (int k = smaller; k < kept && !contains; k++)
            contains = r->row[k] == row;
        if (!contains)
            r->row[kept++] = row;
    }
    r->count = kept;
}

uint64_t gomoku_rows_lone(const gomoku_rows *r)
{
    uint64_t once = 0, twice = 0;
    for (int i = 0; i < r->count; i++) {
        twice |= once & r->row[i];
        once |= r->row[i];
    }
    return once & ~twice;
}

void gomoku_pairs_add(gomoku_pairs *pairs, int a, int b)
{
    if (!pairs)
        return;
    pairs->cell[pairs->count][0] = (uint8_t)a;
    pairs->cell[pairs->count++][1] = (uint8_t)b;
}

/* Rows with two cells that stand in no other go. */
static void drop_lone_pairs(gomoku_rows *r, gomoku_pairs *pairs)
{
    for (int before = -1; before != r->count && r->count;) {
        uint64_t lone = gomoku_rows_lone(r);
        int kept = 0;
        before = r->count;
        for (int i = 0; i < before; i++) {
            uint64_t own = r->row[i] & lone;
            if ((own & (own - 1)) == 0)
                r->row[kept++] = r->row[i];
            else
                gomoku_pairs_add(pairs, ply_lowest(own), ply_lowest(own & (own - 1)));
        }
        r->count = kept;
    }
}

void gomoku_rows_drop_pairs(gomoku_rows *r, gomoku_pairs *pairs)
{
    drop_lone_pairs(r, pairs);
    while (r->count > 1) {
        uint64_t common[GOMOKU_HOLD_CELLS], seen = 0, twice = 0, paired = 0;
        memset(common, 0xff, sizeof common);
        for (int i = 0; i < r->count; i++) {
            twice |= seen & r->row[i];
            seen |= r->row[i];
        }
        for (int i = 0; i < r->count; i++)
            for (uint64_t m = r->row[i] & twice; m; m &= m - 1)
                common[ply_lowest(m)] &= r->row[i];
        for (uint64_t m = twice; m; m &= m - 1) {
            int a = ply_lowest(m);
            if (paired >> a & 1)
                continue;
            for (uint64_t o = common[a] & (m & (m - 1)) & ~paired; o; o &= o - 1) {
                int b = ply_lowest(o);
                if (common[b] >> a & 1) {
                    paired |= (uint64_t)1 << a | (uint64_t)1 << b;
                    gomoku_pairs_add(pairs, a, b);
                    break;
                }
            }
        }
        if (!paired)
            return;
        int kept = 0;
        for (int i = 0; i < r->count; i++)
            if (!(r->row[i] & paired))
                r->row[kept++] = r->row[i];
        r->count = kept;
        drop_lone_pairs(r, pairs);
    }
}

void gomoku_rows_common(const gomoku_rows *r, uint64_t common[GOMOKU_HOLD_CELLS])
{
    memset(common, 0xff, GOMOKU_HOLD_CELLS * sizeof *common);
    for (int i = 0; i < r->count; i++)
        for (uint64_t m = r->row[i]; m; m &= m - 1)
            common[ply_lowest(m)] &= r->row[i];
}

uint64_t gomoku_rows_foremost(const gomoku_rows *r, const uint64_t common[GOMOKU_HOLD_CELLS])
{
    uint64_t kept = 0;
    for (uint64_t m = gomoku_rows_cells(r); m; m &= m - 1)
        if (common[ply_lowest(m)] == (m & -m))
            kept |= m & -m;
    return kept;
}

bool gomoku_rows_forced(const gomoku_rows *r, uint64_t *cell, uint64_t *lone)
{
    uint64_t alone = gomoku_rows_lone(r);
    for (int i = 0; i < r->count && ply_popcount(r->row[i]) == 2; i++)
        if (r->row[i] & alone) {
            *lone = r->row[i] & alone;
            *cell = r->row[i] & ~alone;
            return true;
        }
    return false;
}

uint64_t gomoku_rows_cells(const gomoku_rows *r)
{
    uint64_t all = 0;
    for (int i = 0; i < r->count; i++)
        all |= r->row[i];
    return all;
}

int gomoku_rows_weigh(const gomoku_rows *r)
{
    int weight = 0;
    for (int i = 0; i < r->count; i++)
        weight += GOMOKU_FULL_ROW >> ply_popcount(r->row[i]);
    return weight;
}

int gomoku_rows_heaviest(const gomoku_rows *r)
{
    int weight[GOMOKU_HOLD_CELLS] = {0}, best = 0;
    for (int i = 0; i < r->count; i++)
        for (uint64_t m = r->row[i]; m; m &= m - 1)
            weight[ply_lowest(m)] += GOMOKU_FULL_ROW >> ply_popcount(r->row[i]);
    for (int cell = 1; cell < GOMOKU_HOLD_CELLS; cell++)
        best = weight[cell] > weight[best] ? cell : best;
    return best;
}

uint64_t gomoku_rows_part(const gomoku_rows *r, uint64_t cells)
{
    for (uint64_t before = 0; before != cells;) {
        before = cells;
        for (int i = 0; i < r->count; i++)
            if (r->row[i] & cells)
                cells |= r->row[i];
    }
    return cells;
}

void gomoku_rows_take(const gomoku_rows *r, uint64_t cell, gomoku_rows *out)
{
    out->count = r->count;
    for (int i = 0; i < r->count; i++)
        out->row[i] = r->row[i] & ~cell;
}

void gomoku_rows_block(const gomoku_rows *r, uint64_t cells, gomoku_rows *out)
{
    int kept = 0;
    for (int i = 0; i < r->count; i++)
        if (!(r->row[i] & cells))
            out->row[kept++] = r->row[i];
    out->count = kept;
}

uint64_t gomoku_rows_last(const gomoku_rows *r)
{
    uint64_t cells = 0;
    for (int i = 0; i < r->count; i++)
        if ((r->row[i] & (r->row[i] - 1)) == 0)
            cells |= r->row[i];
    return cells;
}

void gomoku_rows_add_worth(const gomoku_rows *r, gomoku_row_worths *w)
{
    for (int i = 0; i < r->count; i++) {
        int32_t worth = row_worth[ply_popcount(r->row[i])];
        for (uint64_t m = r->row[i]; m; m &= m - 1)
            w->of[ply_lowest(m)] += worth;
    }
}

int gomoku_rows_sort(uint64_t cells, const gomoku_row_worths *w, uint8_t *out)
{
    int count = 0;
    for (uint64_t m = cells; m; m &= m - 1) {
        int cell = ply_lowest(m), i = count++;
        for (; i > 0 && w->of[out[i - 1]] < w->of[cell]; i--)
            out[i] = out[i - 1];
        out[i] = (uint8_t)cell;
    }
    return count;
}

/* --- pairings -------------------------------------------------------------------------------- */
typedef struct matching {
    const gomoku_rows *rows;
    int16_t owner[GOMOKU_HOLD_CELLS]; /* row that has the cell, or -1 */
    uint64_t seen;
} matching;

/* Finds one more cell for the row, moving others' cells on the way. */
static bool match_row(matching *m, int i)
{
    for (uint64_t free; (free = m->rows->row[i] & ~m->seen) != 0;) {
        int cell = ply_lowest(free);
        m->seen |= (uint64_t)1 << cell;
        if (m->owner[cell] < 0 || match_row(m, m->owner[cell])) {
            m->owner[cell] = (int16_t)i;
            return true;
        }
    }
    return false;
}

bool gomoku_rows_pairing(const gomoku_rows *r, uint64_t cells, gomoku_pairs *pairs)
{
    matching m = {.rows = r};
    if (2 * r->count > ply_popcount(cells))
        return false;
    memset(m.owner, -1, sizeof m.owner);
    for (int i = 0; i < 2 * r->count; i++) {
        m.seen = 0;
        if (!match_row(&m, i / 2))
            return false;
    }
    int8_t first[GOMOKU_HOLD_ROWS];
    memset(first, -1, sizeof first);
    for (int cell = 0; pairs && cell < GOMOKU_HOLD_CELLS; cell++) {
        int owner = m.owner[cell];
        if (owner >= 0 && first[owner] >= 0)
            gomoku_pairs_add(pairs, first[owner], cell);
        else if (owner >= 0)
            first[owner] = (int8_t)cell;
    }
    return true;
}
