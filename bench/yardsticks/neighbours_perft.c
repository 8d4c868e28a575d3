/* SPDX-License-Identifier: MIT */
/*
 * neighbours_perft.c - a plain perft of Neighbours 6x6 (slide), to compare speeds with.
 *
 * usage: neighbours_perft DEPTH
 *
 * Prints "perft D nodes N" for every depth up to DEPTH. Two words hold the pieces; tables hold the
 * neighbours of every square and the squares in every direction from it. Moves are written to a
 * list, and the last ply is the length of the list.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 6, SQUARES = SIDE * SIDE, DIRECTIONS = 8, MAX_MOVES = 64 };

typedef struct move {
    int from, to;
} move;

typedef struct tables {
    uint64_t neighbours[SQUARES];
    int ray[SQUARES][DIRECTIONS][SIDE]; /* the squares in a direction, nearest first */
    int ray_length[SQUARES][DIRECTIONS];
} tables;

static void fill_tables(tables *t)
{
    static const int dx[DIRECTIONS] = {1, -1, 0, 0, 1, -1, 1, -1};
    static const int dy[DIRECTIONS] = {0, 0, 1, -1, 1, 1, -1, -1};
    for (int square = 0; square < SQUARES; square++) {
        t->neighbours[square] = 0;
        for (int d = 0; d < DIRECTIONS; d++) {
            int x = square % SIDE + dx[d], y = square / SIDE + dy[d], length = 0;
            for (; x >= 0 && x < SIDE && y >= 0 && y < SIDE; x += dx[d], y += dy[d])
                t->ray[square][d][length++] = y * SIDE + x;
            t->ray_length[square][d] = length;
            if (length > 0)
                t->neighbours[square] |= UINT64_C(1) << t->ray[square][d][0];
        }
    }
}

/* A piece moves as many squares as it has neighbours, over empty squares only. */
static int list_moves(const tables *t, uint64_t own, uint64_t enemy, move *out)
{
    uint64_t occupied = own | enemy;
    int count = 0;
    for (uint64_t pieces = own; pieces; pieces &= pieces - 1) {
        int from = __builtin_ctzll(pieces);
        int distance = __builtin_popcountll(t->neighbours[from] & occupied);
        if (distance == 0)
            continue;
        for (int d = 0; d < DIRECTIONS; d++) {
            if (t->ray_length[from][d] < distance)
                continue;
            int passed = 0;
            while (passed < distance - 1 && !(occupied >> t->ray[from][d][passed] & 1))
                passed++;
            int to = t->ray[from][d][distance - 1];
            if (passed == distance - 1 && !(own >> to & 1))
                out[count++] = (move){from, to};
        }
    }
    return count;
}

static uint64_t perft(const tables *t, uint64_t own, uint64_t enemy, int depth)
{
    move moves[MAX_MOVES];
    int count = list_moves(t, own, enemy, moves);
    if (depth == 1)
        return (uint64_t)count;
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        uint64_t from = UINT64_C(1) << moves[i].from, to = UINT64_C(1) << moves[i].to;
        total += perft(t, enemy & ~to, own ^ from ^ to, depth - 1);
    }
    return total;
}

int main(int argc, char **argv)
{
    int depth = argc == 2 ? atoi(argv[1]) : 0;
    if (depth < 1) {
        fprintf(stderr, "usage: neighbours_perft DEPTH\n");
        return 2;
    }
    static tables t;
    fill_tables(&t);
    for (int d = 1; d <= depth; d++)
        printf("perft %d nodes %llu\n", d,
               (unsigned long long)perft(&t, 63, UINT64_C(63) << 30, d));
    return 0;
}
