/* SPDX-License-Identifier: MIT */
/* random_plies.h - random moves played on a state. */
#ifndef PLY_MODEL_RANDOM_PLIES_H
#define PLY_MODEL_RANDOM_PLIES_H

#include "core/hash.h"
#include <plyverse/state.h>

/* Plays random legal moves: `plies` of them, or fewer if the game ends. Fails as ply_state_play. */
ply_status ply_state_play_random(ply_state *state, size_t plies, ply_rng *rng);

#endif
