/* keys.c - the keys that gen_keys.c prints. */
#include "games/gomoku/gomoku.h"

#include "gomoku/keys.inc"
