/* SPDX-License-Identifier: MIT */
/*
 * piskvork.c - the two formats of Piskvork, the tournament manager of the Gomocup.
 *
 *     psq: Piskvorky 20x20, 11:11, 0        rec: name of the first player
 *          10,11,312                             name of the second player
 *          9,10,1044                             9,10,312
 *          first.zip                             8,9,1044
 *          second.zip                            0
 *          0
 *
 * A move is its column, row and milliseconds, which may be missing. psq counts from 1 and rec from
 * 0, both from the top left corner. The header of psq holds the board size, the levels of the
 * players (0: a person) and which of the two begins. The names, and the number at the end (a code
 * of the manager), may be missing. rec does not contain the board size: the caller sets it. Neither
 * format has passes, variations, comments or start positions.
 */
#include "games/gomoku/notation/formats.h"
#include <string.h>

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* Whether the line begins like a move: digits and a comma. */
static bool at_move_line(const ply_cursor *cursor)
{
    ply_cursor ahead = *cursor;
    uint64_t number;
    return ply_cursor_number(&ahead, UINT32_MAX, &number) && ply_cursor_peek(&ahead) == ',';
}

static void skip_line_end(ply_cursor *cursor)
{
    while (ply_cursor_accept(cursor, ' ') || ply_cursor_accept(cursor, '\t') ||
           ply_cursor_accept(cursor, '\r'))
        continue;
}

static ply_status read_move(gomoku_reader *reader, ply_cursor *cursor, int first)
{
    const ply_rules *rules = &reader->record->rules;
    ply_cursor at_move = *cursor;
    uint64_t x = 0, y = 0, millis = 0;
    int width = gomoku_width(rules), height = gomoku_height(rules);
    if (!ply_cursor_number(cursor, 9999, &x) || !ply_cursor_accept(cursor, ',') ||
        !ply_cursor_number(cursor, 9999, &y))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a move: column, row");
    bool timed = ply_cursor_accept(cursor, ',');
    if (timed && !ply_cursor_number(cursor, INT32_MAX, &millis))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected milliseconds");
    skip_line_end(cursor);
    if (!ply_cursor_done(cursor) && !ply_cursor_accept(cursor, '\n'))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "unexpected text after the move");
    if (x < (uint64_t)first || y < (uint64_t)first || x >= (uint64_t)(width + first) ||
        y >= (uint64_t)(height + first))
        return ply_cursor_fail(&at_move, PLY_BAD_TEXT,
                               "off the %dx%d board; the variant can set a larger one", width,
                               height);
    int cell = gomoku_cell((int)x - first, height - 1 - ((int)y - first));
    ply_status status = gomoku_reader_add(reader, &at_move, gomoku_move(cell));
    if (status == PLY_OK && timed)
        reader->record->nodes[reader->node].millis = (int32_t)millis;
    return status;
}

static ply_status read_moves(ply_record *record, ply_cursor *cursor, int first)
{
    gomoku_reader reader;
    ply_status status = gomoku_reader_open(&reader, record, cursor);
    if (status != PLY_OK)
        return status;
    for (;;) {
        ply_cursor_skip_space(cursor);
        if (status != PLY_OK || !at_move_line(cursor))
            break;
        status = read_move(&reader, cursor, first);
    }
    gomoku_reader_close(&reader);
    return status;
}

/* The code of the manager, if there is one: a line with a single number. */
static ply_status read_code(ply_record *record, ply_cursor *cursor)
{
    ply_cursor_skip_space(cursor);
    int c = ply_cursor_peek(cursor);
    if (!is_digit(c) && c != '-')
        return PLY_OK;
    ply_cursor at_code = *cursor;
    const char *line;
    size_t length = gomoku_read_line(cursor, &line);
    for (size_t i = line[0] == '-'; i < length; i++)
        if (!is_digit(line[i]))
            return ply_cursor_fail(&at_code, PLY_BAD_TEXT, "expected a move or a single number");
    return gomoku_record_tag(record, cursor, "PiskvorkCode", line, length);
}

/* Whether the line is a name: not a move, not a number and not a header. */
static bool at_name(const ply_cursor *cursor)
{
    ply_cursor ahead = *cursor;
    const char *line;
    size_t length = gomoku_read_line(&ahead, &line);
    bool number = length > 0;
    for (size_t i = length > 1 && line[0] == '-'; i < length; i++)
        number = number && is_digit(line[i]);
    return length > 0 && !number && !at_move_line(cursor) &&
           !(length >= 10 && memcmp(line, "Piskvorky ", 10) == 0);
}

static ply_status read_name(ply_record *record, ply_cursor *cursor, const char *tag)
{
    const char *line;
    size_t length = gomoku_read_line(cursor, &line);
    return gomoku_record_tag(record, cursor, tag, line, length);
}

/* --- psq ------------------------------------------------------------------------------------- */
static ply_status read_header(ply_record *record, ply_cursor *cursor, uint64_t *second_begins)
{
    uint64_t width = 0, height = 0, level[2] = {0, 0};
    if (!ply_cursor_accept_word(cursor, "Piskvorky "))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected 'Piskvorky WIDTHxHEIGHT, ...'");
    ply_cursor at_size = *cursor;
    if (!ply_cursor_number(cursor, 9999, &width) || !ply_cursor_accept(cursor, 'x') ||
        !ply_cursor_number(cursor, 9999, &height))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected the size, WIDTHxHEIGHT");
    if (!ply_cursor_accept_word(cursor, ", ") || !ply_cursor_number(cursor, INT32_MAX, &level[0]) ||
        !ply_cursor_accept(cursor, ':') || !ply_cursor_number(cursor, INT32_MAX, &level[1]))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected two levels, a:b");
    if (!ply_cursor_accept_word(cursor, ", ") || !ply_cursor_number(cursor, 1, second_begins))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected who begins, 0 or 1");
    skip_line_end(cursor);
    if (!ply_cursor_done(cursor) && !ply_cursor_accept(cursor, '\n'))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "unexpected text after the header");
    ply_status status = gomoku_record_resize(record, &at_size, width, height);
    if (status == PLY_OK && (level[0] || level[1])) {
        char text[64];
        ply_text levels = ply_text_fixed(text, sizeof text);
        int black = *second_begins ? 1 : 0;
        ply_text_format(&levels, "%u:%u", (unsigned)level[black], (unsigned)level[!black]);
        status = gomoku_record_tag(record, cursor, "Levels", text, levels.length);
    }
    return status;
}

