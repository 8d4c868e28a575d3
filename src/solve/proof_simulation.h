/* SPDX-License-Identifier: MIT */
/*
 * proof_simulation.h - the proof of one answer, followed after another.
 *
 * Pieces dropped on the same square are often refuted by the same moves. Once one is, its proof is
 * followed after the next (Kawano's simulation): the attacker's moves are those that won there, and
 * where they win here too, nothing has to be searched for.
 */
#ifndef PLY_SOLVE_PROOF_SIMULATION_H
#define PLY_SOLVE_PROOF_SIMULATION_H

#include "solve/dfpn_internal.h"

/*
 * Whether the proof behind `model`, a move of the position in play that loses for the defender,
 * holds behind the child's move too; the child is then a win. What is found on the way is stored.
 */
bool ply_dfpn_simulate(dfpn *d, uint32_t depth, ply_move model, dfpn_child *child);

#endif
