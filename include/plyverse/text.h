/* SPDX-License-Identifier: MIT */
/*
 * text.h - text going out (ply_text) and text coming in (ply_cursor).
 *
 * ply_text appends to a buffer of the caller's (cut at its end, but the full length is still
 * counted, as snprintf does) or to one that grows. ply_cursor walks text of a known length and
 * knows line and column, so that every error can say where. Columns count characters of UTF-8.
 */
#ifndef PLYVERSE_TEXT_H
#define PLYVERSE_TEXT_H

#include <plyverse/status.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ply_text {
    char *data;      /* always NUL-terminated when capacity > 0 */
    size_t capacity; /* bytes at data, the NUL included */
    size_t length;   /* what the text would have without a limit */
    bool grows;      /* data is on the heap and made larger as needed */
    bool failed;     /* memory ran out while growing; the text is cut */
} ply_text;

/* A text in the caller's buffer; capacity 0 only measures. */
PLY_API ply_text ply_text_fixed(char *buffer, size_t capacity);
/* An empty text on the heap; give it back with ply_text_free. */
PLY_API ply_text ply_text_growing(void);
PLY_API void ply_text_free(ply_text *text);
PLY_API void ply_text_clear(ply_text *text);
PLY_API void ply_text_char(ply_text *text, char c);
PLY_API void ply_text_bytes(ply_text *text, const char *bytes, size_t length);
PLY_API void ply_text_string(ply_text *text, const char *string);
PLY_API void ply_text_format(ply_text *text, const char *format, ...) PLY_PRINTF(2, 3);
/* The text as a C string, "" when there is no buffer. Valid until the text changes. */
PLY_API const char *ply_text_cstr(const ply_text *text);
/* True when everything appended is really there. */
PLY_API bool ply_text_complete(const ply_text *text);

typedef struct ply_cursor {
    const char *text;
    size_t length;
    size_t at;        /* bytes read */
    uint32_t line;    /* of the next byte, from 1 */
    uint32_t column;  /* of the next byte, from 1 */
    ply_error *error; /* where ply_cursor_fail writes; may be NULL */
} ply_cursor;

PLY_API ply_cursor ply_cursor_make(const char *text, size_t length, ply_error *error);
/* The next byte, or -1 at the end. */
PLY_API int ply_cursor_peek(const ply_cursor *cursor);
/* The next byte, read; -1 at the end. */
PLY_API int ply_cursor_take(ply_cursor *cursor);
PLY_API bool ply_cursor_done(const ply_cursor *cursor);
/* Reads c if it is next. */
PLY_API bool ply_cursor_accept(ply_cursor *cursor, char c);
/* Reads word if it is next, to the letter. */
PLY_API bool ply_cursor_accept_word(ply_cursor *cursor, const char *word);
/* Skips blanks, tabs and line ends; returns how many bytes. */
PLY_API size_t ply_cursor_skip_space(ply_cursor *cursor);
/* Reads a run of bytes that are not white space; *word points into the text. May be empty. */
PLY_API size_t ply_cursor_word(ply_cursor *cursor, const char **word);
/* Reads decimal digits. False, with nothing read, if there is none or the value passes limit. */
PLY_API bool ply_cursor_number(ply_cursor *cursor, uint64_t limit, uint64_t *value);
/* Records an error at the cursor's place and returns status. */
PLY_API ply_status ply_cursor_fail(ply_cursor *cursor, ply_status status, const char *format, ...)
    PLY_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
#endif
