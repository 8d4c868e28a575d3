/* SPDX-License-Identifier: MIT */
/*
 * kernel_isa.c - move counting and perft; compiled once for each instruction set.
 *
 * Perft spends nearly all its time in the last ply, so leaves are not visited one by one. The
 * positions above them are collected, and their moves are counted together: hundreds at a time, one
 * position per bit of the machine's vectors (sliced_counts.h), and the rest one position per lane.
 */
#include "games/neighbours/neighbours.h"
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define T uint64_t
#define SLICES_SUFFIX _one
#include "games/neighbours/rules/neighbour_counts.h"

#if defined(__AVX512F__)
enum { LANES = 8 };
#elif defined(__AVX2__)
enum { LANES = 4 };
#else
enum { LANES = 2 };
#endif
typedef uint64_t lanes __attribute__((vector_size(LANES * 8)));

#define T lanes
#define SLICES_SUFFIX _many
#include "games/neighbours/rules/neighbour_counts.h"

static inline __attribute__((always_inline)) bool any_lane(lanes b)
{
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)b, (__m512i)b) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)b, (__m256i)b);
#else
    return (b[0] | b[1]) != 0;
#endif
}

/* The population count of each lane. */
static inline __attribute__((always_inline)) lanes popcount_lanes(lanes boards)
{
#if defined(__AVX512VPOPCNTDQ__)
    return (lanes)_mm512_popcnt_epi64((__m512i)boards);
#elif defined(__AVX2__)
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                           2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    lanes low = boards & 0x0F0F0F0F0F0F0F0Fu, high = (boards >> 4) & 0x0F0F0F0F0F0F0F0Fu;
    lanes bytes = (lanes)_mm256_shuffle_epi8(table, (__m256i)low) +
                  (lanes)_mm256_shuffle_epi8(table, (__m256i)high);
    return (lanes)_mm256_sad_epu8((__m256i)bytes, _mm256_setzero_si256());
#else
    boards -= (boards >> 1) & 0x5555555555555555u;
    boards = (boards & 0x3333333333333333u) + ((boards >> 2) & 0x3333333333333333u);
    boards = (boards + (boards >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
#if defined(__SSE2__)
    return (lanes)_mm_sad_epu8((__m128i)boards, _mm_setzero_si128());
#else
    boards += boards >> 8;
    boards += boards >> 16;
    return (boards + (boards >> 32)) & 0xFFu;
#endif
#endif
}

/*
 * The number of bits in many boards. Where the machine has no instruction that counts the bits of
 * lanes, the boards are added bit by bit into ones, twos and fours, and only the eights are counted.
 */
typedef struct tally {
    lanes ones, twos, fours, counted;
} tally;

#if !defined(__AVX512VPOPCNTDQ__)
/* Adds a and b to *sum; returns what is carried. */
static inline __attribute__((always_inline)) lanes carry_save(lanes *sum, lanes a, lanes b)
{
    lanes partial = *sum ^ a, carry = (*sum & a) | (partial & b);
    *sum = partial ^ b;
    return carry;
}
#endif

static inline __attribute__((always_inline)) void tally_add(tally *t, const lanes boards[8])
{
#if defined(__AVX512VPOPCNTDQ__)
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        t->counted += popcount_lanes(boards[i]);
#else
    lanes twos[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        twos[i] = carry_save(&t->ones, boards[2 * i], boards[2 * i + 1]);
    lanes fours = carry_save(&t->twos, twos[0], twos[1]);
    lanes eights = carry_save(&t->fours, fours, carry_save(&t->twos, twos[2], twos[3]));
    t->counted += popcount_lanes(eights);
#endif
}

static uint64_t tally_total(const tally *t)
{
#if defined(__AVX512VPOPCNTDQ__)
    lanes sums = t->counted;
#else
    lanes sums = 8 * t->counted + 4 * popcount_lanes(t->fours) + 2 * popcount_lanes(t->twos) +
                 popcount_lanes(t->ones);
#endif
    uint64_t total = 0;
    for (int i = 0; i < LANES; i++)
        total += sums[i];
    return total;
}

/* reach: no piece moves farther. */
static inline __attribute__((always_inline)) void slide_up_to(tally *t, lanes own, lanes pieces,
                                                              const lanes *movers, const int reach)
{
    lanes landed[NEIGHBOURS_DIRECTIONS];
#pragma GCC unroll 8
    for (int d = 0; d < NEIGHBOURS_DIRECTIONS; d++) {
        lanes empty = ~pieces & step_mask_many(d);
        lanes moving = movers[reach];
#pragma GCC unroll 5
        for (int n = reach - 1; n >= 1; n--)
            moving = (step_many(moving, d) & empty) | movers[n];
        landed[d] = step_many(moving, d) & ~own & step_mask_many(d);
    }
    tally_add(t, landed);
}

static inline __attribute__((always_inline)) void count_slide(tally *t, lanes own, lanes enemy)
{
    lanes pieces = own | enemy, movers[NEIGHBOURS_REACH + 1];
    split_movers_many(own, pieces, movers);
    if (any_lane(movers[4] | movers[5]))
        slide_up_to(t, own, pieces, movers, 5);
    else
        slide_up_to(t, own, pieces, movers, 3);
}

static inline __attribute__((always_inline)) void count_jump(tally *t, lanes own, lanes enemy)
{
    lanes movers[NEIGHBOURS_REACH + 1];
    split_movers_many(own, own | enemy, movers);
#pragma GCC unroll 5
    for (int n = 1; n <= NEIGHBOURS_REACH; n++) {
        lanes landed[NEIGHBOURS_DIRECTIONS];
#pragma GCC unroll 8
        for (int d = 0; d < NEIGHBOURS_DIRECTIONS; d++) {
            lanes moved = movers[n];
#pragma GCC unroll 5
            for (int i = 0; i < n; i++)
                moved = step_many(moved, d) & step_mask_many(d);
            landed[d] = moved & ~own;
        }
        tally_add(t, landed);
    }
}

static inline __attribute__((always_inline)) lanes load(const uint64_t *words, size_t count)
{
    lanes result = {0};
    memcpy(&result, words, count * sizeof(uint64_t));
    return result;
}

static inline __attribute__((always_inline)) void
count_group(tally *t, const uint64_t *current, const uint64_t *next, size_t n, int path_rule)
{
    /* Unused lanes are empty boards, which have no moves. */
    lanes own = load(current, n), enemy = load(next, n);
    if (path_rule == NEIGHBOURS_JUMP)
        count_jump(t, own, enemy);
    else
        count_slide(t, own, enemy);
}

#include "games/neighbours/rules/sliced_counts.h"

static void count_all(tally *t, const uint64_t *current, const uint64_t *next, size_t n,
                      int path_rule)
{
    for (; n >= SLICED; n -= SLICED, current += SLICED, next += SLICED)
        count_sliced(t, current, next, path_rule);
    for (; n >= LANES; n -= LANES, current += LANES, next += LANES)
        count_group(t, current, next, LANES, path_rule);
    if (n > 0)
        count_group(t, current, next, n, path_rule);
}

static uint64_t count_many(const uint64_t *current, const uint64_t *next, size_t n, int path_rule)
{
    tally t = {0};
    count_all(&t, current, next, n, path_rule);
    return tally_total(&t);
}

/* expand writes before it tests, so its arrays have room for this many more. */
enum { SLACK = NEIGHBOURS_DIRECTIONS };

/* Lists the positions after the moves of a piece, seen by the player who moves next; returns how
 * many there are. rest: the other pieces of the player; blocking: what stops a piece on its way. */
static inline __attribute__((always_inline)) size_t expand_piece(const neighbours_ways *ways,
                                                                 uint64_t own, uint64_t rest,
                                                                 uint64_t enemy, uint64_t blocking,
                                                                 uint64_t *current, uint64_t *next)
{
    size_t count = 0;
#if defined(__AVX512F__)
    __m512i to = _mm512_loadu_si512(ways->to);
    __m512i stops = _mm512_or_si512(
        _mm512_and_si512(_mm512_loadu_si512(ways->path), _mm512_set1_epi64((long long)blocking)),
        _mm512_and_si512(to, _mm512_set1_epi64((long long)own)));
    __mmask8 legal = _mm512_testn_epi64_mask(stops, stops);
    to = _mm512_maskz_compress_epi64(legal, to);
    _mm512_storeu_si512(current, _mm512_andnot_si512(to, _mm512_set1_epi64((long long)enemy)));
    _mm512_storeu_si512(next, _mm512_xor_si512(to, _mm512_set1_epi64((long long)rest)));
    count = (size_t)ply_popcount(legal);
#elif defined(__AVX2__)
    /* By the choice among four lanes: the halves of the chosen lanes, lowest first, in bytes. */
    static const uint64_t compress[16] = {
        0,          0x0100,         0x0302,         0x03020100,        0x0504,     0x05040100,
        0x05040302, 0x050403020100, 0x0706,         0x07060100,        0x07060302, 0x070603020100,
        0x07060504, 0x070605040100, 0x070605040302, 0x0706050403020100};
#pragma GCC unroll 2
    for (unsigned i = 0; i < 8; i += 4) {
        lanes to = load(ways->to + i, 4), path = load(ways->path + i, 4);
        unsigned legal =
            (unsigned)_mm256_movemask_pd((__m256d)(((path & blocking) | (to & own)) == 0));
        __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)compress[legal]));
        to = (lanes)_mm256_permutevar8x32_epi32((__m256i)to, order);
        _mm256_storeu_si256((__m256i *)(current + count), (__m256i)(~to & enemy));
        _mm256_storeu_si256((__m256i *)(next + count), (__m256i)(to ^ rest));
        count += (size_t)ply_popcount(legal);
    }
#else
    for (unsigned i = 0; i < NEIGHBOURS_DIRECTIONS && ways->to[i] != UINT64_MAX; i++) {
        uint64_t to = ways->to[i];
        current[count] = enemy & ~to;
        next[count] = rest ^ to;
        count += ((ways->path[i] & blocking) | (own & to)) == 0;
    }
#endif
    return count;
}

