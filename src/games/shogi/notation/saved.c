/* SPDX-License-Identifier: MIT */
/*
 * saved.c - the 80-byte save of a position as text: "80:" and 160 hexadecimal digits.
 *
 *     80:5c04...  one position; also the record format shogi80, one position per line
 */
#include "games/shogi/notation/record_reader.h"

static const char prefix[] = "80:";

bool shogi_is_saved(const ply_cursor *cursor)
{
    ply_cursor ahead = *cursor;
    return ply_cursor_accept_word(&ahead, prefix);
}

static int digit_value(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

ply_status shogi_parse_saved(shogi_position *p, ply_cursor *cursor)
{
    uint8_t bytes[SHOGI_SAVED_BYTES];
    ply_error fault = {0};
    if (!ply_cursor_accept_word(cursor, prefix))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected '%s'", prefix);
    ply_cursor at_fault = *cursor;
    for (int i = 0; i < 2 * SHOGI_SAVED_BYTES; i++) {
        int value = digit_value(ply_cursor_peek(cursor));
        if (value < 0)
            return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                                   "expected hexadecimal digit %d of %d of a saved position", i + 1,
                                   2 * SHOGI_SAVED_BYTES);
        ply_cursor_take(cursor);
        bytes[i / 2] = (uint8_t)(i % 2 ? bytes[i / 2] | value : value << 4);
    }
    if (shogi_load(bytes, p, &fault) == PLY_OK)
        return PLY_OK;
    for (size_t i = 0; i < 2 * fault.offset; i++)
        ply_cursor_take(&at_fault);
    return ply_cursor_fail(&at_fault, fault.status, "%s", fault.message);
}

void shogi_format_saved(const shogi_position *p, ply_text *out)
{
    uint8_t bytes[SHOGI_SAVED_BYTES];
    shogi_save(p, bytes);
    ply_text_string(out, prefix);
    for (int i = 0; i < SHOGI_SAVED_BYTES; i++)
        ply_text_format(out, "%02x", bytes[i]);
}
