/* SPDX-License-Identifier: MIT */
/* levels.h - the levels of players, measured by tools/levels. */
#ifndef SHOGI_EVAL_LEVELS_H
#define SHOGI_EVAL_LEVELS_H

#include <plyverse/game.h>

static const ply_level shogi_player_levels[PLY_LEVEL_FULL] = {
    /* elo, depth, nodes, temperature, overlook */
    {860, 1, 5000, 250, 50}, {1090, 1, 5000, 160, 34}, {1310, 1, 5000, 95, 20},
    {1590, 1, 5000, 58, 12}, {1940, 2, 10000, 48, 6},  {2290, 0, 6000, 18, 0},
    {2570, 0, 18000, 12, 0}, {2850, 0, 60000, 7, 0},   {3130, 0, 200000, 4, 0},
    {3410, 0, 0, 0, 0},
};

#endif
