/* SPDX-License-Identifier: MIT */
/*
 * game_json.h - a game as JSON: what the command lists and the server's catalogue share.
 *
 * Each function writes members of an object that the caller has opened and closes.
 */
#ifndef PLY_RECORD_GAME_JSON_H
#define PLY_RECORD_GAME_JSON_H

#include <plyverse/plyverse.h>

/* "id", "name", "summary", "players". */
void ply_game_json_names(const ply_game *game, ply_text *out);
/* "options": what each may be, and what it is where a variant does not say. */
void ply_game_json_options(const ply_game *game, ply_text *out);
/* "formats": those of records, and whether they are read and written. */
void ply_game_json_formats(const ply_game *game, ply_text *out);

/* A member that is an array of two names. */
void ply_game_json_pair(const char *name, const char *first, const char *second, ply_text *out);

#endif
