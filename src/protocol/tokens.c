/* SPDX-License-Identifier: MIT */
/* tokens.c - splitting lines into tokens; see session_internal.h. */
#include "protocol/session_internal.h"
#include <string.h>
#include <strings.h>

bool ply_token_next(ply_cursor *cursor, protocol_token *word)
{
    ply_cursor_skip_space(cursor);
    word->length = ply_cursor_word(cursor, &word->text);
    return word->length > 0;
}

bool ply_token_is(protocol_token word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

bool ply_token_is_nocase(protocol_token word, const char *text)
{
    return strlen(text) == word.length && strncasecmp(word.text, text, word.length) == 0;
}

bool ply_token_number(protocol_token word, uint64_t limit, uint64_t *value)
{
    bool negative = word.length > 1 && word.text[0] == '-';
    ply_cursor cursor = ply_cursor_make(word.text + negative, word.length - negative, NULL);
    if (!ply_cursor_number(&cursor, limit, value) || !ply_cursor_done(&cursor))
        return false;
    if (negative)
        *value = 0;
    return true;
}

protocol_token ply_token_rest(const ply_cursor *cursor)
{
    ply_cursor at = *cursor;
    ply_cursor_skip_space(&at);
    return (protocol_token){at.text + at.at, at.length - at.at};
}

void ply_protocol_quote(ply_text *out, const char *bytes, size_t length)
{
    enum { LENGTH_LIMIT = 80 };
    for (size_t i = 0; i < length && i < LENGTH_LIMIT; i++)
        ply_text_char(out, bytes[i] >= ' ' && bytes[i] <= '~' ? bytes[i] : '?');
    if (length > LENGTH_LIMIT)
        ply_text_string(out, "...");
}
