/* SPDX-License-Identifier: MIT */
/* square_tables.c - the generated tables. */
#include "games/shogi/rules/square_tables.h"
#include "shogi/square_tables.inc"
