/* SPDX-License-Identifier: MIT */
/* four_lines.h - the windows of the four lines through a cell, one line per lane. */
#ifndef PLY_GOMOKU_FOUR_LINES_H
#define PLY_GOMOKU_FOUR_LINES_H

#include "games/gomoku/rules/threat_board.h"

typedef uint64_t lanes __attribute__((vector_size(32)));

#define T lanes
#define WINDOWS_SUFFIX _four
#include "games/gomoku/rules/windows.h"

/* Marks cells number `first` to `last` of each window. */
static inline __attribute__((always_inline)) lanes cells_of(lanes windows, const int first,
                                                            const int last)
{
    lanes cells = windows << (2 * first);
#pragma GCC unroll 6
    for (int i = first + 1; i <= last; i++)
        cells |= windows << (2 * i);
    return cells;
}

/* The words of four lines. */
static inline __attribute__((always_inline)) lanes gather(const uint64_t *words, const int at[4])
{
    return (lanes){words[at[0]], words[at[1]], words[at[2]], words[at[3]]};
}

/* The windows that can become a row: none that a further own stone would make too long, unless
 * longer rows count, and in caro none between two enemy stones. */
static inline __attribute__((always_inline)) lanes
usable_windows(const gomoku_threat_board *b, const windows_four *w, lanes line, const int row)
{
    lanes usable = w->fit & ((~(line << 2) & ~(line >> (2 * row))) | b->longer);
    if (b->caro) {
        lanes enemy = swap_colours_four(line);
        usable &= ~((enemy << 2) & (enemy >> (2 * row)));
    }
    return usable;
}

#endif
