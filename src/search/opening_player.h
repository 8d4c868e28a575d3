/* SPDX-License-Identifier: MIT */
/*
 * opening_player.h - the engine's choice of an action in an opening procedure, for any game that
 * has procedures (ply_opening_hooks).
 */
#ifndef PLY_SEARCH_OPENING_PLAYER_H
#define PLY_SEARCH_OPENING_PLAYER_H

#include <plyverse/search.h>

/*
 * Makes a state with the moves that a procedure has settled so far. The caller frees it. On failure
 * nothing needs freeing.
 */
ply_status ply_opening_state(const ply_rules *rules, const void *procedure, ply_state *state);

/*
 * Chooses an action for the player to act, by a few short searches, and writes what the hook
 * `perform` parses to `text`. rng draws the moves to consider. PLY_UNSUPPORTED when there is
 * nothing to choose from; PLY_NO_MEMORY.
 */
ply_status ply_opening_choose(const ply_rules *rules, const void *procedure, ply_rng *rng,
                              char text[PLY_OPENING_TEXT]);

#endif
