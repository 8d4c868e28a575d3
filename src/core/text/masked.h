/* SPDX-License-Identifier: MIT */
/*
 * masked.h - text without the bytes that would end it early where it is written, such as a closing
 * brace in a comment.
 */
#ifndef PLY_CORE_TEXT_MASKED_H
#define PLY_CORE_TEXT_MASKED_H

#include <plyverse/text.h>
#include <string.h>

/* Appends text with each of the bytes in `masked` replaced. */
static inline void ply_text_masked(ply_text *out, const char *text, const char *masked,
                                   char replacement)
{
    for (; *text; text++)
        ply_text_char(out, strchr(masked, *text) ? replacement : *text);
}

/* Control characters and the space. */
#define PLY_BLANK_BYTES                                                                    \
    "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F\x10\x11\x12\x13\x14\x15" \
    "\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F "

#endif
