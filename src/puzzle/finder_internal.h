/* SPDX-License-Identifier: MIT */
/* finder_internal.h - the finder, shared by the files of this folder. */
#ifndef PLY_PUZZLE_FINDER_INTERNAL_H
#define PLY_PUZZLE_FINDER_INTERNAL_H

#include "puzzle/puzzle.h"
#include <stdatomic.h>

enum { PUZZLE_EASIER_GOALS = 4 };

struct ply_puzzle_finder {
    ply_puzzle_spec spec;
    ply_solver *solver;
    ply_solver *easier[PUZZLE_EASIER_GOALS]; /* of the goals listed before this one */
    ply_move *moves;                         /* rules->max_moves */
    ply_tablebase_move *values;              /* rules->max_moves; NULL without a tablebase */
    uint64_t *seen;                          /* keys of the puzzles found */
    size_t seen_count, seen_room;
    ply_status status;
    atomic_bool stopped;
};

/* Whether to go on: no question has failed, and nobody has stopped the search. */
bool ply_puzzle_goes_on(ply_puzzle_finder *finder);
/* turns.c: whether no turn but the solution's first wins within as many turns. Sets the choices. */
bool ply_puzzle_turn_is_unique(ply_puzzle_finder *finder, ply_state *state, ply_puzzle *puzzle);
/* Whether a turn begins in this state. */
bool ply_puzzle_begins_turn(ply_state *state);

#endif
