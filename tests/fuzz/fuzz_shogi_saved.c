/* SPDX-License-Identifier: MIT */
/*
 * fuzz_shogi_saved.c - 80 bytes as a saved position, and any other number of bytes as the text of
 * one. Bytes and text agree, errors are within the text, and on a position that loads, all
 * representations and all ways of counting agree.
 */
#include "fuzz/fuzz.h"
#include "games/shogi/shogi.h"
#include <stdio.h>

enum { PREFIX = 3, TEXT_LENGTH = PREFIX + 2 * SHOGI_SAVED_BYTES };

/* The bytes as text must load as the same position, or fail at the same byte. */
static void check_text_of(const uint8_t *data, ply_status status, const shogi_position *p,
                          const ply_error *expected)
{
    char text[TEXT_LENGTH + 1] = "80:";
    ply_error error = {0};
    shogi_position parsed;
    for (int i = 0; i < SHOGI_SAVED_BYTES; i++)
        snprintf(text + PREFIX + 2 * i, 3, i % 2 ? "%02x" : "%02X", data[i]);
    ply_cursor cursor = ply_cursor_make(text, TEXT_LENGTH, &error);
    FUZZ_CHECK(shogi_parse(NULL, &parsed, &cursor) == status);
    if (status == PLY_OK) {
        FUZZ_CHECK(memcmp(&parsed, p, sizeof parsed) == 0 && ply_cursor_done(&cursor));
    } else {
        FUZZ_CHECK(error.line == 1 && error.column == PREFIX + 1 + 2 * expected->offset);
        FUZZ_CHECK(strcmp(error.message, expected->message) == 0);
    }
}

/* Text after "80:". What parses is what the position is written as, but for the case of digits. */
static void check_any_text(const uint8_t *data, size_t size)
{
    char *text = malloc(PREFIX + size);
    ply_error error = {0};
    shogi_position p;
    FUZZ_CHECK(text != NULL);
    memcpy(text, "80:", PREFIX);
    if (size)
        memcpy(text + PREFIX, data, size);
    ply_cursor cursor = ply_cursor_make(text, PREFIX + size, &error);
    if (shogi_parse(NULL, &p, &cursor) == PLY_OK)
        FUZZ_CHECK(cursor.at == TEXT_LENGTH);
    else
        FUZZ_CHECK(error.message[0] && error.line >= 1 && error.offset >= PREFIX &&
                   error.offset <= PREFIX + size && error.offset <= TEXT_LENGTH);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shogi_position p, again;
    uint8_t bytes[SHOGI_SAVED_BYTES];
    ply_error error = {0};
    check_any_text(data, size);
    if (size != SHOGI_SAVED_BYTES)
        return 0;
    ply_status status = shogi_load(data, &p, &error);
    check_text_of(data, status, &p, &error);
    if (status != PLY_OK) {
        FUZZ_CHECK(error.message[0] && error.offset < SHOGI_SAVED_BYTES);
        return 0;
    }
    shogi_save(&p, bytes);
    FUZZ_CHECK(shogi_load(bytes, &again, NULL) == PLY_OK);
    FUZZ_CHECK(memcmp(&p, &again, sizeof p) == 0);
    ply_move moves[SHOGI_MAX_MOVES];
    size_t count = shogi_moves_of_mode(&p, SHOGI_STANDARD, moves);
    FUZZ_CHECK(count == shogi_count(NULL, &p));
    uint64_t replies = 0;
    for (size_t i = 0; i < count; i++) {
        shogi_undo_info undo;
        shogi_play(NULL, &p, moves[i], &undo);
        FUZZ_CHECK(!shogi_in_check(&p, !p.side));
        replies += shogi_count(NULL, &p);
        shogi_undo(NULL, &p, moves[i], &undo);
    }
    FUZZ_CHECK(memcmp(&p, &again, sizeof p) == 0);
    FUZZ_CHECK(count == 0 || shogi_perft(NULL, &p, 2, 0) == replies);
    return 0;
}
