/* SPDX-License-Identifier: MIT */
/* random_plies.c - random moves played on a state; see random_plies.h. */
#include "model/random_plies.h"

ply_status ply_state_play_random(ply_state *state, size_t plies, ply_rng *rng)
{
    const ply_rules *rules = state->rules;
    ply_status status = PLY_OK;
    for (size_t i = 0; i < plies && status == PLY_OK; i++) {
        if (ply_state_outcome(state).result != PLY_ONGOING)
            break;
        uint32_t count = (uint32_t)ply_game_count_moves(rules, state->position);
        ply_move move = ply_game_nth_move(rules, state->position, ply_rng_below(rng, count));
        status = ply_state_play(state, move);
    }
    return status;
}
