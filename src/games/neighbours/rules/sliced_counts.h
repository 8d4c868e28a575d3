/* SPDX-License-Identifier: MIT */
/*
 * sliced_counts.h - counts the moves of many positions, one bit of a vector per position. Part of
 * kernel_isa.c, which defines `lanes` and `tally`.
 *
 *     a board for each position          a slice for each square, here of 4 lanes
 *     position 0:  bits 0 to 35          square 0:  bit i of lane j belongs to position 4 i + j
 *     position 1:  bits 0 to 35          square 1
 *     ...                                ...
 *     position SLICED - 1                square 35
 *
 * Once boards have become slices, a step to the next square is another slice instead of a shift, no
 * step wraps around an edge, and every bit of a vector is used. The code is kept small: with all
 * loops over lines unrolled, perft was 7% slower (AMD EPYC, AVX2).
 */
enum {
    SLICED = 64 * LANES, /* positions counted together */
    WAYS = 220,          /* pairs of a square and a direction with another square there */
    WAYS_ROUNDED = 224,  /* the same in whole groups of eight, as tally_add wants them */
};

typedef struct sliced_board {
    lanes own[NEIGHBOURS_SQUARES], empty[NEIGHBOURS_SQUARES];
    lanes movers[NEIGHBOURS_REACH + 1][NEIGHBOURS_SQUARES];
} sliced_board;

/* Swaps the bits of a at mask << shift with those of b at mask. */
static inline __attribute__((always_inline)) void swap_bits(lanes *a, lanes *b, uint64_t mask,
                                                            int shift)
{
    lanes changed = ((*a >> shift) ^ *b) & mask;
    *b ^= changed;
    *a ^= changed << shift;
}

/*
 * Part of transposing square blocks of bits: rows 0, stride, 2 * stride, ... up to count of them
 * exchange groups of `stride` bits, so that group c of row r becomes group r of row c.
 */
static inline __attribute__((always_inline)) void transpose_rows(lanes *rows, const int stride,
                                                                 const int count)
{
    lanes row[8];
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
        row[i] = rows[i * stride];
#pragma GCC unroll 3
    for (int step = count / 2; step >= 1; step /= 2)
#pragma GCC unroll 8
        for (int i = 0; i < count; i++)
            if (!(i & step))
                swap_bits(&row[i], &row[i + step],
                          UINT64_MAX / ((UINT64_C(1) << step * stride) + 1), step * stride);
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
        rows[i * stride] = row[i];
}

static inline __attribute__((always_inline)) lanes load_row(const uint64_t *boards, int row)
{
    lanes result;
    memcpy(&result, boards + (size_t)LANES * (size_t)row, sizeof result);
    return result;
}

/* Boards to slices. The bits above 31 are few, so nibbles of eight boards share a row. */
static void slice_boards(const uint64_t *boards, lanes *slices)
{
    enum { HIGH = NEIGHBOURS_SQUARES - 32 };
    const uint64_t half = UINT32_MAX;
    lanes *high = slices + 32;
    for (int i = 0; i < HIGH; i++)
        high[i] = (lanes){0};
    for (int nibble = 0; nibble < 32; nibble += HIGH)
#pragma GCC unroll 4
        for (int i = 0; i < HIGH; i++) {
            lanes first = load_row(boards, nibble + i), second = load_row(boards, nibble + i + 32);
            slices[nibble + i] = (first & half) | second << 32;
            high[i] |= (first >> 32 | (second & ~half)) << nibble;
        }
    for (int row = 0; row < 8; row++)
        transpose_rows(slices + row, 8, 4);
    for (int row = 0; row < 32; row += 8)
        transpose_rows(slices + row, 1, 8);
    transpose_rows(high, 1, HIGH);
}

/* Adds a, b and c; returns the ones and sets what is carried. */
static inline __attribute__((always_inline)) lanes add_slices(lanes a, lanes b, lanes c,
                                                              lanes *carry)
{
    lanes partial = a ^ b;
    *carry = (a & b) | (partial & c);
    return partial ^ c;
}

/* The pieces on a square, on its left and on its right; and those on the left and right alone. */
typedef struct row_sum {
    lanes ones, twos, pair_ones, pair_twos;
} row_sum;

/* has_left, has_right: whether the board goes on there. */
static inline __attribute__((always_inline)) row_sum
add_row(const lanes *pieces, int square, const bool has_left, const bool has_right)
{
    lanes left = has_left ? pieces[square - 1] : (lanes){0};
    lanes right = has_right ? pieces[square + 1] : (lanes){0};
    row_sum sum = {.pair_ones = left ^ right, .pair_twos = left & right};
    sum.ones = add_slices(left, right, pieces[square], &sum.twos);
    return sum;
}