/* The same for all pieces. */
static size_t expand(uint64_t own, uint64_t enemy, int path_rule, uint64_t *current, uint64_t *next)
{
    uint64_t pieces = own | enemy;
    uint64_t blocking = path_rule == NEIGHBOURS_JUMP ? 0 : pieces;
    size_t count = 0;
#if defined(__POPCNT__)
    for (uint64_t m = own; m; m &= m - 1) {
        int from = ply_lowest(m), n = neighbours_distance(pieces, from);
        count += expand_piece(&neighbours_ways_at[from][n], own, own ^ ply_bit(from), enemy,
                              blocking, current + count, next + count);
    }
#else
    /* Counting the neighbours of all pieces at once is faster than counting bits. */
    uint64_t movers[NEIGHBOURS_REACH + 1];
    split_movers_one(own, pieces, movers);
    for (int n = 1; n <= NEIGHBOURS_REACH; n++)
        for (uint64_t m = movers[n]; m; m &= m - 1) {
            int from = ply_lowest(m);
            count += expand_piece(&neighbours_ways_at[from][n], own, own ^ ply_bit(from), enemy,
                                  blocking, current + count, next + count);
        }
#endif
    return count;
}

/* Positions whose moves are to be counted, until there are enough of them. */
typedef struct collection {
    tally moves;
    size_t count;
    uint64_t current[SLICED + NEIGHBOURS_MAX_MOVES + SLACK];
    uint64_t next[SLICED + NEIGHBOURS_MAX_MOVES + SLACK];
} collection;

