/* SPDX-License-Identifier: MIT */
/* utf8.h - encoding characters as UTF-8, checking and repairing them. */
#ifndef PLY_CORE_TEXT_UTF8_H
#define PLY_CORE_TEXT_UTF8_H

#include <plyverse/text.h>

/* Appends the character with that code point, at most 0x10FFFF. */
static inline void ply_utf8_append(ply_text *out, uint32_t code_point)
{
    if (code_point < 0x80) {
        ply_text_char(out, (char)code_point);
    } else if (code_point < 0x800) {
        ply_text_char(out, (char)(0xC0 | code_point >> 6));
        ply_text_char(out, (char)(0x80 | (code_point & 0x3F)));
    } else if (code_point < 0x10000) {
        ply_text_char(out, (char)(0xE0 | code_point >> 12));
        ply_text_char(out, (char)(0x80 | (code_point >> 6 & 0x3F)));
        ply_text_char(out, (char)(0x80 | (code_point & 0x3F)));
    } else {
        ply_text_char(out, (char)(0xF0 | code_point >> 18));
        ply_text_char(out, (char)(0x80 | (code_point >> 12 & 0x3F)));
        ply_text_char(out, (char)(0x80 | (code_point >> 6 & 0x3F)));
        ply_text_char(out, (char)(0x80 | (code_point & 0x3F)));
    }
}

/* The length of the UTF-8 character at bytes, or 0 if it is malformed or truncated. */
static inline size_t ply_utf8_length(const char *text, size_t left)
{
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char first = bytes[0];
    size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (length == 0 || first > 0xF4 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
    if ((first == 0xE0 && bytes[1] < 0xA0) || (first == 0xED && bytes[1] > 0x9F) ||
        (first == 0xF0 && bytes[1] < 0x90) || (first == 0xF4 && bytes[1] > 0x8F))
        return 0;
    return length;
}

static inline bool ply_utf8_is_valid(const char *text, size_t length)
{
    for (size_t i = 0, width; i < length; i += width)
        if ((width = ply_utf8_length(text + i, length - i)) == 0)
            return false;
    return true;
}

/* Appends the text with the replacement character (U+FFFD) for each byte that is malformed. */
static inline void ply_utf8_append_repaired(ply_text *out, const char *text, size_t length)
{
    size_t valid = 0; /* where the characters not yet appended begin */
    for (size_t i = 0, width; i < length; i += width) {
        width = ply_utf8_length(text + i, length - i);
        if (width > 0)
            continue;
        ply_text_bytes(out, text + valid, i - valid);
        ply_utf8_append(out, 0xFFFD);
        width = 1;
        valid = i + 1;
    }
    ply_text_bytes(out, text + valid, length - valid);
}

#endif
