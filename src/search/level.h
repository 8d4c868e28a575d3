/* SPDX-License-Identifier: MIT */
/* level.h - levels of strength (ply_level). docs/match.md says how they were measured. */
#ifndef SEARCH_LEVEL_H
#define SEARCH_LEVEL_H

#include <plyverse/player.h>

/* The simulations of MCTS at a level from 1 to PLY_LEVEL_FULL - 1, which are the same in all games. */
uint64_t ply_level_simulations(int level);

#endif
