/* tables.c - the tables that gen_tables.c prints. */
#include "games/checkers/checkers.h"

#include "checkers/tables.inc"
