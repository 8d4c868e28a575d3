/* SPDX-License-Identifier: MIT */
/* pdn_tokens.c - the words of Portable Draughts Notation, as text; see pdn.h. */
#include "games/checkers/notation/pdn.h"

ply_status checkers_pdn_take_string(ply_cursor *cursor, ply_text *out)
{
    ply_cursor at_quote = *cursor;
    if (!ply_cursor_accept(cursor, '"'))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a quoted value");
    ply_text raw = ply_text_growing();
    for (;;) {
        int c = ply_cursor_take(cursor);
        if (c == '"')
            break;
        if (c < 0) {
            ply_text_free(&raw);
            return ply_cursor_fail(&at_quote, PLY_BAD_TEXT, "unterminated quoted value");
        }
        if (c == '\\' && ply_cursor_peek(cursor) == '"')
            c = ply_cursor_take(cursor);
        ply_text_char(&raw, (char)(c == '\n' || c == '\r' || c == '\0' ? ' ' : c));
    }
    checkers_append_utf8(out, ply_text_cstr(&raw), raw.failed ? 0 : raw.length);
    out->failed = out->failed || raw.failed;
    ply_text_free(&raw);
    return PLY_OK;
}

static bool is_annotation_byte(int c)
{
    return c == '!' || c == '?';
}

size_t checkers_pdn_annotation_length(const ply_cursor *cursor)
{
    const char *text = cursor->text + cursor->at;
    size_t length = cursor->length - cursor->at, i = length > 0 && text[0] == '(';
    size_t start = i;
    while (i < length && is_annotation_byte((unsigned char)text[i]))
        i++;
    if (i == start)
        return 0;
    if (start == 0)
        return i;
    return i < length && text[i] == ')' ? i + 1 : 0;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

size_t checkers_pdn_take_move(ply_cursor *cursor, char *buffer, size_t size)
{
    size_t length = 0;
    for (;;) {
        while (length < size &&
               (is_digit(ply_cursor_peek(cursor)) ||
                (ply_cursor_peek(cursor) >= 'a' && ply_cursor_peek(cursor) <= 'h')))
            buffer[length++] = (char)ply_cursor_take(cursor);
        if (length == 0 || length == size)
            return 0;
        ply_cursor ahead = *cursor;
        ply_cursor_accept(&ahead, ' ');
        int separator = ply_cursor_take(&ahead);
        if (separator != '-' && separator != 'x' && separator != 'X' && separator != ':')
            return length;
        ply_cursor_accept(&ahead, ' ');
        int next = ply_cursor_peek(&ahead);
        if (!is_digit(next) && !(next >= 'a' && next <= 'h'))
            return length;
        buffer[length++] = (char)separator;
        *cursor = ahead;
    }
}
