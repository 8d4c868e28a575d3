/* SPDX-License-Identifier: MIT */
/*
 * position_text.c - positions and moves as text.
 *
 * A position is read in two forms and written in the second:
 *
 *     h8i9j10pass             the moves from the empty board, one after the other
 *     15/7x7/.../15 o         the board: rows from the top down, separated by '/', and who moves
 *
 * In a row, x and o are stones and a number stands for that many empty cells; capitals, and '.' for
 * one empty cell, are read too. After the side may come the number of passes just made (1 or 2), or
 * the kind of forbidden point by which Black has lost.
 *
 * A cell is its column, a to z and then aa to af, and its row, counted from the bottom. A pass is
 * "pass"; "--" is read too.
 */
#include "games/gomoku/gomoku.h"
#include <string.h>

static const char *const colour_names[2] = {"Black", "White"};

void gomoku_format_cell(int cell, ply_text *out)
{
    int x = gomoku_x(cell);
    if (x >= 26)
        ply_text_char(out, 'a');
    ply_text_format(out, "%c%d", 'a' + x % 26, gomoku_y(cell) + 1);
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

ply_status gomoku_parse_cell(const ply_rules *rules, ply_cursor *cursor, int *cell)
{
    int width = gomoku_width(rules), height = gomoku_height(rules), x = 0;
    ply_cursor at_cell = *cursor;
    if (!is_letter(ply_cursor_peek(cursor)))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a cell such as %s",
                               width >= 8 && height >= 8 ? "h8" : "c3");
    while (is_letter(ply_cursor_peek(cursor))) {
        int letter = ply_cursor_take(cursor) | 0x20;
        x = x > GOMOKU_MAX_SIDE ? x : x * 26 + (letter - 'a' + 1);
    }
    uint64_t y;
    char last[8];
    ply_text text = ply_text_fixed(last, sizeof last);
    gomoku_format_cell(gomoku_cell(width - 1, height - 1), &text);
    if (x > width)
        return ply_cursor_fail(&at_cell, PLY_BAD_TEXT, "no such column: the board is a1 to %s",
                               last);
    if (!ply_cursor_number(cursor, (uint64_t)height, &y) || y == 0)
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a row from 1 to %d", height);
    *cell = gomoku_cell(x - 1, (int)y - 1);
    return PLY_OK;
}

/* --- moves ----------------------------------------------------------------------------------- */
void gomoku_format_move(const ply_rules *rules, const void *position, ply_move move, ply_text *out)
{
    (void)rules;
    (void)position;
    if (move == GOMOKU_PASS)
        ply_text_string(out, "pass");
    else
        gomoku_format_cell(gomoku_move_cell(move), out);
}

ply_status gomoku_check_move(const ply_rules *rules, const gomoku_position *p, ply_move move,
                             ply_cursor *at_move)
{
    if (gomoku_is_over(rules, p))
        return ply_cursor_fail(at_move, PLY_ILLEGAL_MOVE, "the game is over");
    if (move == GOMOKU_PASS)
        return rules->option[GOMOKU_OPTION_PASS]
                   ? PLY_OK
                   : ply_cursor_fail(at_move, PLY_ILLEGAL_MOVE, "a pass is not allowed in %s",
                                     rules->variant->id);
    char name[8];
    ply_text text = ply_text_fixed(name, sizeof name);
    int cell = gomoku_move_cell(move), colour = gomoku_at(p->lines, cell);
    gomoku_format_cell(cell, &text);
    if (colour >= 0)
        return ply_cursor_fail(at_move, PLY_ILLEGAL_MOVE, "%s has a stone on %s already",
                               colour_names[colour], name);
    if (gomoku_rule_of(rules) != GOMOKU_RENJU || p->side != GOMOKU_BLACK ||
        rules->option[GOMOKU_OPTION_FORBIDDEN] == GOMOKU_FORBIDDEN_LOSES)
        return PLY_OK;
    enum gomoku_forbidden kind = gomoku_forbidden_at(rules, p, cell);
    if (kind != GOMOKU_ALLOWED)
        return ply_cursor_fail(at_move, PLY_ILLEGAL_MOVE, "%s is forbidden to Black: %s", name,
                               gomoku_forbidden_name(kind));
    return PLY_OK;
}

