/* SPDX-License-Identifier: MIT */
/* gen_weight_names.c - prints weight_names.inc: names of the weights, ordered as in features.h. */
#include "games/checkers/eval/features.h"
#include <stdio.h>

int main(void)
{
    printf("const char *const checkers_weight_names[CHECKERS_WEIGHTS] = {\n");
    for (int phase = 0; phase < 2; phase++)
        for (int f = 0; f < FEATURES; f++) {
            static const char *const rest[] = {
                "king",         "flying king",     "central king",   "king on the edge",
                "trapped king", "safe king steps", "safe man steps", "supported man",
            };
            printf("\"%s ", phase == 0 ? "early" : "late");
            if (f < FEATURE_FIRST_ROW)
                printf("man on %d\",\n", f - FEATURE_MAN);
            else if (f < FEATURE_KING)
                printf("first row %d\",\n", f - FEATURE_FIRST_ROW);
            else if (f < FEATURE_RUNAWAY)
                printf("%s\",\n", rest[f - FEATURE_KING]);
            else if (f < FEATURE_EXPOSED)
                printf("runaway man on row %d\",\n", f - FEATURE_RUNAWAY + 3);
            else
                printf("%s\",\n", f == FEATURE_EXPOSED      ? "exposed piece"
                                  : f == FEATURE_OPPOSITION ? "opposition"
                                                            : "turn");
        }
    printf("};\n");
    return 0;
}
