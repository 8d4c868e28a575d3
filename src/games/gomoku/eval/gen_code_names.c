/* SPDX-License-Identifier: MIT */
/*
 * gen_code_names.c - prints code_names.inc: the names of the weights of cells.
 *
 * In the order of gomoku_weights: for each set of codes and role, one for each combination. The
 * digits are the levels of the four directions (search_board.h).
 */
#include <stdio.h>

int main(void)
{
    static const char *const groups[] = {"own cell",         "enemy cell",
                                         "renju Black cell", "renju Black enemy cell",
                                         "renju White cell", "renju White enemy cell"};
    for (unsigned i = 0; i < sizeof groups / sizeof groups[0]; i++)
        for (int a = 0; a < 8; a++)
            for (int b = 0; b <= a; b++)
                for (int c = 0; c <= b; c++)
                    for (int d = 0; d <= c; d++)
                        printf("\"%s %d%d%d%d\",\n", groups[i], a, b, c, d);
    return 0;
}
