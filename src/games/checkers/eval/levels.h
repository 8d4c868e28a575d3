/* SPDX-License-Identifier: MIT */
/* levels.h - the levels of players, measured by tools/levels. */
#ifndef CHECKERS_EVAL_LEVELS_H
#define CHECKERS_EVAL_LEVELS_H

#include <plyverse/game.h>

static const ply_level checkers_player_levels[PLY_LEVEL_FULL] = {
    /* elo, depth, nodes, temperature, overlook */
    {790, 1, 5000, 65, 12}, {980, 1, 5000, 24, 3},  {1200, 2, 5000, 24, 2}, {1340, 0, 300, 15, 0},
    {1510, 0, 700, 13, 0},  {1690, 0, 1400, 12, 0}, {1940, 0, 3000, 10, 0}, {2180, 0, 12000, 8, 0},
    {2420, 0, 60000, 6, 0}, {2660, 0, 0, 0, 0},
};

#endif
