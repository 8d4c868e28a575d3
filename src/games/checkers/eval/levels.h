/* SPDX-License-Identifier: MIT */
/* levels.h - the levels of players, measured by tools/levels. */
#ifndef CHECKERS_EVAL_LEVELS_H
#define CHECKERS_EVAL_LEVELS_H

#include <plyverse/game.h>

static const ply_level checkers_player_levels[PLY_LEVEL_FULL] = {
    /* elo, depth, nodes, temperature, overlook */
    {790, 1, 5000, 65, 12}, {1020, 1, 5000, 24, 3}, {1230, 2, 5000, 24, 2}, {1420, 0, 300, 15, 0},
    {1690, 0, 700, 13, 0},  {1870, 0, 1400, 12, 0}, {2060, 0, 3000, 10, 0}, {2320, 0, 12000, 8, 0},
    {2560, 0, 60000, 6, 0}, {2800, 0, 0, 0, 0},
};

#endif
