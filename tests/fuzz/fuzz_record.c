/* SPDX-License-Identifier: MIT */
/*
 * fuzz_record.c - records of every game in every format it reads. The first line names the rules
 * and, after a space, the format. A record that was read must not crash any writer.
 */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ply_rules rules;
    char format_id[16] = "ply";
    const char *text =
        fuzz_rules_and_word((const char *)data, &size, &rules, format_id, sizeof format_id);
    const ply_format *format = text ? ply_format_find(rules.game, format_id) : NULL;
    if (!format || !format->read)
        return 0;
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make(text, size, &error);
    for (int games = 0; games < 8; games++) {
        ply_record record;
        bool found = false;
        FUZZ_CHECK(ply_record_init(&record, &rules) == PLY_OK);
        ply_status status = format->read(&cursor, &record, &found);
        FUZZ_CHECK(status == PLY_OK || error.message[0]);
        if (status == PLY_OK && found) {
            const ply_format *to;
            for (size_t i = 0; (to = ply_format_at(rules.game, i)) != NULL; i++) {
                ply_text out = ply_text_growing();
                if (to->write)
                    to->write(&record, &out, &error);
                ply_text_free(&out);
            }
        }
        ply_record_free(&record);
        if (status != PLY_OK || !found)
            break;
    }
    return 0;
}
