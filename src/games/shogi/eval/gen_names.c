/* SPDX-License-Identifier: MIT */
/* gen_names.c - prints names.inc, which has a name for each weight of weights.h. */
#include "games/shogi/eval/weights.h"
#include <stdio.h>

int main(void)
{
    static const struct {
        const char *name;
        int count;
    } blocks[] = {
#define BLOCK(id, name, count) {name, count},
        SHOGI_WEIGHT_BLOCKS(BLOCK)
#undef BLOCK
    };
    printf("const char *const shogi_weight_names[SHOGI_WEIGHTS] = {\n");
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++)
        for (int i = 0; i < blocks[b].count; i++)
            printf("\"%s %d\",\n", blocks[b].name, i);
    printf("};\n");
    return 0;
}
