/* SPDX-License-Identifier: MIT */
/* svg.c - the Neighbours board as SVG; each piece shows how far it moves. */
#include "model/svg.h"
#include "games/neighbours/neighbours.h"

enum { SQUARE = PLY_SVG_SQUARE, SIDE = NEIGHBOURS_SIDE, MARGIN = 40 };

static void write_piece(int colour, int distance, int x, int y, ply_text *out)
{
    static const char *const tops[2] = {"#fffdf7", "#37342f"},
                             *const sides[2] = {"#b7b0a0", "#12110f"},
                             *const digits[2] = {"#33302a", "#f7f3ea"};
    enum { INSET = 14, SIZE = SQUARE - 2 * INSET, RADIUS = 22, DEPTH = 4 };
    char digit[2] = {(char)('0' + distance), '\0'};
    ply_svg_rect(out, (ply_svg_box){x + INSET, y + INSET + DEPTH, SIZE, SIZE}, RADIUS,
                 sides[colour]);
    ply_svg_rect(out, (ply_svg_box){x + INSET, y + INSET, SIZE, SIZE}, RADIUS, tops[colour]);
    ply_svg_label(out, x + SQUARE / 2, y + 63, 36, digits[colour], digit);
}

void neighbours_svg(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                    ply_text *out)
{
    const neighbours_position *p = position;
    bool flipped = (flags & PLY_SVG_FLIPPED) != 0;
    uint64_t players[2] = {p->side ? p->next : p->current, p->side ? p->current : p->next};
    ply_svg_box box = {-MARGIN, -MARGIN / 2, SIDE * SQUARE + MARGIN + MARGIN / 2,
                       SIDE * SQUARE + MARGIN + MARGIN / 2};
    ply_svg_open(rules, position, box, out);
    ply_svg_rect(out, box, 12, "#c6c0b1");
    for (int square = 0; square < NEIGHBOURS_SQUARES; square++) {
        int file = square % SIDE, row = square / SIDE;
        int x = (flipped ? SIDE - 1 - file : file) * SQUARE;
        int y = (flipped ? row : SIDE - 1 - row) * SQUARE;
        ply_svg_box tile = {x + 3, y + 3, SQUARE - 6, SQUARE - 6};
        ply_svg_rect(out, tile, 8, (file + row) % 2 ? "#e4e0d6" : "#d8d3c6");
        if (last != PLY_MOVE_NONE &&
            (neighbours_move_from(last) == square || neighbours_move_to(last) == square))
            ply_svg_mark(out, tile);
        for (int colour = 0; colour < 2; colour++)
            if (players[colour] >> square & 1)
                write_piece(colour, neighbours_distance(p->current | p->next, square), x, y, out);
    }
    for (int i = 0; i < SIDE; i++) {
        int middle = (flipped ? SIDE - 1 - i : i) * SQUARE + SQUARE / 2;
        char file[2] = {(char)('a' + i), '\0'}, row[2] = {(char)('1' + i), '\0'};
        ply_svg_label(out, middle, SIDE * SQUARE + 28, 24, "#4c4840", file);
        ply_svg_label(out, -MARGIN / 2, SIDE * SQUARE - middle + 8, 24, "#4c4840", row);
    }
    ply_svg_close(out);
}
