/* SPDX-License-Identifier: MIT */
/* weights.c - the weights of the evaluation and their names, for tuning; see features.h. */
#include "games/checkers/checkers.h"

#include "checkers/weight_names.inc"

const int16_t checkers_weights[CHECKERS_WEIGHTS] = {
#include "games/checkers/eval/weights.inc"
};
