/* SPDX-License-Identifier: MIT */
/* formats.h - the record formats available for every game, and skipping games (skip.c). */
#ifndef PLY_RECORD_FORMATS_H
#define PLY_RECORD_FORMATS_H

#include <plyverse/record.h>

extern const ply_format ply_format_ply;  /* plain text, read and written */
extern const ply_format ply_format_json; /* for other programs; write-only */

/* Implementations of ply_format.skip. For formats with one game per line: */
void ply_record_skip_line(ply_cursor *cursor);
/* For formats in which tags in brackets, each at the beginning of a line, precede the moves. Braces
 * enclose comments. */
void ply_record_skip_tagged(ply_cursor *cursor);
/* Skips lines up to the next one, but not the first, that begins with a word. */
void ply_record_skip_to_word(ply_cursor *cursor, const char *word);

#endif
