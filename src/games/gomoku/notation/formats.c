/* SPDX-License-Identifier: MIT */
/* formats.c - see formats.h; also the format `pos`, one game per line: h8i9j10... */
#include "games/gomoku/notation/formats.h"
#include "record/formats.h"
#include <string.h>

static const char *const pos_signs[] = {"~@#@#",   "~@##@#",   "~@#$",     "~@##$", "~@# @#",
                                        "~@## @#", "~@# @##$", "~@## @##", NULL};
static const char *const sgf_signs[] = {"~(;", NULL};
static const char *const psq_signs[] = {"~Piskvorky ", NULL};
static const char *const rec_signs[] = {"^#,#", "^##,#", NULL};
static const char *const renjuxml_signs[] = {"<database", "<game ", NULL};

const ply_format gomoku_formats[GOMOKU_FORMATS] = {
    {.id = "pos",
     .name = "Position strings, one game per line",
     .extension = "pos",
     .signs = pos_signs,
     .read = gomoku_read_pos,
     .write = gomoku_write_pos,
     .skip = ply_record_skip_line},
    {.id = "sgf",
     .name = "Smart Game Format, GM[4]",
     .extension = "sgf",
     .signs = sgf_signs,
     .read = gomoku_read_sgf,
     .write = gomoku_write_sgf,
     .scores = PLY_SCORES_EVAL},
    {.id = "psq",
     .name = "Piskvork game",
     .extension = "psq",
     .signs = psq_signs,
     .read = gomoku_read_psq,
     .write = gomoku_write_psq},
    {.id = "rec",
     .name = "Piskvork tournament record",
     .extension = "rec",
     .signs = rec_signs,
     .read = gomoku_read_rec,
     .write = gomoku_write_rec},
    {.id = "renjuxml",
     .name = "RenjuNet database",
     .extension = "rif",
     .signs = renjuxml_signs,
     .read = gomoku_read_renjuxml,
     .write = gomoku_write_renjuxml},
};

ply_status gomoku_record_check(ply_cursor *cursor, ply_status status)
{
    if (status != PLY_OK && !(cursor->error && cursor->error->status == status))
        return ply_cursor_fail(cursor, status, "%s", ply_status_text(status));
    return status;
}

ply_status gomoku_record_tag(ply_record *record, ply_cursor *cursor, const char *name,
                             const char *value, size_t length)
{
    return gomoku_record_check(cursor,
                               ply_record_set_tag(record, name, strlen(name), value, length));
}

ply_status gomoku_reader_open(gomoku_reader *reader, ply_record *record, ply_cursor *cursor)
{
    *reader = (gomoku_reader){.record = record};
    ply_error cause = {0};
    ply_status status = ply_record_start_state(record, &reader->state, &cause);
    return status == PLY_OK ? status : ply_cursor_fail(cursor, status, "%s", cause.message);
}

ply_status gomoku_reader_add(gomoku_reader *reader, ply_cursor *at_move, ply_move move)
{
    ply_record *record = reader->record;
    const gomoku_position *p = reader->state.position;
    ply_cursor silent = *at_move;
    silent.error = NULL;
    if (gomoku_check_move(&record->rules, p, move, &silent) != PLY_OK) {
        bool forbidden = gomoku_rule_of(&record->rules) == GOMOKU_RENJU && move != GOMOKU_PASS &&
                         p->side == GOMOKU_BLACK && !gomoku_is_over(&record->rules, p) &&
                         gomoku_at(p->lines, gomoku_move_cell(move)) < 0;
        if (!forbidden)
            return gomoku_check_move(&record->rules, p, move, at_move);
        record->rules.option[GOMOKU_OPTION_FORBIDDEN] = GOMOKU_FORBIDDEN_LOSES;
    }
    ply_status status = ply_state_play(&reader->state, move);
    if (status == PLY_OK)
        status = ply_record_add(record, reader->node, move, &reader->node);
    return gomoku_record_check(at_move, status);
}

ply_status gomoku_reader_parse(gomoku_reader *reader, ply_cursor *cursor)
{
    ply_cursor at_move = *cursor;
    ply_move move;
    ply_status status = gomoku_parse_any_move(&reader->record->rules, cursor, &move);
    return status == PLY_OK ? gomoku_reader_add(reader, &at_move, move) : status;
}

