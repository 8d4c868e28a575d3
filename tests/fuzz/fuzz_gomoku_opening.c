/* SPDX-License-Identifier: MIT */
/*
 * fuzz_gomoku_opening.c - acts of opening rules in words. The first line names the variant and the
 * opening rule; every line after it is one act.
 */
#include "fuzz/fuzz.h"
#include "games/gomoku/openings/opening_rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char line[128], *save = NULL;
    const char *text = (const char *)data, *end = memchr(text, '\n', size);
    if (!end || (size_t)(end - text) >= sizeof line)
        return 0;
    memcpy(line, text, (size_t)(end - text));
    line[end - text] = '\0';
    const char *variant = strtok_r(line, " ", &save), *name = strtok_r(NULL, " ", &save);
    ply_rules rules;
    gomoku_opening opening;
    if (!name || ply_rules_make(&rules, ply_game_find("gomoku"), variant, NULL) != PLY_OK ||
        gomoku_opening_start(&opening, &rules, name, NULL) != PLY_OK)
        return 0;
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(end + 1, size - (size_t)(end + 1 - text), &error);
    for (ply_cursor_skip_space(&cursor); !ply_cursor_done(&cursor);
         ply_cursor_skip_space(&cursor)) {
        gomoku_opening_action action;
        gomoku_opening before = opening;
        if (gomoku_opening_parse(&opening, &cursor, &action) != PLY_OK) {
            FUZZ_CHECK(error.message[0] && memcmp(&before, &opening, sizeof before) == 0);
            break;
        }
        FUZZ_CHECK(!gomoku_opening_done(&opening));
        FUZZ_CHECK(gomoku_opening_do(&opening, action, NULL) == PLY_OK);
        ply_text words = ply_text_growing();
        gomoku_opening_describe(&opening, &words);
        ply_text_free(&words);
    }
    FUZZ_CHECK(gomoku_opening_done(&opening) == (gomoku_opening_player(&opening) < 0));
    return 0;
}
