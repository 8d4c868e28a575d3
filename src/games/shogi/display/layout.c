/* SPDX-License-Identifier: MIT */
/*
 * layout.c - a position in memory, for people: square sets, hands, keys and piece codes, and the
 * design note's arrays of numbered pieces, which are made from it.
 */
#include "games/shogi/shogi.h"
#include "model/layout_member.h"
#include <stdio.h>

#define MEMBER(member, bytes, text) PLY_LAYOUT_MEMBER(shogi_position, p, member, bytes, text)

static void add_set(const shogi_position *p, const char *name, const char *meaning,
                    const shogi_stored_set *set, ply_layout *out)
{
    ply_layout_field field = {.name = name,
                              .meaning = meaning,
                              .words = set,
                              .word_bytes = sizeof *set,
                              .word_count = 1,
                              .offset = (size_t)((const char *)set - (const char *)p)};
    field.grid = (ply_layout_grid){SHOGI_SIDE, SHOGI_SIDE, 0, SHOGI_STRIDE, 1};
    ply_layout_add(out, &field);
}

static void add_sets(const shogi_position *p, ply_layout *out)
{
    static const char *const types[SHOGI_TYPES] = {"pawns",
                                                   "lances",
                                                   "knights",
                                                   "silvers",
                                                   "bishops",
                                                   "rooks",
                                                   "golds, and what moves as a gold",
                                                   "kings",
                                                   "horses (promoted bishops)",
                                                   "dragons (promoted rooks)"};
    static const char *const colours[2] = {"pieces of Black", "pieces of White"};
    char name[32];
    ply_layout_section(out, "square sets: 128 bits, bit p is square p; ranks are 11 bits apart");
    for (int i = 0; i < SHOGI_TYPES; i++) {
        snprintf(name, sizeof name, "by_type[%d]", i);
        add_set(p, name, types[i], &p->by_type[i], out);
    }
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "colour[%d]", i);
        add_set(p, name, colours[i], &p->colour[i], out);
    }
}

static void add_hands(const shogi_position *p, ply_layout *out)
{
    ply_layout_section(out, "hands and keys: byte k of a hand counts the pieces of kind k");
    for (int colour = 0; colour < 2; colour++) {
        char name[16], text[64];
        ply_text meaning = ply_text_fixed(text, sizeof text);
        snprintf(name, sizeof name, "hand[%d]", colour);
        ply_text_format(&meaning, "%s:", colour == SHOGI_BLACK ? "Black" : "White");
        for (int kind = 0; kind < SHOGI_KING; kind++)
            ply_text_format(&meaning, " %c %u", shogi_piece_letters[kind],
                            shogi_hand_count(p->hand[colour], kind));
        ply_layout_field field = MEMBER(hand[colour], sizeof p->hand[0], text);
        field.name = name;
        field.offset =
            __builtin_offsetof(shogi_position, hand) + (size_t)colour * sizeof p->hand[0];
        ply_layout_add(out, &field);
    }
}

static void add_saved_form(const shogi_position *p, ply_layout *out)
{
    uint8_t bytes[SHOGI_SAVED_BYTES];
    shogi_save(p, bytes);
    ply_layout_field field = {.name = "goma_pos",
                              .meaning = "pieces 1 to 40: square, 97 and 98 the hands, 99 the box",
                              .words = bytes,
                              .word_bytes = 1,
                              .word_count = SHOGI_PIECES,
                              .offset = PLY_LAYOUT_OUTSIDE,
                              .grid = {20, 2, 0, 20, 1}};
    ply_layout_section(out, "saved form, 80 bytes: made from the position");
    ply_layout_add(out, &field);
    field.name = "goma_cde";
    field.meaning = "their codes; bit 6 of the first: the side to move";
    field.words = bytes + SHOGI_PIECES;
    ply_layout_add(out, &field);
}

static void add_move(ply_move last, ply_layout *out)
{
    char text[96];
    ply_text meaning = ply_text_fixed(text, sizeof text);
    ply_text_format(&meaning, "%s %d | to %d << 7 | promote %d << 14 | drop %d << 15",
                    shogi_move_is_drop(last) ? "kind" : "from", shogi_move_from(last),
                    shogi_move_to(last), shogi_move_promotes(last), shogi_move_is_drop(last));
    ply_layout_add_move(out, last, text);
}

void shogi_layout(const ply_rules *rules, const void *position, ply_move last, ply_layout *out)
{
    (void)rules;
    const shogi_position *p = position;
    add_sets(p, out);
    add_hands(p, out);
    ply_layout_field keys[] = {
        MEMBER(board_key, 8, "Zobrist key of the board and the side to move"),
        MEMBER(hand_key, 8, "key of the hands: a sum with one term per piece"),
    };
    ply_layout_add(out, &keys[0]);
    ply_layout_add(out, &keys[1]);
    ply_layout_section(out,
                       "board: one code per square, 11 to a rank; the last two are off the board");
    ply_layout_field board =
        MEMBER(board, 1, "40 empty; kind (PLNSBRGK = 0..7) | promoted 08 | White 10");
    board.grid = (ply_layout_grid){SHOGI_STRIDE, SHOGI_SIDE, 0, SHOGI_STRIDE, 1};
    ply_layout_field rest[] = {
        MEMBER(side, 1, "0 Black, 1 White to move"),
        MEMBER(zero, 1, "unused"),
        MEMBER(ply, 4, "the number of the next move"),
        MEMBER(zero2, 4, "unused"),
    };
    ply_layout_add(out, &board);
    ply_layout_section(out, "the rest of the position");
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        ply_layout_add(out, &rest[i]);
    add_saved_form(p, out);
    add_move(last, out);
}
