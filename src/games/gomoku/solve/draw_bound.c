/* SPDX-License-Identifier: MIT */
/* draw_bound.c - see draw_bound.h. */
#include "games/gomoku/solve/draw_bound.h"

#define T uint64_t
#define WINDOWS_SUFFIX _one
#include "games/gomoku/rules/windows.h"

static inline __attribute__((always_inline)) int weigh(const gomoku_threat_board *b, int attacker,
                                                       const int row)
{
    int weight = 0;
    for (int i = 0; i < b->line_count; i++) {
        windows_one w = windows_of_one(b->word[i], b->line_mask[i], row);
        uint64_t alive = w.fit & (GOMOKU_X_BITS << attacker);
        if (!alive)
            continue;
        for (int stones = 0; stones <= row; stones++)
            weight += ply_popcount(windows_with_one(&w, alive, stones)) << stones;
    }
    return weight;
}

int gomoku_window_weight(const gomoku_threat_board *b, int attacker)
{
    switch (b->row) {
    case 3:
        return weigh(b, attacker, 3);
    case 4:
        return weigh(b, attacker, 4);
    case 5:
        return weigh(b, attacker, 5);
    default:
        return weigh(b, attacker, 6);
    }
}
