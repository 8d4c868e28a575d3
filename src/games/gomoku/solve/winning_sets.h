/* SPDX-License-Identifier: MIT */
/*
 * winning_sets.h - the game of rows on a small board (at most 64 cells): one player tries to fill a row,
 * the other to take a cell of each.
 *
 * Rows are bit masks of the cells that are still empty, cell y*width + x:
 *
 *     width 7, the row a1..e1:  ....... .... 0011111      with a stone on c1:  .... 0011011
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_WINNING_SETS_H
#define PLY_GAMES_GOMOKU_SOLVE_WINNING_SETS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    GOMOKU_HOLD_CELLS = 64,
    GOMOKU_HOLD_ROWS = 192,
    GOMOKU_LONGEST_ROW = 6,
    GOMOKU_FULL_ROW = 1 << GOMOKU_LONGEST_ROW, /* weight of a row without a cell left */
};

/* What is left of one side's rows. */
typedef struct gomoku_rows {
    int count;
    uint64_t row[GOMOKU_HOLD_ROWS];
} gomoku_rows;

/* Cells, two by two: when one player takes one, the other takes its mate. */
typedef struct gomoku_pairs {
    int count;
    uint8_t cell[GOMOKU_HOLD_CELLS / 2][2];
} gomoku_pairs;

/* What a stone on each cell does to the rows, roughly. */
typedef struct gomoku_row_worths {
    int32_t of[GOMOKU_HOLD_CELLS];
} gomoku_row_worths;

void gomoku_pairs_add(gomoku_pairs *pairs, int a, int b);

/* Smallest rows first; those that contain another go. */
void gomoku_rows_minimal(gomoku_rows *r);
/*
 * Rows with two cells that stand in the same rows go, until there are none. pairs, if not NULL:
 * those two cells are added to it; they stand in none of the rows left.
 */
void gomoku_rows_drop_pairs(gomoku_rows *r, gomoku_pairs *pairs);
/* Whether every row can have two cells of its own; pairs, if not NULL: they are added to it. */
bool gomoku_rows_pairing(const gomoku_rows *r, uint64_t cells, gomoku_pairs *pairs);
/* 2^-cells of GOMOKU_FULL_ROW for each row, added up; see draw_bound.h. */
int gomoku_rows_weigh(const gomoku_rows *r);
/* The cell whose rows weigh most. */
int gomoku_rows_heaviest(const gomoku_rows *r);

uint64_t gomoku_rows_cells(const gomoku_rows *r);
/* Cells that stand in exactly one row. */
uint64_t gomoku_rows_lone(const gomoku_rows *r);
/* Cells that fill a row. */
uint64_t gomoku_rows_last(const gomoku_rows *r);
/* For each cell, the cells that stand in all its rows (at least itself); all for other cells. */
void gomoku_rows_common(const gomoku_rows *r, uint64_t common[GOMOKU_HOLD_CELLS]);
/* The cells besides which no other stands in all their rows; common as above. */
uint64_t gomoku_rows_foremost(const gomoku_rows *r, const uint64_t common[GOMOKU_HOLD_CELLS]);
/*
 * Whether some row has two cells left, of which one stands in no other: *lone, the other being
 * *cell. The rows are minimal, without pairs.
 */
bool gomoku_rows_forced(const gomoku_rows *r, uint64_t *cell, uint64_t *lone);
/* The cells of the rows that hang together with the cells given. */
uint64_t gomoku_rows_part(const gomoku_rows *r, uint64_t cells);

/* A stone of their owner's: the rows become shorter. */
void gomoku_rows_take(const gomoku_rows *r, uint64_t cell, gomoku_rows *out);
/* A stone of the other's, or several. */
void gomoku_rows_block(const gomoku_rows *r, uint64_t cells, gomoku_rows *out);

void gomoku_rows_add_worth(const gomoku_rows *r, gomoku_row_worths *w);
/* The cells, those of most worth first; returns how many. */
int gomoku_rows_sort(uint64_t cells, const gomoku_row_worths *w, uint8_t *out);

#endif
