/* SPDX-License-Identifier: MIT */
/*
 * piece_names.h - the names that pieces, squares, results and starts have in Japanese records.
 */
#ifndef PLY_GAMES_SHOGI_NOTATION_PIECE_NAMES_H
#define PLY_GAMES_SHOGI_NOTATION_PIECE_NAMES_H

#include "games/shogi/shogi.h"

/* One character of kanji for a piece on the board: 歩 ... 龍. */
const char *shogi_board_kanji(int code);
/* The name in a move: 歩 ... 成香 ... 竜. */
const char *shogi_move_kanji(int code);
/* Two letters of CSA: FU ... RY. */
const char *shogi_csa_name(int code);

#endif
