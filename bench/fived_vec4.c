/* SPDX-License-Identifier: MIT */
/*
 * fived_vec4.c - the packed vector of 5D chess against four separate numbers: additions alone, and
 * what move generation does: add a step, test whether the square is on the board, unpack everything.
 * CPU time, best of nine.
 */
#include "bench.h"
#include <plyverse/fived.h>
#include <stdio.h>

enum { ROUNDS = 9, REPEATS = 200 };

typedef struct plain {
    int x, y, t, l;
} plain;

/* Rides from every square along every step of a queen, seven times at most. Returns a checksum. */
static uint64_t ride_packed(const fived_steps *steps, uint64_t *additions)
{
    uint64_t sum = 0;
    for (int square = 0; square < 64; square++)
        for (uint32_t i = 0; i < steps->count; i++) {
            fived_vec4 at = fived_vec4_make(square & 7, square >> 3, 9, 0);
            for (int k = 0; k < 7; k++) {
                at = fived_vec4_add(at, steps->step[i]);
                ++*additions;
                if (!fived_vec4_on_8x8(at))
                    break;
                sum += (uint64_t)(fived_vec4_square(at) + 64 * fived_vec4_t(at) +
                                  1024 * fived_vec4_l(at));
            }
        }
    return sum;
}

static uint64_t ride_plain(const plain *steps, uint32_t count, uint64_t *additions)
{
    uint64_t sum = 0;
    for (int square = 0; square < 64; square++)
        for (uint32_t i = 0; i < count; i++) {
            plain at = {square & 7, square >> 3, 9, 0};
            for (int k = 0; k < 7; k++) {
                at = (plain){at.x + steps[i].x, at.y + steps[i].y, at.t + steps[i].t,
                             at.l + steps[i].l};
                ++*additions;
                if (at.x < 0 || at.x > 7 || at.y < 0 || at.y > 7)
                    break;
                sum += (uint64_t)(at.x + 8 * at.y + 64 * at.t + 1024 * at.l);
            }
        }
    return sum;
}

enum { VECTORS = 4096 };

/* Adds two arrays of vectors; the compiler may use vector instructions for both kinds. */
__attribute__((noinline)) static void add_packed(fived_vec4 *sum, const fived_vec4 *a,
                                                 const fived_vec4 *b)
{
    for (int i = 0; i < VECTORS; i++)
        sum[i] = fived_vec4_add(a[i], b[i]);
}

__attribute__((noinline)) static void add_plain(plain *sum, const plain *a, const plain *b)
{
    for (int i = 0; i < VECTORS; i++)
        sum[i] = (plain){a[i].x + b[i].x, a[i].y + b[i].y, a[i].t + b[i].t, a[i].l + b[i].l};
}

/* Nanoseconds per addition: [0] packed, [1] four numbers. */
static void time_additions(double best[2])
{
    static fived_vec4 packed[3][VECTORS];
    static plain loose[3][VECTORS];
    best[0] = best[1] = 1e9;
    for (int i = 0; i < VECTORS; i++)
        for (int k = 0; k < 2; k++) {
            loose[k][i] = (plain){(i + k) % 8, i % 7, i % 30, i % 5 - 2};
            packed[k][i] =
                fived_vec4_make(loose[k][i].x, loose[k][i].y, loose[k][i].t, loose[k][i].l);
        }
    for (int round = 0; round < ROUNDS; round++)
        for (int which = 0; which < 2; which++) {
            double start = cpu_seconds();
            for (int i = 0; i < REPEATS; i++)
                if (which)
                    add_plain(loose[2], loose[0], loose[1]);
                else
                    add_packed(packed[2], packed[0], packed[1]);
            double each = (cpu_seconds() - start) / REPEATS / VECTORS * 1e9;
            best[which] = each < best[which] ? each : best[which];
        }
}

int main(void)
{
    bool slides;
    const fived_steps *steps = fived_piece_steps(FIVED_QUEEN, 0, &slides);
    plain loose[80];
    double best[2] = {1e9, 1e9};
    uint64_t sums[2] = {0, 0}, additions[2] = {0, 0};
    for (uint32_t i = 0; i < steps->count; i++)
        loose[i] = (plain){fived_vec4_x(steps->step[i]), fived_vec4_y(steps->step[i]),
                           fived_vec4_t(steps->step[i]), fived_vec4_l(steps->step[i])};
    for (int round = 0; round < ROUNDS; round++)
        for (int which = 0; which < 2; which++) {
            double start = cpu_seconds();
            sums[which] = additions[which] = 0;
            for (int i = 0; i < REPEATS; i++)
                sums[which] += which ? ride_plain(loose, steps->count, &additions[1])
                                     : ride_packed(steps, &additions[0]);
            double seconds = cpu_seconds() - start;
            best[which] = seconds < best[which] ? seconds : best[which];
        }
    if (sums[0] != sums[1] || additions[0] != additions[1]) {
        fprintf(stderr, "the two ways differ\n");
        return 2;
    }
    printf("vec4: a step of a ride %.2f ns packed, %.2f ns as four numbers\n",
           best[0] / (double)additions[0] * 1e9, best[1] / (double)additions[1] * 1e9);
    time_additions(best);
    printf("vec4: an addition alone %.2f ns packed in %zu bytes, %.2f ns as four numbers in %zu\n",
           best[0], sizeof(fived_vec4), best[1], sizeof(plain));
    return 0;
}
