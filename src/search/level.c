/* SPDX-License-Identifier: MIT */
/* level.c - see level.h. */
#include "search/level.h"

/* For games without levels of their own. */
static const ply_level general_levels[PLY_LEVEL_FULL] = {
    /* elo, depth, nodes, temperature, overlook */
    {0, 1, 5000, 140, 40},  {0, 1, 5000, 70, 20},
    {0, 2, 20000, 50, 8},   {0, 3, 40000, 40, 0},
    {0, 4, 80000, 30, 0},   {0, 5, 160000, 22, 0},
    {0, 6, 320000, 16, 0},  {0, 8, 1000000, 10, 0},
    {0, 12, 4000000, 5, 0}, {0},
};

static const uint32_t simulations[PLY_LEVEL_FULL] = {12,   40,   100,   250,   600,
                                                     1500, 4000, 10000, 30000, 0};

const ply_level *ply_player_level(const ply_rules *rules, int level)
{
    if (!rules || !rules->search || level < 1 || level > PLY_LEVEL_FULL)
        return NULL;
    return &(rules->search->levels ? rules->search->levels : general_levels)[level - 1];
}

uint64_t ply_level_simulations(int level)
{
    return simulations[level - 1];
}
