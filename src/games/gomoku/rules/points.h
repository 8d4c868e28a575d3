/* SPDX-License-Identifier: MIT */
/* points.h - what a stone on each empty cell of a line would make, for the host and for devices. */
#ifndef PLY_GAMES_GOMOKU_RULES_POINTS_H
#define PLY_GAMES_GOMOKU_RULES_POINTS_H

#include "games/gomoku/gomoku.h"

#define T uint64_t
#define WINDOWS_SUFFIX _one
#include "games/gomoku/rules/windows.h"

/* Marks cells number `first` to `last` of each window. */
PLY_HD uint64_t cells_of(uint64_t windows, int first, int last)
{
    uint64_t cells = 0;
    for (int i = first; i <= last; i++)
        cells |= windows << (2 * i);
    return cells;
}

PLY_HD __attribute__((always_inline)) gomoku_points
points_for_row(uint64_t line, uint64_t board, enum gomoku_rule rule, const int row)
{
    windows_one w = windows_of_one(line, board, row);
    uint64_t enemy = swap_colours_one(line);
    uint64_t longer = rule == GOMOKU_FREESTYLE || rule == GOMOKU_CARO_OVERLINE ? ~(uint64_t)0
                      : rule == GOMOKU_RENJU                                   ? GOMOKU_O_BITS
                                                                               : 0;
    uint64_t usable = w.fit & ((~(line << 2) & ~(line >> (2 * row))) | longer);
    if (rule == GOMOKU_CARO || rule == GOMOKU_CARO_OVERLINE)
        usable &= ~((enemy << 2) & (enemy >> (2 * row)));
    uint64_t with_four = windows_with_one(&w, usable, row - 1);
    uint64_t with_three = windows_with_one(&w, usable, row - 2);
    uint64_t with_two = row > 3 ? windows_with_one(&w, usable, row - 3) : 0;
    uint64_t with_one = row > 4 ? windows_with_one(&w, usable, row - 4) : 0;
    gomoku_points p = {.five = w.empty & cells_of(with_four, 0, row - 1)};
    uint64_t once = 0, twice = 0;
    for (int i = 0; i < row; i++) {
        uint64_t cells = with_three << (2 * i);
        twice |= once & cells;
        once |= cells;
    }
    p.four = w.empty & once;
    p.four_twice = w.empty & twice;
    p.straight = w.empty & cells_of(windows_paired_one(with_three, w.empty, row), 1, row - 1);
    p.three = w.empty & cells_of(windows_paired_one(with_two, w.empty, row), 1, row - 1);
    p.two = w.empty & cells_of(windows_paired_one(with_one, w.empty, row), 1, row - 1);
    uint64_t six = (windows_with_one(&w, w.fit, row - 1) & (line >> (2 * row))) |
                   (windows_with_one(&w, w.fit, row) & (w.empty >> (2 * row)));
    p.overline = w.empty & cells_of(six, 0, row);
    return p;
}

PLY_CALLED gomoku_points points_of(uint64_t line, int length, enum gomoku_rule rule, int row)
{
    uint64_t board = gomoku_line_mask(length);
    switch (row) {
    case 3:
        return points_for_row(line, board, rule, 3);
    case 4:
        return points_for_row(line, board, rule, 4);
    case 5:
        return points_for_row(line, board, rule, 5);
    default:
        return points_for_row(line, board, rule, 6);
    }
}

#endif
