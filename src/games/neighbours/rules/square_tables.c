/* SPDX-License-Identifier: MIT */
/* square_tables.c - the tables that gen_square_tables.c prints. */
#include "games/neighbours/neighbours.h"

#include "neighbours/square_tables.inc"
