/* SPDX-License-Identifier: MIT */
/* json_write.c - see json_write.h. The last character written tells whether a comma is due. */
#include "core/text/json_write.h"
#include <inttypes.h>
#include <string.h>

static void comma(ply_text *out)
{
    if (out->length == 0 || out->length >= out->capacity)
        return;
    char last = out->data[out->length - 1];
    if (last != '{' && last != '[' && last != ':' && last != ',' && last != '\n')
        ply_text_char(out, ',');
}

void ply_json_open(ply_text *out, char bracket)
{
    comma(out);
    ply_text_char(out, bracket);
}

void ply_json_close(ply_text *out, char bracket)
{
    ply_text_char(out, bracket);
}

/* The length of the UTF-8 character at bytes, or 0 if it is malformed. */
static size_t utf8_length(const unsigned char *bytes, size_t left)
{
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

void ply_json_bytes(ply_text *out, const char *bytes, size_t length)
{
    comma(out);
    ply_text_char(out, '"');
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)bytes[i];
        size_t width = utf8_length((const unsigned char *)bytes + i, length - i);
        if (width == 0)
            ply_text_string(out, "\\ufffd"); /* the replacement character for a malformed byte */
        else if (c == '"' || c == '\\')
            ply_text_format(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7F)
            ply_text_format(out, "\\u%04x", c);
        else if (width == 2 && c == 0xC2 && (unsigned char)bytes[i + 1] < 0xA0)
            ply_text_format(out, "\\u%04x", (unsigned char)bytes[i + 1]);
        else
            ply_text_bytes(out, bytes + i, width);
        i += width ? width : 1;
    }
    ply_text_char(out, '"');
}

void ply_json_string(ply_text *out, const char *string)
{
    ply_json_bytes(out, string, strlen(string));
}

void ply_json_name(ply_text *out, const char *name)
{
    ply_json_string(out, name);
    ply_text_char(out, ':');
}

void ply_json_unsigned(ply_text *out, uint64_t number)
{
    comma(out);
    ply_text_format(out, number > (uint64_t)1 << 53 ? "\"%" PRIu64 "\"" : "%" PRIu64, number);
}

void ply_json_signed(ply_text *out, int64_t number)
{
    comma(out);
    ply_text_format(out, "%" PRId64, number);
}

void ply_json_real(ply_text *out, double number)
{
    comma(out);
    ply_text_format(out, "%.6g", number);
}

void ply_json_bool(ply_text *out, bool value)
{
    comma(out);
    ply_text_string(out, value ? "true" : "false");
}

void ply_json_null(ply_text *out)
{
    comma(out);
    ply_text_string(out, "null");
}

void ply_json_member_string(ply_text *out, const char *name, const char *value)
{
    ply_json_name(out, name);
    ply_json_string(out, value);
}

void ply_json_member_unsigned(ply_text *out, const char *name, uint64_t value)
{
    ply_json_name(out, name);
    ply_json_unsigned(out, value);
}

void ply_json_member_signed(ply_text *out, const char *name, int64_t value)
{
    ply_json_name(out, name);
    ply_json_signed(out, value);
}

void ply_json_member_bool(ply_text *out, const char *name, bool value)
{
    ply_json_name(out, name);
    ply_json_bool(out, value);
}
