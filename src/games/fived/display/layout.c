/* SPDX-License-Identifier: MIT */
/*
 * layout.c - a position in memory, for people: the position itself, its timelines, the last board of
 * each, and the last move as two vec4 words.
 *
 * A position may have thousands of boards. Shown are the timelines nearest to the first one and
 * those that the last move touched; of a timeline only its last board, which holds all that the
 * next move can change. The last field says how many boards are left out. Capacities and reference
 * counts are working memory and are left out, too.
 */
#include "games/fived/notation/position_text.h"
#include "model/layout_member.h"
#include <stdio.h>

enum { TIMELINES_SHOWN = 6 };

#define MEMBER(member, text) PLY_LAYOUT_MEMBER(fived_position, p, member, sizeof p->member, text)

static void add_position(const fived_position *p, ply_layout *out)
{
    ply_layout_field fields[] = {
        MEMBER(multiverse, "leads to the timelines below"),
        MEMBER(hash, "key of all boards and the side to move"),
        MEMBER(valid, "squares on a board of this size; bit x + 8y"),
        MEMBER(board_count, "boards on all timelines"),
        MEMBER(lo, "the lowest timeline"),
        MEMBER(hi, "the highest timeline"),
        MEMBER(start_lo, "the lowest timeline at the start"),
        MEMBER(start_hi, "the highest timeline at the start"),
        MEMBER(promotions, "kinds a pawn may promote to, one bit per kind"),
        MEMBER(width, "of a board"),
        MEMBER(height, "of a board"),
        MEMBER(side, "0 White, 1 Black to move"),
        MEMBER(even, "1: the middle timelines are called +0 and -0"),
        PLY_LAYOUT_MEMBER(fived_position, p, zero, 1, "unused"),
    };
    fields[0].is_address = true;
    ply_layout_section(out, "position");
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        ply_layout_add(out, &fields[i]);
}

/* Adds a member of a board or timeline: not part of the position's own bytes. */
static void add_outside(ply_layout *out, ply_layout_field field)
{
    field.offset = PLY_LAYOUT_OUTSIDE;
    ply_layout_add(out, &field);
}

static void add_board(const fived_board *board, ply_layout *out)
{
    static const char *const sets[FIVED_SETS] = {
        "sliders along one dimension",
        "sliders along two dimensions at once",
        "sliders along three",
        "sliders along four",
        "knights",
        "kings and common kings",
        "pawns and brawns",
        "brawns",
        "royal pieces",
    };
    ply_layout_field squares = PLY_LAYOUT_MEMBER(
        fived_board, board, square, 1, "kind (PWNBRUDSQKCY = 1..c) | Black 10 | unmoved 20");
    squares.grid = (ply_layout_grid){8, 8, 56, -8, 1}; /* y 7 on top */
    add_outside(out, squares);
    for (int i = 0; i < FIVED_SETS; i++) {
        char name[16];
        snprintf(name, sizeof name, "set[%d]", i);
        ply_layout_field field = PLY_LAYOUT_MEMBER(fived_board, board, set[i], 8, sets[i]);
        field.name = name;
        add_outside(out, field);
    }
    ply_layout_field fields[] = {
        PLY_LAYOUT_MEMBER(fived_board, board, colour[0], 8, "pieces of White"),
        PLY_LAYOUT_MEMBER(fived_board, board, colour[1], 8, "pieces of Black"),
        PLY_LAYOUT_MEMBER(fived_board, board, unmoved, 8, "pieces that have not moved"),
        PLY_LAYOUT_MEMBER(fived_board, board, hash, 8, "key of the pieces"),
        PLY_LAYOUT_MEMBER(fived_board, board, en_passant, 1, "en-passant square; ff: none"),
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        add_outside(out, fields[i]);
}

static void add_timeline(const fived_position *p, int l, ply_layout *out)
{
    const fived_timeline *timeline = fived_position_timeline(p, l);
    int t, c;
    fived_v_to_tc(timeline->end, &t, &c);
    fived_vec4 corner = fived_vec4_make(0, 0, t, l);
    char text[96];
    ply_text title = ply_text_fixed(text, sizeof text);
    ply_text_format(&title, "timelines[%u]: timeline ", fived_l_to_u(l));
    fived_format_timeline(p, l, &title);
    ply_text_format(&title, " (l = %d, u = %u) and its last board", l, fived_l_to_u(l));
    ply_layout_section(out, text);
    add_outside(out, PLY_LAYOUT_MEMBER(fived_timeline, timeline, start, 4,
                                       "v of the first board; v = 2 * time + (1 for Black)"));
    ply_text meaning = ply_text_fixed(text, sizeof text);
    ply_text_format(&meaning, "v of the last board: time %d, %s to move", t, c ? "Black" : "White");
    add_outside(out, PLY_LAYOUT_MEMBER(fived_timeline, timeline, end, 4, text));
    add_outside(out, (ply_layout_field){.name = "a1",
                                        .meaning = "vec4 of the last board's square a1",
                                        .words = &corner.word,
                                        .word_bytes = sizeof corner.word,
                                        .word_count = 1});
    add_board(timeline->boards[timeline->end - timeline->start], out);
}

static void add_move(ply_move last, ply_layout *out)
{
    static const char *const names[2] = {"from", "to"};
    if (last == PLY_MOVE_NONE)
        return;
    ply_layout_add_move(
        out, last, last == FIVED_SUBMIT ? "submit: all ones" : "from (vec4) | to (vec4) << 32");
    for (int i = 0; i < 2 && last != FIVED_SUBMIT; i++) {
        uint32_t word = (uint32_t)(last >> (32 * i));
        fived_location spot = fived_move_location(word);
        char text[96];
        snprintf(text, sizeof text, "vec4: x %d, y %d << %d, t %d << %d, l %d << %d", spot.x,
                 spot.y, FIVED_Y_SHIFT, spot.t, FIVED_T_SHIFT, spot.l, FIVED_L_SHIFT);
        ply_layout_field field = {.name = names[i],
                                  .meaning = text,
                                  .words = &word,
                                  .word_bytes = sizeof word,
                                  .word_count = 1,
                                  .is_last_move = true};
        add_outside(out, field);
    }
}

/* Whether the last move was made on, to or into this timeline; a new one is at either end. */
static bool is_touched(const fived_position *p, ply_move last, int l)
{
    if (last == PLY_MOVE_NONE || last == FIVED_SUBMIT)
        return false;
    return l == fived_move_from(last).l || l == fived_move_to(last).l || l == p->lo || l == p->hi;
}

void fived_layout(const ply_rules *rules, const void *position, ply_move last, ply_layout *out)
{
    (void)rules;
    const fived_position *p = position;
    uint32_t shown = 0, seen = 0;
    add_position(p, out);
    for (unsigned u = 0; u <= fived_l_to_u(p->lo) || u <= fived_l_to_u(p->hi); u++) {
        int l = fived_u_to_l(u);
        if (l < p->lo || l > p->hi)
            continue;
        if (seen++ < TIMELINES_SHOWN || is_touched(p, last, l)) {
            add_timeline(p, l, out);
            shown++;
        }
    }
    uint32_t left_out = p->board_count - shown;
    if (left_out > 0) {
        ply_layout_field field = {.name = "boards",
                                  .meaning = "not shown: earlier boards, boards of other timelines",
                                  .words = &left_out,
                                  .word_bytes = sizeof left_out,
                                  .word_count = 1};
        ply_layout_section(out, "left out");
        add_outside(out, field);
    }
    add_move(last, out);
}
