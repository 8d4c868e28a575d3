/* SPDX-License-Identifier: MIT */
/*
 * vec4.h - a vector (x, y, t, l) in one 32-bit word.
 *
 *      31          20 19           8 7      4 3      0
 *     |      l       |      t       |   y    |   x    |      default widths 4, 4, 12, 12
 *
 * Each field is in two's complement. The widths can be changed at build time: x and y need more
 * than 3 bits each, and the four widths add up to 32. Addition, subtraction, scaling and comparison
 * work on the whole word and wrap within each field: the top bit of a field is added without its
 * carry, so an overflow never leaks into the next field.
 *
 * A move is two such vectors in 64 bits. Coordinates of squares are 0..7, so the top bits of x and
 * y are free in both: they hold the kind of piece that a pawn promotes to.
 */
#ifndef PLY_GAMES_FIVED_RULES_VEC4_H
#define PLY_GAMES_FIVED_RULES_VEC4_H

#include <stdbool.h>
#include <stdint.h>

#ifndef FIVED_X_BITS
#define FIVED_X_BITS 4
#define FIVED_Y_BITS 4
#define FIVED_T_BITS 12
#define FIVED_L_BITS 12
#endif

_Static_assert(FIVED_X_BITS > 3 && FIVED_Y_BITS > 3, "x and y hold 0..7 and a sign");
_Static_assert(FIVED_X_BITS + FIVED_Y_BITS + FIVED_T_BITS + FIVED_L_BITS == 32, "one word");

enum {
    FIVED_X_SHIFT = 0,
    FIVED_Y_SHIFT = FIVED_X_BITS,
    FIVED_T_SHIFT = FIVED_Y_SHIFT + FIVED_Y_BITS,
    FIVED_L_SHIFT = FIVED_T_SHIFT + FIVED_T_BITS,
    /* The largest value of a field. */
    FIVED_T_MAX = (1 << (FIVED_T_BITS - 1)) - 1,
    FIVED_L_MAX = (1 << (FIVED_L_BITS - 1)) - 1,
};

#define FIVED_FIELD(bits, shift) ((uint32_t)(((uint64_t)1 << (bits)) - 1) << (shift))
#define FIVED_TOP(bits, shift) ((uint32_t)1 << ((bits)-1 + (shift)))
#define FIVED_TOPS                                                                     \
    (FIVED_TOP(FIVED_X_BITS, FIVED_X_SHIFT) | FIVED_TOP(FIVED_Y_BITS, FIVED_Y_SHIFT) | \
     FIVED_TOP(FIVED_T_BITS, FIVED_T_SHIFT) | FIVED_TOP(FIVED_L_BITS, FIVED_L_SHIFT))

typedef struct fived_vec4 {
    uint32_t word;
} fived_vec4;

static inline fived_vec4 fived_vec4_make(int x, int y, int t, int l)
{
    fived_vec4 a = {(((uint32_t)x << FIVED_X_SHIFT) & FIVED_FIELD(FIVED_X_BITS, FIVED_X_SHIFT)) |
                    (((uint32_t)y << FIVED_Y_SHIFT) & FIVED_FIELD(FIVED_Y_BITS, FIVED_Y_SHIFT)) |
                    (((uint32_t)t << FIVED_T_SHIFT) & FIVED_FIELD(FIVED_T_BITS, FIVED_T_SHIFT)) |
                    (((uint32_t)l << FIVED_L_SHIFT) & FIVED_FIELD(FIVED_L_BITS, FIVED_L_SHIFT))};
    return a;
}

static inline int fived_vec4_field(fived_vec4 a, int bits, int shift)
{
    return (int32_t)(a.word << (32 - bits - shift)) >> (32 - bits);
}

static inline int fived_vec4_x(fived_vec4 a)
{
    return fived_vec4_field(a, FIVED_X_BITS, FIVED_X_SHIFT);
}

static inline int fived_vec4_y(fived_vec4 a)
{
    return fived_vec4_field(a, FIVED_Y_BITS, FIVED_Y_SHIFT);
}

static inline int fived_vec4_t(fived_vec4 a)
{
    return fived_vec4_field(a, FIVED_T_BITS, FIVED_T_SHIFT);
}

static inline int fived_vec4_l(fived_vec4 a)
{
    return fived_vec4_field(a, FIVED_L_BITS, FIVED_L_SHIFT);
}

static inline fived_vec4 fived_vec4_add(fived_vec4 a, fived_vec4 b)
{
    fived_vec4 sum = {((a.word & ~FIVED_TOPS) + (b.word & ~FIVED_TOPS)) ^
                      ((a.word ^ b.word) & FIVED_TOPS)};
    return sum;
}

static inline fived_vec4 fived_vec4_sub(fived_vec4 a, fived_vec4 b)
{
    fived_vec4 difference = {((a.word | FIVED_TOPS) - (b.word & ~FIVED_TOPS)) ^
                             ((a.word ^ ~b.word) & FIVED_TOPS)};
    return difference;
}

/* k times a: each field is multiplied in place and truncated to its width. */
static inline fived_vec4 fived_vec4_scale(fived_vec4 a, int k)
{
    const uint32_t x = FIVED_FIELD(FIVED_X_BITS, FIVED_X_SHIFT);
    const uint32_t y = FIVED_FIELD(FIVED_Y_BITS, FIVED_Y_SHIFT);
    const uint32_t t = FIVED_FIELD(FIVED_T_BITS, FIVED_T_SHIFT);
    const uint32_t l = FIVED_FIELD(FIVED_L_BITS, FIVED_L_SHIFT);
    uint32_t times = (uint32_t)k;
    fived_vec4 product = {(((a.word & x) * times) & x) | (((a.word & y) * times) & y) |
                          (((a.word & t) * times) & t) | (((a.word & l) * times) & l)};
    return product;
}

static inline bool fived_vec4_equal(fived_vec4 a, fived_vec4 b)
{
    return a.word == b.word;
}

/* Orders vectors by l, then t, y and x: -1, 0 or 1. */
static inline int fived_vec4_compare(fived_vec4 a, fived_vec4 b)
{
    uint32_t p = a.word ^ FIVED_TOPS, q = b.word ^ FIVED_TOPS; /* signed fields to unsigned ones */
    return (p > q) - (p < q);
}

#endif
