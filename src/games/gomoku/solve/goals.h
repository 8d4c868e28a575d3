/* SPDX-License-Identifier: MIT */
/*
 * goals.h - what gomoku and renju can be solved for. The solvers are in goal_solver.c.
 *
 *     vcf    win by fours alone
 *     vct    win by threats alone: a four, or a stone after which its player would win by fours if
 *            the opponent passed
 *     win    win, playing anything
 *
 * Proofs are checked with the definitions in goals.c, plain code over the rules that shares nothing
 * with the solvers. A win is reached when the attacker has a winning row; its length is counted up
 * to the four that cannot be answered, as in problem books.
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
