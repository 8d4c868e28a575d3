/* SPDX-License-Identifier: MIT */
/*
 * fuzz_checkers_pdn.c - Portable Draughts Notation. The first byte selects the caller's variant.
 * Whatever can be read can be written; what was written reads again and writes the same text.
 */
#include "fuzz/fuzz.h"

/* Reads up to 8 games and writes them; false when the text is malformed. */
static bool rewrite(const ply_rules *rules, const char *text, size_t size, ply_text *out)
{
    const ply_format *pdn = ply_format_find(rules->game, "pdn");
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(text, size, &error);
    bool good = true;
    for (int games = 0; games < 8 && good; games++) {
        ply_record record;
        bool found = false;
        FUZZ_CHECK(ply_record_init(&record, rules) == PLY_OK);
        ply_status status = pdn->read(&cursor, &record, &found);
        good = status == PLY_OK;
        FUZZ_CHECK(good || (error.message[0] && error.line > 0));
        if (good && found)
            FUZZ_CHECK(pdn->write(&record, out, &error) == PLY_OK);
        ply_record_free(&record);
        if (!found)
            break;
    }
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ply_game *game = ply_game_find("checkers");
    ply_rules rules;
    if (size == 0 || size > 1 << 16)
        return 0;
    const char *variant = game->variants[data[0] % game->variant_count].id;
    FUZZ_CHECK(ply_rules_make(&rules, game, variant, NULL) == PLY_OK);
    ply_text first = ply_text_growing(), second = ply_text_growing();
    if (rewrite(&rules, (const char *)data + 1, size - 1, &first)) {
        FUZZ_CHECK(rewrite(&rules, ply_text_cstr(&first), first.length, &second));
        FUZZ_CHECK(first.length == second.length &&
                   memcmp(ply_text_cstr(&first), ply_text_cstr(&second), first.length) == 0);
    }
    ply_text_free(&first);
    ply_text_free(&second);
    return 0;
}
