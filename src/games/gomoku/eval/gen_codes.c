/* SPDX-License-Identifier: MIT */
/*
 * gen_codes.c - prints codes.inc: the number of the combination that four levels form.
 *
 * A packed code has three bits for each of the four directions (search_board.h). Codes that differ
 * only in the order of the directions are the same combination; there are 330 of them, numbered in
 * ascending order of their levels, the highest first.
 */
#include <stdio.h>

enum { LEVELS = 8, DIRECTIONS = 4, PACKED = LEVELS * LEVELS * LEVELS * LEVELS };

/* The number of combinations of `count` levels below `level`, repeats allowed. */
static int combinations_below(int level, int count)
{
    int product = 1;
    for (int i = 0; i < count; i++)
        product = product * (level + i) / (i + 1);
    return product;
}

static int combination_of(int packed)
{
    int levels[DIRECTIONS], number = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        int level = packed >> (3 * i) & 7, k = i;
        for (; k > 0 && levels[k - 1] < level; k--)
            levels[k] = levels[k - 1];
        levels[k] = level;
    }
    for (int i = 0; i < DIRECTIONS; i++)
        number += combinations_below(levels[i], DIRECTIONS - i);
    return number;
}

int main(void)
{
    printf("/* SPDX-License-Identifier: MIT */\n");
    for (int packed = 0; packed < PACKED; packed++)
        printf("%d,%s", combination_of(packed), packed % 16 == 15 ? "\n" : " ");
    return 0;
}