ply_status gomoku_read_psq(ply_cursor *cursor, ply_record *record, bool *found)
{
    ply_cursor_skip_space(cursor);
    *found = !ply_cursor_done(cursor);
    uint64_t second_begins = 0;
    if (!*found)
        return PLY_OK;
    ply_status status = read_header(record, cursor, &second_begins);
    if (status == PLY_OK)
        status = read_moves(record, cursor, 1);
    for (int i = 0; i < 2 && status == PLY_OK; i++) {
        ply_cursor_skip_space(cursor);
        if (at_name(cursor))
            status = read_name(record, cursor, (uint64_t)i == second_begins ? "Black" : "White");
    }
    if (status == PLY_OK)
        status = read_code(record, cursor);
    return status == PLY_OK ? gomoku_record_set_result(record, cursor) : status;
}

/* --- rec ------------------------------------------------------------------------------------- */
ply_status gomoku_read_rec(ply_cursor *cursor, ply_record *record, bool *found)
{
    ply_status status = PLY_OK;
    ply_cursor_skip_space(cursor);
    *found = !ply_cursor_done(cursor);
    if (!*found)
        return PLY_OK;
    for (int i = 0; i < 2 && status == PLY_OK; i++) {
        ply_cursor_skip_space(cursor);
        if (!at_name(cursor))
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected the name of player %d", i + 1);
        status = read_name(record, cursor, i ? "White" : "Black");
    }
    if (status == PLY_OK)
        status = read_moves(record, cursor, 0);
    if (status == PLY_OK)
        status = read_code(record, cursor);
    return status == PLY_OK ? gomoku_record_set_result(record, cursor) : status;
}

/* --- writing --------------------------------------------------------------------------------- */
/* A tag as a line, or the name of the tag if its value could not be read back. */
static void write_name(const ply_record *record, const char *tag, ply_text *out)
{
    const char *name = ply_record_tag_value(record, tag);
    if (name) {
        ply_cursor cursor = ply_cursor_make(name, strlen(name), NULL);
        if (strpbrk(name, "\r\n") || !at_name(&cursor))
            name = NULL;
    }
    ply_text_format(out, "%s\n", name ? name : tag);
}

static ply_status write_moves(const ply_record *record, int first, ply_text *out, ply_error *error)
{
    int height = gomoku_height(&record->rules);
    for (uint32_t n = record->nodes[0].child; n; n = record->nodes[n].child) {
        const ply_record_node *node = &record->nodes[n];
        if (node->move == GOMOKU_PASS)
            return ply_error_set(error, PLY_UNSUPPORTED, "the Piskvork formats cannot hold a pass");
        int cell = gomoku_move_cell(node->move);
        ply_text_format(out, "%d,%d,%d\n", gomoku_x(cell) + first,
                        height - 1 - gomoku_y(cell) + first, node->millis > 0 ? node->millis : 0);
    }
    return PLY_OK;
}

static const char *code_of(const ply_record *record)
{
    const char *code = ply_record_tag_value(record, "PiskvorkCode");
    if (!code || !code[code[0] == '-'])
        return "0";
    for (const char *c = code + (code[0] == '-'); *c; c++)
        if (!is_digit(*c))
            return "0";
    return code;
}

ply_status gomoku_write_psq(const ply_record *record, ply_text *out, ply_error *error)
{
    ply_status status = gomoku_record_check_start(record, "psq", error);
    if (status != PLY_OK)
        return status;
    const char *levels = ply_record_tag_value(record, "Levels");
    unsigned black = 0, white = 0;
    if (levels) {
        ply_cursor cursor = ply_cursor_make(levels, strlen(levels), NULL);
        uint64_t a, b;
        if (ply_cursor_number(&cursor, INT32_MAX, &a) && ply_cursor_accept(&cursor, ':') &&
            ply_cursor_number(&cursor, INT32_MAX, &b)) {
            black = (unsigned)a;
            white = (unsigned)b;
        }
    }
    ply_text_format(out, "Piskvorky %dx%d, %u:%u, 0\n", gomoku_width(&record->rules),
                    gomoku_height(&record->rules), black, white);
    status = write_moves(record, 1, out, error);
    if (status != PLY_OK)
        return status;
    if (ply_record_tag_value(record, "Black") || ply_record_tag_value(record, "White")) {
        write_name(record, "Black", out);
        write_name(record, "White", out);
    }
    ply_text_format(out, "%s\n", code_of(record));
    return PLY_OK;
}

ply_status gomoku_write_rec(const ply_record *record, ply_text *out, ply_error *error)
{
    ply_status status = gomoku_record_check_start(record, "rec", error);
    if (status != PLY_OK)
        return status;
    write_name(record, "Black", out);
    write_name(record, "White", out);
    status = write_moves(record, 0, out, error);
    if (status == PLY_OK)
        ply_text_format(out, "%s\n", code_of(record));
    return status;
}
