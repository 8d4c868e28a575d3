/* SPDX-License-Identifier: MIT */
/* mate.h - the goals of shogi for the solver. */
#ifndef PLY_GAMES_SHOGI_SOLVE_MATE_H
#define PLY_GAMES_SHOGI_SOLVE_MATE_H

#include "games/shogi/shogi.h"
#include <plyverse/solve.h>

enum { SHOGI_GOALS = 1 };
extern const ply_goal shogi_goals[SHOGI_GOALS];

#endif
