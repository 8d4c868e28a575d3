/* SPDX-License-Identifier: MIT */
/*
 * gen_patterns.c - prints patterns.inc: the patterns for rows of 3 to 6.
 *
 * A pattern is a window of `row` cells with some stones of one colour and the rest empty, and next
 * to it, where the line continues, a cell that is empty or holds an enemy stone. For rows of five
 * there are
 *
 *               fives  fours  threes  twos
 *     prefix      2     10      20     20      window, cell
 *     suffix      2     10      20     20      cell, window
 *     infix       4     20      40     40      cell, window, cell
 *     exact       1      5      10     10      the window is the whole line
 */
#include <stdint.h>
#include <stdio.h>

enum { MIN_ROW = 3, MAX_ROW = 6, ANCHORS = 4, CLASSES = 4 };

static uint32_t window_bits(unsigned stones, int row, int colour)
{
    uint32_t bits = 0;
    for (int i = 0; i < row; i++)
        if (stones >> i & 1)
            bits |= (uint32_t)(1 + colour) << (2 * i);
    return bits;
}

static int print_pattern(uint32_t bits, int cells)
{
    printf("{0x%04x, 0x%04x, %d},\n", bits, ((uint32_t)1 << (2 * cells)) - 1, cells);
    return 1;
}

static int print_class(int row, int colour, int anchor, int missing)
{
    int count = 0;
    uint32_t enemy = (uint32_t)(2 - colour);
    if (missing >= row)
        return 0;
    for (unsigned stones = 0; stones < 1u << row; stones++) {
        if (__builtin_popcount(stones) != row - missing)
            continue;
        uint32_t bits = window_bits(stones, row, colour);
        for (unsigned ends = 0; ends < 4; ends++) {
            uint32_t before = ends & 1 ? enemy : 0, after = ends & 2 ? enemy : 0;
            if (anchor == 0 && !(ends & 1))
                count += print_pattern(bits | after << (2 * row), row + 1);
            else if (anchor == 1 && !(ends & 2))
                count += print_pattern(bits << 2 | before, row + 1);
            else if (anchor == 2)
                count += print_pattern(bits << 2 | before | after << (2 * row + 2), row + 2);
            else if (anchor == 3 && ends == 0)
                count += print_pattern(bits, row);
        }
    }
    return count;
}

int main(void)
{
    int counts[MAX_ROW + 1][2][ANCHORS][CLASSES], at = 0;
    printf("static const gomoku_pattern patterns[] = {\n");
    for (int row = MIN_ROW; row <= MAX_ROW; row++)
        for (int colour = 0; colour < 2; colour++)
            for (int anchor = 0; anchor < ANCHORS; anchor++)
                for (int missing = 0; missing < CLASSES; missing++)
                    counts[row][colour][anchor][missing] =
                        print_class(row, colour, anchor, missing);
    printf("};\nstatic const gomoku_pattern_list lists[%d][2][%d][%d] = {\n", MAX_ROW - MIN_ROW + 1,
           ANCHORS, CLASSES);
    for (int row = MIN_ROW; row <= MAX_ROW; row++) {
        printf("{");
        for (int colour = 0; colour < 2; colour++) {
            printf("{");
            for (int anchor = 0; anchor < ANCHORS; anchor++) {
                printf("{");
                for (int missing = 0; missing < CLASSES; missing++) {
                    int count = counts[row][colour][anchor][missing];
                    printf("{patterns + %d, %d},", at, count);
                    at += count;
                }
                printf("},\n");
            }
            printf("},\n");
        }
        printf("},\n");
    }
    printf("};\n");
    return 0;
}
