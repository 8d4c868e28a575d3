/* SPDX-License-Identifier: MIT */
/* board_text.c - see board_text.h. */
#include "core/text/board_text.h"

void ply_board_text(const void *board, int width, int height, ply_board_symbol *symbol,
                    ply_text *out)
{
    for (int row = height - 1; row >= 0; row--) {
        int empty = 0;
        for (int column = 0; column < width; column++) {
            const char *piece = symbol(board, column, row);
            if (!piece) {
                empty++;
                continue;
            }
            if (empty > 0)
                ply_text_format(out, "%d", empty);
            empty = 0;
            ply_text_string(out, piece);
        }
        if (empty > 0)
            ply_text_format(out, "%d", empty);
        if (row > 0)
            ply_text_char(out, '/');
    }
}
