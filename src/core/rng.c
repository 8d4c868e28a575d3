/* SPDX-License-Identifier: MIT */
/* rng.c - seeding random streams. */
#include "core/hash.h"
#include <plyverse/rng.h>

ply_rng ply_rng_make(uint64_t seed, uint64_t stream)
{
    /* Stream 0 uses the seeding that xoshiro's authors recommend; the others mix the seed first. */
    uint64_t state = stream == 0 ? seed : ply_mix64(seed + ply_mix64(stream));
    ply_rng rng;
    for (int i = 0; i < 4; i++)
        rng.state[i] = ply_splitmix64(&state);
    return rng;
}
