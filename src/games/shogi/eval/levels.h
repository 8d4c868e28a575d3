/* SPDX-License-Identifier: MIT */
/* levels.h - the levels of players, measured by tools/levels. */
#ifndef SHOGI_EVAL_LEVELS_H
#define SHOGI_EVAL_LEVELS_H

#include <plyverse/game.h>

static const ply_level shogi_player_levels[PLY_LEVEL_FULL] = {
    /* elo, depth, nodes, temperature, overlook */
    {860, 1, 5000, 250, 50}, {1090, 1, 5000, 160, 34}, {1310, 1, 5000, 95, 20},
    {1590, 1, 5000, 58, 12}, {1880, 2, 10000, 48, 6},  {2170, 0, 3000, 22, 0},
    {2430, 0, 6500, 16, 0},  {2750, 0, 14000, 12, 0},  {3170, 0, 30000, 9, 0},
    {3550, 0, 0, 0, 0},
};

#endif
