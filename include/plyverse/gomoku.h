/* SPDX-License-Identifier: MIT */
/*
 * gomoku.h - the gomoku board as a design note describes it: every line is one word of two-bit
 * cells, and patterns are matched by mask and XOR.
 *
 * A board of 5x5 to 32x32 cells is stored once for each of the four directions. Every line is one
 * 64-bit word with two bits per cell, the first cell of the line in the lowest bits:
 *
 *     00 empty   01 X (Black, who starts)   10 O (White)
 *
 *     X|O| | |X|O|O|X  ->  01 10 10 01 00 00 10 01  ->  0x6909
 *     first        last    last              first
 *
 * All lines are in one array; on a board of width W and height H (46 lines on 8x8):
 *
 *     index                          line                first cell    cell (x, y) is number
 *     0 .. H-1                       row y               x = 0         x
 *     H .. H+W-1                     column x            y = 0         y
 *     H+W + (x+y)                    left diagonal       smallest y    min(y, W-1-x)
 *     2(H+W)-1 + (W-1-x+y)           right diagonal      smallest y    min(y, x)
 *
 * y = 0 is row "1", drawn at the bottom; x = 0 is column "a". A cell is y*32 + x on boards of every
 * size, so x and y are a mask and a shift away. A stone sets one bit in each of four words.
 *
 * A pattern is a few neighbouring cells and what must be on them. It matches at a place if
 *
 *     (bits XOR ((line >> 2 * place) AND mask)) == 0
 *
 * A window is `row` cells in a row (five, where five win) without an enemy stone. Windows with 5,
 * 4, 3 and 2 stones are the fives, fours, threes and twos. Their patterns also tell what is next to
 * the window, which is never an own stone, so that filling the window gives exactly five:
 *
 *     prefix   ppppp e ...       the window begins the line       p: a cell of the window
 *     suffix   ... e ppppp       it ends the line                 e: empty or an enemy stone
 *     infix    ... e ppppp e     anywhere inside
 *     exact    ppppp             it is the whole line
 *
 * The note, its words and ours: docs/design-notes.md. The rules: docs/games/gomoku.md.
 * Nothing here has hidden state; every function may be called from any thread.
 */
#ifndef PLYVERSE_GOMOKU_H
#define PLYVERSE_GOMOKU_H

#include <plyverse/game.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GOMOKU_MAX_SIDE = 32,
    GOMOKU_MIN_SIDE = 5,
    GOMOKU_MAX_CELLS = GOMOKU_MAX_SIDE * GOMOKU_MAX_SIDE,
    GOMOKU_MAX_LINES = 6 * GOMOKU_MAX_SIDE - 2,
    GOMOKU_MIN_ROW = 3,
    GOMOKU_MAX_ROW = 6,
    GOMOKU_DIRECTIONS = 4, /* row, column, left diagonal, right diagonal */
};

enum { GOMOKU_BLACK, GOMOKU_WHITE }; /* X and O */

/* The game's options, in the order of rules->option. */
enum {
    GOMOKU_OPTION_WIDTH,
    GOMOKU_OPTION_HEIGHT,
    GOMOKU_OPTION_ROW,
    GOMOKU_OPTION_PASS,
    GOMOKU_OPTION_FORBIDDEN,
    GOMOKU_OPTIONS,
};

PLY_HD int gomoku_width(const ply_rules *rules)
{
    return rules->option[GOMOKU_OPTION_WIDTH];
}

PLY_HD int gomoku_height(const ply_rules *rules)
{
    return rules->option[GOMOKU_OPTION_HEIGHT];
}

/* How many in a row win. */
PLY_HD int gomoku_row(const ply_rules *rules)
{
    return rules->option[GOMOKU_OPTION_ROW];
}

/* --- cells and moves ------------------------------------------------------------------------ */
PLY_HD int gomoku_cell(int x, int y)
{
    return y << 5 | x;
}

PLY_HD int gomoku_x(int cell)
{
    return cell & 31;
}

PLY_HD int gomoku_y(int cell)
{
    return cell >> 5;
}

