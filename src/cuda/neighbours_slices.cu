/* SPDX-License-Identifier: MIT */
/* neighbours_slices.cu - slices of Neighbours; see slices.h. */
#include "games/neighbours/tablebase/slots.h"

#define SLICES_GAME(name) neighbours_slice_##name
enum {
    SLICES_MAX_EXITS = NEIGHBOURS_MAX_MOVES + 1,
    SLICES_MAX_PREDECESSORS = 2 * NEIGHBOURS_PIECES * NEIGHBOURS_DIRECTIONS * NEIGHBOURS_REACH,
};
#include "cuda/slices_body.h"
