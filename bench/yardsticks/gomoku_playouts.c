/* SPDX-License-Identifier: MIT */
/*
 * gomoku_playouts.c - plain random games of 15x15 freestyle gomoku, to compare speeds with.
 *
 * usage: gomoku_playouts GAMES
 *
 * Prints "games N plies N black N white N draws N". Each player's stones are one word per row. The
 * empty cells are a list from which a random one is taken. After a move, the row and the nine cells
 * around it in the other three directions are tested for five in a row; nothing else is kept.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 15, CELLS = SIDE * SIDE, REACH = 4, BLACK = 0, WHITE = 1, DRAW = 2 };

static inline uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline int has_five(uint32_t cells)
{
    return (cells & cells >> 1 & cells >> 2 & cells >> 3 & cells >> 4) != 0;
}

/* Whether the stone at (x, y) is in a row of five; rows has REACH empty rows at either end. */
static inline int wins(const uint16_t *rows, int x, int y)
{
    uint32_t row = rows[y], column = 0, down = 0, up = 0;
    if (has_five(row))
        return 1;
    for (int k = -REACH; k <= REACH; k++) {
        uint32_t cells = (uint32_t)rows[y + k] << 8 >> x;
        column |= (cells >> 8 & 1) << (k + REACH);
        down |= (cells >> (8 + k) & 1) << (k + REACH);
        up |= (cells >> (8 - k) & 1) << (k + REACH);
    }
    return has_five(column) || has_five(down) || has_five(up);
}

int main(int argc, char **argv)
{
    long games = argc == 2 ? atol(argv[1]) : 0, plies = 0, results[3] = {0};
    if (games < 1) {
        fprintf(stderr, "usage: gomoku_playouts GAMES\n");
        return 2;
    }
    uint64_t random = 88172645463325252;
    for (long g = 0; g < games; g++) {
        uint16_t rows[2][SIDE + 2 * REACH];
        uint8_t empty[CELLS];
        int result = DRAW, player = BLACK;
        memset(rows, 0, sizeof rows);
        for (int i = 0; i < CELLS; i++)
            empty[i] = (uint8_t)i;
        for (uint32_t left = CELLS; left > 0; player = !player) {
            uint32_t k = (uint32_t)((next_random(&random) >> 32) * left >> 32);
            int cell = empty[k], x = cell % SIDE, y = cell / SIDE + REACH;
            empty[k] = empty[--left];
            rows[player][y] |= (uint16_t)(1 << x);
            plies++;
            if (wins(rows[player], x, y)) {
                result = player;
                break;
            }
        }
        results[result]++;
    }
    printf("games %ld plies %ld black %ld white %ld draws %ld\n", games, plies, results[BLACK],
           results[WHITE], results[DRAW]);
    return 0;
}
