/* hub.c - talking to a program by Hub version 2. */
#include "match/dialect.h"

const match_dialect match_dialect_hub = {.id = "hub", .game = "checkers"};
