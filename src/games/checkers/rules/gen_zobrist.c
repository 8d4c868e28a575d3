/* SPDX-License-Identifier: MIT */
/* gen_zobrist.c - prints zobrist.inc: Zobrist keys and binomial coefficients. */
#include "core/hash.h"
#include <inttypes.h>
#include <stdio.h>

enum { CHECKERS_ZOBRIST_TABLE = 2 }; /* never renumber: keys are stored in files */

int main(void)
{
    printf("PLY_TABLE uint64_t checkers_keys[2][2][CHECKERS_SQUARES] = {\n");
    for (uint32_t board = 0; board < 4; board++) {
        printf(board % 2 == 0 ? "{{" : "{");
        for (uint32_t square = 0; square < 32; square++)
            printf("0x%" PRIx64 "u,\n",
                   ply_zobrist_key(CHECKERS_ZOBRIST_TABLE, board * 32 + square));
        printf(board % 2 == 0 ? "},\n" : "}},\n");
    }
    printf("};\nPLY_TABLE uint64_t checkers_turn_key = 0x%" PRIx64 "u;\n",
           ply_zobrist_key(CHECKERS_ZOBRIST_TABLE, 128));
    /* Pascal's triangle: sets of up to 12 pieces on up to 32 squares. */
    uint64_t choose[33][13] = {{0}};
    printf("PLY_TABLE uint64_t checkers_choose[33][CHECKERS_PIECES + 1] = {\n");
    for (int n = 0; n <= 32; n++) {
        printf("{");
        for (int k = 0; k <= 12; k++) {
            choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : choose[n - 1][k - 1] + choose[n - 1][k];
            printf("%" PRIu64 "u,", choose[n][k]);
        }
        printf("},\n");
    }
    printf("};\n");
    return 0;
}
