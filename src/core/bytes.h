/* SPDX-License-Identifier: MIT */
/* bytes.h - numbers in files: little-endian, at any address, on any machine. */
#ifndef PLY_CORE_BYTES_H
#define PLY_CORE_BYTES_H

#include <stdint.h>

static inline uint32_t ply_get32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t ply_get64(const unsigned char *p)
{
    return ply_get32(p) | (uint64_t)ply_get32(p + 4) << 32;
}

static inline void ply_put32(unsigned char *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(value >> (8 * i));
}

static inline void ply_put64(unsigned char *p, uint64_t value)
{
    ply_put32(p, (uint32_t)value);
    ply_put32(p + 4, (uint32_t)(value >> 32));
}

#endif
