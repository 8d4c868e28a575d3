/* SPDX-License-Identifier: MIT */
/* zobrist.c - the tables that gen_zobrist.c and gen_names.c print, and the weights for tuning. */
#include "games/checkers/checkers.h"

#include "checkers/names.inc"
#include "checkers/zobrist.inc"

const int16_t checkers_weights[CHECKERS_WEIGHTS] = {
#include "games/checkers/eval/weights.inc"
};
