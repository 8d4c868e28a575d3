/* SPDX-License-Identifier: MIT */
/* levels.h - the levels of players, measured by tools/levels. */
#ifndef NEIGHBOURS_EVAL_LEVELS_H
#define NEIGHBOURS_EVAL_LEVELS_H

#include <plyverse/game.h>

static const ply_level neighbours_player_levels[PLY_LEVEL_FULL] = {
    /* elo, depth, nodes, temperature, overlook */
    {780, 1, 5000, 45, 7},  {920, 1, 5000, 35, 5},  {1060, 1, 5000, 21, 2}, {1200, 2, 5000, 14, 0},
    {1410, 0, 500, 14, 0},  {1580, 0, 1200, 12, 0}, {1890, 0, 3500, 10, 0}, {2080, 0, 12000, 7, 0},
    {2270, 0, 50000, 5, 0}, {2460, 0, 0, 0, 0},
};

#endif
