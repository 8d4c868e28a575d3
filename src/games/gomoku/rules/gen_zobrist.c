/* SPDX-License-Identifier: MIT */
/* gen_zobrist.c - prints zobrist.inc: the Zobrist keys of stones, side, passes and endings. */
#include "core/hash.h"
#include <inttypes.h>
#include <stdio.h>

enum { GOMOKU_ZOBRIST_TABLE = 4 }; /* never renumber: keys are stored in files */

enum { CELLS = 1024, STATES = 10 };

int main(void)
{
    uint32_t index = 0;
    printf("PLY_TABLE uint64_t gomoku_keys[2][GOMOKU_MAX_CELLS] = {\n");
    for (int colour = 0; colour < 2; colour++) {
        printf("{");
        for (int cell = 0; cell < CELLS; cell++)
            printf("0x%016" PRIx64 "u,%s", ply_zobrist_key(GOMOKU_ZOBRIST_TABLE, index++),
                   cell % 4 == 3 ? "\n" : "");
        printf("},\n");
    }
    printf("};\nPLY_TABLE uint64_t gomoku_state_keys[%d] = {\n", STATES);
    for (int i = 0; i < STATES; i++, index++) {
        /* No passes, and no loss by a forbidden point, have the key 0. */
        uint64_t key = i == 1 || i == 4 ? 0 : ply_zobrist_key(GOMOKU_ZOBRIST_TABLE, index);
        printf("0x%016" PRIx64 "u,\n", key);
    }
    printf("};\n");
    return 0;
}
