/* SPDX-License-Identifier: MIT */
/* planes.h - sets of bits as planes of bytes, for observations. Fast in files compiled per instruction
 * set; the same everywhere. */
#ifndef PLY_CORE_PLANES_H
#define PLY_CORE_PLANES_H

#include "core/device.h"
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* Byte i of out becomes bit i of the set: 0 or 1. Writes 64 bytes. */
PLY_HD void ply_planes_expand64(uint64_t set, uint8_t *out)
{
#if defined(__AVX512BW__)
    _mm512_storeu_si512(out, _mm512_maskz_set1_epi8(set, 1));
#elif defined(__AVX2__)
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201u);
    const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2,
                                            2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    for (int half = 0; half < 2; half++) {
        __m256i word = _mm256_set1_epi32((int)(uint32_t)(set >> 32 * half));
        __m256i has =
            _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(word, spread), bit), bit);
        _mm256_storeu_si256((__m256i *)(void *)(out + 32 * half),
                            _mm256_and_si256(has, _mm256_set1_epi8(1)));
    }
#else
    for (int i = 0; i < 64; i++)
        out[i] = set >> i & 1;
#endif
}

/* The same for the first `count` bits of an array of words; writes just count bytes. */
PLY_HD void ply_planes_expand(const uint64_t *words, size_t count, uint8_t *out)
{
    size_t i = 0;
    for (; i + 64 <= count; i += 64)
        ply_planes_expand64(words[i / 64], out + i);
    if (i < count) {
        uint8_t rest[64];
        ply_planes_expand64(words[i / 64], rest);
        memcpy(out + i, rest, count - i);
    }
}

/* Adds `count` bits at position `at` of an array of words in which they are 0; bits < 2^count,
 * count <= 64. */
PLY_HD void ply_planes_put(uint64_t *words, size_t at, uint64_t bits, unsigned count)
{
    unsigned shift = (unsigned)(at % 64);
    words[at / 64] |= bits << shift;
    if (shift + count > 64)
        words[at / 64 + 1] |= bits >> (64 - shift);
}

#endif
