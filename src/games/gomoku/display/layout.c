/* SPDX-License-Identifier: MIT */
/* layout.c - a position in memory, for people: the head, the pattern counts, and every line. */
#include "games/gomoku/gomoku.h"
#include "model/layout_member.h"
#include <stdio.h>

#define MEMBER(member, bytes, text) PLY_LAYOUT_MEMBER(gomoku_position, p, member, bytes, text)

static void add_head(const gomoku_position *p, ply_layout *out)
{
    ply_layout_field fields[] = {
        MEMBER(hash, 8, "Zobrist key of stones, side to move and passes"),
        MEMBER(stones, 2, "stones on the board"),
        MEMBER(side, 1, "0 Black (X), 1 White (O) to move"),
        MEMBER(passes, 1, "passes in a row"),
        MEMBER(ended, 1, "1, 2: a row of Black, of White; 4 to 6: a forbidden point"),
        MEMBER(zero, 1, "unused"),
    };
    ply_layout_section(out, "head");
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        ply_layout_add(out, &fields[i]);
}

static void add_totals(const gomoku_position *p, ply_layout *out)
{
    static const char *const names[2][4] = {
        {"five", "four", "three", "two"},
        {"straight 4", "open 3", "broken 3", "open 2"},
    };
    ply_layout_section(out, "pattern counts: four numbers of 16 bits, lowest first");
    for (int i = 0; i < 4; i++) {
        char name[16], text[96];
        ply_text meaning = ply_text_fixed(text, sizeof text);
        snprintf(name, sizeof name, "totals[%d]", i);
        ply_text_format(&meaning, "%s:", i % 2 ? "White" : "Black");
        for (int k = 0; k < 4; k++)
            ply_text_format(&meaning, "%s %u %s", k ? "," : "",
                            (unsigned)(p->totals[i] >> (16 * k)) & 0xFFFF, names[i / 2][k]);
        ply_layout_field field = MEMBER(totals[i], 8, text);
        field.name = name;
        field.offset = __builtin_offsetof(gomoku_position, totals) + (size_t)i * 8;
        ply_layout_add(out, &field);
    }
}

/* What a line is, and its cells in order: "row 8  . . X O". */
static void describe_line(int width, int height, int line, uint64_t word, ply_text *out)
{
    int length = gomoku_line_length(width, height, line);
    gomoku_format_cell(gomoku_line_cell(width, height, line, 0), out);
    ply_text_char(out, '-');
    gomoku_format_cell(gomoku_line_cell(width, height, line, length - 1), out);
    while (out->length < 8)
        ply_text_char(out, ' ');
    for (int i = 0; i < length; i++)
        ply_text_char(out, ".XO?"[word >> (2 * i) & 3]);
}

static void add_lines(const ply_rules *rules, const gomoku_position *p, ply_layout *out)
{
    static const char *const titles[GOMOKU_DIRECTIONS] = {
        "rows: two bits per cell, the first cell lowest: 00 empty, 01 X, 10 O",
        "columns",
        "left diagonals, from the smallest row up to the left",
        "right diagonals, from the smallest row up to the right",
    };
    int width = gomoku_width(rules), height = gomoku_height(rules);
    const int first[GOMOKU_DIRECTIONS] = {0, height, width + height, 2 * (width + height) - 1};
    for (int line = 0, direction = 0; line < gomoku_line_count(width, height); line++) {
        char name[24], text[64];
        ply_text meaning = ply_text_fixed(text, sizeof text);
        if (direction < GOMOKU_DIRECTIONS && line == first[direction])
            ply_layout_section(out, titles[direction++]);
        snprintf(name, sizeof name, "lines[%d]", line);
        describe_line(width, height, line, p->lines[line], &meaning);
        ply_layout_add(out, &(ply_layout_field){
                                .name = name,
                                .meaning = text,
                                .words = &p->lines[line],
                                .word_bytes = sizeof p->lines[0],
                                .word_count = 1,
                                .offset = __builtin_offsetof(gomoku_position, lines) +
                                          (size_t)line * sizeof p->lines[0],
                            });
    }
}

void gomoku_layout(const ply_rules *rules, const void *position, ply_move last, ply_layout *out)
{
    const gomoku_position *p = position;
    char text[64];
    add_head(p, out);
    add_totals(p, out);
    add_lines(rules, p, out);
    int cell = gomoku_move_cell(last);
    if (last == GOMOKU_PASS)
        snprintf(text, sizeof text, "a pass: the number after all cells");
    else
        snprintf(text, sizeof text, "1 + x %d + 32 * y %d", gomoku_x(cell), gomoku_y(cell));
    ply_layout_add_move(out, last, text);
}
