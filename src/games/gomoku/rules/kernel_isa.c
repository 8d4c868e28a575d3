/* SPDX-License-Identifier: MIT */
/*
 * kernel_isa.c - play with the pattern totals updated, and plain playouts; compiled once per
 * instruction set.
 *
 * A stone changes four lines. Their words before and after fill the eight lanes of one vector; the
 * windows of all eight are found at once (windows.h), and the difference between the lanes after
 * and before is added to the totals. Nothing is stored per line, so undo only restores the totals.
 */
#include "games/gomoku/gomoku.h"
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

enum { LANES = 8 };
typedef uint64_t lanes __attribute__((vector_size(LANES * 8)));

#define T lanes
#define WINDOWS_SUFFIX _many
#include "games/gomoku/rules/windows.h"

#if !defined(__AVX512VPOPCNTDQ__)
/* Adds up the eight bytes of each lane. */
static inline __attribute__((always_inline)) lanes add_bytes(lanes bytes)
{
#if defined(__AVX2__)
    __m256i half[2];
    memcpy(half, &bytes, sizeof half);
    for (int i = 0; i < 2; i++)
        half[i] = _mm256_sad_epu8(half[i], _mm256_setzero_si256());
    memcpy(&bytes, half, sizeof half);
    return bytes;
#elif defined(__SSE2__)
    __m128i quarter[4];
    memcpy(quarter, &bytes, sizeof quarter);
    for (int i = 0; i < 4; i++)
        quarter[i] = _mm_sad_epu8(quarter[i], _mm_setzero_si128());
    memcpy(&bytes, quarter, sizeof quarter);
    return bytes;
#else
    bytes += bytes >> 8;
    bytes += bytes >> 16;
    bytes += bytes >> 32;
    return bytes & 0x3F;
#endif
}
#endif

/* The number of cells of each lane that have the colour's bit. */
static inline __attribute__((always_inline)) lanes count_cells(lanes words, const int colour)
{
#if defined(__AVX512VPOPCNTDQ__)
    return (lanes)_mm512_popcnt_epi64((__m512i)(words & (GOMOKU_X_BITS << colour)));
#else
    lanes cells = (words >> colour) & GOMOKU_X_BITS;
    cells = (cells + (cells >> 2)) & 0x3333333333333333u;
    cells = (cells + (cells >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return add_bytes(cells);
#endif
}

typedef struct tallies {
    lanes of[4]; /* the layout of gomoku_position.totals */
} tallies;

static inline __attribute__((always_inline)) void add_shape(tallies *t, lanes shape,
                                                            const int shapes, const int field)
{
    for (int colour = 0; colour < 2; colour++)
        t->of[2 * shapes + colour] += count_cells(shape, colour) << (16 * field);
}

static inline __attribute__((always_inline)) tallies tally(lanes line, lanes board, const int row)
{
    tallies t = {0};
    windows_many w = windows_of_many(line, board, row);
    lanes exact = w.fit & ~(line << 2) & ~(line >> (2 * row)), with[4] = {0};
#ifdef __OPTIMIZE__ /* otherwise gcc warns that it ignores this */
#pragma GCC unroll 4
#endif
    for (int missing = 0; missing < 4 && missing < row; missing++) {
        with[missing] = windows_with_many(&w, exact, row - missing);
        add_shape(&t, with[missing], 0, missing);
    }
    lanes threes = windows_paired_many(with[2], w.empty, row);
    lanes at_end = (w.empty >> 2) | (w.empty >> (2 * (row - 1)));
    add_shape(&t, windows_paired_many(with[1], w.empty, row), 1, 0);
    add_shape(&t, threes & at_end, 1, 1);
    add_shape(&t, threes & ~at_end, 1, 2);
    if (row > 3)
        add_shape(&t, windows_paired_many(with[3], w.empty, row), 1, 3);
    return t;
}

static inline __attribute__((always_inline)) void
play_row(const ply_rules *rules, gomoku_position *p, int cell, const int row)
{
    int width = gomoku_width(rules), height = gomoku_height(rules), colour = p->side;
    enum gomoku_rule rule = gomoku_rule_of(rules);
    gomoku_spot spot = gomoku_spot_of(width, height, cell);
    lanes words = {0}, board = {0};
    uint64_t rows = 0;
#pragma GCC unroll 4
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        uint64_t *line = &p->lines[spot.line[d]];
        uint64_t mask = gomoku_line_mask(gomoku_line_length(width, height, spot.line[d]));
        uint64_t before = *line, after = before | (uint64_t)1 << (spot.shift[d] + colour);
        *line = after;
        words[d] = before;
        words[d + 4] = after;
        board[d] = board[d + 4] = mask;
        rows |= gomoku_line_wins(after, colour, rule, row);
    }
    tallies t = tally(words, board, row);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        lanes sums = t.of[i];
        p->totals[i] +=
            sums[4] + sums[5] + sums[6] + sums[7] - sums[0] - sums[1] - sums[2] - sums[3];
    }
    if (rows)
        p->ended = (uint8_t)(GOMOKU_ROW_BLACK + colour);
    p->hash ^= gomoku_keys[colour][cell] ^ gomoku_state_key(1, p->passes, 0);
    p->passes = 0;
    p->stones++;
    p->side = (uint8_t)!colour;
}

