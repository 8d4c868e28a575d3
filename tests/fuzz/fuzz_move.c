/* SPDX-License-Identifier: MIT */
/*
 * fuzz_move.c - move text of every game: the first line names the rules, the rest are moves. The
 * mutator writes the moves of random games and changes them.
 */
#include "fuzz/random_record.h"

static const char *const words[] = {"submit", "pass",  "resign", "+",  "*",   "-",    "x",
                                    ":",      "(0T1)", ">>",     "=Q", "O-O", "P*5e", "h8",
                                    "a1a2",   "11x18", "(L1)",   " ",  "~",   "win",  NULL};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    ply_rng rng = ply_rng_make(seed, 0);
    if (ply_rng_below(&rng, 8))
        return grammar_mutate(data, size, max_size, words, &rng);
    ply_rules rules;
    ply_state state;
    random_rules(&rng, &rules);
    FUZZ_CHECK(ply_state_init(&state, &rules) == PLY_OK);
    ply_text text = ply_text_growing();
    ply_text_format(&text, "%s %s\n", rules.game->id, rules.variant->id);
    for (uint32_t plies = ply_rng_below(&rng, 80); plies > 0; plies--) {
        ply_state before;
        ply_move move;
        FUZZ_CHECK(ply_state_copy(&before, &state) == PLY_OK);
        bool played = random_ply(&state, &rng, &move);
        if (played)
            rules.game->format_move(&rules, before.position, move, &text);
        ply_text_char(&text, ' ');
        ply_state_free(&before);
        if (!played)
            break;
    }
    if (text.length <= max_size)
        memcpy(data, ply_text_cstr(&text), size = text.length);
    ply_text_free(&text);
    ply_state_free(&state);
    return size;
}

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
