/* gen_tables.c - prints tables.inc: Zobrist keys and the places of squares in the compact board. */
#include "core/hash.h"
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    printf("const uint64_t checkers_keys[2][2][CHECKERS_SQUARES] = {\n");
    for (uint32_t board = 0; board < 4; board++) {
        printf(board % 2 == 0 ? "{{" : "{");
        for (uint32_t square = 0; square < 32; square++)
            printf("0x%" PRIx64 "u,\n", ply_zobrist_key(PLY_ZOBRIST_CHECKERS, board * 32 + square));
        printf(board % 2 == 0 ? "},\n" : "}},\n");
    }
    printf("};\nconst uint64_t checkers_turn_key = 0x%" PRIx64 "u;\n",
           ply_zobrist_key(PLY_ZOBRIST_CHECKERS, 128));
    return 0;
}
