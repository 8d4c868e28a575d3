/* SPDX-License-Identifier: MIT */
/* encoding.c - UTF-8 and Shift_JIS, as code page 932 has it; libc's iconv does the work. */
#include "games/shogi/notation/record_reader.h"
#include <iconv.h>
#include <string.h>

bool ply_encoding_is_utf8(const char *bytes, size_t length)
{
    const unsigned char *b = (const unsigned char *)bytes;
    for (size_t i = 0; i < length;) {
        unsigned char c = b[i++];
        if (c < 0x80)
            continue;
        size_t more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
        if (c < 0xC2 || c > 0xF4)
            return false;
        for (; more > 0; more--) {
            if (i == length)
                return true; /* cut off in the middle of a character: so far so good */
            if ((b[i++] & 0xC0) != 0x80)
                return false;
        }
    }
    return true;
}

static bool convert(const char *to, const char *from, const char *bytes, size_t length,
                    ply_text *out)
{
    iconv_t how = iconv_open(to, from);
    if (how == (iconv_t)-1)
        return false;
    char *in = (char *)(uintptr_t)bytes; /* iconv does not write there */
    bool good = true;
    while (good && length > 0) {
        char piece[512], *at = piece;
        size_t room = sizeof piece, before = length;
        size_t result = iconv(how, &in, &length, &at, &room);
        ply_text_bytes(out, piece, (size_t)(at - piece));
        good = result != (size_t)-1 || (at > piece && length < before && room < 8);
    }
    iconv_close(how);
    return good;
}

bool ply_encoding_from_shift_jis(const char *bytes, size_t length, ply_text *out)
{
    return convert("UTF-8", "CP932", bytes, length, out);
}

bool ply_encoding_to_shift_jis(const char *bytes, size_t length, ply_text *out)
{
    return convert("CP932", "UTF-8", bytes, length, out);
}
