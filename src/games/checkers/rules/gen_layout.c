/* SPDX-License-Identifier: MIT */
/*
 * gen_layout.c - prints layout.inc: the compact board of the English kernels.
 *
 * Let u = (row + column - 1) / 2 and v = (row - column + 7) / 2 be a dark square's diagonals. Its
 * place in the compact 32-bit board is (u + 7 v) mod 32, so that every step is a rotation, by 1
 * or by 7, of all pieces at once. A mask for each direction says who can go without leaving.
 */
#include <inttypes.h>
#include <stdio.h>

static int place(int row, int column)
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
    static const int down[4] = {1, 1, -1, -1}, right[4] = {-1, 1, -1, 1}, turn[4] = {7, 1, 31, 25};
    uint32_t used = 0, last_row = 0, first_row = 0;
    for (int d = 0; d < 4; d++) {
        uint32_t mask = 0;
        for (int row = 0; row < 8; row++)
            for (int column = 0; column < 8; column++) {
                if (!is_dark(row, column))
                    continue;
                int here = place(row, column);
                used |= (uint32_t)1 << here;
                first_row |= row == 0 ? (uint32_t)1 << here : 0;
                last_row |= row == 7 ? (uint32_t)1 << here : 0;
                if (!is_dark(row + down[d], column + right[d]))
                    continue;
                mask |= (uint32_t)1 << here;
                if (place(row + down[d], column + right[d]) != (here + turn[d]) % 32)
                    return 1;
            }
        printf("#define COMPACT_MAY_%s 0x%08" PRIx32 "u\n", names[d], mask);
        printf("#define COMPACT_TURN_%s %d\n", names[d], turn[d]);
    }
    printf("#define COMPACT_FIRST_ROW 0x%08" PRIx32 "u\n", first_row);
    printf("#define COMPACT_LAST_ROW 0x%08" PRIx32 "u\n", last_row);
    printf("#define COMPACT_PLACES {");
    for (int index = 0; index < 32; index++)
        printf("%d,", place(index / 4, 2 * (index % 4) + (index / 4 % 2 == 0)));
    printf("}\n");
    return used == UINT32_MAX ? 0 : 1;
}
