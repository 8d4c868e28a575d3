/* tables.c - the tables that gen_tables.c prints. */
#include "games/neighbours/neighbours.h"

#include "neighbours/tables.inc"
