/* SPDX-License-Identifier: MIT */
/*
 * position_text.c - positions and moves as text, on a terminal and as JSON.
 *
 * A position is six rows from row 6 down to row 1, separated by '/', and the side to move:
 *
 *     bbbbbb/6/6/6/6/wwwwww w
 *
 * A letter is a piece (w White, b Black; capitals are accepted) and a digit a run of empty squares.
 * A move is its two squares, as in a1a4; a '-' or 'x' between them is accepted.
 */
#include "core/text/board_text.h"
#include "core/text/json_write.h"
#include "games/neighbours/neighbours.h"

static const char *const colour_names[2] = {"White", "Black"};

static void format_square(int square, ply_text *out)
{
    ply_text_format(out, "%c%c", 'a' + square % NEIGHBOURS_SIDE, '1' + square / NEIGHBOURS_SIDE);
}

/* The colour of the piece on a square, or -1. */
static int colour_at(const neighbours_position *p, int square)
{
    if (neighbours_get(p->current, square))
        return p->side;
    return neighbours_get(p->next, square) ? !p->side : -1;
}

static const char *symbol_at(const void *position, int file, int row)
{
    int colour = colour_at(position, row * NEIGHBOURS_SIDE + file);
    return colour < 0 ? NULL : colour ? "b" : "w";
}

void neighbours_format(const ply_rules *rules, const void *position, ply_text *out)
{
    (void)rules;
    const neighbours_position *p = position;
    ply_board_text(p, NEIGHBOURS_SIDE, NEIGHBOURS_SIDE, symbol_at, out);
    ply_text_string(out, p->side ? " b" : " w");
}

/* The colour of a letter, or -1. */
static int piece_colour(int c)
{
    return c == 'w' || c == 'W' ? 0 : c == 'b' || c == 'B' ? 1 : -1;
}

static ply_status parse_row(ply_cursor *cursor, int row, uint64_t boards[2])
{
    int file = 0;
    while (file < NEIGHBOURS_SIDE) {
        int c = ply_cursor_peek(cursor), colour = piece_colour(c);
        if (colour >= 0) {
            boards[colour] |= ply_bit(row * NEIGHBOURS_SIDE + file++);
        } else if (c >= '1' && c <= '6') {
            if (file + (c - '0') > NEIGHBOURS_SIDE)
                return ply_cursor_fail(cursor, PLY_BAD_TEXT, "row %d has more than 6 squares",
                                       row + 1);
            file += c - '0';
        } else if (c == '/' || c == ' ' || c < 0) {
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "row %d has %d squares, not 6", row + 1,
                                   file);
        } else {
            return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                                   "expected w, b or a number from 1 to 6 in row %d", row + 1);
        }
        ply_cursor_take(cursor);
    }
    return PLY_OK;
}

ply_status neighbours_parse(const ply_rules *rules, void *position, ply_cursor *cursor)
{
    (void)rules;
    uint64_t boards[2] = {0, 0};
    ply_cursor at_start = *cursor;
    for (int row = NEIGHBOURS_SIDE - 1; row >= 0; row--) {
        ply_status status = parse_row(cursor, row, boards);
        if (status != PLY_OK)
            return status;
        if (row > 0 && !ply_cursor_accept(cursor, '/'))
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected '/' after row %d", row + 1);
    }
    for (int colour = 0; colour < 2; colour++)
        if (ply_popcount(boards[colour]) > NEIGHBOURS_PIECES)
            return ply_cursor_fail(
                &at_start, PLY_BAD_POSITION, "%s has %d pieces; a player has at most %d",
                colour_names[colour], ply_popcount(boards[colour]), NEIGHBOURS_PIECES);
    int side = -1;
    if (ply_cursor_skip_space(cursor) > 0) {
        side = piece_colour(ply_cursor_peek(cursor));
    }
    if (side < 0)
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected the side to move, w or b");
    ply_cursor_take(cursor);
    neighbours_position *p = position;
    *p = (neighbours_position){
        .current = boards[side], .next = boards[!side], .side = (uint8_t)side};
    neighbours_finish(p);
    return PLY_OK;
}

void neighbours_format_move(const ply_rules *rules, const void *position, ply_move move,
                            ply_text *out)
{
    (void)rules;
    (void)position;
    format_square(neighbours_move_from(move), out);
    format_square(neighbours_move_to(move), out);
}

static ply_status parse_square(ply_cursor *cursor, int *square)
{
    int file = ply_cursor_peek(cursor) | 0x20; /* capitals too */
    if (file < 'a' || file > 'f')
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a square, a1 to f6");
    ply_cursor_take(cursor);
    int row = ply_cursor_peek(cursor);
    if (row < '1' || row > '6')
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a row from 1 to 6 after '%c'", file);
    ply_cursor_take(cursor);
    *square = (row - '1') * NEIGHBOURS_SIDE + (file - 'a');
    return PLY_OK;
}

