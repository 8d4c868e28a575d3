/* SPDX-License-Identifier: MIT */
/*
 * varint.h - variable-length integers (LEB128).
 *
 * Seven bits per byte, the lowest first; the high bit is set in every byte but the last.
 */
#ifndef PLY_CORE_TEXT_VARINT_H
#define PLY_CORE_TEXT_VARINT_H

#include <stddef.h>
#include <stdint.h>

enum { PLY_VARINT_BYTES = 10 }; /* the longest encoding of 64 bits */

/* Encodes a value; returns the number of bytes. */
static inline size_t ply_varint_encode(uint64_t value, uint8_t out[PLY_VARINT_BYTES])
{
    size_t count = 0;
    for (; value >= 128; value >>= 7)
        out[count++] = (uint8_t)(value | 128);
    out[count++] = (uint8_t)value;
    return count;
}

#endif
