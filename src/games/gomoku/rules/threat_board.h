/* SPDX-License-Identifier: MIT */
/*
 * threat_board.h - a board that knows at every moment which stones would make five, four and three.
 *
 * The solvers' board. Beside the word of each line (gomoku.h) it keeps what a stone on each empty
 * cell of that line would make, for both colours at once: the X bit of a cell speaks for X, the O
 * bit for O, all by the rule in force.
 *
 *     five       wins
 *     four       stands in a window that it makes a four: five next
 *     straight   makes a straight four in this line
 *     three      makes an open or broken three: a straight four next
 *     build      stands in a window that it makes a three: four next
 *
 * A stone changes four lines; they are worked out together (threat_board_isa.c). Lines in which somebody
 * has a five or a four to make are marked in a set, so that nobody has to look for them. Either
 * colour may be played at any time: to ask what a player threatens, let him move twice.
 *
 * Workload: searches by threats, tens of millions of stones a second.
 */
#ifndef PLY_GAMES_GOMOKU_RULES_THREAT_BOARD_H
#define PLY_GAMES_GOMOKU_RULES_THREAT_BOARD_H

#include "games/gomoku/gomoku.h"

enum { GOMOKU_LINE_WORDS = 3 }; /* of a set of lines */

typedef struct gomoku_line_set {
    uint64_t bits[GOMOKU_LINE_WORDS];
} gomoku_line_set;

/* A set of cells: bit x of rows[y]. */
typedef struct gomoku_cells {
    uint32_t rows[GOMOKU_MAX_SIDE];
} gomoku_cells;

/* What a stone overwrites. */
typedef struct gomoku_field_undo {
    uint64_t five[4], four[4], straight[4], three[4], build[4];
    gomoku_line_set with_five[2], with_four[2];
    uint64_t hash;
    uint16_t line[4];
    uint16_t cell;
    uint8_t shift[4];
} gomoku_field_undo;

typedef struct gomoku_field gomoku_field;

typedef struct gomoku_field_kernels {
    /* Works out the masks of four lines anew. */
    void (*update)(gomoku_field *f, const int lines[4]);
} gomoku_field_kernels;

PLY_ISA_DECLARE(const gomoku_field_kernels, gomoku_field_kernels_of);

struct gomoku_field {
    const ply_rules *rules;
    void (*update)(gomoku_field *f, const int lines[4]);
    int width, height, row, line_count;
    enum gomoku_rule rule;
    uint64_t longer; /* bits of the colours that may make more than `row` */
    bool caro;       /* a row between two enemy stones is none */
    uint64_t hash;   /* of the stones alone */
    int stones, depth;
    gomoku_line_set with_five[2], with_four[2];
    uint64_t word[GOMOKU_MAX_LINES + 2], board[GOMOKU_MAX_LINES + 2];
    uint64_t five[GOMOKU_MAX_LINES], four[GOMOKU_MAX_LINES], straight[GOMOKU_MAX_LINES];
    uint64_t three[GOMOKU_MAX_LINES], build[GOMOKU_MAX_LINES];
    gomoku_field_undo *undo;
};

/* Takes over the stones of a position. undo: room for every stone that will be put. */
void gomoku_field_init(gomoku_field *f, const ply_rules *rules, const gomoku_position *p,
                       gomoku_field_undo *undo);
/* Puts a stone of the colour on an empty cell; takes back the last one put. */
void gomoku_field_play(gomoku_field *f, int cell, int colour);
void gomoku_field_undo_last(gomoku_field *f);

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

static inline bool gomoku_field_empty(const gomoku_field *f, int cell)
{
    return !((f->word[gomoku_y(cell)] >> (2 * gomoku_x(cell))) & 3);
}

/* The empty cells of a row, bit x for column x. */
static inline uint32_t gomoku_field_empty_in_row(const gomoku_field *f, int y)
{
    uint64_t e = ~(f->word[y] | f->word[y] >> 1) & GOMOKU_X_BITS & f->board[y];
    e = (e | e >> 1) & 0x3333333333333333u;
    e = (e | e >> 2) & 0x0F0F0F0F0F0F0F0Fu;
    e = (e | e >> 4) & 0x00FF00FF00FF00FFu;
    e = (e | e >> 8) & 0x0000FFFF0000FFFFu;
    return (uint32_t)(e | e >> 16);
}

/* Up to `limit` different cells on which the colour wins at once; returns how many were found. */
int gomoku_field_fives(const gomoku_field *f, int colour, int *cells, int limit);
/* The same among the lines of the stone put last only. */
int gomoku_field_fives_of_last(const gomoku_field *f, int colour, int *cells, int limit);
/* Adds all cells of that mask (one of the arrays above) for the colour. */
void gomoku_field_collect(const gomoku_field *f, const uint64_t *mask, int colour,
                          gomoku_cells *cells);
/* Whether the cell stands in the mask for the colour, in any of its lines. */
bool gomoku_field_marked(const gomoku_field *f, const uint64_t *mask, int cell, int colour);
/* Whether the colour may not play there by the rules of renju. */
bool gomoku_field_forbidden(gomoku_field *f, int cell, int colour);

#endif