/* A move is its cell plus 1; a pass is the number after all cells. */
#define GOMOKU_PASS ((ply_move)(GOMOKU_MAX_CELLS + 1))

PLY_HD ply_move gomoku_move(int cell)
{
    return (ply_move)(cell + 1);
}

PLY_HD int gomoku_move_cell(ply_move move)
{
    return (int)move - 1;
}

/* --- lines ---------------------------------------------------------------------------------- */
#define GOMOKU_X_BITS UINT64_C(0x5555555555555555) /* the X bit of every cell */
#define GOMOKU_O_BITS UINT64_C(0xAAAAAAAAAAAAAAAA)

PLY_HD int gomoku_min(int a, int b)
{
    return a < b ? a : b;
}

PLY_HD int gomoku_line_count(int width, int height)
{
    return 3 * (width + height) - 2;
}

/* Where a cell is in each direction: the index of its line, and its lowest bit in that line. */
typedef struct gomoku_spot {
    int line[GOMOKU_DIRECTIONS];
    int shift[GOMOKU_DIRECTIONS];
} gomoku_spot;

PLY_HD gomoku_spot gomoku_spot_of(int width, int height, int cell)
{
    int x = gomoku_x(cell), y = gomoku_y(cell);
    gomoku_spot spot = {
        {y, height + x, width + height + x + y, 2 * (width + height) - 1 + (width - 1 - x + y)},
        {2 * x, 2 * y, 2 * gomoku_min(y, width - 1 - x), 2 * gomoku_min(x, y)},
    };
    return spot;
}

/* The number of cells of a line. */
PLY_HD int gomoku_line_length(int width, int height, int line)
{
    if (line < height)
        return width;
    if (line < width + height)
        return height;
    int d = line - (width + height), diagonals = width + height - 1;
    if (d >= diagonals)
        d -= diagonals;
    return gomoku_min(gomoku_min(d + 1, diagonals - d), gomoku_min(width, height));
}

/* Cell number `at` of a line. */
PLY_HD int gomoku_line_cell(int width, int height, int line, int at)
{
    if (line < height)
        return gomoku_cell(at, line);
    if (line < width + height)
        return gomoku_cell(line - height, at);
    int d = line - (width + height), diagonals = width + height - 1;
    if (d < diagonals) { /* left: x + y = d, from the smallest y */
        int y = (d < width ? 0 : d - (width - 1)) + at;
        return gomoku_cell(d - y, y);
    }
    d -= diagonals; /* right: width - 1 - x + y = d */
    int y = (d < width ? 0 : d - (width - 1)) + at;
    return gomoku_cell(y + width - 1 - d, y);
}

/* Both bits of every cell of a line of that length, 1 to 32. */
PLY_HD uint64_t gomoku_line_mask(int length)
{
    return ~(uint64_t)0 >> ((64 - 2 * (unsigned)length) & 63);
}

/* The colour of the stone on a cell: 0, 1, or -1 for none. */
PLY_HD int gomoku_at(const uint64_t *lines, int cell)
{
    int two = (int)(lines[gomoku_y(cell)] >> (2 * gomoku_x(cell))) & 3;
    return two - 1;
}

/* Puts a stone on an empty cell: the four updates of a move. */
PLY_HD void gomoku_set_cell(uint64_t *lines, int width, int height, int cell, int colour)
{
    gomoku_spot spot = gomoku_spot_of(width, height, cell);
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
        lines[spot.line[d]] |= (uint64_t)1 << (spot.shift[d] + colour);
}

/* Takes the stone off a cell, if there is one. */
PLY_HD void gomoku_clear_cell(uint64_t *lines, int width, int height, int cell)
{
    gomoku_spot spot = gomoku_spot_of(width, height, cell);
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
        lines[spot.line[d]] &= ~((uint64_t)3 << spot.shift[d]);
}

/* The lines of a position of gomoku, such as state->position. They belong to the position and
 * change as moves are played. */
PLY_API const uint64_t *gomoku_lines(const ply_rules *rules, const void *position);

