/* SPDX-License-Identifier: MIT */
/*
 * mate_internal.h - shared by the files of the mate search; private to them.
 *
 *     mate_search.c   the search, its memory and its limits
 *     mate_turns.c    the turns of a node, generated in batches
 */
#ifndef PLY_GAMES_FIVED_SOLVE_MATE_INTERNAL_H
#define PLY_GAMES_FIVED_SOLVE_MATE_INTERNAL_H

#include "games/fived/solve/mate_search.h"

#define MATE_INFINITE (UINT32_MAX / 4)

/* --- mate_search.c -------------------------------------------------------------------------- */
size_t fived_mate_level_bytes(const mate_level *v);
/* Records that memory ran out and stops the search. */
void fived_mate_out_of_memory(mate_search *s);
/* The level of a depth, made if need be; NULL when out of memory. */
mate_level *fived_mate_level(mate_search *s, uint32_t depth);
/* Checks the limits; the context is the search. */
bool fived_mate_should_stop(void *context);
/* Counts a turn played; false when it is time to stop. */
bool fived_mate_count_node(mate_search *s);
/* Sets phi and delta of a child whose verdict is known. */
void fived_mate_decide(mate_child *c, bool attacker_moves, bool wins);
/* Stores what is known about a key in the transposition table. */
void fived_mate_store(mate_search *s, uint64_t key, const mate_child *c, int turns, uint64_t work);

/* --- mate_turns.c --------------------------------------------------------------------------- */
/* Plays a turn from a level. False: nothing has been played, and the search has stopped. */
bool fived_mate_play_turn(mate_search *s, mate_level *v, const ply_move *moves, size_t count);
void fived_mate_undo_turn(mate_search *s, mate_level *v, const ply_move *moves, size_t count);
/* Takes a turn that fails for the player to move into account. */
void fived_mate_record_lost_turn(mate_level *v, const mate_child *c);
/* Generates the next batch of turns of the current level. */
void fived_mate_expand(mate_search *s, mate_level *v);
/* Tries turns that gave mate elsewhere. */
void fived_mate_try_killers(mate_search *s, mate_level *v);

#endif
