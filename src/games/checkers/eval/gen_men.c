/* SPDX-License-Identifier: MIT */
/*
 * gen_men.c - prints men.inc: sums of weights over the men on two rows; see features.h. A sum holds
 * the early weights in its lower half and the late weights in its upper half.
 */
#include "games/checkers/eval/features.h"
#include <inttypes.h>
#include <stdio.h>

static const int16_t weights[WEIGHTS] = {
#include "games/checkers/eval/weights.inc"
};

/* The sum of one phase's weights for a colour's men on two rows. */
static int sum_of(const int16_t *w, int colour, int pair, int set)
{
    int sum = 0, first_row = 0;
    for (int bit = 0; bit < 8; bit++) {
        if (!(set >> bit & 1))
            continue;
        int row = 2 * pair + !(bit & 1), index = 4 * row + bit / 2;
        int relative = colour == 0 ? index : 31 - index;
        if (relative < 28)
            sum += w[FEATURE_MAN + relative];
        if (relative < 4)
            first_row |= 1 << relative;
    }
    if (pair == (colour == 0 ? 0 : 3))
        sum += w[FEATURE_FIRST_ROW + first_row];
    return sum;
}

int main(void)
{
    printf("static const int32_t men_sums[2][4][256] = {\n");
    for (int colour = 0; colour < 2; colour++)
        for (int pair = 0; pair < 4; pair++) {
            printf(pair == 0 ? "{{" : "{");
            for (int set = 0; set < 256; set++)
                printf("%d,", sum_of(weights, colour, pair, set) +
                                  sum_of(weights + FEATURES, colour, pair, set) * 65536);
            printf(pair == 3 ? "}},\n" : "},\n");
        }
    printf("};\n");
    return 0;
}
