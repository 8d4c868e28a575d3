/* SPDX-License-Identifier: MIT */
/* games.h - the adapters that the registry lists, one for each folder below. */
#ifndef PLY_GAMES_GAMES_H
#define PLY_GAMES_GAMES_H

#include <plyverse/game.h>

extern const ply_game fived_game;
extern const ply_game shogi_game;
extern const ply_game checkers_game;
extern const ply_game neighbours_game;
extern const ply_game gomoku_game;

#endif
