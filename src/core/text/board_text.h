/* SPDX-License-Identifier: MIT */
/* board_text.h - a board as text in the manner of FEN: bbbbbb/6/6/6/6/wwwwww. */
#ifndef PLY_CORE_TEXT_BOARD_TEXT_H
#define PLY_CORE_TEXT_BOARD_TEXT_H

#include <plyverse/text.h>

/* The symbol of the piece on a square, or NULL for an empty square. Row 0 is at the bottom. */
typedef const char *ply_board_symbol(const void *board, int column, int row);

/* Writes the rows from top to bottom, separated by '/', with runs of empty squares as numbers. */
void ply_board_text(const void *board, int width, int height, ply_board_symbol *symbol,
                    ply_text *out);

#endif
