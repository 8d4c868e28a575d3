/* SPDX-License-Identifier: MIT */
/* tokens.c - taking lines apart. */
#include "protocol/session_internal.h"
#include <string.h>
#include <strings.h>

bool ply_protocol_next(ply_cursor *cursor, protocol_word *word)
{
    ply_cursor_skip_space(cursor);
    word->length = ply_cursor_word(cursor, &word->text);
    return word->length > 0;
}

bool ply_protocol_is(protocol_word word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

bool ply_protocol_is_any_case(protocol_word word, const char *text)
{
    return strlen(text) == word.length && strncasecmp(word.text, text, word.length) == 0;
}

bool ply_protocol_number(protocol_word word, uint64_t limit, uint64_t *value)
{
    bool negative = word.length > 1 && word.text[0] == '-';
    ply_cursor cursor = ply_cursor_make(word.text + negative, word.length - negative, NULL);
    if (!ply_cursor_number(&cursor, limit, value) || !ply_cursor_done(&cursor))
        return false;
    if (negative)
        *value = 0;
    return true;
}

protocol_word ply_protocol_rest(const ply_cursor *cursor)
{
    ply_cursor at = *cursor;
    ply_cursor_skip_space(&at);
    return (protocol_word){at.text + at.at, at.length - at.at};
}

void ply_protocol_quote(ply_text *out, const char *bytes, size_t length)
{
    enum { MOST = 80 };
    for (size_t i = 0; i < length && i < MOST; i++)
        ply_text_char(out, bytes[i] >= ' ' && bytes[i] <= '~' ? bytes[i] : '?');
    if (length > MOST)
        ply_text_string(out, "...");
}
