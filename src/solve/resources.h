/* SPDX-License-Identifier: MIT */
/*
 * resources.h - the attacker's resources: eight counts packed into a word, one per byte.
 *
 * Counts are below RESOURCE_ANY. In the bound of a win or a failure, RESOURCE_ANY means "any
 * number". More resources are never worse for the attacker; see ply_goal.dominance_key.
 */
#ifndef PLY_SOLVE_RESOURCES_H
#define PLY_SOLVE_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>

enum { RESOURCE_ANY = 127 };
#define RESOURCES_ANY UINT64_C(0x7F7F7F7F7F7F7F7F)

/* Whether every count of a is at least that of b. */
static inline bool resources_cover(uint64_t a, uint64_t b)
{
    /* No count exceeds 127, so a borrow clears the high bit that was set in each byte. */
    const uint64_t high = UINT64_C(0x8080808080808080);
    return (((a | high) - b) & high) == high;
}

static inline int resource_at(uint64_t a, int i)
{
    return (int)(a >> (8 * i)) & 0xFF;
}

/* The larger of the two counts in every byte. */
static inline uint64_t resources_max(uint64_t a, uint64_t b)
{
    uint64_t out = 0;
    for (int i = 0; i < 8; i++) {
        int x = resource_at(a, i), y = resource_at(b, i);
        out |= (uint64_t)(x > y ? x : y) << (8 * i);
    }
    return out;
}

/* The smaller of the two counts in every byte. */
static inline uint64_t resources_min(uint64_t a, uint64_t b)
{
    uint64_t out = 0;
    for (int i = 0; i < 8; i++) {
        int x = resource_at(a, i), y = resource_at(b, i);
        out |= (uint64_t)(x < y ? x : y) << (8 * i);
    }
    return out;
}

/*
 * Converts a bound that holds after a move into one that holds before it. The move changed the
 * attacker's resources from `before` to `after`.
 */
static inline uint64_t resources_before_move(uint64_t bound, uint64_t before, uint64_t after)
{
    if (before == after)
        return bound;
    uint64_t out = 0;
    for (int i = 0; i < 8; i++) {
        int x = resource_at(bound, i);
        if (x != RESOURCE_ANY) {
            x += resource_at(before, i) - resource_at(after, i);
            x = x < 0 ? 0 : x;
        }
        out |= (uint64_t)x << (8 * i);
    }
    return out;
}

#endif
