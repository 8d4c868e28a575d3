/* SPDX-License-Identifier: MIT */
/*
 * draw_proof.h - why the defender holds, as the node `rows` of a proof (docs/solve.md).
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_DRAW_PROOF_H
#define PLY_GAMES_GOMOKU_SOLVE_DRAW_PROOF_H

#include "games/gomoku/solve/draw_search.h"
#include <plyverse/solve.h>

/*
 * Writes the node for the position set last, whose rows gomoku_hold_rows has found to be stopped.
 * PLY_LIMIT: it takes more than so many bytes, or the search was halted.
 */
ply_status gomoku_hold_prove(gomoku_hold *h, ply_proof_writer *writer, size_t bytes);

#endif
