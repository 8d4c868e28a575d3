/* SPDX-License-Identifier: MIT */
/* loaded_network.h - random networks as the library loads them, and random walks to evaluate. */
#ifndef TESTS_LOADED_NETWORK_H
#define TESTS_LOADED_NETWORK_H

#include "nn/network.h"
#include "support/random_network.h"
#include "support/support.h"

static inline ply_network *read_network(const ply_rules *rules, const random_network *file)
{
    ply_network *network;
    ply_error error = {0};
    if (ply_network_read(rules, file->bytes, file->size, "FILE", &network, &error) != PLY_OK)
        fail_msg("%s", error.message);
    return network;
}

static inline void use_level(ply_network *network, int level)
{
    network->kernels = PLY_ISA_AT(ply_nn_kernels_of, level);
    network->pool = PLY_ISA_AT(ply_nn_pool_kernels_of, level);
}

/* Plays a random move, or restarts a game that is over. False after a restart. */
static inline bool play_random(ply_state *state, ply_rng *rng, ply_move *moves)
{
    const ply_rules *rules = state->rules;
    size_t count = rules->game->moves(rules, state->position, moves);
    if (ply_state_outcome(state).result != PLY_ONGOING || count == 0 || state->plies > 300) {
        assert_int_equal(ply_state_restart(state), PLY_OK);
        return false;
    }
    assert_int_equal(ply_state_play(state, moves[ply_rng_below(rng, (uint32_t)count)]), PLY_OK);
    return true;
}

#endif
