/* SPDX-License-Identifier: MIT */
/* levels.h - the levels of players, measured by tools/levels. */
#ifndef NEIGHBOURS_EVAL_LEVELS_H
#define NEIGHBOURS_EVAL_LEVELS_H

#include <plyverse/game.h>

static const ply_level neighbours_player_levels[PLY_LEVEL_FULL] = {
    /* elo, depth, nodes, temperature, overlook */
    {830, 1, 5000, 45, 7},  {950, 1, 5000, 35, 5},  {1110, 1, 5000, 21, 2}, {1290, 2, 5000, 14, 0},
    {1570, 0, 500, 14, 0},  {1710, 0, 1200, 12, 0}, {1970, 0, 3500, 10, 0}, {2100, 0, 12000, 7, 0},
    {2290, 0, 50000, 5, 0}, {2480, 0, 0, 0, 0},
};

#endif
