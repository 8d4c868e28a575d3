/* SPDX-License-Identifier: MIT */
/* levels.h - the levels of players, measured by tools/levels. */
#ifndef FIVED_EVAL_LEVELS_H
#define FIVED_EVAL_LEVELS_H

#include <plyverse/game.h>

static const ply_level fived_player_levels[PLY_LEVEL_FULL] = {
    /* elo, depth, nodes, temperature, overlook */
    {920, 1, 300, 550, 60}, {1030, 1, 300, 250, 38}, {1200, 1, 300, 150, 26},
    {1320, 1, 300, 90, 15}, {1490, 1, 500, 50, 6},   {1620, 1, 500, 22, 1},
    {1800, 0, 1000, 14, 0}, {1930, 0, 5000, 8, 0},   {2130, 0, 25000, 5, 0},
    {2330, 0, 0, 0, 0},
};

#endif
