/* SPDX-License-Identifier: MIT */
/* cursor.c - parsing untrusted text; see text.h. */
#include "core/text/printable.h"
#include <plyverse/text.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ply_cursor ply_cursor_make(const char *text, size_t length, ply_error *error)
{
    return (ply_cursor){.text = text, .length = length, .line = 1, .column = 1, .error = error};
}

int ply_cursor_peek(const ply_cursor *cursor)
{
    return cursor->at < cursor->length ? (unsigned char)cursor->text[cursor->at] : -1;
}

int ply_cursor_take(ply_cursor *cursor)
{
    int c = ply_cursor_peek(cursor);
    if (c < 0)
        return c;
    cursor->at++;
    if (c == '\n') {
        cursor->line++;
        cursor->column = 1;
    } else if ((ply_cursor_peek(cursor) & 0xC0) != 0x80) {
        /* A byte 10xxxxxx continues a UTF-8 character: only the last one advances the column. */
        cursor->column++;
    }
    return c;
}

bool ply_cursor_done(const ply_cursor *cursor)
{
    return cursor->at >= cursor->length;
}

bool ply_cursor_accept(ply_cursor *cursor, char c)
{
    if (ply_cursor_peek(cursor) != (unsigned char)c)
        return false;
    ply_cursor_take(cursor);
    return true;
}

bool ply_cursor_accept_word(ply_cursor *cursor, const char *word)
{
    size_t length = strlen(word);
    if (cursor->length - cursor->at < length ||
        memcmp(cursor->text + cursor->at, word, length) != 0)
        return false;
    while (length-- > 0)
        ply_cursor_take(cursor);
    return true;
}

static bool is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

size_t ply_cursor_skip_space(ply_cursor *cursor)
{
    size_t before = cursor->at;
    while (is_space(ply_cursor_peek(cursor)))
        ply_cursor_take(cursor);
    return cursor->at - before;
}

size_t ply_cursor_word(ply_cursor *cursor, const char **word)
{
    size_t before = cursor->at;
    *word = cursor->text + before;
    while (!ply_cursor_done(cursor) && !is_space(ply_cursor_peek(cursor)))
        ply_cursor_take(cursor);
    return cursor->at - before;
}

bool ply_cursor_number(ply_cursor *cursor, uint64_t limit, uint64_t *value)
{
    ply_cursor ahead = *cursor;
    uint64_t number = 0;
    int c = ply_cursor_peek(&ahead);
    if (c < '0' || c > '9')
        return false;
    for (; c >= '0' && c <= '9'; c = ply_cursor_peek(&ahead)) {
        uint64_t digit = (uint64_t)(c - '0');
        if (digit > limit || number > (limit - digit) / 10)
            return false;
        number = number * 10 + digit;
        ply_cursor_take(&ahead);
    }
    *cursor = ahead;
    *value = number;
    return true;
}

ply_status(ply_cursor_fail)(ply_cursor *cursor, ply_status status, const char *format, ...)
{
    ply_error *error = cursor->error;
    if (error) {
        *error = (ply_error){
            .status = status, .line = cursor->line, .column = cursor->column, .offset = cursor->at};
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        ply_mask_controls(error->message, strlen(error->message), "");
    }
    return status;
}
