/* SPDX-License-Identifier: MIT */
/*
 * kernel_isa.c - move counting and perft; compiled once for each instruction set.
 *
 * Perft spends nearly all its time in the last ply, so leaves are not visited one by one. Positions
 * three plies above the leaves are expanded twice into a batch of positions, whose moves are
 * counted eight positions at a time, one per 64-bit lane.
 */
#include "games/neighbours/neighbours.h"
#include <string.h>

#define T uint64_t
#define SLICES_SUFFIX _one
#include "games/neighbours/rules/neighbour_counts.h"

enum { LANES = 8 };
typedef uint64_t lanes __attribute__((vector_size(LANES * 8)));

#define T lanes
#define SLICES_SUFFIX _many
#include "games/neighbours/rules/neighbour_counts.h"

/* Adds up the population counts of several boards. */
typedef struct tally {
    lanes sums; /* one number per lane with a popcount instruction, one per byte without */
} tally;

#if defined(__AVX512VPOPCNTDQ__)
static inline __attribute__((always_inline)) void tally_add(tally *t, lanes boards)
{
    t->sums += (lanes)_mm512_popcnt_epi64((__m512i)boards);
}

static inline uint64_t tally_total(const tally *t)
{
    uint64_t total = 0;
    for (int i = 0; i < LANES; i++)
        total += t->sums[i];
    return total;
}
#else
static inline __attribute__((always_inline)) void tally_add(tally *t, lanes boards)
{
    boards -= (boards >> 1) & 0x5555555555555555u;
    boards = (boards & 0x3333333333333333u) + ((boards >> 2) & 0x3333333333333333u);
    t->sums += (boards + (boards >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
}

/* Each board adds at most 8 to a byte, so 31 boards fit before it overflows. */
static inline uint64_t tally_total(const tally *t)
{
    lanes pairs = (t->sums & 0x00FF00FF00FF00FFu) + ((t->sums >> 8) & 0x00FF00FF00FF00FFu);
    uint64_t total = 0;
    for (int i = 0; i < LANES; i++)
        total += (pairs[i] * 0x0001000100010001u) >> 48;
    return total;
}
#endif

static inline __attribute__((always_inline)) uint64_t count_slide(lanes own, lanes enemy)
{
    lanes pieces = own | enemy, movers[NEIGHBOURS_REACH + 1];
    split_movers_many(own, pieces, movers);
    tally t = {0};
#pragma GCC unroll 8
    for (int d = 0; d < NEIGHBOURS_DIRECTIONS; d++) {
        lanes empty = ~pieces & step_mask_many(d);
        lanes moving = movers[NEIGHBOURS_REACH];
#pragma GCC unroll 5
        for (int n = NEIGHBOURS_REACH - 1; n >= 1; n--)
            moving = (step_many(moving, d) & empty) | movers[n];
        tally_add(&t, step_many(moving, d) & ~own & step_mask_many(d));
    }
    return tally_total(&t);
}

static inline __attribute__((always_inline)) uint64_t count_jump(lanes own, lanes enemy)
{
    lanes movers[NEIGHBOURS_REACH + 1];
    split_movers_many(own, own | enemy, movers);
    uint64_t total = 0;
#pragma GCC unroll 8
    for (int d = 0; d < NEIGHBOURS_DIRECTIONS; d++) {
        tally t = {0};
#pragma GCC unroll 5
        for (int n = 1; n <= NEIGHBOURS_REACH; n++) {
            lanes moved = movers[n];
#pragma GCC unroll 5
            for (int i = 0; i < n; i++)
                moved = step_many(moved, d) & step_mask_many(d);
            tally_add(&t, moved & ~own);
        }
        total += tally_total(&t);
    }
    return total;
}

static inline __attribute__((always_inline)) lanes load(const uint64_t *words, size_t count)
{
    lanes result = {0};
    memcpy(&result, words, count * sizeof(uint64_t));
    return result;
}

static uint64_t count_many(const uint64_t *current, const uint64_t *next, size_t n, int path_rule)
{
    uint64_t total = 0;
    for (; n >= LANES; n -= LANES, current += LANES, next += LANES) {
        lanes own = load(current, LANES), enemy = load(next, LANES);
        total += path_rule == NEIGHBOURS_JUMP ? count_jump(own, enemy) : count_slide(own, enemy);
    }
    if (n > 0) {
        /* The unused lanes are empty boards, which have no moves. */
        lanes own = load(current, n), enemy = load(next, n);
        total += path_rule == NEIGHBOURS_JUMP ? count_jump(own, enemy) : count_slide(own, enemy);
    }
    return total;
}

/* Lists the positions after each legal move, seen by the player who moves next. */
static size_t expand(uint64_t own, uint64_t enemy, int path_rule, uint64_t *current, uint64_t *next)
{
    uint64_t pieces = own | enemy, movers[NEIGHBOURS_REACH + 1];
    uint64_t blocking = path_rule == NEIGHBOURS_JUMP ? 0 : pieces;
    split_movers_one(own, pieces, movers);
    size_t count = 0;
    for (int n = 1; n <= NEIGHBOURS_REACH; n++)
        for (uint64_t m = movers[n]; m; m &= m - 1) {
            int from = ply_lowest(m);
            const neighbours_targets *targets = &neighbours_targets_at[from][n];
            for (unsigned i = 0; i < targets->count; i++) {
                uint64_t to = ply_bit(targets->to[i]);
                /* Always written, but counted only if legal: this avoids a branch. */
                current[count] = enemy & ~to;
                next[count] = own ^ ply_bit(from) ^ to;
                count += ((targets->path[i] & blocking) | (own & to)) == 0;
            }
        }
    return count;
}

static uint64_t perft(uint64_t own, uint64_t enemy, int depth, int path_rule)
{
    if (depth == 1)
        return count_many(&own, &enemy, 1, path_rule);
    /* One entry more than needed, since expand writes before it tests. */
    uint64_t current[NEIGHBOURS_MAX_MOVES + 1], next[NEIGHBOURS_MAX_MOVES + 1];
    size_t count = expand(own, enemy, path_rule, current, next);
    if (depth == 2)
        return count_many(current, next, count, path_rule);
    uint64_t total = 0;
    if (depth > 3) {
        for (size_t i = 0; i < count; i++)
            total += perft(current[i], next[i], depth - 1, path_rule);
        return total;
    }
    uint64_t batch_current[NEIGHBOURS_MAX_MOVES * NEIGHBOURS_MAX_MOVES + 1];
    uint64_t batch_next[NEIGHBOURS_MAX_MOVES * NEIGHBOURS_MAX_MOVES + 1];
    size_t batch = 0;
    for (size_t i = 0; i < count; i++)
        batch += expand(current[i], next[i], path_rule, batch_current + batch, batch_next + batch);
    return count_many(batch_current, batch_next, batch, path_rule);
}

extern const neighbours_kernels PLY_ISA(neighbours_kernels_of);
const neighbours_kernels PLY_ISA(neighbours_kernels_of) = {.count_many = count_many,
                                                           .perft = perft};
