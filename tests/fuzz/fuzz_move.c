/* SPDX-License-Identifier: MIT */
/* fuzz_move.c - move text of every game: the first line names the rules, the rest are moves. */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ply_rules rules;
    ply_state state;
    const char *text = fuzz_rules((const char *)data, &size, &rules);
    if (!text || ply_state_init(&state, &rules) != PLY_OK)
        return 0;
    ply_error error = {0};
    if (ply_state_play_text(&state, text, size, &error) != PLY_OK)
        FUZZ_CHECK(error.message[0] && error.line > 0 && state.plies == 0);
    FUZZ_CHECK(rules.game->hash(&rules, state.position) ==
               rules.game->compute_hash(&rules, state.position));
    ply_state_outcome(&state);
    ply_state_free(&state);
    return 0;
}