/* Collects the positions after `depth` plies. */
static void collect(collection *c, uint64_t own, uint64_t enemy, int depth, int path_rule)
{
    if (depth > 1) {
        uint64_t current[NEIGHBOURS_MAX_MOVES + SLACK], next[NEIGHBOURS_MAX_MOVES + SLACK];
        size_t count = expand(own, enemy, path_rule, current, next);
        for (size_t i = 0; i < count; i++)
            collect(c, current[i], next[i], depth - 1, path_rule);
        return;
    }
    c->count += expand(own, enemy, path_rule, c->current + c->count, c->next + c->count);
    if (c->count < SLICED)
        return;
    count_sliced(&c->moves, c->current, c->next, path_rule);
    c->count -= SLICED;
    memcpy(c->current, c->current + SLICED, c->count * sizeof c->current[0]);
    memcpy(c->next, c->next + SLICED, c->count * sizeof c->next[0]);
}

static uint64_t perft(uint64_t own, uint64_t enemy, int depth, int path_rule)
{
    if (depth == 1)
        return count_many(&own, &enemy, 1, path_rule);
    collection c;
    memset(&c.moves, 0, sizeof c.moves);
    c.count = 0;
    collect(&c, own, enemy, depth - 1, path_rule);
    count_all(&c.moves, c.current, c.next, c.count, path_rule);
    return tally_total(&c.moves);
}

extern const neighbours_kernels PLY_ISA(neighbours_kernels_of);
const neighbours_kernels PLY_ISA(neighbours_kernels_of) = {.count_many = count_many,
                                                           .perft = perft};