ply_status gomoku_parse_any_move(const ply_rules *rules, ply_cursor *cursor, ply_move *move)
{
    int cell = 0;
    *move = GOMOKU_PASS;
    if (ply_cursor_accept_word(cursor, "pass") || ply_cursor_accept_word(cursor, "--"))
        return PLY_OK;
    ply_status status = gomoku_parse_cell(rules, cursor, &cell);
    if (status == PLY_OK)
        *move = gomoku_move(cell);
    return status;
}

ply_status gomoku_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                             ply_move *move)
{
    ply_cursor at_move = *cursor;
    ply_status status = gomoku_parse_any_move(rules, cursor, move);
    return status == PLY_OK ? gomoku_check_move(rules, position, *move, &at_move) : status;
}

/* --- positions ------------------------------------------------------------------------------- */
void gomoku_format(const ply_rules *rules, const void *position, ply_text *out)
{
    const gomoku_position *p = position;
    for (int y = gomoku_height(rules) - 1; y >= 0; y--) {
        int empty = 0;
        for (int x = 0; x < gomoku_width(rules); x++) {
            int colour = gomoku_at(p->lines, gomoku_cell(x, y));
            if (colour < 0) {
                empty++;
                continue;
            }
            if (empty > 0)
                ply_text_format(out, "%d", empty);
            empty = 0;
            ply_text_char(out, colour ? 'o' : 'x');
        }
        if (empty > 0)
            ply_text_format(out, "%d", empty);
        ply_text_char(out, y > 0 ? '/' : ' ');
    }
    ply_text_char(out, p->side ? 'o' : 'x');
    if (p->passes > 0)
        ply_text_format(out, " %d", p->passes);
    if (p->ended >= GOMOKU_LOST_BY_FORBIDDEN)
        ply_text_format(
            out, " %s",
            gomoku_forbidden_name((enum gomoku_forbidden)(p->ended - GOMOKU_LOST_BY_FORBIDDEN)));
}

/* 0 for x, 1 for o, -1 for another letter. */
static int stone_colour(int c)
{
    return c == 'x' || c == 'X' ? GOMOKU_BLACK : c == 'o' || c == 'O' ? GOMOKU_WHITE : -1;
}

static ply_status parse_row(const ply_rules *rules, gomoku_position *p, int y, ply_cursor *cursor)
{
    int width = gomoku_width(rules), x = 0;
    while (x < width) {
        ply_cursor here = *cursor;
        int c = ply_cursor_peek(cursor), colour = stone_colour(c);
        uint64_t number;
        if (colour >= 0) {
            ply_cursor_take(cursor);
            gomoku_put_stone(rules, p, gomoku_cell(x++, y), colour);
        } else if (ply_cursor_accept(cursor, '.')) {
            x++;
        } else if (c >= '0' && c <= '9') {
            if (!ply_cursor_number(cursor, (uint64_t)(width - x), &number) || number == 0)
                return ply_cursor_fail(&here, PLY_BAD_TEXT, "row %d has room for %d more cells",
                                       y + 1, width - x);
            x += (int)number;
        } else if (c == '/' || c == ' ' || c < 0) {
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "row %d has %d cells, not %d", y + 1, x,
                                   width);
        } else {
            return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                                   "expected x, o or a number of empty cells in row %d", y + 1);
        }
    }
    return PLY_OK;
}

