/* SPDX-License-Identifier: MIT */
/*
 * piece_names.h - the names of the pieces in Japanese records. Only the low four bits of a code
 * count.
 */
#ifndef PLY_GAMES_SHOGI_NOTATION_PIECE_NAMES_H
#define PLY_GAMES_SHOGI_NOTATION_PIECE_NAMES_H

#include "games/shogi/shogi.h"

/* The single kanji on a board diagram: 歩 ... 龍. */
const char *shogi_board_kanji(int code);
/* The name in a move: 歩 ... 成香 ... 龍. */
const char *shogi_move_kanji(int code);
/* The two letters of CSA: FU ... RY. */
const char *shogi_csa_name(int code);

#endif
