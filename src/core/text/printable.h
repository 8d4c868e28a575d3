/* SPDX-License-Identifier: MIT */
/*
 * printable.h - text that is safe to show on a terminal.
 *
 * Records and requests come from strangers. A control character in them could move the cursor or
 * worse, so it is masked before the text is shown.
 */
#ifndef PLY_CORE_TEXT_PRINTABLE_H
#define PLY_CORE_TEXT_PRINTABLE_H

#include <stddef.h>
#include <string.h>

/* Replaces every control character of a UTF-8 text by question marks, one per byte, except the
 * bytes in `keep`. */
static inline void ply_mask_controls(char *bytes, size_t length, const char *keep)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)bytes[i];
        unsigned char next = i + 1 < length ? (unsigned char)bytes[i + 1] : 0;
        if (c == 0xC2 && next >= 0x80 && next < 0xA0) /* U+0080 to U+009F */
            bytes[i] = bytes[i + 1] = '?';
        else if ((c < 0x20 || c == 0x7F) && (c == 0 || !strchr(keep, c)))
            bytes[i] = '?';
    }
}

#endif