/* What may follow the side to move: passes, or how Black has lost. */
static ply_status parse_extras(const ply_rules *rules, gomoku_position *p, ply_cursor *cursor)
{
    ply_cursor ahead = *cursor;
    ply_cursor_skip_space(&ahead);
    ply_cursor here = ahead;
    int c = ply_cursor_peek(&ahead);
    if (c >= '0' && c <= '9') {
        uint64_t passes;
        if (!ply_cursor_number(&ahead, 2, &passes))
            return ply_cursor_fail(&here, PLY_BAD_TEXT, "expected 0, 1 or 2 passes");
        if (passes > 0 && !rules->option[GOMOKU_OPTION_PASS])
            return ply_cursor_fail(&here, PLY_BAD_POSITION, "there are no passes in %s",
                                   rules->variant->id);
        p->passes = (uint8_t)passes;
        *cursor = ahead;
        return PLY_OK;
    }
    for (int kind = GOMOKU_DOUBLE_THREE; kind <= GOMOKU_OVERLINE; kind++)
        if (ply_cursor_accept_word(&ahead, gomoku_forbidden_name((enum gomoku_forbidden)kind))) {
            if (rules->option[GOMOKU_OPTION_FORBIDDEN] != GOMOKU_FORBIDDEN_LOSES)
                return ply_cursor_fail(&here, PLY_BAD_POSITION,
                                       "Black can lose this way only with forbidden=loses");
            if (p->side != GOMOKU_WHITE)
                return ply_cursor_fail(&here, PLY_BAD_POSITION,
                                       "White is to move after Black plays a forbidden point");
            p->ended = (uint8_t)(GOMOKU_LOST_BY_FORBIDDEN + kind);
            *cursor = ahead;
            return PLY_OK;
        }
    return PLY_OK;
}

static ply_status parse_board(const ply_rules *rules, gomoku_position *p, ply_cursor *cursor)
{
    ply_cursor at_start = *cursor;
    for (int y = gomoku_height(rules) - 1; y >= 0; y--) {
        ply_status status = parse_row(rules, p, y, cursor);
        if (status != PLY_OK)
            return status;
        if (y > 0 && !ply_cursor_accept(cursor, '/'))
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected '/' after row %d", y + 1);
    }
    int side = ply_cursor_skip_space(cursor) > 0 ? stone_colour(ply_cursor_peek(cursor)) : -1;
    if (side < 0)
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected the side to move, x or o");
    ply_cursor_take(cursor);
    p->side = (uint8_t)side;
    ply_status status = parse_extras(rules, p, cursor);
    if (status != PLY_OK)
        return status;
    int lost = p->ended;
    if (gomoku_finish_setup(rules, p) != PLY_OK || (lost && p->ended != lost))
        return ply_cursor_fail(&at_start, PLY_BAD_POSITION, "both players have won");
    if (p->ended == GOMOKU_ROW_BLACK + p->side)
        return ply_cursor_fail(&at_start, PLY_BAD_POSITION, "%s has won and so cannot be to move",
                               side ? "White" : "Black");
    return PLY_OK;
}

static ply_status parse_moves(const ply_rules *rules, gomoku_position *p, ply_cursor *cursor)
{
    do {
        ply_move move;
        gomoku_undo_info undo;
        ply_status status = gomoku_parse_move(rules, p, cursor, &move);
        if (status != PLY_OK)
            return status;
        gomoku_play(rules, p, move, &undo);
    } while (is_letter(ply_cursor_peek(cursor)) || ply_cursor_peek(cursor) == '-');
    return PLY_OK;
}

ply_status gomoku_parse(const ply_rules *rules, void *position, ply_cursor *cursor)
{
    ply_status status = gomoku_start(rules, position);
    if (status != PLY_OK)
        return status;
    ply_cursor ahead = *cursor;
    const char *word;
    size_t length = ply_cursor_word(&ahead, &word);
    if (length > 0 && memchr(word, '/', length))
        return parse_board(rules, position, cursor);
    if (length == 0 || !(is_letter(word[0]) || word[0] == '-'))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                               "expected moves such as h8i9, or rows separated by '/'");
    return parse_moves(rules, position, cursor);
}
