/* SPDX-License-Identifier: MIT */
/*
 * fived_vec4.h - 5D chess: a vector (x, y, t, l) in one 32-bit word.
 *
 *      31          20 19           8 7      4 3      0
 *     |      l       |      t       |   y    |   x    |      default widths 4, 4, 12, 12
 *
 *      31      24 23      16 15       8 7        0
 *     |    l     |    t     |    y     |    x     |          the design note's widths 8, 8, 8, 8
 *
 * Each field is in two's complement. Addition, subtraction, scaling and comparison work on the whole
 * word and wrap within each field: the top bit of a field is added without its carry, so an overflow
 * never leaks into the next field.
 *
 *     (3, 1, 5, 0) + (-1, 1, 0, -1)          l            t          y    x
 *        a                              000000000000 000000000101  0001 0011
 *        b                              111111111111 000000000000  0001 1111
 *        a + b without the top bits     011111111111 000000000101  0010 1010
 *        xor the top bits that differ   111111111111 000000000101  0010 0010   = (2, 2, 5, -1)
 *
 * The widths are a setting of the build (fived_widths.h). x and y have 4 bits or more, because they
 * hold 0 to 7 and a sign; t and l have 6 to 16; the four add up to 32.
 *
 * Everything here is inline and usable from any thread. docs/design-notes.md relates it to the design
 * note.
 */
#ifndef PLYVERSE_FIVED_VEC4_H
#define PLYVERSE_FIVED_VEC4_H

#include <plyverse/fived_widths.h>
#include <plyverse/status.h>
#include <stdbool.h>
#include <stdint.h>

#if FIVED_X_BITS < 4 || FIVED_Y_BITS < 4
#error "x and y hold 0 to 7 and a sign: 4 bits or more each"
#endif
#if FIVED_T_BITS < 6 || FIVED_T_BITS > 16 || FIVED_L_BITS < 6 || FIVED_L_BITS > 16
#error "t and l have 6 to 16 bits each"
#endif
#if FIVED_X_BITS + FIVED_Y_BITS + FIVED_T_BITS + FIVED_L_BITS != 32
#error "the four fields of a vec4 add up to 32 bits"
#endif

enum {
    FIVED_X_SHIFT = 0,
    FIVED_Y_SHIFT = FIVED_X_BITS,
    FIVED_T_SHIFT = FIVED_Y_SHIFT + FIVED_Y_BITS,
    FIVED_L_SHIFT = FIVED_T_SHIFT + FIVED_T_BITS,
    /* The largest value of a field; the smallest is -max - 1. */
    FIVED_X_MAX = (1 << (FIVED_X_BITS - 1)) - 1,
    FIVED_Y_MAX = (1 << (FIVED_Y_BITS - 1)) - 1,
    FIVED_T_MAX = (1 << (FIVED_T_BITS - 1)) - 1,
    FIVED_L_MAX = (1 << (FIVED_L_BITS - 1)) - 1
};

/* The bits of a field; its top bit; the top bits of all four; x and y outside 0..7. */
#define FIVED_FIELD(bits, shift) ((uint32_t)(((uint64_t)1 << (bits)) - 1) << (shift))
#define FIVED_TOP(bits, shift) ((uint32_t)1 << ((bits)-1 + (shift)))
#define FIVED_TOPS                                                                     \
    (FIVED_TOP(FIVED_X_BITS, FIVED_X_SHIFT) | FIVED_TOP(FIVED_Y_BITS, FIVED_Y_SHIFT) | \
     FIVED_TOP(FIVED_T_BITS, FIVED_T_SHIFT) | FIVED_TOP(FIVED_L_BITS, FIVED_L_SHIFT))
#define FIVED_OFF_BOARD                                                 \
    (((FIVED_FIELD(FIVED_X_BITS, 0) & ~(uint32_t)7) << FIVED_X_SHIFT) | \
     ((FIVED_FIELD(FIVED_Y_BITS, 0) & ~(uint32_t)7) << FIVED_Y_SHIFT))

