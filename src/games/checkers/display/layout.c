/* SPDX-License-Identifier: MIT */
/* layout.c - a position in memory, for people: the four bitboards as 8x8 bits, and the rest. */
#include "games/checkers/checkers.h"
#include "model/layout_member.h"

#define MEMBER(member, text) PLY_LAYOUT_MEMBER(checkers_position, p, member, sizeof p->member, text)

static void add_move(ply_move last, ply_layout *out)
{
    char text[96];
    ply_text meaning = ply_text_fixed(text, sizeof text);
    ply_text_format(&meaning, "from %u | to %u << 5 | crown %u << 10 | captured << 32",
                    (unsigned)(last & 31), (unsigned)(last >> 5 & 31), (unsigned)(last >> 10 & 1));
    ply_layout_add_move(out, last, text);
}

void checkers_layout(const ply_rules *rules, const void *position, ply_move last, ply_layout *out)
{
    const checkers_position *p = position;
    ply_layout_field boards[] = {
        MEMBER(black_men, "men of the side that starts at the top and moves down"),
        MEMBER(black_kings, "its kings"),
        MEMBER(white_men, "men of the side that starts at the bottom and moves up"),
        MEMBER(white_kings, "its kings"),
    };
    ply_layout_section(out,
                       rules->option[CHECKERS_OPTION_MIRROR]
                           ? "bitboards: bit 0 top left, bit 63 bottom right, dark squares only; "
                             "players see it mirrored"
                           : "bitboards: bit 0 top left, bit 63 bottom right, dark squares only");
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        boards[i].grid = (ply_layout_grid){CHECKERS_SIDE, CHECKERS_SIDE, 0, CHECKERS_SIDE, 1};
        ply_layout_add(out, &boards[i]);
    }
    ply_layout_field fields[] = {
        MEMBER(hash, "Zobrist key of the pieces and the side to move"),
        MEMBER(quiet, "plies since a man moved or a piece was captured"),
        MEMBER(turn, "0 Black, 1 White to move"),
        PLY_LAYOUT_MEMBER(checkers_position, p, zero, 1, "unused"),
    };
    ply_layout_section(out, "the rest of the position");
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        ply_layout_add(out, &fields[i]);
    add_move(last, out);
}
