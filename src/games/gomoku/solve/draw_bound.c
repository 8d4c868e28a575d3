/* SPDX-License-Identifier: MIT */
/* draw_bound.c - why an attacker cannot win; see draw_bound.h. */
#include "games/gomoku/solve/draw_bound.h"

#define T uint64_t
#define WINDOWS_SUFFIX _one
#include "games/gomoku/rules/windows.h"

static inline __attribute__((always_inline)) int weigh(const gomoku_field *f, int attacker,
                                                       const int row)
{
    int weight = 0;
    for (int i = 0; i < f->line_count; i++) {
        windows_one w = windows_of_one(f->word[i], f->board[i], row);
        uint64_t alive = w.fit & (GOMOKU_X_BITS << attacker);
        if (!alive)
            continue;
        for (int stones = 0; stones <= row; stones++)
            weight += ply_popcount(windows_with_one(&w, alive, stones)) << stones;
    }
    return weight;
}

int gomoku_row_weight(const gomoku_field *f, int attacker)
{
    switch (f->row) {
    case 3:
        return weigh(f, attacker, 3);
    case 4:
        return weigh(f, attacker, 4);
    case 5:
        return weigh(f, attacker, 5);
    default:
        return weigh(f, attacker, 6);
    }
}
