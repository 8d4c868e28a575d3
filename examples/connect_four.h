/* SPDX-License-Identifier: MIT */
/* connect_four.h - a complete game outside the library; docs/adding-a-game.md walks through it. */
#ifndef CONNECT_FOUR_H
#define CONNECT_FOUR_H

#include <plyverse/plyverse.h>

extern const ply_game connect_four_game;

#endif
