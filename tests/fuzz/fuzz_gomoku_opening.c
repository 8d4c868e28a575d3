/* SPDX-License-Identifier: MIT */
/*
 * fuzz_gomoku_opening.c - the text of opening actions. The first line names the variant and the
 * opening rule; every line after it is one action.
 */
#include "fuzz/fuzz.h"
#include <plyverse/game.h>

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
    if (!name || ply_rules_make(&rules, ply_game_find("gomoku"), variant, NULL) != PLY_OK)
        return 0;
    const ply_opening_hooks *hooks = rules.openings;
    uint64_t procedure[32] = {0}, before[32];
    FUZZ_CHECK(hooks->procedure_bytes <= sizeof procedure);
    if (hooks->begin(&rules, name, procedure, NULL) != PLY_OK)
        return 0;
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(end + 1, size - (size_t)(end + 1 - text), &error);
    for (ply_cursor_skip_space(&cursor); !ply_cursor_done(&cursor);
         ply_cursor_skip_space(&cursor)) {
        memcpy(before, procedure, sizeof before);
        if (hooks->perform(&rules, procedure, &cursor) != PLY_OK) {
            FUZZ_CHECK(error.message[0] && memcmp(before, procedure, sizeof before) == 0);
            break;
        }
        FUZZ_CHECK(hooks->to_act(&rules, before) >= 0);
        ply_text description = ply_text_growing();
        hooks->describe(&rules, procedure, &description);
        ply_text_free(&description);
    }
    return 0;
}
