/* SPDX-License-Identifier: MIT */
/* json_write.c - see json_write.h. The last character written tells whether a comma is due. */
#include "core/text/json_write.h"
#include "core/text/utf8.h"
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

void ply_json_bytes(ply_text *out, const char *bytes, size_t length)
{
    comma(out);
    ply_text_char(out, '"');
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)bytes[i];
        size_t width = ply_utf8_length(bytes + i, length - i);
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
