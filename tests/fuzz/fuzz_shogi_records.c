/* SPDX-License-Identifier: MIT */
/*
 * fuzz_shogi_records.c - game records in every format. The first byte selects the format. A record
 * that can be read is written in every format and, where the format preserves everything, read
 * again.
 */
#include "fuzz/fuzz.h"
#include "games/shogi/notation/record_reader.h"

/* The length of the main variation. */
static size_t count_plies(const ply_record *record)
{
    size_t plies = 0;
    for (uint32_t n = record->nodes[0].child; n; n = record->nodes[n].child)
        plies++;
    return plies;
}

/* Text that we wrote ourselves must be readable, as a game of the same length. */
static void read_again(const ply_format *format, const ply_text *text, const ply_rules *rules,
                       size_t plies)
{
    ply_record record;
    ply_error error = {0};
    bool found = false;
    FUZZ_CHECK(ply_record_init(&record, rules) == PLY_OK);
    ply_cursor cursor = ply_cursor_make(ply_text_cstr(text), text->length, &error);
    FUZZ_CHECK(format->read(&cursor, &record, &found) == PLY_OK);
    FUZZ_CHECK(found && count_plies(&record) == plies);
    ply_record_free(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ply_rules rules;
    ply_error error = {0};
    FUZZ_CHECK(ply_rules_make(&rules, ply_game_find("shogi"), NULL, NULL) == PLY_OK);
    if (size == 0)
        return 0;
    const ply_format *format = &shogi_formats[data[0] % SHOGI_FORMATS];
    ply_cursor cursor = ply_cursor_make((const char *)data + 1, size - 1, &error);
    for (int games = 0; games < 4; games++) {
        ply_record record;
        bool found = false;
        FUZZ_CHECK(ply_record_init(&record, &rules) == PLY_OK);
        ply_status status = format->read(&cursor, &record, &found);
        FUZZ_CHECK(status == PLY_OK || (error.message[0] && error.line > 0));
        for (size_t i = 0; status == PLY_OK && found && i < SHOGI_FORMATS; i++) {
            ply_text out = ply_text_growing();
            const ply_format *to = &shogi_formats[i];
            ply_status written = to->write(&record, &out, &error);
            /*
             * In other formats, tags and comments may contain text that looks like something else;
             * these two quote everything.
             */
            bool safe = to->write == shogi_kifu_write_usi || to->write == shogi_kifu_write_jkf;
            if (safe) {
                FUZZ_CHECK(written == PLY_OK);
                read_again(to, &out, &rules, count_plies(&record));
            }
            ply_text_free(&out);
        }
        ply_record_free(&record);
        if (status != PLY_OK || !found)
            break;
    }
    return 0;
}
