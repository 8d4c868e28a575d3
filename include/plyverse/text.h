/* SPDX-License-Identifier: MIT */
/*
 * text.h - writing text (ply_text) and parsing it (ply_cursor).
 *
 * A ply_text appends either to a fixed buffer that the caller provides or to a growing one on the
 * heap. A fixed buffer truncates but keeps counting the full length, as snprintf does. A growing one
 * that runs out of memory keeps what it has and ignores the rest. A ply_cursor reads text of a
 * known length and tracks line and column, so that every error can give its location. Columns count
 * UTF-8 characters.
 *
 * Appending to NULL, or appending NULL, does nothing. Functions that take a cursor trust it.
 *
 * Thread safety: a text or cursor is used by one thread at a time; different ones are independent.
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
    size_t capacity; /* bytes at data, including the NUL */
    size_t length;   /* of the text; in a fixed buffer, without truncation */
    bool grows;      /* data is on the heap and grows as needed */
    bool failed;     /* memory ran out while growing; the text is incomplete */
} ply_text;

/* An empty text in the caller's buffer. With capacity 0 it only measures. */
PLY_API ply_text ply_text_fixed(char *buffer, size_t capacity);
/* An empty text on the heap; release it with ply_text_free. */
PLY_API ply_text ply_text_growing(void);
/* Frees the buffer of a growing text, which is then empty; a fixed one is left alone. */
PLY_API void ply_text_free(ply_text *text);
/* Makes the text empty and keeps its buffer. */
PLY_API void ply_text_clear(ply_text *text);
/* Append to the text. Bytes, strings and arguments are copied. */
PLY_API void ply_text_char(ply_text *text, char c);
PLY_API void ply_text_bytes(ply_text *text, const char *bytes, size_t length);
PLY_API void ply_text_string(ply_text *text, const char *string);
PLY_API void ply_text_format(ply_text *text, const char *format, ...) PLY_PRINTF(2, 3);
/* The text as a C string; "" when there is no buffer. Valid until the text changes. */
PLY_API const char *ply_text_cstr(const ply_text *text);
/* Whether nothing was truncated or lost. */
PLY_API bool ply_text_complete(const ply_text *text);

typedef struct ply_cursor {
    const char *text;
    size_t length;
    size_t at;        /* offset of the next byte */
    uint32_t line;    /* of the next byte, from 1 */
    uint32_t column;  /* of the next byte, from 1 */
    ply_error *error; /* filled by ply_cursor_fail; may be NULL */
} ply_cursor;

/* A cursor at the start of a text, which stays the caller's and must outlive it, as must error. */
PLY_API ply_cursor ply_cursor_make(const char *text, size_t length, ply_error *error);
/* The next byte without consuming it, or -1 at the end. */
PLY_API int ply_cursor_peek(const ply_cursor *cursor);
/* Consumes and returns the next byte; -1 at the end. */
PLY_API int ply_cursor_take(ply_cursor *cursor);
/* Whether the cursor is at the end. */
PLY_API bool ply_cursor_done(const ply_cursor *cursor);
/* Consumes c if it is next. */
PLY_API bool ply_cursor_accept(ply_cursor *cursor, char c);
/* Consumes word if it is next; case-sensitive. */
PLY_API bool ply_cursor_accept_word(ply_cursor *cursor, const char *word);
/* Skips white space, including line ends; returns the number of bytes skipped. */
PLY_API size_t ply_cursor_skip_space(ply_cursor *cursor);
/* Reads up to the next white space. *word points into the text; returns its length, maybe 0. */
PLY_API size_t ply_cursor_word(ply_cursor *cursor, const char **word);
/* Reads decimal digits. If there are none or the value exceeds limit, returns false and consumes
 * nothing. */
PLY_API bool ply_cursor_number(ply_cursor *cursor, uint64_t limit, uint64_t *value);
/* Fills cursor->error with the cursor's location and the message. Returns status. */
PLY_API ply_status ply_cursor_fail(ply_cursor *cursor, ply_status status, const char *format, ...)
    PLY_PRINTF(3, 4);
#ifdef __clang_analyzer__
#define ply_cursor_fail(cursor, status, ...) \
    ((void)(ply_cursor_fail)(cursor, status, __VA_ARGS__), (status))
#endif

#ifdef __cplusplus
}
#endif
#endif
