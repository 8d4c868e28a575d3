/* SPDX-License-Identifier: MIT */
/* checkers_slices.cu - slices of checkers; see slices.h. */
#include "games/checkers/tablebase/slots.h"

#define SLICES_GAME(name) checkers_slice_##name
enum {
    SLICES_MAX_EXITS = CHECKERS_MAX_MOVES,
    SLICES_MAX_PREDECESSORS = CHECKERS_MAX_QUIET_PREDECESSORS,
};
#include "cuda/slices_body.h"
