/* SPDX-License-Identifier: MIT */
/*
 * svg.c - the shogi board as SVG: White's hand above it and Black's below, pieces with kanji.
 *
 * Each kind of piece on show is defined once, pointing up; White's are turned.
 */
#include "model/svg.h"
#include "games/shogi/notation/piece_names.h"
#include "games/shogi/shogi.h"

enum {
    SQUARE = PLY_SVG_SQUARE,
    SIDE = SHOGI_SIDE,
    BOARD = SIDE * SQUARE,
    MARGIN = 40,
    HAND = 120, /* the height of a hand */
};

/* The characters on the pieces, by code: outlines on a square of 1000x1000. */
static const char *const kanji[] = {
#include "games/shogi/display/kanji.inc"
};

/* Half the height of a piece, by kind. */
static const int sizes[] = {
    [SHOGI_PAWN] = 39,   [SHOGI_LANCE] = 41, [SHOGI_KNIGHT] = 42, [SHOGI_SILVER] = 44,
    [SHOGI_BISHOP] = 46, [SHOGI_ROOK] = 46,  [SHOGI_GOLD] = 44,   [SHOGI_KING] = 47};

/* Defines the kinds of pieces that the position has. */
static void write_shapes(const shogi_position *p, ply_text *out)
{
    uint32_t used = 0;
    for (int s = 0; s < SHOGI_SQUARES; s++)
        if (p->board[s] != SHOGI_CODE_EMPTY)
            used |= 1u << (p->board[s] & 15);
    for (int kind = 0; kind < SHOGI_KING; kind++)
        if (shogi_hand_count(p->hand[0], kind) + shogi_hand_count(p->hand[1], kind) > 0)
            used |= 1u << kind;
    ply_text_string(out, "<defs>\n");
    for (; used; used &= used - 1) {
        int code = ply_lowest(used);
        ply_text_format(out,
                        "<g id=\"ply-koma-%d\" transform=\"scale(%d)\"><path fill=\"#f8dda6\" "
                        "stroke=\"#b98a44\" stroke-width=\".05\" d=\"M0-1L.68-.74L.86.92Q.86 1 .78 "
                        "1H-.78Q-.86 1-.86.92L-.68-.74Z\"/><path fill=\"%s\" "
                        "transform=\"scale(.00136) translate(-500 -450)\" d=\"%s\"/></g>\n",
                        code, sizes[code & SHOGI_CODE_KIND],
                        code & SHOGI_CODE_PROMOTED ? "#b3261e" : "#2a2118", kanji[code]);
    }
    ply_text_string(out, "</defs>\n");
}

/* A piece centred on a point. */
static void write_piece(int code, bool turned, int x, int y, ply_text *out)
{
    ply_text_format(out, "<use href=\"#ply-koma-%d\" transform=\"translate(%d %d)%s\"/>\n",
                    code & 15, x, y, turned ? " rotate(180)" : "");
}

static void write_hand(const shogi_position *p, int colour, bool turned, int top, ply_text *out)
{
    ply_svg_rect(out, (ply_svg_box){0, top, BOARD, HAND - 10}, 14, "#d9a75a");
    for (int i = 0, shown = 0; i < SHOGI_KING; i++) {
        int kind = shogi_hand_order[i];
        unsigned count = shogi_hand_count(p->hand[colour], kind);
        if (count == 0)
            continue;
        int x = 65 + 128 * shown++, y = top + (HAND - 10) / 2;
        write_piece(kind, turned, turned ? BOARD - x : x, y, out);
        if (count > 1) {
            char number[12];
            ply_text text = ply_text_fixed(number, sizeof number);
            ply_text_format(&text, "%u", count);
            ply_svg_label(out, (turned ? BOARD - x : x) + 56, y + 40, 32, "#2c2a26", number);
        }
    }
}

static void write_board(bool flipped, ply_text *out)
{
    ply_text_string(out, "<path fill=\"none\" stroke=\"#5b4020\" stroke-width=\"4\" d=\"");
    for (int i = 0; i <= SIDE; i++)
        ply_text_format(out, "M%d 0V%dM0 %dH%d", i * SQUARE, BOARD, i * SQUARE, BOARD);
    ply_text_string(out, "\"/>\n");
    for (int i = 0; i < 4; i++)
        ply_svg_circle(out, (i % 2 ? 6 : 3) * SQUARE, (i / 2 ? 6 : 3) * SQUARE, 9, "#5b4020", NULL,
                       0);
    for (int i = 0; i < SIDE; i++) {
        int middle = (flipped ? SIDE - 1 - i : i) * SQUARE + SQUARE / 2;
        char file[2] = {(char)('9' - i), '\0'}, rank[2] = {(char)('a' + i), '\0'};
        ply_svg_label(out, middle, -12, 26, "#5b4020", file);
        ply_svg_label(out, BOARD + 20, middle + 8, 26, "#5b4020", rank);
    }
}

void shogi_svg(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
               ply_text *out)
{
    const shogi_position *p = position;
    bool flipped = (flags & PLY_SVG_FLIPPED) != 0;
    int to = last != PLY_MOVE_NONE ? shogi_move_to(last) : -1;
    int from = last != PLY_MOVE_NONE && !shogi_move_is_drop(last) ? shogi_move_from(last) : -1;
    ply_svg_box box = {-MARGIN, -MARGIN - HAND, BOARD + 2 * MARGIN,
                       BOARD + 2 * (MARGIN + HAND) - 10};
    ply_svg_open(rules, position, box, out);
    write_shapes(p, out);
    ply_svg_rect(out, box, 16, "#e9bd74");
    for (int s = 0; s < SHOGI_SQUARES; s++) {
        int x = (flipped ? SIDE - 1 - shogi_column(s) : shogi_column(s)) * SQUARE;
        int y = (flipped ? SIDE - 1 - shogi_rank(s) : shogi_rank(s)) * SQUARE;
        if (s == to || s == from)
            ply_svg_mark(out, (ply_svg_box){x, y, SQUARE, SQUARE});
    }
    write_board(flipped, out);
    for (int s = 0; s < SHOGI_SQUARES; s++) {
        int code = p->board[s];
        int x = (flipped ? SIDE - 1 - shogi_column(s) : shogi_column(s)) * SQUARE;
        int y = (flipped ? SIDE - 1 - shogi_rank(s) : shogi_rank(s)) * SQUARE;
        if (code != SHOGI_CODE_EMPTY)
            write_piece(code, (shogi_code_owner(code) == SHOGI_WHITE) != flipped, x + SQUARE / 2,
                        y + SQUARE / 2, out);
    }
    for (int colour = 0; colour < 2; colour++) {
        bool upper = (colour == SHOGI_WHITE) != flipped;
        write_hand(p, colour, upper, upper ? -MARGIN - HAND + 10 : BOARD + MARGIN - 10, out);
    }
    ply_svg_close(out);
}
