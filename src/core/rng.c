/* SPDX-License-Identifier: MIT */
/* rng.c - seeding of the random streams. */
#include "core/hash.h"
#include <plyverse/rng.h>

ply_rng ply_rng_make(uint64_t seed, uint64_t stream)
{
    /* Stream 0 of a seed is xoshiro's own seeding; others start from a mixed seed. */
    uint64_t state = stream == 0 ? seed : ply_mix64(seed + ply_mix64(stream));
    ply_rng rng;
    for (int i = 0; i < 4; i++)
        rng.state[i] = ply_splitmix64(&state);
    return rng;
}
