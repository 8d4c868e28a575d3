/* SPDX-License-Identifier: MIT */
/* render.c - the board for a terminal, for the web app, and for machine learning. */
#include "core/text/json_write.h"
#include "games/gomoku/gomoku.h"
#include <string.h>

static const char *const colour_names[2] = {"Black", "White"};

/* All forbidden points of a renju game that is not over; otherwise none. */
static int find_forbidden(const ply_rules *rules, const gomoku_position *p, uint32_t *rows,
                          uint8_t *kinds)
{
    memset(rows, 0, GOMOKU_MAX_SIDE * sizeof rows[0]);
    if (gomoku_rule_of(rules) != GOMOKU_RENJU || gomoku_is_over(rules, p))
        return 0;
    return gomoku_forbidden_points(rules, p, rows, kinds);
}

static const char *stone_symbol(int colour, bool ascii)
{
    if (ascii)
        return colour ? "O" : "X";
    return colour ? "○" : "●";
}

static void draw_columns(int width, ply_text *out)
{
    ply_text_string(out, "   ");
    for (int x = 0; x < width; x++)
        ply_text_format(out, " %c%c", x < 26 ? ' ' : 'a', 'a' + x % 26);
    ply_text_char(out, '\n');
}

void gomoku_draw(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                 ply_text *out)
{
    const gomoku_position *p = position;
    bool colours = (flags & PLY_DRAW_COLOUR) != 0, ascii = (flags & PLY_DRAW_ASCII) != 0;
    uint32_t forbidden[GOMOKU_MAX_SIDE];
    uint8_t kinds[GOMOKU_MAX_CELLS];
    find_forbidden(rules, p, forbidden, kinds);
    for (int y = gomoku_height(rules) - 1; y >= 0; y--) {
        bool closing = false; /* the previous cell is marked */
        ply_text_format(out, "%2d ", y + 1);
        for (int x = 0; x < gomoku_width(rules); x++) {
            int cell = gomoku_cell(x, y), colour = gomoku_at(p->lines, cell);
            bool marked = last != PLY_MOVE_NONE && last == gomoku_move(cell);
            bool forbidden_here = p->side == GOMOKU_BLACK && (forbidden[y] >> x & 1);
            if (colours)
                ply_text_format(out, "\033[%s;%sm", marked ? "43" : "40",
                                colour == 0      ? "1;36"
                                : colour == 1    ? "1;97"
                                : forbidden_here ? "31"
                                                 : "90");
            ply_text_char(out, closing ? ']' : ' ');
            ply_text_char(out, marked && !colours ? '[' : ' ');
            closing = marked && !colours;
            /* 3 for a double three, 4 for a double four, 6 for an overline. */
            if (colour >= 0)
                ply_text_string(out, stone_symbol(colour, ascii));
            else if (forbidden_here)
                ply_text_char(out, " 346"[kinds[cell]]);
            else
                ply_text_string(out, ascii ? "." : "·");
            if (colours)
                ply_text_string(out, "\033[0m");
        }
        ply_text_string(out, closing ? "]\n" : "\n");
    }
    draw_columns(gomoku_width(rules), out);
    ply_text_format(out, "%s to move%s\n", colour_names[p->side], p->passes ? " after a pass" : "");
}

static void json_cell(int cell, ply_text *out)
{
    char name[8];
    ply_text text = ply_text_fixed(name, sizeof name);
    gomoku_format_cell(cell, &text);
    ply_json_member_string(out, "cell", name);
    ply_json_member_unsigned(out, "x", (uint64_t)gomoku_x(cell));
    ply_json_member_unsigned(out, "y", (uint64_t)gomoku_y(cell));
}

/* The cells of the winning rows. */
static void json_winning_row(const ply_rules *rules, const gomoku_position *p, ply_text *out)
{
    int width = gomoku_width(rules), height = gomoku_height(rules), row = gomoku_row(rules);
    ply_json_name(out, "row_cells");
    ply_json_open(out, '[');
    bool won = p->ended == GOMOKU_ROW_BLACK || p->ended == GOMOKU_ROW_WHITE;
    for (int i = 0; won && i < gomoku_line_count(width, height); i++) {
        int colour = p->ended - GOMOKU_ROW_BLACK;
        uint64_t run = gomoku_line_wins(p->lines[i], colour, gomoku_rule_of(rules), row), cells = 0;
        for (int k = 0; k < row; k++)
            cells |= run << (2 * k);
        for (; cells; cells &= cells - 1) {
            ply_json_open(out, '{');
            json_cell(gomoku_line_cell(width, height, i, ply_lowest(cells) / 2), out);
            ply_json_close(out, '}');
        }
    }
    ply_json_close(out, ']');
}

static const char *const json_colours[2] = {"black", "white"};

