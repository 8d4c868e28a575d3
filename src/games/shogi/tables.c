/* tables.c - the tables that gen_tables.c makes at build time. */
#include "games/shogi/tables.h"
#include "shogi/tables.inc"
