/* SPDX-License-Identifier: MIT */
/*
 * fuzz_position.c - position text of every game: the first line names the rules, the rest is the
 * position. A position that parses must survive format and parse, have a layout, and its moves play
 * and undo. The mutator writes positions of random games and changes them.
 */
#include "fuzz/random_record.h"

static const char *const words[] = {
    "/",      " b",      " w",   "1",   "9",          "K",      "+",        "*",
    "-",      "W:W",     ":B",   ",",   "X",          "O",      "[",        "]",
    ":0:1:w", ":-1:1:b", " w 3", "80:", "lines=0..0", "turns=", "startpos", "K32",
    "k",      "P18",     "2p",   "H0",  " x",         "\n",     NULL};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    ply_rng rng = ply_rng_make(seed, 0);
    if (ply_rng_below(&rng, 8))
        return grammar_mutate(data, size, max_size, words, &rng);
    ply_rules rules;
    ply_state state;
    random_rules(&rng, &rules);
    random_game(&rng, &rules, 120, &state);
    ply_text text = ply_text_growing();
    ply_text_format(&text, "%s %s\n", rules.game->id, rules.variant->id);
    rules.game->format(&rules, state.position, &text);
    if (text.length <= max_size)
        memcpy(data, ply_text_cstr(&text), size = text.length);
    ply_text_free(&text);
    ply_state_free(&state);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ply_rules rules;
    ply_state state, again;
    const char *text = fuzz_rules((const char *)data, &size, &rules);
    if (!text || ply_state_init(&state, &rules) != PLY_OK)
        return 0;
    ply_error error = {0};
    if (ply_state_parse(&state, text, size, &error) != PLY_OK) {
        FUZZ_CHECK(error.message[0] && error.line > 0);
    } else {
        ply_text first = ply_text_growing(), second = ply_text_growing();
        rules.game->format(&rules, state.position, &first);
        FUZZ_CHECK(ply_state_init(&again, &rules) == PLY_OK);
        FUZZ_CHECK(ply_state_parse(&again, first.data, first.length, &error) == PLY_OK);
        rules.game->format(&rules, again.position, &second);
        FUZZ_CHECK(strcmp(first.data, second.data) == 0);
        FUZZ_CHECK(rules.game->hash(&rules, state.position) ==
                   rules.game->hash(&rules, again.position));
        ply_layout *layout = ply_layout_make(&rules, state.position, PLY_MOVE_NONE);
        FUZZ_CHECK(layout && ply_layout_count(layout) > 0);
        ply_text_clear(&second);
        ply_layout_text(layout, NULL, &second);
        FUZZ_CHECK(ply_text_complete(&second) && second.length > 0);
        ply_layout_free(layout);
        fuzz_play_all(&state);
        ply_state_free(&again);
        ply_text_free(&first);
        ply_text_free(&second);
    }
    ply_state_free(&state);
    return 0;
}
