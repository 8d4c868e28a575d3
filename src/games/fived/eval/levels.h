/* SPDX-License-Identifier: MIT */
/* levels.h - the levels of players, measured by tools/levels. */
#ifndef FIVED_EVAL_LEVELS_H
#define FIVED_EVAL_LEVELS_H

#include <plyverse/game.h>

static const ply_level fived_player_levels[PLY_LEVEL_FULL] = {
    /* elo, depth, nodes, temperature, overlook */
    {840, 1, 300, 200, 40}, {900, 1, 300, 110, 20}, {980, 1, 300, 60, 10}, {1120, 1, 500, 30, 3},
    {1200, 0, 1000, 16, 0}, {1400, 0, 2000, 12, 0}, {1600, 0, 5000, 8, 0}, {1800, 0, 12000, 6, 0},
    {2000, 0, 40000, 4, 0}, {2200, 0, 0, 0, 0},
};

#endif
