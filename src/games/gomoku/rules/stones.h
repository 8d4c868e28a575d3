/* SPDX-License-Identifier: MIT */
/* stones.h - what a stone or a pass does to a position, but for the pattern totals, for the host and
 * for devices. */
#ifndef PLY_GAMES_GOMOKU_RULES_STONES_H
#define PLY_GAMES_GOMOKU_RULES_STONES_H

#include "games/gomoku/gomoku.h"

/* Whether the colour wins by a row in one of the lines of a cell. */
PLY_HD bool gomoku_wins_at(const uint64_t *lines, int width, int height, int cell, int colour,
                           enum gomoku_rule rule, int row)
{
    gomoku_spot spot = gomoku_spot_of(width, height, cell);
    uint64_t rows = 0;
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
        rows |= gomoku_line_wins(lines[spot.line[d]], colour, rule, row);
    return rows != 0;
}

/* The key of a position, from all its stones. */
PLY_HD uint64_t gomoku_key_of(const gomoku_position *p, int height)
{
    uint64_t key = gomoku_state_key(p->side, p->passes, p->ended);
    for (int y = 0; y < height; y++)
        for (uint64_t stones = p->lines[y]; stones; stones &= stones - 1) {
            int bit = ply_lowest(stones);
            key ^= gomoku_keys[bit & 1][gomoku_cell(bit >> 1, y)];
        }
    return key;
}

/* Everything but lines and totals: a stone of the side to move is on the cell. */
PLY_HD __attribute__((always_inline)) void gomoku_count_stone(gomoku_position *p, int cell,
                                                              bool wins)
{
    int colour = p->side;
    if (__builtin_expect(wins, 0))
        p->ended = (uint8_t)(GOMOKU_ROW_BLACK + colour);
    p->hash ^= gomoku_keys[colour][cell] ^ gomoku_state_key(1, p->passes, 0);
    p->passes = 0;
    p->stones++;
    p->side = (uint8_t)!colour;
}

/* Black has played a forbidden point under forbidden=loses, and loses. */
PLY_HD void gomoku_lose_by_forbidden(gomoku_position *p, enum gomoku_forbidden kind)
{
    p->ended = (uint8_t)(GOMOKU_LOST_BY_FORBIDDEN + kind);
    p->hash ^= gomoku_state_key(0, 0, p->ended);
}

PLY_HD void gomoku_count_pass(gomoku_position *p)
{
    int passes = p->passes + 1;
    p->hash ^= gomoku_state_key(1, p->passes, 0) ^ gomoku_state_key(0, passes, 0);
    p->passes = (uint8_t)passes;
    p->side = (uint8_t)!p->side;
}

#endif
