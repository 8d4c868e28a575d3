/* SPDX-License-Identifier: MIT */
/*
 * winning_sets.h - the Maker-Breaker game on a small board, at most 64 cells.
 *
 * A winning set is a set of cells that wins when one player owns all of it: here the cells of a row
 * that a player can still fill. Its owner (Maker) tries to fill one; the opponent (Breaker) tries
 * to take a cell of each. A set is a bit mask of the cells that are still empty; cell (x, y) is bit
 * y*width + x:
 *
 *     width 7, the row a1..e1           0011111
 *     the same with a stone on c1       0011011
 *
 * No function allocates.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_WINNING_SETS_H
#define PLY_GAMES_GOMOKU_SOLVE_WINNING_SETS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    GOMOKU_SET_CELLS = 64,
    GOMOKU_MAX_SETS = 192,
    GOMOKU_MAX_SET_SIZE = 6,
    GOMOKU_FULL_WEIGHT = 1 << GOMOKU_MAX_SET_SIZE, /* the weight of a set without empty cells */
};

/* The winning sets that are left to one player. */
typedef struct gomoku_winning_sets {
    int count;
    uint64_t set[GOMOKU_MAX_SETS];
} gomoku_winning_sets;

/* Pairs of cells: when Maker takes one of a pair, Breaker takes the other. */
typedef struct gomoku_pairs {
    int count;
    uint8_t cell[GOMOKU_SET_CELLS / 2][2];
} gomoku_pairs;

/* How much a stone on each cell changes the sets, for move ordering. */
typedef struct gomoku_cell_values {
    int32_t of[GOMOKU_SET_CELLS];
} gomoku_cell_values;

/* Adds a pair; a no-op when pairs is NULL. */
void gomoku_pairs_add(gomoku_pairs *pairs, int a, int b);

/* Removes sets that contain another one, and sorts the rest by size, smallest first. */
void gomoku_sets_minimize(gomoku_winning_sets *sets);
/*
 * Removes the sets that Breaker stops by a pair of cells belonging to exactly the same sets, until
 * there is no such pair. Adds the pairs to `pairs` (may be NULL); their cells are in none of the
 * sets that remain.
 */
void gomoku_sets_drop_pairs(gomoku_winning_sets *sets, gomoku_pairs *pairs);
/*
 * Whether every set can be given two cells of its own, among `cells`. If so, adds these pairs to
 * `pairs` (may be NULL).
 */
bool gomoku_sets_pairing(const gomoku_winning_sets *sets, uint64_t cells, gomoku_pairs *pairs);
/* The sum of GOMOKU_FULL_WEIGHT * 2^-size over all sets; see draw_bound.h. */
int gomoku_sets_weight(const gomoku_winning_sets *sets);
/* The cell whose sets have the largest total weight. */
int gomoku_sets_heaviest_cell(const gomoku_winning_sets *sets);

/* The cells of all sets. */
uint64_t gomoku_sets_cells(const gomoku_winning_sets *sets);
/* The cells that belong to exactly one set. */
uint64_t gomoku_sets_lone_cells(const gomoku_winning_sets *sets);
/* The cells that complete a set at once. */
uint64_t gomoku_sets_completing_cells(const gomoku_winning_sets *sets);
/* For each cell of a set, the cells (itself included) that belong to all its sets; every bit for
 * other cells. */
void gomoku_sets_common(const gomoku_winning_sets *sets, uint64_t common[GOMOKU_SET_CELLS]);
/* The cells that no other cell dominates: no other cell belongs to all their sets. common: as
 * computed above. */
uint64_t gomoku_sets_undominated(const gomoku_winning_sets *sets,
                                 const uint64_t common[GOMOKU_SET_CELLS]);
/*
 * Whether some set has two cells left, one of which belongs to no other set: that one is *lone, the
 * other *cell. The sets must be minimal and free of pairs.
 */
bool gomoku_sets_forced(const gomoku_winning_sets *sets, uint64_t *cell, uint64_t *lone);
/* The cells of all sets that are connected with the given cells by common cells. */
uint64_t gomoku_sets_component(const gomoku_winning_sets *sets, uint64_t cells);

/* The sets after Maker takes a cell: those that hold it shrink. */
void gomoku_sets_claim(const gomoku_winning_sets *sets, uint64_t cell, gomoku_winning_sets *out);
/* The sets after Breaker takes cells: those that hold one of them go. */
void gomoku_sets_block(const gomoku_winning_sets *sets, uint64_t cells, gomoku_winning_sets *out);

/* Adds to each cell the values of its sets. */
void gomoku_sets_add_values(const gomoku_winning_sets *sets, gomoku_cell_values *values);
/* Lists the cells, most valuable first; returns the number. */
int gomoku_sets_sort_cells(uint64_t cells, const gomoku_cell_values *values, uint8_t *out);

#endif