/* --- patterns ------------------------------------------------------------------------------- */
/* `cells` neighbouring cells, at most 16, that must equal `bits`. */
typedef struct gomoku_pattern {
    uint32_t bits, mask; /* mask: both bits of every cell */
    uint8_t cells;
} gomoku_pattern;

PLY_HD gomoku_pattern gomoku_pattern_make(uint32_t bits, int cells)
{
    gomoku_pattern pattern = {bits, (uint32_t)gomoku_line_mask(cells), (uint8_t)cells};
    return pattern;
}

/* Where in a line a pattern may match: at its start, at its end, anywhere, or as the whole line. */
typedef enum gomoku_anchor {
    GOMOKU_PREFIX,
    GOMOKU_SUFFIX,
    GOMOKU_INFIX,
    GOMOKU_EXACT,
    GOMOKU_ANCHORS,
} gomoku_anchor;

/* pattern XOR (line AND mask), with the pattern's first cell on cell `place` of the line: the bits
 * in which they differ, 0 for a match. The pattern must lie within the word. */
PLY_HD uint64_t gomoku_pattern_difference(gomoku_pattern pattern, uint64_t line, int place)
{
    return pattern.bits ^ ((line >> (2 * place)) & pattern.mask);
}

/* Whether a pattern matches at one place of a line. A place at which the pattern would not lie
 * within the line, or which its anchor rules out, is no match. */
PLY_HD bool gomoku_pattern_matches(gomoku_pattern pattern, gomoku_anchor anchor, uint64_t line,
                                   int length, int place)
{
    int last = length - pattern.cells; /* the last place within the line */
    if (place < 0 || place > last)
        return false;
    if ((place != 0 && (anchor == GOMOKU_PREFIX || anchor == GOMOKU_EXACT)) ||
        (place != last && (anchor == GOMOKU_SUFFIX || anchor == GOMOKU_EXACT)))
        return false;
    return gomoku_pattern_difference(pattern, line, place) == 0;
}

/* The number of places of a line at which a pattern matches. */
PLY_HD int gomoku_pattern_count(gomoku_pattern pattern, gomoku_anchor anchor, uint64_t line,
                                int length)
{
    int matches = 0;
    for (int place = 0; place + pattern.cells <= length; place++)
        matches += gomoku_pattern_matches(pattern, anchor, line, length, place);
    return matches;
}

/* Patterns in the library's own memory. */
typedef struct gomoku_pattern_list {
    const gomoku_pattern *patterns;
    uint16_t count;
} gomoku_pattern_list;

/*
 * The patterns of a colour by the number of stones missing: 0 for fives, 1 for fours, 2 for threes,
 * 3 for twos. row: GOMOKU_MIN_ROW to GOMOKU_MAX_ROW; the list is empty where missing >= row. For
 * five in a row there are 2, 10, 20 and 20 prefixes, as many suffixes, 4, 20, 40 and 40 infixes,
 * and 1, 5, 10 and 10 exact ones, of each colour.
 */
PLY_API gomoku_pattern_list gomoku_patterns(int row, int colour, gomoku_anchor anchor, int missing);

/* How often these patterns match in a line of `length` cells, pattern by pattern. */
PLY_API int gomoku_match_line(int row, int colour, int missing, uint64_t line, int length);

/* --- counts --------------------------------------------------------------------------------- */
/* The windows of one colour by their stones: `row` of them, one less, and so on. */
typedef struct gomoku_windows {
    int five, four, three, two;
} gomoku_windows;

/* The counts of a position, which play and undo keep up to date: a read, not a search. */
PLY_API gomoku_windows gomoku_windows_of(const ply_rules *rules, const void *position, int colour);

/* The same counts from scratch, by matching all patterns with every line. lines: an array of
 * gomoku_line_count(width, height) words, a position's or the caller's own. */
PLY_API gomoku_windows gomoku_windows_in(int width, int height, int row, const uint64_t *lines,
                                         int colour);

#ifdef __cplusplus
}
#endif
#endif
