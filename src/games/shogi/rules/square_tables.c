/* SPDX-License-Identifier: MIT */
/* square_tables.c - the tables that gen_square_tables.c makes at build time. */
#include "games/shogi/rules/square_tables.h"
#include "shogi/square_tables.inc"
