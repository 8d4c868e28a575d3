/* SPDX-License-Identifier: MIT */
/* search_board_isa.c - the levels of four lines at once; see search_board.h. */
#include "games/gomoku/eval/search_board.h"
#include "games/gomoku/rules/four_lines.h"

static inline __attribute__((always_inline)) void
compute_row(const gomoku_threat_board *b, const int lines[4], gomoku_levels out[4], const int row)
{
    lanes line = gather(b->word, lines), mask = gather(b->line_mask, lines);
    windows_four w = windows_of_four(line, mask, row);
    lanes usable = usable_windows(b, &w, line, row);
    lanes one_stone = windows_with_four(&w, usable, row > 4 ? row - 4 : 1);
    lanes pair = w.empty & cells_of(one_stone, 0, row - 1);
    lanes two = w.empty & cells_of(windows_paired_four(one_stone, w.empty, row), 1, row - 1);
    lanes five = gather(b->five, lines), four = gather(b->four, lines);
    lanes straight = gather(b->straight, lines);
    /* Where three in a row win, windows without a stone make threes; they say nothing. */
    const lanes none = {0};
    lanes three = row > 3 ? gather(b->three, lines) : none;
    lanes build = row > 3 ? gather(b->build, lines) : none;
    lanes high = five | straight | four | three, top = five | straight;
    lanes bit1 = top | (~high & (build | two));
    lanes bit0 = five | (four & ~top) | (~high & (build | (pair & ~two)));
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++)
        out[d] = (gomoku_levels){{bit0[d], bit1[d], high[d]}};
}

static void compute(const gomoku_threat_board *b, const int lines[4], gomoku_levels out[4])
{
    switch (b->row) {
    case 3:
        compute_row(b, lines, out, 3);
        break;
    case 4:
        compute_row(b, lines, out, 4);
        break;
    case 5:
        compute_row(b, lines, out, 5);
        break;
    default:
        compute_row(b, lines, out, 6);
        break;
    }
}

extern const gomoku_level_kernels PLY_ISA(gomoku_level_kernels_of);
const gomoku_level_kernels PLY_ISA(gomoku_level_kernels_of) = {.compute = compute};
