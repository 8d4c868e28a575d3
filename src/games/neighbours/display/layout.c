/* SPDX-License-Identifier: MIT */
/* layout.c - a position in memory, for people: the two boards as 6x6 bits, and the rest. */
#include "games/neighbours/neighbours.h"
#include "model/layout_member.h"

#define MEMBER(member, text) \
    PLY_LAYOUT_MEMBER(neighbours_position, p, member, sizeof p->member, text)

static void add_board(ply_layout *out, ply_layout_field field)
{
    enum { TOP_LEFT = NEIGHBOURS_SQUARES - NEIGHBOURS_SIDE };
    field.grid = (ply_layout_grid){NEIGHBOURS_SIDE, NEIGHBOURS_SIDE, TOP_LEFT, -NEIGHBOURS_SIDE, 1};
    ply_layout_add(out, &field);
}

void neighbours_layout(const ply_rules *rules, const void *position, ply_move last, ply_layout *out)
{
    (void)rules;
    const neighbours_position *p = position;
    ply_layout_section(out, "boards: bit 0 is a1, bit 35 is f6; every move swaps the two words");
    add_board(out, MEMBER(current, p->side ? "pieces of the player to move, Black"
                                           : "pieces of the player to move, White"));
    add_board(out, MEMBER(next, p->side ? "pieces of the opponent, White"
                                        : "pieces of the opponent, Black"));
    ply_layout_section(out, "the rest of the position");
    ply_layout_field fields[] = {
        MEMBER(hash, "Zobrist key of the pieces and the side to move"),
        MEMBER(quiet, "plies since the last capture"),
        MEMBER(side, "0 White, 1 Black to move"),
        PLY_LAYOUT_MEMBER(neighbours_position, p, zero, 1, "unused"),
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        ply_layout_add(out, &fields[i]);
    char text[64];
    ply_text meaning = ply_text_fixed(text, sizeof text);
    ply_text_format(&meaning, "from %d | to %d << 6", neighbours_move_from(last),
                    neighbours_move_to(last));
    ply_layout_add_move(out, last, text);
}
