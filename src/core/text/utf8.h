/* SPDX-License-Identifier: MIT */
/* utf8.h - encoding characters as UTF-8. */
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

#endif
