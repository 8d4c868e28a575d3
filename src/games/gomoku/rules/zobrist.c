/* SPDX-License-Identifier: MIT */
/* zobrist.c - the Zobrist keys printed by gen_zobrist.c. */
#include "games/gomoku/gomoku.h"

#include "gomoku/zobrist.inc"
