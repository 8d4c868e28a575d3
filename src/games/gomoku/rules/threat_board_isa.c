/* SPDX-License-Identifier: MIT */
/* threat_board_isa.c - what a stone would make, for four lines at once; see threat_board.h. */
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

static inline void mark_line(gomoku_line_set *set, int line, bool on)
{
    uint64_t *bits = &set->bits[line >> 6];
    *bits = (*bits & ~((uint64_t)1 << (line & 63))) | (uint64_t)on << (line & 63);
}

static inline __attribute__((always_inline)) void update_row(gomoku_threat_board *b,
                                                             const int lines[4], const int row)
{
    lanes line, mask;
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
        line[d] = b->word[lines[d]];
        mask[d] = b->line_mask[lines[d]];
    }
    windows_four w = windows_of_four(line, mask, row);
    lanes usable = w.fit & ((~(line << 2) & ~(line >> (2 * row))) | b->longer);
    if (b->caro) {
        lanes enemy = swap_colours_four(line);
        usable &= ~((enemy << 2) & (enemy >> (2 * row)));
    }
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
