/* SPDX-License-Identifier: MIT */
/*
 * bits.h - bit operations for boards of up to 64 squares.
 *
 * Where the compiler may assume BMI2, pext and pdep are single instructions. The portable versions
 * are always compiled; the tests compare the two.
 */
#ifndef PLY_CORE_BITS_H
#define PLY_CORE_BITS_H

#include "core/device.h"

PLY_HD int ply_popcount(uint64_t x)
{
#ifdef __CUDA_ARCH__
    return __popcll(x);
#else
    return __builtin_popcountll(x);
#endif
}

/* Index of the lowest set bit; x is not 0. */
PLY_HD int ply_lowest(uint64_t x)
{
#ifdef __CUDA_ARCH__
    return __ffsll((long long)x) - 1;
#else
    return __builtin_ctzll(x);
#endif
}

/* Index of the highest set bit; x is not 0. */
PLY_HD int ply_highest(uint64_t x)
{
#ifdef __CUDA_ARCH__
    return 63 - __clzll((long long)x);
#else
    return 63 - __builtin_clzll(x);
#endif
}

PLY_HD uint64_t ply_bit(int index)
{
    return (uint64_t)1 << index;
}

/* The bits of a word in reverse order. */
PLY_HD uint64_t ply_reverse_bits(uint64_t x)
{
#ifdef __CUDA_ARCH__
    return __brevll(x);
#else
    x = __builtin_bswap64(x);
    x = (x & 0x0F0F0F0F0F0F0F0Fu) << 4 | (x >> 4 & 0x0F0F0F0F0F0F0F0Fu);
    x = (x & 0x3333333333333333u) << 2 | (x >> 2 & 0x3333333333333333u);
    return (x & 0x5555555555555555u) << 1 | (x >> 1 & 0x5555555555555555u);
#endif
}

/* The upper half of the product: a random word and a bound give a number below the bound. */
PLY_HD uint64_t ply_multiply_high(uint64_t a, uint64_t b)
{
#ifdef __CUDA_ARCH__
    return __umul64hi(a, b);
#else
    return (uint64_t)((unsigned __int128)a * b >> 64);
#endif
}

/* Whether two blocks of bytes are equal. */
PLY_HD bool ply_same_bytes(const void *a, const void *b, size_t bytes)
{
#ifdef __CUDA_ARCH__
    for (size_t i = 0; i < bytes; i++)
        if (((const unsigned char *)a)[i] != ((const unsigned char *)b)[i])
            return false;
    return true;
#else
    return memcmp(a, b, bytes) == 0;
#endif
}

/* Parallel bit extract: packs the bits of x selected by mask into the low bits. */
PLY_HD uint64_t ply_pext_portable(uint64_t x, uint64_t mask)
{
    uint64_t result = 0;
    for (uint64_t bit = 1; mask; mask &= mask - 1, bit <<= 1)
        if (x & mask & -mask)
            result |= bit;
    return result;
}

/* Parallel bit deposit: spreads the low bits of x over the bits set in mask. */
PLY_HD uint64_t ply_pdep_portable(uint64_t x, uint64_t mask)
{
    uint64_t result = 0;
    for (; mask; mask &= mask - 1, x >>= 1)
        if (x & 1)
            result |= mask & -mask;
    return result;
}

#if defined(__BMI2__)
#include <immintrin.h>
PLY_HD uint64_t ply_pext(uint64_t x, uint64_t mask)
{
    return _pext_u64(x, mask);
}
PLY_HD uint64_t ply_pdep(uint64_t x, uint64_t mask)
{
    return _pdep_u64(x, mask);
}
#else
PLY_HD uint64_t ply_pext(uint64_t x, uint64_t mask)
{
    return ply_pext_portable(x, mask);
}
PLY_HD uint64_t ply_pdep(uint64_t x, uint64_t mask)
{
    return ply_pdep_portable(x, mask);
}
#endif

/* Index of set bit number k, counting from the lowest; k is less than the number of bits set. */
PLY_HD int ply_nth_bit(uint64_t x, int k)
{
#if defined(__BMI2__)
    return ply_lowest(ply_pdep(ply_bit(k), x));
#elif defined(__CUDA_ARCH__)
    /* Halve the word that holds the bit; every thread of a warp takes the same steps. */
    int at = 0;
    for (int width = 32; width > 0; width >>= 1) {
        int below = __popcll(x & ((1ull << width) - 1));
        bool above = k >= below;
        k -= above ? below : 0;
        at += above ? width : 0;
        x = above ? x >> width : x & ((1ull << width) - 1);
    }
    return at;
#else
    while (k-- > 0)
        x &= x - 1;
    return ply_lowest(x);
#endif
}

/* The same for half a word. */
PLY_HD int ply_nth_bit32(uint32_t x, int k)
{
#if defined(__CUDA_ARCH__)
    int at = 0;
    for (int width = 16; width > 0; width >>= 1) {
        uint32_t low = x >> at & ((1u << width) - 1);
        int below = __popc(low);
        bool above = k >= below;
        k -= above ? below : 0;
        at += above ? width : 0;
    }
    return at;
#else
    return ply_nth_bit(x, k);
#endif
}

#endif
