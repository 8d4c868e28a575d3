/* SPDX-License-Identifier: MIT */
/*
 * fuzz_position.c - position text of every game: the first line names the rules, the rest is the
 * position. A position that parses must survive format and parse, have a layout, and its moves play
 * and undo.
 */
#include "fuzz/fuzz.h"

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
