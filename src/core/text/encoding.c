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

/* Whether the bytes are valid EUC-JP; the last character may be truncated. */
static bool is_euc_jp(const char *bytes, size_t length)
{
    enum { SINGLE_SHIFT_2 = 0x8E, SINGLE_SHIFT_3 = 0x8F, FIRST = 0xA1, LAST = 0xFE };
    const unsigned char *b = (const unsigned char *)bytes;
    for (size_t i = 0; i < length;) {
        unsigned char c = b[i++];
        if (c < 0x80)
            continue;
        if (c != SINGLE_SHIFT_2 && c != SINGLE_SHIFT_3 && (c < FIRST || c > LAST))
            return false;
        for (int rest = c == SINGLE_SHIFT_3 ? 2 : 1; rest > 0 && i < length; rest--, i++)
            if (b[i] < FIRST || b[i] > LAST)
                return false;
    }
    return true;
}

ply_encoding ply_encoding_detect(const char *bytes, size_t length)
{
    if (ply_encoding_is_utf8(bytes, length))
        return PLY_ENCODING_UTF8;
    return is_euc_jp(bytes, length) ? PLY_ENCODING_EUC_JP : PLY_ENCODING_SHIFT_JIS;
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

bool ply_encoding_from_euc_jp(const char *bytes, size_t length, ply_text *out)
{
    return convert("UTF-8", "EUC-JP", bytes, length, out);
}

bool ply_encoding_to_shift_jis(const char *bytes, size_t length, ply_text *out)
{
    return convert("CP932", "UTF-8", bytes, length, out);
}
