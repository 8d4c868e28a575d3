/* SPDX-License-Identifier: MIT */
/* encoding.c - text encodings, converted by iconv; see encoding.h. */
#include "core/text/encoding.h"
#include <iconv.h>

bool ply_encoding_is_utf8(const char *bytes, size_t length)
{
    const unsigned char *b = (const unsigned char *)bytes;
    for (size_t i = 0; i < length;) {
        unsigned char c = b[i++];
        if (c < 0x80)
            continue;
        size_t continuation = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
        if (c < 0xC2 || c > 0xF4)
            return false;
        for (; continuation > 0; continuation--) {
            if (i == length)
                return true; /* truncated within a character: valid so far */
            if ((b[i++] & 0xC0) != 0x80)
                return false;
        }
    }
    return true;
}

static bool convert(const char *to, const char *from, const char *bytes, size_t length,
                    ply_text *out)
{
    iconv_t converter = iconv_open(to, from);
    if (converter == (iconv_t)-1)
        return false;
    char *in = (char *)(uintptr_t)bytes; /* iconv does not write to its input */
    bool ok = true;
    while (ok && length > 0) {
        char buffer[512], *end = buffer;
        size_t room = sizeof buffer, before = length;
        size_t result = iconv(converter, &in, &length, &end, &room);
        ply_text_bytes(out, buffer, (size_t)(end - buffer));
        /* A full buffer is not an error if it made progress. */
        ok = result != (size_t)-1 || (end > buffer && length < before && room < 8);
    }
    iconv_close(converter);
    return ok;
}

bool ply_encoding_from_shift_jis(const char *bytes, size_t length, ply_text *out)
{
    return convert("UTF-8", "CP932", bytes, length, out);
}

bool ply_encoding_to_shift_jis(const char *bytes, size_t length, ply_text *out)
{
    return convert("CP932", "UTF-8", bytes, length, out);
}
