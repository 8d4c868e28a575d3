/* SPDX-License-Identifier: MIT */
/*
 * rng.h - random numbers, the same on every machine.
 *
 * xoshiro256** seeded by SplitMix64 (both by Blackman and Vigna, public domain). A stream is
 * identified by a seed and a number, so game 17 of seed 4 is the same game on any number of
 * threads. A generator may be used by one thread at a time.
 */
#ifndef PLYVERSE_RNG_H
#define PLYVERSE_RNG_H

#include <plyverse/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ply_rng {
    uint64_t state[4];
} ply_rng;

/* The generator of stream number `stream` of `seed`. */
PLY_API ply_rng ply_rng_make(uint64_t seed, uint64_t stream);

PLY_HD uint64_t ply_rng_next(ply_rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t fives = s[1] * 5;
    uint64_t result = ((fives << 7) | (fives >> 57)) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/*
 * A uniformly distributed number from 0 to bound - 1; bound is at least 1. Lemire's method:
 * multiply the upper half by bound, and draw again in the rare biased case.
 */
PLY_HD uint32_t ply_rng_below(ply_rng *rng, uint32_t bound)
{
    uint64_t product = (ply_rng_next(rng) >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = (0u - bound) % bound;
        while ((uint32_t)product < threshold)
            product = (ply_rng_next(rng) >> 32) * bound;
    }
    return (uint32_t)(product >> 32);
}

#ifdef __cplusplus
}
#endif
#endif
