/* SPDX-License-Identifier: MIT */
/*
 * bits.h - bit operations for boards of up to 64 squares.
 *
 * Where the compiler may assume BMI2, pext and pdep are single instructions. The portable versions
 * are always compiled; the tests compare the two.
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

/* Parallel bit extract: packs the bits of x selected by mask into the low bits. */
static inline uint64_t ply_pext_portable(uint64_t x, uint64_t mask)
{
    uint64_t result = 0;
    for (uint64_t bit = 1; mask; mask &= mask - 1, bit <<= 1)
        if (x & mask & -mask)
            result |= bit;
    return result;
}

/* Parallel bit deposit: spreads the low bits of x over the bits set in mask. */
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

/* Index of set bit number k, counting from the lowest; k is less than the number of bits set. */
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
