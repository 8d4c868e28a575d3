/* SPDX-License-Identifier: MIT */
/* winning_sets.c - see winning_sets.h. */
#include "games/gomoku/solve/winning_sets.h"
#include "core/bits.h"
#include <string.h>

/* The value of a set by its size, for move ordering: proportional to 1.3^-size. */
static const int32_t set_value[GOMOKU_MAX_SET_SIZE + 1] = {0, 788, 606, 466, 358, 276, 212};

void gomoku_sets_minimize(gomoku_winning_sets *sets)
{
    uint64_t sorted[GOMOKU_MAX_SETS];
    int start[GOMOKU_MAX_SET_SIZE + 2] = {0}, kept = 0, smaller = 0, size = 0;
    for (int i = 0; i < sets->count; i++)
        start[ply_popcount(sets->set[i]) + 1]++;
    for (int k = 1; k < GOMOKU_MAX_SET_SIZE + 2; k++)
        start[k] += start[k - 1];
    for (int i = 0; i < sets->count; i++)
        sorted[start[ply_popcount(sets->set[i])]++] = sets->set[i];
    for (int i = 0; i < sets->count; i++) {
        uint64_t set = sorted[i];
        bool contains = false;
        if (ply_popcount(set) != size) {
            size = ply_popcount(set);
            smaller = kept;
        }
        for (int k = 0; k < smaller && !contains; k++)
            contains = (sets->set[k] & ~set) == 0;
        for (int k = smaller; k < kept && !contains; k++)
            contains = sets->set[k] == set;
        if (!contains)
            sets->set[kept++] = set;
    }
    sets->count = kept;
}

