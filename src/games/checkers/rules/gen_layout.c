/* SPDX-License-Identifier: MIT */
/*
 * gen_layout.c - prints layout.inc: the compact board of english_perft_isa.c.
 *
 * Let u = (row + column - 1) / 2 and v = (row - column + 7) / 2 be the diagonals of a dark square.
 * The square is bit (u + 7 v) mod 32 of the compact board. Every step then rotates the word by 1 or
 * by 7 bits, for all pieces at once. A mask per direction has the squares from which a step in that
 * direction stays on the board.
 *
 * COMPRESS_LANES has a word for every choice among eight lanes: its bytes are the numbers of the
 * chosen lanes, lowest first.
 */
#include <inttypes.h>
#include <stdio.h>

static int compact_bit(int row, int column)
{
    return ((row + column - 1) / 2 + 7 * ((row - column + 7) / 2)) % 32;
}

static int is_dark(int row, int column)
{
    return row >= 0 && row < 8 && column >= 0 && column < 8 && (row + column) % 2 == 1;
}

int main(void)
{
    static const char *const names[4] = {"DOWN_LEFT", "DOWN_RIGHT", "UP_LEFT", "UP_RIGHT"};
    static const int down[4] = {1, 1, -1, -1}, right[4] = {-1, 1, -1, 1},
                     rotation[4] = {7, 1, 31, 25};
    uint32_t used = 0, last_row = 0, first_row = 0;
    for (int d = 0; d < 4; d++) {
        uint32_t mask = 0;
        for (int row = 0; row < 8; row++)
            for (int column = 0; column < 8; column++) {
                if (!is_dark(row, column))
                    continue;
                int here = compact_bit(row, column);
                used |= (uint32_t)1 << here;
                first_row |= row == 0 ? (uint32_t)1 << here : 0;
                last_row |= row == 7 ? (uint32_t)1 << here : 0;
                if (!is_dark(row + down[d], column + right[d]))
                    continue;
                mask |= (uint32_t)1 << here;
                if (compact_bit(row + down[d], column + right[d]) != (here + rotation[d]) % 32)
                    return 1;
            }
        printf("#define COMPACT_CAN_STEP_%s 0x%08" PRIx32 "u\n", names[d], mask);
        printf("#define COMPACT_ROTATE_%s %d\n", names[d], rotation[d]);
    }
    printf("#define COMPACT_FIRST_ROW 0x%08" PRIx32 "u\n", first_row);
    printf("#define COMPACT_LAST_ROW 0x%08" PRIx32 "u\n", last_row);
    printf("#define COMPACT_BITS {");
    for (int index = 0; index < 32; index++)
        printf("%d,", compact_bit(index / 4, 2 * (index % 4) + (index / 4 % 2 == 0)));
    printf("}\n#define COMPRESS_LANES {");
    for (unsigned chosen = 0; chosen < 256; chosen++) {
        uint64_t word = 0;
        int count = 0;
        for (unsigned lane = 0; lane < 8; lane++)
            if (chosen >> lane & 1)
                word |= (uint64_t)lane << (8 * count++);
        printf("0x%" PRIx64 ",", word);
    }
    printf("}\n");
    return used == UINT32_MAX ? 0 : 1;
}
