/* SPDX-License-Identifier: MIT */
/* turn_perft.h - the part of perft for games in which a ply is a turn of several moves. */
#ifndef PLY_PERFT_TURN_PERFT_H
#define PLY_PERFT_TURN_PERFT_H

#include <plyverse/perft.h>

/* As ply_perft, for depth >= 1 and a game that has `turns`; progress is not NULL, *nodes is 0. */
ply_status ply_perft_turns(const ply_state *state, int depth, const ply_perft_options *options,
                           ply_progress *progress, uint64_t *nodes, ply_perft_entry *lines,
                           size_t *line_count);

#endif