void gomoku_reader_back(gomoku_reader *reader, uint32_t node, size_t plies)
{
    while (reader->state.plies > plies)
        ply_state_undo(&reader->state);
    reader->node = node;
}

void gomoku_reader_close(gomoku_reader *reader)
{
    ply_state_free(&reader->state);
}

ply_status gomoku_record_set_result(ply_record *record, ply_cursor *cursor)
{
    if (record->result != PLY_ONGOING)
        return PLY_OK;
    ply_state state;
    ply_status status = ply_record_final_state(record, &state, NULL);
    if (status != PLY_OK)
        return gomoku_record_check(cursor, status);
    ply_outcome outcome = ply_state_outcome(&state);
    ply_state_free(&state);
    return gomoku_record_check(cursor,
                               ply_record_set_ending(record, outcome.result, outcome.reason));
}

ply_status gomoku_record_resize(ply_record *record, ply_cursor *at_size, uint64_t width,
                                uint64_t height)
{
    if (width < GOMOKU_MIN_SIDE || width > GOMOKU_MAX_SIDE || height < GOMOKU_MIN_SIDE ||
        height > GOMOKU_MAX_SIDE)
        return ply_cursor_fail(at_size, PLY_BAD_TEXT, "the board must be from %dx%d to %dx%d",
                               GOMOKU_MIN_SIDE, GOMOKU_MIN_SIDE, GOMOKU_MAX_SIDE, GOMOKU_MAX_SIDE);
    ply_error cause = {0};
    record->rules.option[GOMOKU_OPTION_WIDTH] = (int32_t)width;
    record->rules.option[GOMOKU_OPTION_HEIGHT] = (int32_t)height;
    ply_status status = record->rules.game->setup(&record->rules, &cause);
    return status == PLY_OK ? status : ply_cursor_fail(at_size, status, "%s", cause.message);
}

ply_status gomoku_record_check_start(const ply_record *record, const char *format, ply_error *error)
{
    return record->start
               ? ply_error_set(error, PLY_UNSUPPORTED, "%s cannot hold a start position", format)
               : PLY_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

size_t gomoku_read_line(ply_cursor *cursor, const char **line)
{
    const char *first = cursor->text + cursor->at;
    while (!ply_cursor_done(cursor) && ply_cursor_peek(cursor) != '\n')
        ply_cursor_take(cursor);
    const char *last = cursor->text + cursor->at;
    ply_cursor_accept(cursor, '\n');
    while (first < last && is_blank(*first))
        first++;
    while (first < last && is_blank(last[-1]))
        last--;
    *line = first;
    return (size_t)(last - first);
}

/* --- pos ------------------------------------------------------------------------------------- */
/* Skips blank lines and lines that begin with #. White space and commas may separate moves. */
ply_status gomoku_read_pos(ply_cursor *cursor, ply_record *record, bool *found)
{
    const char *line;
    for (ply_cursor_skip_space(cursor); ply_cursor_peek(cursor) == '#';
         ply_cursor_skip_space(cursor))
        gomoku_read_line(cursor, &line);
    *found = !ply_cursor_done(cursor);
    gomoku_reader reader;
    if (!*found)
        return PLY_OK;
    ply_status status = gomoku_reader_open(&reader, record, cursor);
    if (status != PLY_OK)
        return status;
    while (status == PLY_OK) {
        int c = ply_cursor_peek(cursor);
        if (c < 0 || c == '\n')
            break;
        if (c == ',' || is_blank((char)c)) {
            ply_cursor_take(cursor);
            continue;
        }
        status = gomoku_reader_parse(&reader, cursor);
    }
    gomoku_reader_close(&reader);
    return status == PLY_OK ? gomoku_record_set_result(record, cursor) : status;
}

/* Only the main variation: the format has no room for more. */
ply_status gomoku_write_pos(const ply_record *record, ply_text *out, ply_error *error)
{
    ply_status status = gomoku_record_check_start(record, "pos", error);
    if (status != PLY_OK)
        return status;
    if (!record->nodes[0].child)
        return ply_error_set(error, PLY_UNSUPPORTED, "pos cannot hold a game without moves");
    for (uint32_t n = record->nodes[0].child; n; n = record->nodes[n].child)
        gomoku_format_move(&record->rules, NULL, record->nodes[n].move, out);
    ply_text_char(out, '\n');
    return PLY_OK;
}
