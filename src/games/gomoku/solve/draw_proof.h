/* SPDX-License-Identifier: MIT */
/* draw_proof.h - the defender's blocking strategy as a node of a proof: winning sets
 * (docs/solve.md). */
#ifndef PLY_GAMES_GOMOKU_SOLVE_DRAW_PROOF_H
#define PLY_GAMES_GOMOKU_SOLVE_DRAW_PROOF_H

#include "games/gomoku/solve/draw_search.h"
#include <plyverse/solve.h>

/*
 * Writes the node for the root of the search, whose sets gomoku_draw_search_sets has found to be
 * stopped. PLY_LIMIT: the node needs more than `bytes` of memory, or the search was halted.
 */
ply_status gomoku_draw_proof_write(gomoku_draw_search *search, ply_proof_writer *writer,
                                   size_t bytes);

#endif