/* Fails with the reason why a move is illegal. */
static ply_status fail_illegal(const ply_rules *rules, const neighbours_position *p, int from,
                               int to, ply_cursor *at_move)
{
    char f[4], t[4];
    ply_text from_text = ply_text_fixed(f, sizeof f), to_text = ply_text_fixed(t, sizeof t);
    format_square(from, &from_text);
    format_square(to, &to_text);
    if (!neighbours_get(p->current, from))
        return ply_cursor_fail(at_move, PLY_ILLEGAL_MOVE, "%s has no piece on %s",
                               colour_names[p->side], f);
    int distance = neighbours_distance(p->current | p->next, from);
    if (distance == 0)
        return ply_cursor_fail(at_move, PLY_ILLEGAL_MOVE,
                               "the piece on %s has no neighbour and cannot move", f);
    if (distance <= NEIGHBOURS_REACH) {
        const neighbours_targets *targets = &neighbours_targets_at[from][distance];
        for (unsigned i = 0; i < targets->count; i++)
            if (targets->to[i] == to) {
                bool blocked = rules->option[NEIGHBOURS_OPTION_PATH] == NEIGHBOURS_SLIDE &&
                               (targets->path[i] & (p->current | p->next));
                return blocked ? ply_cursor_fail(at_move, PLY_ILLEGAL_MOVE,
                                                 "the path from %s to %s is blocked", f, t)
                               : ply_cursor_fail(at_move, PLY_ILLEGAL_MOVE,
                                                 "%s already has a piece on %s",
                                                 colour_names[p->side], t);
            }
    }
    return ply_cursor_fail(
        at_move, PLY_ILLEGAL_MOVE,
        "the piece on %s moves exactly %d in a straight line and cannot reach %s", f, distance, t);
}

ply_status neighbours_parse_move(const ply_rules *rules, const void *position, ply_cursor *cursor,
                                 ply_move *move)
{
    const neighbours_position *p = position;
    ply_cursor at_move = *cursor;
    int from = 0, to = 0;
    ply_status status = parse_square(cursor, &from);
    if (status != PLY_OK)
        return status;
    if (!ply_cursor_accept(cursor, '-'))
        ply_cursor_accept(cursor, 'x');
    status = parse_square(cursor, &to);
    if (status != PLY_OK)
        return status;
    ply_move moves[NEIGHBOURS_MAX_MOVES];
    size_t count = neighbours_moves(rules, p, moves);
    *move = neighbours_move_make(from, to);
    for (size_t i = 0; i < count; i++)
        if (moves[i] == *move)
            return PLY_OK;
    return fail_illegal(rules, p, from, to, &at_move);
}

/* A piece is drawn as its letter and the distance it moves. */
void neighbours_draw(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                     ply_text *out)
{
    (void)rules;
    const neighbours_position *p = position;
    bool colours = (flags & PLY_DRAW_COLOUR) != 0;
    for (int row = NEIGHBOURS_SIDE - 1; row >= 0; row--) {
        ply_text_format(out, " %d ", row + 1);
        for (int file = 0; file < NEIGHBOURS_SIDE; file++) {
            int square = row * NEIGHBOURS_SIDE + file, colour = colour_at(p, square);
            bool marked = last != PLY_MOVE_NONE && (neighbours_move_from(last) == square ||
                                                    neighbours_move_to(last) == square);
            if (colours)
                ply_text_format(out, "\033[48;5;%d;%sm",
                                marked             ? 58
                                : (row + file) % 2 ? 240
                                                   : 236,
                                colour == 0   ? "1;97"
                                : colour == 1 ? "1;38;5;215"
                                              : "38;5;246");
            ply_text_char(out, marked && !colours ? '[' : ' ');
            if (colour < 0)
                ply_text_string(out, " .");
            else
                ply_text_format(out, "%c%d", colour ? 'b' : 'w',
                                neighbours_distance(p->current | p->next, square));
            ply_text_char(out, marked && !colours ? ']' : ' ');
            if (colours)
                ply_text_string(out, "\033[0m");
        }
        ply_text_char(out, '\n');
    }
    ply_text_string(out, "   ");
    for (int file = 0; file < NEIGHBOURS_SIDE; file++)
        ply_text_format(out, "  %c ", 'a' + file);
    ply_text_format(out, "\n%s to move\n", colour_names[p->side]);
}

/* The targets of the moves from one square. */
static void json_reach(const ply_move *moves, size_t count, int square, ply_text *out)
{
    ply_json_name(out, "reach");
    ply_json_open(out, '[');
    for (size_t i = 0; i < count; i++) {
        if (neighbours_move_from(moves[i]) != square)
            continue;
        char name[4];
        ply_text text = ply_text_fixed(name, sizeof name);
        format_square(neighbours_move_to(moves[i]), &text);
        ply_json_string(out, name);
    }
    ply_json_close(out, ']');
}

void neighbours_json(const ply_rules *rules, const void *position, ply_text *out)
{
    const neighbours_position *p = position;
    neighbours_position other = *p; /* as if the opponent were to move */
    other.current = p->next;
    other.next = p->current;
    other.side = !p->side;
    ply_move moves[2][NEIGHBOURS_MAX_MOVES];
    size_t count[2];
    count[p->side] = neighbours_moves(rules, p, moves[p->side]);
    count[!p->side] = neighbours_moves(rules, &other, moves[!p->side]);
    ply_json_member_unsigned(out, "width", NEIGHBOURS_SIDE);
    ply_json_member_unsigned(out, "height", NEIGHBOURS_SIDE);
    ply_json_name(out, "pieces");
    ply_json_open(out, '[');
    for (int square = 0; square < NEIGHBOURS_SQUARES; square++) {
        int colour = colour_at(p, square);
        if (colour < 0)
            continue;
        char name[4];
        ply_text text = ply_text_fixed(name, sizeof name);
        format_square(square, &text);
        ply_json_open(out, '{');
        ply_json_member_string(out, "square", name);
        ply_json_member_string(out, "colour", colour ? "black" : "white");
        ply_json_member_unsigned(out, "distance",
                                 (uint64_t)neighbours_distance(p->current | p->next, square));
        json_reach(moves[colour], count[colour], square, out);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
}
