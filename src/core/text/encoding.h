/* SPDX-License-Identifier: MIT */
/* encoding.h - detecting UTF-8 and converting between UTF-8 and Shift_JIS (code page 932). */
#ifndef PLY_CORE_TEXT_ENCODING_H
#define PLY_CORE_TEXT_ENCODING_H

#include <plyverse/text.h>

/* Whether the bytes are valid UTF-8. The last character may be truncated. */
bool ply_encoding_is_utf8(const char *bytes, size_t length);
/* Append the converted text. Return false at the first character that cannot be converted; the text
 * before it has been appended. */
bool ply_encoding_from_shift_jis(const char *bytes, size_t length, ply_text *out);
bool ply_encoding_to_shift_jis(const char *bytes, size_t length, ply_text *out);

#endif
