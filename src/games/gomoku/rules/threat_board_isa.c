/* SPDX-License-Identifier: MIT */
/* threat_board_isa.c - what a stone would make, for four lines at once; see threat_board.h. */
#include "games/gomoku/rules/four_lines.h"
#include "games/gomoku/rules/threat_board.h"

static inline void mark_line(gomoku_line_set *set, int line, bool on)
{
    uint64_t *bits = &set->bits[line >> 6];
    *bits = (*bits & ~((uint64_t)1 << (line & 63))) | (uint64_t)on << (line & 63);
}

static inline __attribute__((always_inline)) void update_row(gomoku_threat_board *b,
                                                             const int lines[4], const int row)
{
    lanes line = gather(b->word, lines), mask = gather(b->line_mask, lines);
    windows_four w = windows_of_four(line, mask, row);
    lanes usable = usable_windows(b, &w, line, row);
    lanes one_missing = windows_with_four(&w, usable, row - 1);
    lanes two_missing = windows_with_four(&w, usable, row - 2);
    lanes three_missing = windows_with_four(&w, usable, row - 3);
    lanes five = w.empty & cells_of(one_missing, 0, row - 1);
    lanes four = w.empty & cells_of(two_missing, 0, row - 1);
    lanes straight = w.empty & cells_of(windows_paired_four(two_missing, w.empty, row), 1, row - 1);
    lanes three = w.empty & cells_of(windows_paired_four(three_missing, w.empty, row), 1, row - 1);
    lanes build = w.empty & cells_of(three_missing, 0, row - 1);
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        int at = lines[d];
        b->five[at] = five[d];
        b->four[at] = four[d];
        b->straight[at] = straight[d];
        b->three[at] = three[d];
        b->build[at] = build[d];
        for (int colour = 0; colour < 2; colour++) {
            mark_line(&b->with_five[colour], at, five[d] & (GOMOKU_X_BITS << colour));
            mark_line(&b->with_four[colour], at, four[d] & (GOMOKU_X_BITS << colour));
        }
    }
}

static void update(gomoku_threat_board *b, const int lines[4])
{
    switch (b->row) {
    case 3:
        update_row(b, lines, 3);
        break;
    case 4:
        update_row(b, lines, 4);
        break;
    case 5:
        update_row(b, lines, 5);
        break;
    default:
        update_row(b, lines, 6);
        break;
    }
}

extern const gomoku_threat_kernels PLY_ISA(gomoku_threat_kernels_of);
const gomoku_threat_kernels PLY_ISA(gomoku_threat_kernels_of) = {.update = update};
