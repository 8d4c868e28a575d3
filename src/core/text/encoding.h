/* SPDX-License-Identifier: MIT */
/* encoding.h - detecting and converting the encodings of Japanese text: UTF-8, Shift_JIS (code page
 * 932) and EUC-JP. */
#ifndef PLY_CORE_TEXT_ENCODING_H
#define PLY_CORE_TEXT_ENCODING_H

#include <plyverse/text.h>

/* Whether the bytes are valid UTF-8. The last character may be truncated. */
bool ply_encoding_is_utf8(const char *bytes, size_t length);
typedef enum ply_encoding {
    PLY_ENCODING_UTF8,
    PLY_ENCODING_SHIFT_JIS,
    PLY_ENCODING_EUC_JP,
} ply_encoding;

/*
 * Guesses the encoding. Shift_JIS is the guess for everything that is neither UTF-8 nor EUC-JP.
 * Japanese text in Shift_JIS has bytes that EUC-JP has not, so the order of the tests matters.
 */
ply_encoding ply_encoding_detect(const char *bytes, size_t length);
/* Append the converted text. Return false at the first character that cannot be converted; the text
 * before it has been appended. */
bool ply_encoding_from_shift_jis(const char *bytes, size_t length, ply_text *out);
bool ply_encoding_from_euc_jp(const char *bytes, size_t length, ply_text *out);
bool ply_encoding_to_shift_jis(const char *bytes, size_t length, ply_text *out);

#endif
