/* SPDX-License-Identifier: MIT */
/* xml.c - text in XML; see xml.h. */
#include "core/text/xml.h"

void ply_xml_escape(ply_text *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
        case '<':
            ply_text_string(out, "&lt;");
            break;
        case '>':
            ply_text_string(out, "&gt;");
            break;
        case '&':
            ply_text_string(out, "&amp;");
            break;
        case '"':
            ply_text_string(out, "&quot;");
            break;
        default:
            ply_text_char(out, text[i]);
            break;
        }
    }
}