static void json_windows(const ply_rules *rules, const gomoku_position *p, ply_text *out)
{
    ply_json_name(out, "windows");
    ply_json_open(out, '{');
    for (int colour = 0; colour < 2; colour++) {
        gomoku_windows w = gomoku_windows_of(rules, p, colour);
        ply_json_name(out, json_colours[colour]);
        ply_json_open(out, '{');
        ply_json_member_unsigned(out, "five", (uint64_t)w.five);
        ply_json_member_unsigned(out, "four", (uint64_t)w.four);
        ply_json_member_unsigned(out, "three", (uint64_t)w.three);
        ply_json_member_unsigned(out, "two", (uint64_t)w.two);
        ply_json_close(out, '}');
    }
    ply_json_close(out, '}');
}

static void json_shapes(const gomoku_position *p, ply_text *out)
{
    ply_json_name(out, "shapes");
    ply_json_open(out, '{');
    for (int colour = 0; colour < 2; colour++) {
        gomoku_shapes s = gomoku_shapes_of(p, colour);
        ply_json_name(out, json_colours[colour]);
        ply_json_open(out, '{');
        ply_json_member_unsigned(out, "five", (uint64_t)s.five);
        ply_json_member_unsigned(out, "straight_four", (uint64_t)s.straight_four);
        ply_json_member_unsigned(out, "simple_four", (uint64_t)s.simple_four);
        ply_json_member_unsigned(out, "open_three", (uint64_t)s.open_three);
        ply_json_member_unsigned(out, "broken_three", (uint64_t)s.broken_three);
        ply_json_member_unsigned(out, "open_two", (uint64_t)s.open_two);
        ply_json_close(out, '}');
    }
    ply_json_close(out, '}');
}

/* The threes, fours or overline that a stone on a forbidden point makes, each as a list of cells. */
static void json_forbidden_shapes(const ply_rules *rules, const gomoku_position *p, int cell,
                                  ply_text *out)
{
    gomoku_shape shapes[GOMOKU_MAX_SHAPES];
    int count = gomoku_forbidden_shapes(rules, p, cell, shapes);
    ply_json_name(out, "shapes");
    ply_json_open(out, '[');
    for (int i = 0; i < count; i++) {
        ply_json_open(out, '[');
        for (int k = 0; k < shapes[i].count; k++) {
            ply_json_open(out, '{');
            json_cell(shapes[i].cells[k], out);
            ply_json_close(out, '}');
        }
        ply_json_close(out, ']');
    }
    ply_json_close(out, ']');
}

void gomoku_json(const ply_rules *rules, const void *position, ply_text *out)
{
    const gomoku_position *p = position;
    uint32_t forbidden[GOMOKU_MAX_SIDE];
    uint8_t kinds[GOMOKU_MAX_CELLS];
    find_forbidden(rules, p, forbidden, kinds);
    ply_json_member_unsigned(out, "width", (uint64_t)gomoku_width(rules));
    ply_json_member_unsigned(out, "height", (uint64_t)gomoku_height(rules));
    ply_json_member_unsigned(out, "row", (uint64_t)gomoku_row(rules));
    ply_json_member_unsigned(out, "passes", p->passes);
    ply_json_name(out, "stones");
    ply_json_open(out, '[');
    for (int y = 0; y < gomoku_height(rules); y++)
        for (uint64_t stones = p->lines[y]; stones; stones &= stones - 1) {
            int bit = ply_lowest(stones);
            ply_json_open(out, '{');
            json_cell(gomoku_cell(bit >> 1, y), out);
            ply_json_member_string(out, "colour", bit & 1 ? "white" : "black");
            ply_json_close(out, '}');
        }
    ply_json_close(out, ']');
    ply_json_name(out, "forbidden");
    ply_json_open(out, '[');
    for (int y = 0; y < gomoku_height(rules); y++)
        for (uint32_t cells = forbidden[y]; cells; cells &= cells - 1) {
            int cell = gomoku_cell(ply_lowest(cells), y);
            ply_json_open(out, '{');
            json_cell(cell, out);
            ply_json_member_string(out, "kind",
                                   gomoku_forbidden_name((enum gomoku_forbidden)kinds[cell]));
            json_forbidden_shapes(rules, p, cell, out);
            ply_json_close(out, '}');
        }
    ply_json_close(out, ']');
    json_winning_row(rules, p, out);
    json_windows(rules, p, out);
    json_shapes(p, out);
}

/* One line for each point forbidden to Black, whichever side is to move. */
void gomoku_notes(const ply_rules *rules, const void *position, ply_text *out)
{
    const gomoku_position *p = position;
    uint32_t forbidden[GOMOKU_MAX_SIDE];
    uint8_t kinds[GOMOKU_MAX_CELLS];
    find_forbidden(rules, p, forbidden, kinds);
    for (int y = 0; y < gomoku_height(rules); y++)
        for (uint32_t cells = forbidden[y]; cells; cells &= cells - 1) {
            int cell = gomoku_cell(ply_lowest(cells), y);
            ply_text_string(out, "forbidden ");
            gomoku_format_cell(cell, out);
            ply_text_format(out, " %s\n",
                            gomoku_forbidden_name((enum gomoku_forbidden)kinds[cell]));
        }
}
