/* SPDX-License-Identifier: MIT */
/* pdn_format.c - converts the text of PDN files to UTF-8; see pdn.h. */
#include "games/checkers/notation/pdn.h"

/* The length of the valid UTF-8 character at the start of the text, or 0. */
static size_t character_length(const unsigned char *text, size_t length)
{
    unsigned char c = text[0];
    size_t wanted = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : 4;
    if (c >= 0xF5 || (c >= 0x80 && c < 0xC2) || wanted > length)
        return 0;
    for (size_t i = 1; i < wanted; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    if ((c == 0xE0 && text[1] < 0xA0) || (c == 0xED && text[1] >= 0xA0) ||
        (c == 0xF0 && text[1] < 0x90) || (c == 0xF4 && text[1] >= 0x90))
        return 0;
    return wanted;
}

void checkers_append_utf8(ply_text *out, const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    bool valid = true;
    for (size_t i = 0, step; i < length && valid; i += step) {
        step = character_length(bytes + i, length - i);
        valid = step > 0;
        step = valid ? step : 1;
    }
    if (valid) {
        ply_text_bytes(out, text, length);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] >= 0x80)
            ply_text_char(out, (char)(0xC0 | bytes[i] >> 6));
        ply_text_char(out, (char)(bytes[i] >= 0x80 ? 0x80 | (bytes[i] & 0x3F) : bytes[i]));
    }
}
