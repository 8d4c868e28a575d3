/* SPDX-License-Identifier: MIT */
/* gen_square_tables.c - prints square_tables.inc: move targets, adjacent squares, Zobrist keys. */
#include "core/hash.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NEIGHBOURS_ZOBRIST_TABLE = 1 }; /* never renumber: keys are stored in files */

enum { SIDE = 6, SQUARES = 36, REACH = 5 };

/* Clockwise from up, as in neighbour_counts.h. */
static const int step_x[8] = {0, 1, 1, 1, 0, -1, -1, -1};
static const int step_y[8] = {1, 1, 0, -1, -1, -1, 0, 1};

static void print_targets(int square, int distance)
{
    uint64_t path[8] = {0};
    int to[8] = {0}, direction[8] = {0}, count = 0;
    for (int d = 0; d < 8; d++) {
        int x = square % SIDE + distance * step_x[d], y = square / SIDE + distance * step_y[d];
        if (distance == 0 || x < 0 || x >= SIDE || y < 0 || y >= SIDE)
            continue;
        for (int i = 1; i < distance; i++)
            path[count] |= (uint64_t)1 << (square + i * (step_y[d] * SIDE + step_x[d]));
        to[count] = y * SIDE + x;
        direction[count++] = d;
    }
    printf("{{");
    for (int i = 0; i < 8; i++)
        printf("0x%" PRIx64 "u,", path[i]);
    printf("},{");
    for (int i = 0; i < 8; i++)
        printf("%d,", to[i]);
    printf("},{");
    for (int i = 0; i < 8; i++)
        printf("%d,", direction[i]);
    printf("},%d},", count);
}

/* What neighbours_targets has, as boards; unused places have all bits set. */
static void print_ways(int square, int neighbours)
{
    uint64_t path[8] = {0}, to[8];
    int count = 0;
    memset(to, 0xFF, sizeof to);
    for (int d = 0; d < 8 && neighbours >= 1; d++) {
        int step = step_y[d] * SIDE + step_x[d];
        int x = square % SIDE + neighbours * step_x[d], y = square / SIDE + neighbours * step_y[d];
        if (x < 0 || x >= SIDE || y < 0 || y >= SIDE)
            continue;
        for (int i = 1; i < neighbours; i++)
            path[count] |= (uint64_t)1 << (square + i * step);
        to[count++] = (uint64_t)1 << (y * SIDE + x);
    }
    printf("{{");
    for (int i = 0; i < 8; i++)
        printf("0x%" PRIx64 "u,", path[i]);
    printf("},{");
    for (int i = 0; i < 8; i++)
        printf("0x%" PRIx64 "u,", to[i]);
    printf("}},");
}

int main(void)
{
    printf("PLY_TABLE neighbours_ways\n"
           "    neighbours_ways_at[NEIGHBOURS_SQUARES][NEIGHBOURS_DIRECTIONS + 1] = {\n");
    for (int square = 0; square < SQUARES; square++) {
        printf("{");
        for (int neighbours = 0; neighbours <= 8; neighbours++)
            print_ways(square, neighbours);
        printf("},\n");
    }
    printf("};\nPLY_TABLE neighbours_targets\n"
           "    neighbours_targets_at[NEIGHBOURS_SQUARES][NEIGHBOURS_REACH + 1] = {\n");
    for (int square = 0; square < SQUARES; square++) {
        printf("{");
        for (int distance = 0; distance <= REACH; distance++)
            print_targets(square, distance);
        printf("},\n");
    }
    printf("};\nPLY_TABLE uint64_t neighbours_adjacent[NEIGHBOURS_SQUARES] = {\n");
    for (int square = 0; square < SQUARES; square++) {
        uint64_t adjacent = 0;
        for (int d = 0; d < 8; d++) {
            int x = square % SIDE + step_x[d], y = square / SIDE + step_y[d];
            if (x >= 0 && x < SIDE && y >= 0 && y < SIDE)
                adjacent |= (uint64_t)1 << (y * SIDE + x);
        }
        printf("0x%" PRIx64 "u,\n", adjacent);
    }
    printf("};\nPLY_TABLE uint64_t neighbours_keys[2][NEIGHBOURS_SQUARES] = {\n");
    for (uint32_t colour = 0; colour < 2; colour++) {
        printf("{");
        for (uint32_t square = 0; square < SQUARES; square++)
            printf("0x%" PRIx64 "u,\n",
                   ply_zobrist_key(NEIGHBOURS_ZOBRIST_TABLE, colour * SQUARES + square));
        printf("},\n");
    }
    printf("};\nPLY_TABLE uint64_t neighbours_side_key = 0x%" PRIx64 "u;\n",
           ply_zobrist_key(NEIGHBOURS_ZOBRIST_TABLE, 2 * SQUARES));
    return 0;
}
