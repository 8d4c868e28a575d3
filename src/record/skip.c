/* SPDX-License-Identifier: MIT */
/* skip.c - finds the next game of a text without reading the one before it. */
#include "record/formats.h"

void ply_record_skip_line(ply_cursor *cursor)
{
    ply_cursor_skip_space(cursor);
    while (!ply_cursor_done(cursor) && ply_cursor_take(cursor) != '\n')
        continue;
}

void ply_record_skip_tagged(ply_cursor *cursor)
{
    bool has_moves = false, in_comment = false;
    for (;;) {
        ply_cursor_skip_space(cursor); /* to the first character of a line */
        bool is_tag = ply_cursor_peek(cursor) == '[' && !in_comment;
        if (ply_cursor_done(cursor) || (is_tag && has_moves))
            return;
        has_moves |= !is_tag;
        for (int c = 0; !ply_cursor_done(cursor) && c != '\n';) {
            c = ply_cursor_take(cursor);
            if (!is_tag && (c == '{' || c == '}'))
                in_comment = c == '{';
        }
    }
}

void ply_record_skip_to_word(ply_cursor *cursor, const char *word)
{
    for (;;) {
        ply_record_skip_line(cursor);
        ply_cursor_skip_space(cursor);
        ply_cursor ahead = *cursor;
        if (ply_cursor_done(cursor) || ply_cursor_accept_word(&ahead, word))
            return;
    }
}