/* The same as split_movers on one file: who moves how far. */
static inline __attribute__((always_inline)) void
split_file(sliced_board *board, const lanes *pieces, int first, const bool left, const bool right)
{
    row_sum below = {0}, here = add_row(pieces, first, left, right);
    for (int square = first; square < NEIGHBOURS_SQUARES; square += NEIGHBOURS_SIDE) {
        row_sum above = {0};
        if (square + NEIGHBOURS_SIDE < NEIGHBOURS_SQUARES)
            above = add_row(pieces, square + NEIGHBOURS_SIDE, left, right);
        lanes carry, fours, more_fours;
        lanes ones = add_slices(below.ones, above.ones, here.pair_ones, &carry);
        lanes twos = add_slices(below.twos, above.twos, here.pair_twos, &fours);
        twos = add_slices(twos, carry, (lanes){0}, &more_fours);
        fours ^= more_fours;
        lanes small = board->own[square] & ~fours, large = board->own[square] & fours & ~twos;
        lanes odd = small & ones, even = small & ~ones;
        board->movers[1][square] = odd & ~twos;
        board->movers[2][square] = even & twos;
        board->movers[3][square] = odd & twos;
        board->movers[4][square] = large & ~ones;
        board->movers[5][square] = large & ones;
        below = here;
        here = above;
    }
}

static void split_slices(sliced_board *board, const lanes *pieces)
{
    split_file(board, pieces, 0, false, true);
    for (int file = 1; file < NEIGHBOURS_SIDE - 1; file++)
        split_file(board, pieces, file, true, true);
    split_file(board, pieces, NEIGHBOURS_SIDE - 1, true, false);
}

/* The moves along a line of squares in one direction, a slice for each square but the first.
 * Slide: going[n] are the pieces that arrive on a square with n steps to go, or start there. */
static inline __attribute__((always_inline)) lanes *
slide_along(const sliced_board *board, int square, int step, const int length, lanes *landed)
{
    lanes going[NEIGHBOURS_REACH + 1] = {{0}};
#pragma GCC unroll 5
    for (int n = 1; n < length; n++)
        going[n] = board->movers[n][square];
#pragma GCC unroll 5
    for (int left = length - 2; left >= 0; left--) {
        square += step;
        *landed++ = going[1] & ~board->own[square];
#pragma GCC unroll 5
        for (int n = 1; n <= left; n++)
            going[n] = (going[n + 1] & board->empty[square]) | board->movers[n][square];
    }
    return landed;
}

/* Jump: a piece has one distance only, so its moves exclude each other. */
static inline __attribute__((always_inline)) lanes *
jump_along(const sliced_board *board, int square, int step, const int length, lanes *landed)
{
#pragma GCC unroll 5
    for (int left = length - 1; left >= 1; left--, square += step) {
        lanes moves = {0};
#pragma GCC unroll 5
        for (int n = 1; n <= left; n++)
            moves |= board->movers[n][square] & ~board->own[square + n * step];
        *landed++ = moves;
    }
    return landed;
}

/* The same in both directions. */
static inline __attribute__((always_inline)) lanes *along(const sliced_board *board, int square,
                                                          int step, const int length, int path_rule,
                                                          lanes *landed)
{
#pragma GCC unroll 1
    for (int way = 0; way < 2; way++) {
        landed = path_rule == NEIGHBOURS_JUMP ? jump_along(board, square, step, length, landed)
                                              : slide_along(board, square, step, length, landed);
        square += (length - 1) * step;
        step = -step;
    }
    return landed;
}

/* The moves along all rows, columns and diagonals. */
static inline __attribute__((always_inline)) void move_all(const sliced_board *board, int path_rule,
                                                           lanes landed[WAYS])
{
    enum { SIDE = NEIGHBOURS_SIDE, UP = SIDE, UP_LEFT = SIDE - 1, UP_RIGHT = SIDE + 1 };
#pragma GCC unroll 1
    for (int i = 0; i < 2 * SIDE; i++)
        landed = along(board, i < SIDE ? i : SIDE * (i - SIDE), i < SIDE ? UP : 1, SIDE, path_rule,
                       landed);
#pragma GCC unroll 5
    for (int i = 0; i <= SIDE - 2; i++) {
        /* The diagonals of one length; of the longest there are two. */
        const int starts[4] = {i, SIDE - 1 - i, SIDE * i, SIDE * i + SIDE - 1};
        const int diagonals = i == 0 ? 2 : 4;
        for (int k = 0; k < diagonals; k++)
            landed = along(board, starts[k], k % 2 == 0 ? UP_RIGHT : UP_LEFT, SIDE - i, path_rule,
                           landed);
    }
}

/* Adds the moves of SLICED positions to the tally. */
static void count_sliced(tally *t, const uint64_t *current, const uint64_t *next, int path_rule)
{
    sliced_board board;
    lanes pieces[NEIGHBOURS_SQUARES], landed[WAYS_ROUNDED];
    slice_boards(current, board.own);
    slice_boards(next, pieces);
    for (int square = 0; square < NEIGHBOURS_SQUARES; square++) {
        pieces[square] |= board.own[square];
        board.empty[square] = ~pieces[square];
    }
    split_slices(&board, pieces);
    if (path_rule == NEIGHBOURS_JUMP)
        move_all(&board, NEIGHBOURS_JUMP, landed);
    else
        move_all(&board, NEIGHBOURS_SLIDE, landed);
    memset(landed + WAYS, 0, (WAYS_ROUNDED - WAYS) * sizeof landed[0]);
    for (int i = 0; i < WAYS_ROUNDED; i += 8)
        tally_add(t, landed + i);
}
