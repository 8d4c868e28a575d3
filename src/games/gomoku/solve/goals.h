/* SPDX-License-Identifier: MIT */
/*
 * goals.h - what gomoku and renju can be solved for, and the solvers behind it (goal_solver.c).
 *
 *     vcf    win, playing fours alone
 *     vct    win, playing threats alone: a four, or a stone after which its player, if the other
 *            passed, would win by fours
 *     win    win, playing anything
 *
 * The definitions (goals.c) are what proofs are checked with: plain code over the rules that shares
 * nothing with the solvers. A win counts as reached when the attacker has his row; the length of a
 * win ends with the four that cannot be answered, as the problem books count.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_GOALS_H
#define PLY_GAMES_GOMOKU_SOLVE_GOALS_H

#include "games/gomoku/gomoku.h"
#include <plyverse/solve.h>

enum { GOMOKU_GOAL_VCF, GOMOKU_GOAL_VCT, GOMOKU_GOAL_WIN, GOMOKU_GOALS };
extern const ply_goal gomoku_goals[GOMOKU_GOALS];
extern const ply_solver_kind gomoku_solver;

/* The defender's moves that do not lose at once; see ply_goal.defences. */
size_t gomoku_defences(const ply_rules *rules, const void *position, ply_move *out);

#endif
