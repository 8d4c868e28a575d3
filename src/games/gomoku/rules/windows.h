/* SPDX-License-Identifier: MIT */
/*
 * windows.h - all windows of a line at once; included once for each type of word.
 *
 * T is uint64_t or a vector with one line per lane; WINDOWS_SUFFIX is appended to the names. If the
 * lanes have fewer than 64 bits, WINDOWS_X_BITS is the X bit of every cell in one. In a result, bit
 * 2i is about X and bit 2i+1 about O, for the window whose first cell is i. The stones in all
 * windows are counted by adding shifted copies of the line bit by bit, so the cost does not depend
 * on the stones.
 */
#ifndef WINDOWS_X_BITS
#define WINDOWS_X_BITS GOMOKU_X_BITS
#endif
#define WINDOWS_NAME2(name, suffix) name##suffix
#define WINDOWS_NAME1(name, suffix) WINDOWS_NAME2(name, suffix)
#define NAME(name) WINDOWS_NAME1(name, WINDOWS_SUFFIX)

typedef struct NAME(windows) {
    T empty;             /* both bits of each empty cell */
    T fit;               /* windows on the board without an enemy stone */
    T ones, twos, fours; /* the number of own stones in the window, in binary */
} NAME(windows);

PLY_HD __attribute__((always_inline)) T NAME(swap_colours)(T line)
{
    return ((line >> 1) & WINDOWS_X_BITS) | ((line & WINDOWS_X_BITS) << 1);
}

PLY_HD __attribute__((always_inline)) NAME(windows) NAME(windows_of)(T line, T board, const int row)
{
    NAME(windows) w;
    w.empty = ~(line | NAME(swap_colours)(line)) & board;
    T free = line | w.empty, pairs = free & (free >> 2);
    w.fit = row == 3   ? pairs & (free >> 4)
            : row == 4 ? pairs & (pairs >> 4)
            : row == 5 ? pairs & (pairs >> 4) & (free >> 8)
                       : pairs & (pairs >> 4) & (pairs >> 8);
    /* Two full adders for five cells, a third for the sixth. */
    T a = line, b = line >> 2, c = line >> 4;
    T sum = a ^ b ^ c, carry = (a & b) | (c & (a ^ b));
    const T none = {0};
    T d = row >= 4 ? line >> 6 : none, e = row >= 5 ? line >> 8 : none;
    T sum2 = sum ^ d ^ e, carry2 = (sum & d) | (e & (sum ^ d));
    T f = row >= 6 ? line >> 10 : none, carry3 = sum2 & f;
    w.ones = sum2 ^ f;
    w.twos = carry ^ carry2 ^ carry3;
    w.fours = (carry & carry2) | (carry3 & (carry ^ carry2));
    return w;
}

/* The windows among those given that have exactly `stones` own stones. */
PLY_HD __attribute__((always_inline)) T NAME(windows_with)(const NAME(windows) * w, T among,
                                                           const int stones)
{
    return among & (stones & 1 ? w->ones : ~w->ones) & (stones & 2 ? w->twos : ~w->twos) &
           (stones & 4 ? w->fours : ~w->fours);
}

/* Pairs of neighbouring windows that hold the same stones: both their outer cells are empty. */
PLY_HD __attribute__((always_inline)) T NAME(windows_paired)(T windows, T empty, const int row)
{
    return windows & (windows >> 2) & empty & (empty >> (2 * row));
}

#undef NAME
#undef WINDOWS_NAME1
#undef WINDOWS_NAME2
#undef WINDOWS_SUFFIX
#undef WINDOWS_X_BITS
#undef T
