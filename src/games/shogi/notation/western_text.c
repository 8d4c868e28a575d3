/* SPDX-License-Identifier: MIT */
/*
 * western_text.c - moves in Western notation.
 *
 *     P-7f     a piece and where it goes; files from Black's right, ranks from the top
 *     Bx2b+    captures and promotes; = at the end: does not, although it could
 *     G6i-5h   the square it comes from, where another piece of its kind could go there too
 *     N*4e     drops a piece; +R, +P, ... are promoted pieces
 */
#include "games/shogi/notation/record_reader.h"

static void format_square(int square, ply_text *out)
{
    ply_text_format(out, "%d%c", 9 - shogi_column(square), 'a' + shogi_rank(square));
}

void shogi_display_western(const ply_rules *rules, const void *position, ply_move move,
                           ply_move last, ply_text *out)
{
    static const char letters[] = "PLNSBRGK";
    (void)rules;
    (void)last;
    const shogi_position *p = position;
    int code = shogi_kifu_moved_piece(p, move), to = shogi_move_to(move);
    ply_text_format(out, "%s%c", code & SHOGI_CODE_PROMOTED ? "+" : "", letters[code & 7]);
    if (shogi_move_is_drop(move)) {
        ply_text_char(out, '*');
        format_square(to, out);
        return;
    }
    if (shogi_kifu_rivals(p, move))
        format_square(shogi_move_from(move), out);
    ply_text_char(out, p->board[to] == SHOGI_CODE_EMPTY ? '-' : 'x');
    format_square(to, out);
    if (shogi_move_promotes(move))
        ply_text_char(out, '+');
    else if (shogi_kifu_may_promote(p, move))
        ply_text_char(out, '=');
}
