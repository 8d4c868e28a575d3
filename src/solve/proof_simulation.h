/* SPDX-License-Identifier: MIT */
/*
 * proof_simulation.h - replaying the proof of one defence after another (Kawano's simulation).
 *
 * Pieces dropped on the same square are often refuted by the same moves. Once one drop is refuted,
 * its proof is replayed after the next: the attacker plays the moves that won there, and if they
 * win here too, no search is needed.
 */
#ifndef PLY_SOLVE_PROOF_SIMULATION_H
#define PLY_SOLVE_PROOF_SIMULATION_H

#include "solve/dfpn_internal.h"

/*
 * Replays the proof after `model`, a losing defence in the position, after the child's move
 * instead. If it wins there too, the child becomes a win and the result is true. What is learned is
 * stored.
 */
bool ply_dfpn_simulate(dfpn *d, uint32_t depth, ply_move model, dfpn_child *child);

#endif
