/* SPDX-License-Identifier: MIT */
/*
 * bits.h - bit tools for boards held in 64-bit words.
 *
 * Where the compiler is told that the machine has BMI2, pext and pdep are one instruction; the
 * portable bodies beside them are always compiled and are each other's test.
 */
#ifndef PLY_CORE_BITS_H
#define PLY_CORE_BITS_H

#include <stdint.h>

static inline int ply_popcount(uint64_t x)
{
    return __builtin_popcountll(x);
}

/* Index of the lowest set bit; x is not 0. */
static inline int ply_lowest(uint64_t x)
{
    return __builtin_ctzll(x);
}

/* Index of the highest set bit; x is not 0. */
static inline int ply_highest(uint64_t x)
{
    return 63 - __builtin_clzll(x);
}

static inline uint64_t ply_bit(int index)
{
    return (uint64_t)1 << index;
}

/* Gathers the bits of x that stand under mask into the low end. */
static inline uint64_t ply_pext_portable(uint64_t x, uint64_t mask)
{
    uint64_t result = 0;
    for (uint64_t place = 1; mask; mask &= mask - 1, place <<= 1)
        if (x & mask & -mask)
            result |= place;
    return result;
}

/* Spreads the low bits of x over the places of mask. */
static inline uint64_t ply_pdep_portable(uint64_t x, uint64_t mask)
{
    uint64_t result = 0;
    for (; mask; mask &= mask - 1, x >>= 1)
        if (x & 1)
            result |= mask & -mask;
    return result;
}

#if defined(__BMI2__)
#include <immintrin.h>
static inline uint64_t ply_pext(uint64_t x, uint64_t mask)
{
    return _pext_u64(x, mask);
}
static inline uint64_t ply_pdep(uint64_t x, uint64_t mask)
{
    return _pdep_u64(x, mask);
}
#else
static inline uint64_t ply_pext(uint64_t x, uint64_t mask)
{
    return ply_pext_portable(x, mask);
}
static inline uint64_t ply_pdep(uint64_t x, uint64_t mask)
{
    return ply_pdep_portable(x, mask);
}
#endif

/* Index of set bit number k, counted from the lowest; k is below the population count. */
static inline int ply_nth_bit(uint64_t x, int k)
{
#if defined(__BMI2__)
    return ply_lowest(ply_pdep(ply_bit(k), x));
#else
    while (k-- > 0)
        x &= x - 1;
    return ply_lowest(x);
#endif
}

#endif