static void play(const ply_rules *rules, gomoku_position *p, int cell, gomoku_undo_info *undo)
{
    memcpy(undo, p, sizeof *undo);
    switch (gomoku_row(rules)) {
    case 3:
        play_row(rules, p, cell, 3);
        break;
    case 4:
        play_row(rules, p, cell, 4);
        break;
    case 5:
        play_row(rules, p, cell, 5);
        break;
    default:
        play_row(rules, p, cell, 6);
        break;
    }
}

static inline __attribute__((always_inline)) void
count_row(int width, int height, const uint64_t *lines, uint64_t totals[4], const int row)
{
    int count = gomoku_line_count(width, height);
    memset(totals, 0, 4 * sizeof totals[0]);
    for (int i = 0; i < count; i += LANES) {
        lanes words = {0}, board = {0};
        for (int k = 0; k < LANES && i + k < count; k++) {
            words[k] = lines[i + k];
            board[k] = gomoku_line_mask(gomoku_line_length(width, height, i + k));
        }
        tallies t = tally(words, board, row);
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < LANES; k++)
                totals[j] += t.of[j][k];
    }
}

static void count(int width, int height, int row, const uint64_t *lines, uint64_t totals[4])
{
    switch (row) {
    case 3:
        count_row(width, height, lines, totals, 3);
        break;
    case 4:
        count_row(width, height, lines, totals, 4);
        break;
    case 5:
        count_row(width, height, lines, totals, 5);
        break;
    default:
        count_row(width, height, lines, totals, 6);
        break;
    }
}

/* --- playouts without passes or forbidden points --------------------------------------------- */
static size_t list_empty(const gomoku_position *p, int width, int height, uint16_t *cells)
{
    size_t count = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            cells[count] = (uint16_t)gomoku_cell(x, y);
            count += ((p->lines[y] >> (2 * x)) & 3) == 0;
        }
    return count;
}

static inline __attribute__((always_inline)) size_t
play_out(gomoku_position *p, int width, int height, ply_rng *rng, size_t max_plies,
         const enum gomoku_rule rule, const int row)
{
    uint16_t cells[GOMOKU_MAX_CELLS + 1];
    uint64_t left = list_empty(p, width, height, cells), hash = p->hash;
    uint64_t *columns = p->lines + height, *lefts = columns + width;
    uint64_t *rights = lefts + 2 * width + height - 2; /* of the cell x = 0, y = 0 */
    size_t plies = 0;
    int colour = p->side;
    ply_rng r = *rng;
    while (left > 0 && plies < max_plies) {
        uint32_t k = ply_rng_below(&r, (uint32_t)left);
        unsigned cell = cells[k], x = cell & 31, y = cell >> 5;
        cells[k] = cells[--left];
        uint64_t stone = (uint64_t)1 << colour;
        unsigned mirrored = (unsigned)width - 1 - x;
        uint64_t a = p->lines[y] |= stone << (2 * x);
        uint64_t b = columns[x] |= stone << (2 * y);
        uint64_t c = lefts[x + y] |= stone << (2 * (y < mirrored ? y : mirrored));
        uint64_t d = rights[(int)y - (int)x] |= stone << (2 * (y < x ? y : x));
        hash ^= gomoku_keys[colour][cell];
        plies++;
        uint64_t rows =
            gomoku_line_wins(a, colour, rule, row) | gomoku_line_wins(b, colour, rule, row) |
            gomoku_line_wins(c, colour, rule, row) | gomoku_line_wins(d, colour, rule, row);
        colour ^= 1;
        if (rows) {
            p->ended = (uint8_t)(GOMOKU_ROW_BLACK + !colour);
            break;
        }
    }
    *rng = r;
    if (plies > 0) {
        p->hash = hash ^ gomoku_state_key(p->side, p->passes, 0) ^ gomoku_state_key(colour, 0, 0);
        p->passes = 0;
        p->side = (uint8_t)colour;
        p->stones = (uint16_t)(p->stones + plies);
        count(width, height, row, p->lines, p->totals);
    }
    return plies;
}

static size_t playout(const ply_rules *rules, gomoku_position *p, ply_rng *rng, size_t max_plies)
{
    int width = gomoku_width(rules), height = gomoku_height(rules), row = gomoku_row(rules);
    enum gomoku_rule rule = gomoku_rule_of(rules);
    if (row == 5 && rule == GOMOKU_FREESTYLE)
        return play_out(p, width, height, rng, max_plies, GOMOKU_FREESTYLE, 5);
    if (row == 5 && rule == GOMOKU_STANDARD)
        return play_out(p, width, height, rng, max_plies, GOMOKU_STANDARD, 5);
    return play_out(p, width, height, rng, max_plies, rule, row);
}

extern const gomoku_kernels PLY_ISA(gomoku_kernels_of);
const gomoku_kernels PLY_ISA(gomoku_kernels_of) = {
    .play = play, .count = count, .playout = playout};
