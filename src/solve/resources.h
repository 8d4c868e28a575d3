/* SPDX-License-Identifier: MIT */
/*
 * packed_counts.h - eight small numbers in a word, a byte each: what the attacker holds.
 *
 * Held amounts are below AMOUNT_ANY. In the bounds of a proof or disproof AMOUNT_ANY stands for "as
 * many as you like".
 */
#ifndef PLY_SOLVE_PACKED_COUNTS_H
#define PLY_SOLVE_PACKED_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

enum { AMOUNT_ANY = 127 };
#define AMOUNTS_ANY UINT64_C(0x7F7F7F7F7F7F7F7F)

/* Whether a has at least as much of everything as b. */
static inline bool amounts_cover(uint64_t a, uint64_t b)
{
    /* No byte is above 127, so a borrow shows in the bit kept high in each. */
    const uint64_t high = UINT64_C(0x8080808080808080);
    return (((a | high) - b) & high) == high;
}

static inline int amount_at(uint64_t a, int i)
{
    return (int)(a >> (8 * i)) & 0xFF;
}

static inline uint64_t amounts_max(uint64_t a, uint64_t b)
{
    uint64_t out = 0;
    for (int i = 0; i < 8; i++) {
        int x = amount_at(a, i), y = amount_at(b, i);
        out |= (uint64_t)(x > y ? x : y) << (8 * i);
    }
    return out;
}

static inline uint64_t amounts_min(uint64_t a, uint64_t b)
{
    uint64_t out = 0;
    for (int i = 0; i < 8; i++) {
        int x = amount_at(a, i), y = amount_at(b, i);
        out |= (uint64_t)(x < y ? x : y) << (8 * i);
    }
    return out;
}

/*
 * A bound that holds after a move, taken back to before it: the move changed what the attacker
 * holds from `before` to `after`.
 */
static inline uint64_t amounts_back(uint64_t bound, uint64_t before, uint64_t after)
{
    if (before == after)
        return bound;
    uint64_t out = 0;
    for (int i = 0; i < 8; i++) {
        int x = amount_at(bound, i);
        if (x != AMOUNT_ANY) {
            x += amount_at(before, i) - amount_at(after, i);
            x = x < 0 ? 0 : x;
        }
        out |= (uint64_t)x << (8 * i);
    }
    return out;
}

#endif
