/* SPDX-License-Identifier: MIT */
/* library_internal.h - what library.c needs from library_game.c. */
#ifndef PLY_SERVER_LIBRARY_LIBRARY_INTERNAL_H
#define PLY_SERVER_LIBRARY_LIBRARY_INTERNAL_H

#include "server/library/library.h"

/* An empty game; NULL when memory runs out. */
library_game *library_game_new(void);
void library_game_free(library_game *game);
/* Reads a game into an empty one. After a failure the game may only be freed. */
ply_status library_game_load(library_game *game, store *from, int64_t id, ply_error *error);
/* Fills in game->extra for a complete record. */
ply_status library_game_describe(library_game *game, ply_error *error);
/* Fills in the tip if the header has none, and the clock. */
void library_game_set_tip(library_game *game);
/* Brings what the header says about the tree up to date. */
void library_game_update_header(library_game *game);
/* A node as the store wants it. Its strings belong to the game. */
store_node library_game_node(const library_game *game, uint32_t n);

#endif
