/* SPDX-License-Identifier: MIT */
/*
 * fuzz_gomoku_forbidden.c - the forbidden points of any board against the reference of the tests.
 * The first two bytes are the board size; then two bits per cell, 0 to 3: empty, X, O, empty.
 */
#include "fuzz/fuzz.h"
#include "games/gomoku/gomoku.h"
#include "games/gomoku/reference.h"
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    int width = 5 + data[0] % 28, height = 5 + data[1] % 28;
    char variant[64];
    ply_rules rules;
    snprintf(variant, sizeof variant, "renju:width=%d,height=%d", width, height);
    FUZZ_CHECK(ply_rules_make(&rules, ply_game_find("gomoku"), variant, NULL) == PLY_OK);
    gomoku_position *p = calloc(1, rules.position_bytes);
    reference_board board;
    reference_clear(&board, width, height);
    for (int i = 0; i < width * height && (size_t)(2 + i / 4) < size; i++) {
        int two = data[2 + i / 4] >> (2 * (i % 4)) & 3;
        if (two == 1 || two == 2) {
            gomoku_put_stone(&rules, p, gomoku_cell(i % width, i / width), two - 1);
            *reference_at(&board, i % width, i / width) = two == 1 ? 'X' : 'O';
        }
    }
    uint32_t rows[GOMOKU_MAX_SIDE];
    uint8_t kinds[GOMOKU_MAX_CELLS];
    gomoku_forbidden_points(&rules, p, rows, kinds);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int cell = gomoku_cell(x, y), kind = rows[y] >> x & 1 ? kinds[cell] : 0;
            if (gomoku_at(p->lines, cell) < 0)
                FUZZ_CHECK(reference_forbidden(&board, x, y) == kind);
        }
    free(p);
    return 0;
}