uint64_t gomoku_sets_lone_cells(const gomoku_winning_sets *sets)
{
    uint64_t once = 0, twice = 0;
    for (int i = 0; i < sets->count; i++) {
        twice |= once & sets->set[i];
        once |= sets->set[i];
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

/* Removes the sets that have two cells in no other set. */
static void drop_lone_pairs(gomoku_winning_sets *sets, gomoku_pairs *pairs)
{
    for (int before = -1; before != sets->count && sets->count;) {
        uint64_t lone = gomoku_sets_lone_cells(sets);
        int kept = 0;
        before = sets->count;
        for (int i = 0; i < before; i++) {
            uint64_t own = sets->set[i] & lone;
            if ((own & (own - 1)) == 0)
                sets->set[kept++] = sets->set[i];
            else
                gomoku_pairs_add(pairs, ply_lowest(own), ply_lowest(own & (own - 1)));
        }
        sets->count = kept;
    }
}

void gomoku_sets_drop_pairs(gomoku_winning_sets *sets, gomoku_pairs *pairs)
{
    drop_lone_pairs(sets, pairs);
    while (sets->count > 1) {
        uint64_t common[GOMOKU_SET_CELLS], seen = 0, twice = 0, paired = 0;
        memset(common, 0xff, sizeof common);
        for (int i = 0; i < sets->count; i++) {
            twice |= seen & sets->set[i];
            seen |= sets->set[i];
        }
        for (int i = 0; i < sets->count; i++)
            for (uint64_t m = sets->set[i] & twice; m; m &= m - 1)
                common[ply_lowest(m)] &= sets->set[i];
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
        for (int i = 0; i < sets->count; i++)
            if (!(sets->set[i] & paired))
                sets->set[kept++] = sets->set[i];
        sets->count = kept;
        drop_lone_pairs(sets, pairs);
    }
}

void gomoku_sets_common(const gomoku_winning_sets *sets, uint64_t common[GOMOKU_SET_CELLS])
{
    memset(common, 0xff, GOMOKU_SET_CELLS * sizeof *common);
    for (int i = 0; i < sets->count; i++)
        for (uint64_t m = sets->set[i]; m; m &= m - 1)
            common[ply_lowest(m)] &= sets->set[i];
}

uint64_t gomoku_sets_undominated(const gomoku_winning_sets *sets,
                                 const uint64_t common[GOMOKU_SET_CELLS])
{
    uint64_t kept = 0;
    for (uint64_t m = gomoku_sets_cells(sets); m; m &= m - 1)
        if (common[ply_lowest(m)] == (m & -m))
            kept |= m & -m;
    return kept;
}

bool gomoku_sets_forced(const gomoku_winning_sets *sets, uint64_t *cell, uint64_t *lone)
{
    uint64_t alone = gomoku_sets_lone_cells(sets);
    for (int i = 0; i < sets->count && ply_popcount(sets->set[i]) == 2; i++)
        if (sets->set[i] & alone) {
            *lone = sets->set[i] & alone;
            *cell = sets->set[i] & ~alone;
            return true;
        }
    return false;
}

uint64_t gomoku_sets_cells(const gomoku_winning_sets *sets)
{
    uint64_t all = 0;
    for (int i = 0; i < sets->count; i++)
        all |= sets->set[i];
    return all;
}

int gomoku_sets_weight(const gomoku_winning_sets *sets)
{
    int weight = 0;
    for (int i = 0; i < sets->count; i++)
        weight += GOMOKU_FULL_WEIGHT >> ply_popcount(sets->set[i]);
    return weight;
}

int gomoku_sets_heaviest_cell(const gomoku_winning_sets *sets)
{
    int weight[GOMOKU_SET_CELLS] = {0}, best = 0;
    for (int i = 0; i < sets->count; i++)
        for (uint64_t m = sets->set[i]; m; m &= m - 1)
            weight[ply_lowest(m)] += GOMOKU_FULL_WEIGHT >> ply_popcount(sets->set[i]);
    for (int cell = 1; cell < GOMOKU_SET_CELLS; cell++)
        best = weight[cell] > weight[best] ? cell : best;
    return best;
}

uint64_t gomoku_sets_component(const gomoku_winning_sets *sets, uint64_t cells)
{
    for (uint64_t before = 0; before != cells;) {
        before = cells;
        for (int i = 0; i < sets->count; i++)
            if (sets->set[i] & cells)
                cells |= sets->set[i];
    }
    return cells;
}

void gomoku_sets_claim(const gomoku_winning_sets *sets, uint64_t cell, gomoku_winning_sets *out)
{
    out->count = sets->count;
    for (int i = 0; i < sets->count; i++)
        out->set[i] = sets->set[i] & ~cell;
}

void gomoku_sets_block(const gomoku_winning_sets *sets, uint64_t cells, gomoku_winning_sets *out)
{
    int kept = 0;
    for (int i = 0; i < sets->count; i++)
        if (!(sets->set[i] & cells))
            out->set[kept++] = sets->set[i];
    out->count = kept;
}

uint64_t gomoku_sets_completing_cells(const gomoku_winning_sets *sets)
{
    uint64_t cells = 0;
    for (int i = 0; i < sets->count; i++)
        if ((sets->set[i] & (sets->set[i] - 1)) == 0)
            cells |= sets->set[i];
    return cells;
}

void gomoku_sets_add_values(const gomoku_winning_sets *sets, gomoku_cell_values *values)
{
    for (int i = 0; i < sets->count; i++) {
        int32_t value = set_value[ply_popcount(sets->set[i])];
        for (uint64_t m = sets->set[i]; m; m &= m - 1)
            values->of[ply_lowest(m)] += value;
    }
}

int gomoku_sets_sort_cells(uint64_t cells, const gomoku_cell_values *values, uint8_t *out)
{
    int count = 0;
    for (uint64_t m = cells; m; m &= m - 1) {
        int cell = ply_lowest(m), i = count++;
        for (; i > 0 && values->of[out[i - 1]] < values->of[cell]; i--)
            out[i] = out[i - 1];
        out[i] = (uint8_t)cell;
    }
    return count;
}

/* --- pairings: bipartite matching, two cells per set ----------------------------------------- */
typedef struct matching {
    const gomoku_winning_sets *sets;
    int16_t owner[GOMOKU_SET_CELLS]; /* the set that has the cell, or -1 */
    uint64_t visited;
} matching;

/* Finds one more cell for set i along an augmenting path. */
static bool match_set(matching *m, int i)
{
    for (uint64_t free; (free = m->sets->set[i] & ~m->visited) != 0;) {
        int cell = ply_lowest(free);
        m->visited |= (uint64_t)1 << cell;
        if (m->owner[cell] < 0 || match_set(m, m->owner[cell])) {
            m->owner[cell] = (int16_t)i;
            return true;
        }
    }
    return false;
}

bool gomoku_sets_pairing(const gomoku_winning_sets *sets, uint64_t cells, gomoku_pairs *pairs)
{
    matching m = {.sets = sets};
    if (2 * sets->count > ply_popcount(cells))
        return false;
    memset(m.owner, -1, sizeof m.owner);
    for (int i = 0; i < 2 * sets->count; i++) {
        m.visited = 0;
        if (!match_set(&m, i / 2))
            return false;
    }
    int8_t first[GOMOKU_MAX_SETS];
    memset(first, -1, sizeof first);
    for (int cell = 0; pairs && cell < GOMOKU_SET_CELLS; cell++) {
        int owner = m.owner[cell];
        if (owner >= 0 && first[owner] >= 0)
            gomoku_pairs_add(pairs, first[owner], cell);
        else if (owner >= 0)
            first[owner] = (int8_t)cell;
    }
    return true;
}
