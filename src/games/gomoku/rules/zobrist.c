/* SPDX-License-Identifier: MIT */
/* zobrist.c - the keys that gen_zobrist.c prints. */
#include "games/gomoku/gomoku.h"

#include "gomoku/zobrist.inc"
