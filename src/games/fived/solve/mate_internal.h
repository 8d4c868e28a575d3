/* SPDX-License-Identifier: MIT */
/*
 * mate_internal.h - what the files of the search for mates share; nobody else includes it.
 *
 *     mate_search.c  the search, its memory and limits
 *     mate_turns.c    turns: listed in portions, each looked behind
 */
#ifndef PLY_GAMES_FIVED_SOLVE_MATE_INTERNAL_H
#define PLY_GAMES_FIVED_SOLVE_MATE_INTERNAL_H

#include "games/fived/solve/mate_search.h"

#define MATE_FOREVER (UINT32_MAX / 4)

/* --- mate_search.c --- */
size_t fived_mate_level_bytes(const mate_level *v);
void fived_mate_fail_memory(mate_search *s);
/* The level of a depth; NULL when memory is out. */
mate_level *fived_mate_level_at(mate_search *s, uint32_t depth);
/* Looks at the limits; the context is the search. */
bool fived_mate_must_halt(void *context);
/* Counts a turn played; false when it is time to stop. */
bool fived_mate_count_node(mate_search *s);
/* Gives a child the numbers of a decided question. */
void fived_mate_decide(mate_child *c, bool attacks, bool wins);
/* Writes what is known of a key into the table. */
void fived_mate_note(mate_search *s, uint64_t key, const mate_child *c, int turns, uint64_t work);

/* --- mate_turns.c --- */
/* Plays a turn from a level; false: nothing has been played, and the search has stopped. */
bool fived_mate_play_turn(mate_search *s, mate_level *v, const ply_move *moves, size_t count);
void fived_mate_undo_turn(mate_search *s, mate_level *v, const ply_move *moves, size_t count);
/* Notes a turn that is decided against the player to move. */
void fived_mate_note_lost(mate_level *v, const mate_child *c);
/* Lists the next portion of turns of the level under way. */
void fived_mate_list_more(mate_search *s, mate_level *v);
/* Tries the turns that mated lately. */
void fived_mate_try_killers(mate_search *s, mate_level *v);

#endif
