/* SPDX-License-Identifier: MIT */
/*
 * game_json.h - a game's description as JSON, for `plyverse games` and the server's catalogue.
 *
 * Each function writes members of a JSON object that the caller opens and closes.
 */
#ifndef PLY_RECORD_GAME_JSON_H
#define PLY_RECORD_GAME_JSON_H

#include <plyverse/plyverse.h>

/* "id", "name", "summary", "players". */
void ply_game_json_names(const ply_game *game, ply_text *out);
/* "options": the range and the default of each. */
void ply_game_json_options(const ply_game *game, ply_text *out);
/* "formats": the record formats, and whether they can be read and written. */
void ply_game_json_formats(const ply_game *game, ply_text *out);
/* "level_elo": the approximate Elo of each level of players, weakest first. */
void ply_game_json_level_elo(const ply_game *game, ply_text *out);

/* A member whose value is an array of two strings. */
void ply_game_json_pair(const char *name, const char *first, const char *second, ply_text *out);

#endif
