/* SPDX-License-Identifier: MIT */
/* turn_perft.h - perft for games with multi_move_turns, where a ply of depth is a whole turn. */
#ifndef PLY_PERFT_TURN_PERFT_H
#define PLY_PERFT_TURN_PERFT_H

#include <plyverse/perft.h>

/*
 * As ply_perft, for depth >= 1 and a game with counting->perft and counting->turns. progress and
 * divide_count are not NULL, and *nodes is 0. options->hash_mb is ignored.
 */
ply_status ply_turn_perft(const ply_state *state, int depth, const ply_perft_options *options,
                          ply_progress *progress, uint64_t *nodes, ply_perft_entry *divide,
                          size_t *divide_count);

#endif
