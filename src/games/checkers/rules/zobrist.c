/* SPDX-License-Identifier: MIT */
/* zobrist.c - the Zobrist keys and binomial coefficients that gen_zobrist.c prints. */
#include "games/checkers/checkers.h"

#include "checkers/zobrist.inc"