typedef struct fived_vec4 {
    uint32_t word;
} fived_vec4;

/* The vector with these coordinates, each truncated to its field. */
PLY_HD fived_vec4 fived_vec4_make(int x, int y, int t, int l)
{
    fived_vec4 a = {(((uint32_t)x << FIVED_X_SHIFT) & FIVED_FIELD(FIVED_X_BITS, FIVED_X_SHIFT)) |
                    (((uint32_t)y << FIVED_Y_SHIFT) & FIVED_FIELD(FIVED_Y_BITS, FIVED_Y_SHIFT)) |
                    (((uint32_t)t << FIVED_T_SHIFT) & FIVED_FIELD(FIVED_T_BITS, FIVED_T_SHIFT)) |
                    (((uint32_t)l << FIVED_L_SHIFT) & FIVED_FIELD(FIVED_L_BITS, FIVED_L_SHIFT))};
    return a;
}

/* The signed number in the field of that width and place. */
PLY_HD int fived_vec4_field(fived_vec4 a, int bits, int shift)
{
    return (int32_t)(a.word << (32 - bits - shift)) >> (32 - bits);
}

PLY_HD int fived_vec4_x(fived_vec4 a)
{
    return fived_vec4_field(a, FIVED_X_BITS, FIVED_X_SHIFT);
}

PLY_HD int fived_vec4_y(fived_vec4 a)
{
    return fived_vec4_field(a, FIVED_Y_BITS, FIVED_Y_SHIFT);
}

PLY_HD int fived_vec4_t(fived_vec4 a)
{
    return fived_vec4_field(a, FIVED_T_BITS, FIVED_T_SHIFT);
}

PLY_HD int fived_vec4_l(fived_vec4 a)
{
    return fived_vec4_field(a, FIVED_L_BITS, FIVED_L_SHIFT);
}

PLY_HD fived_vec4 fived_vec4_add(fived_vec4 a, fived_vec4 b)
{
    fived_vec4 sum = {((a.word & ~FIVED_TOPS) + (b.word & ~FIVED_TOPS)) ^
                      ((a.word ^ b.word) & FIVED_TOPS)};
    return sum;
}

PLY_HD fived_vec4 fived_vec4_sub(fived_vec4 a, fived_vec4 b)
{
    fived_vec4 difference = {((a.word | FIVED_TOPS) - (b.word & ~FIVED_TOPS)) ^
                             ((a.word ^ ~b.word) & FIVED_TOPS)};
    return difference;
}

/* k times a: each field is multiplied in place and truncated to its width. */
PLY_HD fived_vec4 fived_vec4_scale(fived_vec4 a, int k)
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

PLY_HD bool fived_vec4_equal(fived_vec4 a, fived_vec4 b)
{
    return a.word == b.word;
}

/* Orders vectors by l, then t, y and x: -1, 0 or 1. */
PLY_HD int fived_vec4_compare(fived_vec4 a, fived_vec4 b)
{
    uint32_t p = a.word ^ FIVED_TOPS, q = b.word ^ FIVED_TOPS; /* signed fields to unsigned ones */
    return (p > q) - (p < q);
}

/* Whether x and y are both from 0 to 7: one AND. */
PLY_HD bool fived_vec4_on_8x8(fived_vec4 a)
{
    return (a.word & FIVED_OFF_BOARD) == 0;
}

/* The square x + 8y of a vector with x and y from 0 to 7. */
PLY_HD int fived_vec4_square(fived_vec4 a)
{
    return (int)((a.word >> FIVED_X_SHIFT & 7) | (a.word >> FIVED_Y_SHIFT & 7) << 3);
}

/* Whether t and l are both 0: a step within a board. */
PLY_HD bool fived_vec4_within_board(fived_vec4 a)
{
    return a.word >> FIVED_T_SHIFT == 0;
}

#endif
