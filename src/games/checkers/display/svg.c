/* SPDX-License-Identifier: MIT */
/* svg.c - the checkers board as SVG, with the name of each dark square. */
#include "model/svg.h"
#include "games/checkers/checkers.h"

enum { SQUARE = PLY_SVG_SQUARE, SIDE = CHECKERS_SIDE, MARGIN = 25 };

static void write_piece(checkers_piece piece, int x, int y, ply_text *out)
{
    bool white = piece == CHECKERS_WHITE_MAN || piece == CHECKERS_WHITE_KING;
    const char *top = white ? "#f7efdf" : "#33302c", *side = white ? "#bfae8e" : "#14120f",
               *ring = white ? "#d2c3a3" : "#57524a";
    ply_svg_circle(out, x, y + 4, 38, side, NULL, 0);
    ply_svg_circle(out, x, y, 38, top, side, 2);
    ply_svg_circle(out, x, y, 30, "none", ring, 3);
    if (piece == CHECKERS_BLACK_KING || piece == CHECKERS_WHITE_KING)
        ply_text_format(out,
                        "<path transform=\"translate(%d %d)\" fill=\"%s\" "
                        "d=\"M-17 12L-21-11L-8-1L0-17L8-1L21-11L17 12Z\"/>\n",
                        x, y, white ? "#b1781a" : "#e6b84f");
    else
        ply_svg_circle(out, x, y, 20, "none", ring, 3);
}

void checkers_svg(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                  ply_text *out)
{
    bool flipped = (flags & PLY_SVG_FLIPPED) != 0;
    checkers_board board = checkers_board_of(rules, position);
    ply_svg_box box = {-MARGIN, -MARGIN, SIDE * SQUARE + 2 * MARGIN, SIDE * SQUARE + 2 * MARGIN};
    ply_svg_open(rules, position, box, out);
    ply_svg_rect(out, box, 16, "#5a3a26");
    ply_svg_rect(out, (ply_svg_box){0, 0, SIDE * SQUARE, SIDE * SQUARE}, 0, "#ecd6b0");
    for (int index = 0; index < CHECKERS_SQUARES; index++) {
        int row, column;
        char name[8];
        ply_text text = ply_text_fixed(name, sizeof name);
        checkers_format_square(rules, index, &text);
        checkers_shown_at(rules, index, &row, &column);
        int x = (flipped ? SIDE - 1 - column : column) * SQUARE;
        int y = (flipped ? SIDE - 1 - row : row) * SQUARE;
        ply_svg_box square = {x, y, SQUARE, SQUARE};
        ply_svg_rect(out, square, 0, "#8a5a3c");
        if (last != PLY_MOVE_NONE &&
            (checkers_move_from(last) == index || checkers_move_to(last) == index ||
             (checkers_move_captured(last) >> index & 1)))
            ply_svg_mark(out, square);
        ply_svg_label(out, x + 14, y + 19, 18, "#f3dfc0", name);
        checkers_piece piece = checkers_piece_at(&board, checkers_bit_of(index));
        if (piece != CHECKERS_EMPTY)
            write_piece(piece, x + SQUARE / 2, y + SQUARE / 2, out);
    }
    ply_svg_close(out);
}
