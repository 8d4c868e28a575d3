/* SPDX-License-Identifier: MIT */
/*
 * checkers_perft.c - a plain perft of English checkers, to compare speeds with.
 *
 * usage: checkers_perft DEPTH
 *
 * Prints "perft D nodes N" for every depth up to DEPTH, counting every capture path. It is what a
 * careful programmer would write in an afternoon: the 32 dark squares in one word, four to a row;
 * the board is turned round after every move, so that men always move towards the high bits; the
 * last ply is counted by population counts; captures are followed one piece at a time.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 4, FORWARD_STEPS = 2 }; /* forward to the left and right, then backward */

static const uint32_t even_rows = 0x0F0F0F0F, odd_rows = 0xF0F0F0F0; /* the first row is row 0 */
static const uint32_t last_row = 0xF0000000;

typedef struct board {
    uint32_t own, enemy;
    uint32_t kings; /* of both players */
} board;

static uint64_t perft(board b, int depth);

/* Moves every piece one step; pieces that would leave the board vanish. In even rows a square has
 * its forward neighbours 4 and 5 bits up, in odd rows 3 and 4. */
static inline uint32_t step(uint32_t pieces, int direction)
{
    switch (direction) {
    case 0:
        return (pieces & even_rows) << 4 | (pieces & 0xE0E0E0E0) << 3;
    case 1:
        return (pieces & 0x07070707) << 5 | (pieces & odd_rows) << 4;
    case 2:
        return (pieces & even_rows) >> 4 | (pieces & 0xE0E0E0E0) >> 5;
    default:
        return (pieces & 0x07070707) >> 3 | (pieces & odd_rows) >> 4;
    }
}

static inline int opposite(int direction)
{
    return 3 - direction;
}

static inline uint32_t turn_word(uint32_t x)
{
    x = __builtin_bswap32(x);
    x = (x >> 4 & 0x0F0F0F0F) | (x & 0x0F0F0F0F) << 4;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    return (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
}

/* The leaves after a move to the given board, which is still seen by the player who moved. */
static inline uint64_t leaves_after(uint32_t own, uint32_t enemy, uint32_t kings, int depth)
{
    if (depth == 1)
        return 1;
    return perft((board){turn_word(enemy), turn_word(own), turn_word(kings)}, depth - 1);
}

/* The captures of a piece that stands on `square`, is taken off the board b and has jumped over
 * `captured`. Captured pieces stay on the board until the capture ends. */
static uint64_t capture(board b, uint32_t square, uint32_t captured, int is_king, int depth)
{
    uint32_t empty = ~(b.own | b.enemy), prey = b.enemy & ~captured;
    uint64_t total = 0;
    int jumped = 0;
#pragma GCC unroll 4
    for (int d = 0; d < STEPS; d++) {
        if (d >= FORWARD_STEPS && !is_king)
            break;
        uint32_t over = step(square, d) & prey, land = step(over, d) & empty;
        if (!land)
            continue;
        jumped = 1;
        uint32_t taken = captured | over;
        if (!is_king && (land & last_row)) /* a man that is crowned stops */
            total += leaves_after(b.own | land, b.enemy & ~taken, (b.kings & ~taken) | land, depth);
        else
            total += capture(b, land, taken, is_king, depth);
    }
    if (jumped || !captured)
        return total;
    return leaves_after(b.own | square, b.enemy & ~captured,
                        (b.kings & ~captured) | (is_king ? square : 0), depth);
}

static uint64_t perft(board b, int depth)
{
    uint32_t empty = ~(b.own | b.enemy), own_kings = b.own & b.kings, jumpers = 0;
    uint64_t total = 0;
#pragma GCC unroll 4
    for (int d = 0; d < STEPS; d++) {
        int back = opposite(d);
        if (d < FORWARD_STEPS || own_kings)
            jumpers |=
                step(step(empty, back) & b.enemy, back) & (d < FORWARD_STEPS ? b.own : own_kings);
    }
    if (jumpers) {
        for (; jumpers; jumpers &= jumpers - 1) {
            uint32_t square = jumpers & -jumpers;
            board rest = {b.own & ~square, b.enemy, b.kings & ~square};
            total += capture(rest, square, 0, (b.kings & square) != 0, depth);
        }
        return total;
    }
#pragma GCC unroll 4
    for (int d = 0; d < STEPS; d++) {
        if (d >= FORWARD_STEPS && !own_kings)
            break;
        uint32_t targets = step(d < FORWARD_STEPS ? b.own : own_kings, d) & empty;
        if (depth == 1) {
            total += (uint64_t)__builtin_popcount(targets);
            continue;
        }
        for (; targets; targets &= targets - 1) {
            uint32_t to = targets & -targets, from = step(to, opposite(d));
            uint32_t kings = b.kings & from ? (b.kings ^ from) | to : b.kings | (to & last_row);
            total += leaves_after((b.own ^ from) | to, b.enemy, kings, depth);
        }
    }
    return total;
}

int main(int argc, char **argv)
{
    int depth = argc == 2 ? atoi(argv[1]) : 0;
    if (depth < 1) {
        fprintf(stderr, "usage: checkers_perft DEPTH\n");
        return 2;
    }
    for (int d = 1; d <= depth; d++)
        printf("perft %d nodes %llu\n", d,
               (unsigned long long)perft((board){0x00000FFF, 0xFFF00000, 0}, d));
    return 0;
}
