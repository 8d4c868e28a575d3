/* SPDX-License-Identifier: MIT */
/* levels.h - the levels of players, measured by tools/levels. */
#ifndef GOMOKU_EVAL_LEVELS_H
#define GOMOKU_EVAL_LEVELS_H

#include <plyverse/game.h>

static const ply_level gomoku_player_levels[PLY_LEVEL_FULL] = {
    /* elo, depth, nodes, temperature, overlook */
    {870, 1, 5000, 220, 33}, {950, 1, 5000, 120, 20}, {1190, 1, 5000, 70, 13},
    {1390, 1, 5000, 46, 9},  {1620, 2, 5000, 22, 0},  {1820, 0, 4000, 17, 0},
    {2090, 0, 15000, 12, 0}, {2240, 0, 50000, 10, 0}, {2410, 0, 250000, 6, 0},
    {2580, 0, 0, 0, 0},
};

#endif
