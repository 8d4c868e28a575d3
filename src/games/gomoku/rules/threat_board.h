/* SPDX-License-Identifier: MIT */
/*
 * threat_board.h - a board that always knows which stones would make a five, a four or a three.
 *
 * The board of the solvers. Beside the word of each line (gomoku.h) it keeps what a stone on each
 * empty cell of that line would make, under the rule in force and for both colours at once: the X
 * bit of a cell is about X, the O bit about O.
 *
 *     five       wins
 *     four       makes a four in some window: a five next
 *     straight   makes a straight four in this line
 *     three      makes an open or broken three: a straight four next
 *     build      makes a three in some window: a four next
 *
 * A stone changes four lines, whose masks are computed together (threat_board_isa.c). Sets of lines
 * say where a colour can make a five or a four, so nobody has to search for them. Either colour
 * may be played at any time; to see what a player threatens, let them move twice.
 *
 * Workload: threat searches, tens of millions of stones per second.
 */
#ifndef PLY_GAMES_GOMOKU_RULES_THREAT_BOARD_H
#define PLY_GAMES_GOMOKU_RULES_THREAT_BOARD_H

#include "games/gomoku/gomoku.h"

enum { GOMOKU_LINE_WORDS = 3 }; /* words of a set of lines */

typedef struct gomoku_line_set {
    uint64_t bits[GOMOKU_LINE_WORDS];
} gomoku_line_set;

/* A set of cells: bit x of rows[y]. */
typedef struct gomoku_cells {
    uint32_t rows[GOMOKU_MAX_SIDE];
} gomoku_cells;

/* What a stone overwrites, for undo. */
typedef struct gomoku_threat_undo {
    uint64_t five[4], four[4], straight[4], three[4], build[4];
    gomoku_line_set with_five[2], with_four[2];
    uint64_t hash;
    uint16_t line[4];
    uint16_t cell;
    uint8_t shift[4];
} gomoku_threat_undo;

typedef struct gomoku_threat_board gomoku_threat_board;

typedef struct gomoku_threat_kernels {
    /* Recomputes the masks of four lines. */
    void (*update)(gomoku_threat_board *b, const int lines[4]);
} gomoku_threat_kernels;

PLY_ISA_DECLARE(const gomoku_threat_kernels, gomoku_threat_kernels_of);

struct gomoku_threat_board {
    const ply_rules *rules;
    void (*update)(gomoku_threat_board *b, const int lines[4]);
    int width, height, row, line_count;
    enum gomoku_rule rule;
    uint64_t longer; /* the bits of the colours that win with more than `row` stones too */
    bool caro;       /* a row between two enemy stones does not win */
    uint64_t hash;   /* of the stones only */
    int stones, depth;
    gomoku_line_set with_five[2], with_four[2];
    uint64_t word[GOMOKU_MAX_LINES + 2];
    uint64_t line_mask[GOMOKU_MAX_LINES + 2]; /* both bits of every cell of the line */
    uint64_t five[GOMOKU_MAX_LINES], four[GOMOKU_MAX_LINES], straight[GOMOKU_MAX_LINES];
    uint64_t three[GOMOKU_MAX_LINES], build[GOMOKU_MAX_LINES];
    gomoku_threat_undo *undo;
};

/* Sets up the stones of a position. undo is the undo stack, with room for every stone that will be
 * played; the caller keeps it as long as the board. */
void gomoku_threat_board_init(gomoku_threat_board *b, const ply_rules *rules,
                              const gomoku_position *p, gomoku_threat_undo *undo);
/* Plays a stone of either colour on an empty cell. */
void gomoku_threat_board_play(gomoku_threat_board *b, int cell, int colour);
/* Takes back the last stone played. */
void gomoku_threat_board_undo(gomoku_threat_board *b);

static inline bool gomoku_lines_any(const gomoku_line_set *set)
{
    return (set->bits[0] | set->bits[1] | set->bits[2]) != 0;
}

static inline bool gomoku_cells_has(const gomoku_cells *cells, int cell)
{
    return cells->rows[gomoku_y(cell)] >> gomoku_x(cell) & 1;
}

static inline void gomoku_cells_add(gomoku_cells *cells, int cell)
{
    cells->rows[gomoku_y(cell)] |= (uint32_t)1 << gomoku_x(cell);
}

static inline bool gomoku_threat_board_empty(const gomoku_threat_board *b, int cell)
{
    return !((b->word[gomoku_y(cell)] >> (2 * gomoku_x(cell))) & 3);
}

/* The empty cells of a row, bit x for column x. */
static inline uint32_t gomoku_threat_board_empty_in_row(const gomoku_threat_board *b, int y)
{
    uint64_t e = ~(b->word[y] | b->word[y] >> 1) & GOMOKU_X_BITS & b->line_mask[y];
    e = (e | e >> 1) & 0x3333333333333333u;
    e = (e | e >> 2) & 0x0F0F0F0F0F0F0F0Fu;
    e = (e | e >> 4) & 0x00FF00FF00FF00FFu;
    e = (e | e >> 8) & 0x0000FFFF0000FFFFu;
    return (uint32_t)(e | e >> 16);
}

/* Finds up to `limit` different cells on which the colour wins at once; returns the number. */
int gomoku_threat_board_fives(const gomoku_threat_board *b, int colour, int *cells, int limit);
/* The same, but only in the lines of the last stone played. */
int gomoku_threat_board_fives_of_last(const gomoku_threat_board *b, int colour, int *cells,
                                      int limit);
/* Adds the cells that a mask (one of the arrays above) marks for the colour. */
void gomoku_threat_board_collect(const gomoku_threat_board *b, const uint64_t *mask, int colour,
                                 gomoku_cells *cells);
/* Whether the mask marks the cell for the colour, in any of its lines. */
bool gomoku_threat_board_marked(const gomoku_threat_board *b, const uint64_t *mask, int cell,
                                int colour);
/* Whether renju forbids the cell to the colour. Changes nothing. */
bool gomoku_threat_board_forbidden(gomoku_threat_board *b, int cell, int colour);

#endif
