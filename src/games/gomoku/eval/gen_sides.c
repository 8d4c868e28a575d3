/* SPDX-License-Identifier: MIT */
/*
 * gen_sides.c - prints sides.inc: the number of what lies on one side of a cell.
 *
 * A side is the four cells from a cell outwards in one direction of a line: each is empty, own or
 * enemy, and from the edge of the board on there are none. So a side has 81 + 27 + 9 + 3 + 1 = 121
 * forms, numbered by the number of cells on the board, the most first, and then in base three, the
 * nearest cell being the highest digit.
 *
 * The tables are indexed by the eight bits of four cells (00 empty, 01 own, 10 enemy, 11 off the
 * board) as they lie in a line: right[] if the nearest cell is in the lowest bits, left[] if it is
 * in the highest. Bits that no line can have get 0. colours_exchanged[] is indexed by form.
 */
#include <stdio.h>

enum { CELLS = 4, BYTES = 256, FORMS = 121 };

static int form_of(const int cells[CELLS])
{
    int on_board = 0, digits = 0, first = 0, power = 81;
    while (on_board < CELLS && cells[on_board] != 3)
        on_board++;
    for (int i = on_board; i < CELLS; i++)
        if (cells[i] != 3)
            return 0;
    for (int i = CELLS; i > on_board; i--, power /= 3)
        first += power;
    for (int i = 0; i < on_board; i++)
        digits = digits * 3 + cells[i];
    return first + digits;
}

static void print_table(const char *name, const int *values, int count)
{
    printf("static const uint8_t %s[%d] = {\n", name, count);
    for (int i = 0; i < count; i++)
        printf("%d,%s", values[i], i % 16 == 15 || i == count - 1 ? "\n" : " ");
    printf("};\n");
}

int main(void)
{
    int right[BYTES], left[BYTES], exchanged[FORMS] = {0};
    for (int byte = 0; byte < BYTES; byte++) {
        int near_low[CELLS], near_high[CELLS], other[CELLS];
        for (int i = 0; i < CELLS; i++) {
            near_low[i] = byte >> (2 * i) & 3;
            near_high[CELLS - 1 - i] = near_low[i];
        }
        right[byte] = form_of(near_low);
        left[byte] = form_of(near_high);
        for (int i = 0; i < CELLS; i++)
            other[i] = near_low[i] == 1 ? 2 : near_low[i] == 2 ? 1 : near_low[i];
        if (right[byte])
            exchanged[right[byte]] = form_of(other);
    }
    printf("/* SPDX-License-Identifier: MIT */\n");
    print_table("right", right, BYTES);
    print_table("left", left, BYTES);
    print_table("colours_exchanged", exchanged, FORMS);
    return 0;
}
