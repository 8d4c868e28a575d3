/* SPDX-License-Identifier: MIT */
/*
 * plain_formats.c - the formats without headers in Japanese: USI, SFEN, saved positions and Western
 * notation.
 *
 *     position startpos moves 7g7f 3c3d        usi: one game per line
 *     lnsgkgsnl/... b - 1                      sfen: one position per line; writes the final one
 *     80:5c04...                               shogi80: the same as 80 bytes (saved.c)
 *
 *     [Black "..."]                            western: tags, then moves in George Hodges' notation:
 *     [SFEN "..."]                             piece, - or x or *, square, + if it promotes, = if it
 *     1. P-7f P-3d 2. Bx2b+ Sx2b               declines; with the origin if the move is ambiguous
 *     3. B*4e G4a-3b 1-0
 *
 * None of them has variations. Comments in Western records are in braces. The reader also takes the
 * dialect of GNU Shogi's game files: P7f for P-7f, [ comments ] and # comments to the end of a line.
 */
#include "core/text/masked.h"
#include "games/shogi/notation/record_reader.h"
#include <string.h>

/* --- USI, SFEN and saved positions ---------------------------------------------------------- */
/* Reads the next line that is not blank. */
static ply_status next_nonblank_line(kifu_reader *r, bool *found)
{
    for (;;) {
        ply_status status = shogi_kifu_next_line(r, found);
        if (status != PLY_OK || !*found)
            return status;
        ply_cursor_skip_space(&r->line);
        if (!ply_cursor_done(&r->line))
            return PLY_OK;
    }
}

static ply_status read_usi_position(kifu_reader *r)
{
    ply_cursor *c = &r->line;
    shogi_position p;
    if (ply_cursor_accept_word(c, "position"))
        ply_cursor_skip_space(c);
    ply_status status = shogi_parse(&r->record->rules, &p, c);
    if (status == PLY_OK && !ply_cursor_done(c) && ply_cursor_skip_space(c) == 0)
        status = ply_cursor_fail(c, PLY_BAD_TEXT, "unexpected text after the position");
    return status == PLY_OK ? shogi_kifu_set_start(r, &p) : status;
}

/* resign or win at the end of the moves; *found says whether one of them is there. */
static ply_status read_usi_ending(kifu_reader *r, bool *found)
{
    ply_cursor *c = &r->line;
    int side = ((const shogi_position *)r->state.position)->side;
    bool wins = ply_cursor_accept_word(c, "win");
    *found = wins || ply_cursor_accept_word(c, "resign");
    if (!*found)
        return PLY_OK;
    ply_cursor_skip_space(c);
    if (!ply_cursor_done(c))
        return ply_cursor_fail(c, PLY_BAD_TEXT, "unexpected text after the end of the game");
    ply_result result = (side == SHOGI_BLACK) == wins ? PLY_FIRST_WINS : PLY_SECOND_WINS;
    return shogi_kifu_check(
        c, ply_record_set_ending(r->record, result, wins ? "entering-king" : "resign"));
}

static ply_status read_usi_moves(kifu_reader *r)
{
    ply_cursor *c = &r->line;
    ply_status status = shogi_kifu_ensure_state(r);
    ply_cursor_skip_space(c);
    if (status != PLY_OK || ply_cursor_done(c))
        return status;
    ply_cursor_accept_word(c, "moves");
    for (ply_cursor_skip_space(c); status == PLY_OK && !ply_cursor_done(c);) {
        ply_cursor at = *c;
        ply_move move;
        bool ended;
        status = read_usi_ending(r, &ended);
        if (ended)
            return status;
        status = shogi_parse_usi(c, &move);
        if (status == PLY_OK)
            status = shogi_kifu_add_move(r, move, &at);
        if (status == PLY_OK && ply_cursor_skip_space(c) == 0 && !ply_cursor_done(c))
            status = ply_cursor_fail(c, PLY_BAD_TEXT, "unexpected text after the move");
    }
    return status;
}

/* What a line may hold. */
typedef enum line_kind { LINE_WITH_MOVES, LINE_POSITION, LINE_SAVED } line_kind;

/* Reads one line: a position, with moves if the format has them. */
static ply_status read_position_line(ply_cursor *cursor, ply_record *record, bool *found,
                                     line_kind kind)
{
    kifu_reader r;
    shogi_kifu_open(&r, cursor, record);
    ply_status status = next_nonblank_line(&r, found);
    if (status == PLY_OK && *found) {
        if (kind == LINE_SAVED && !shogi_is_saved(&r.line))
            status = ply_cursor_fail(&r.line, PLY_BAD_TEXT, "expected '80:'");
        else
            status = read_usi_position(&r);
        if (status == PLY_OK && kind == LINE_WITH_MOVES)
            status = read_usi_moves(&r);
        else if (status == PLY_OK && !ply_cursor_done(&r.line))
            status = ply_cursor_fail(&r.line, PLY_BAD_TEXT, "unexpected text after the position");
    }
    shogi_kifu_close(&r);
    return status;
}

ply_status shogi_kifu_read_usi(ply_cursor *cursor, ply_record *record, bool *found)
{
    return read_position_line(cursor, record, found, LINE_WITH_MOVES);
}

ply_status shogi_kifu_read_sfen(ply_cursor *cursor, ply_record *record, bool *found)
{
    return read_position_line(cursor, record, found, LINE_POSITION);
}

ply_status shogi_kifu_read_saved(ply_cursor *cursor, ply_record *record, bool *found)
{
    return read_position_line(cursor, record, found, LINE_SAVED);
}

ply_status shogi_kifu_write_usi(const ply_record *record, ply_text *out, ply_error *error)
{
    ply_state state;
    ply_status status = ply_record_start_state(record, &state, error);
    if (status != PLY_OK)
        return status;
    if (shogi_kifu_start_variant(record) == shogi_variant_at(0)) {
        ply_text_string(out, "position startpos");
    } else {
        ply_text_string(out, "position sfen ");
        shogi_format(NULL, state.position, out);
    }
    if (record->nodes[0].child)
        ply_text_string(out, " moves");
    for (uint32_t n = record->nodes[0].child; n; n = record->nodes[n].child) {
        ply_text_char(out, ' ');
        shogi_format_move(NULL, NULL, record->nodes[n].move, out);
    }
    ply_text_char(out, '\n');
    ply_state_free(&state);
    return PLY_OK;
}

/* Writes the position at the end of the main variation. */
static ply_status write_final_position(const ply_record *record, bool saved, ply_text *out,
                                       ply_error *error)
{
    ply_state state;
    ply_status status = ply_record_final_state(record, &state, error);
    if (status != PLY_OK)
        return status;
    if (saved)
        shogi_format_saved(state.position, out);
    else
        shogi_format(NULL, state.position, out);
    ply_text_char(out, '\n');
    ply_state_free(&state);
    return PLY_OK;
}

ply_status shogi_kifu_write_sfen(const ply_record *record, ply_text *out, ply_error *error)
{
    return write_final_position(record, false, out, error);
}

ply_status shogi_kifu_write_saved(const ply_record *record, ply_text *out, ply_error *error)
{
    return write_final_position(record, true, out, error);
}

/* --- Western -------------------------------------------------------------------------------- */
enum { WESTERN_LINE_LENGTH = 80 };

static void write_square(int square, ply_text *out)
{
    ply_text_format(out, "%d%c", 9 - shogi_column(square), 'a' + shogi_rank(square));
}

static void write_western_move(const shogi_position *p, ply_move move, ply_text *out)
{
    int code = shogi_kifu_moved_piece(p, move), to = shogi_move_to(move);
    if (code & SHOGI_CODE_PROMOTED)
        ply_text_char(out, '+');
    ply_text_char(out, shogi_piece_letters[code & SHOGI_CODE_KIND]);
    if (shogi_move_is_drop(move)) {
        ply_text_char(out, '*');
        write_square(to, out);
        return;
    }
    if (shogi_kifu_rivals(p, move))
        write_square(shogi_move_from(move), out);
    ply_text_char(out, p->board[to] == SHOGI_CODE_EMPTY ? '-' : 'x');
    write_square(to, out);
    if (shogi_move_promotes(move))
        ply_text_char(out, '+');
    else if (shogi_kifu_may_promote(p, move))
        ply_text_char(out, '=');
}

void shogi_display_western(const ply_rules *rules, const void *position, ply_move move,
                           ply_move last, ply_text *out)
{
    (void)rules;
    (void)last;
    write_western_move(position, move, out);
}

static void write_western_tag(const char *name, const char *value, ply_text *out)
{
    ply_text_char(out, '[');
    ply_text_masked(out, name, PLY_BLANK_BYTES "\"]", '_');
    ply_text_string(out, " \"");
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            ply_text_char(out, '\\');
        ply_text_char(out, *value == '\n' || *value == '\r' ? ' ' : *value);
    }
    ply_text_string(out, "\"]\n");
}

ply_status shogi_kifu_write_western(const ply_record *record, ply_text *out, ply_error *error)
{
    ply_state state;
    ply_status status = ply_record_start_state(record, &state, error);
    if (status != PLY_OK)
        return status;
    const shogi_position *p = state.position;
    for (size_t i = 0; i < record->tag_count; i++) {
        const char *name = record->tags[i].name;
        if (name[0] && strcmp(name, "SFEN") != 0 && strcmp(name, "Termination") != 0)
            write_western_tag(name, record->tags[i].value, out);
    }
    if (shogi_kifu_start_variant(record) != shogi_variant_at(0)) {
        ply_text_string(out, "[SFEN \"");
        shogi_format(NULL, p, out);
        ply_text_string(out, "\"]\n");
    }
    if (record->ending)
        write_western_tag("Termination", record->ending, out);
    size_t line = out->length;
    for (uint32_t n = record->nodes[0].child; n && status == PLY_OK; n = record->nodes[n].child) {
        if (out->length - line > WESTERN_LINE_LENGTH) {
            ply_text_char(out, '\n');
            line = out->length;
        }
        /* As in chess, a move number covers a move of each player. */
        if (state.plies % 2 == 0)
            ply_text_format(out, "%zu. ", state.plies / 2 + 1);
        write_western_move(p, record->nodes[n].move, out);
        ply_text_char(out, ' ');
        if (record->nodes[n].comment) {
            ply_text_char(out, '{');
            ply_text_masked(out, record->nodes[n].comment, "{}", '|');
            ply_text_string(out, "} ");
        }
        status = ply_state_play(&state, record->nodes[n].move);
    }
    ply_text_format(out, "%s\n\n", ply_result_score(record->result));
    ply_state_free(&state);
    return status == PLY_OK ? status : ply_error_set(error, status, "%s", ply_status_text(status));
}

/* The start position in an SFEN tag; at_value is where it stands in the file. */
static ply_status read_sfen_tag(kifu_reader *r, const ply_text *value, const ply_cursor *at_value)
{
    shogi_position p;
    ply_cursor inside = ply_cursor_make(ply_text_cstr(value), value->length, at_value->error);
    inside.line = at_value->line;
    inside.column = at_value->column;
    ply_status status = shogi_parse(&r->record->rules, &p, &inside);
    if (status == PLY_OK && !ply_cursor_done(&inside))
        status = ply_cursor_fail(&inside, PLY_BAD_TEXT, "unexpected text after the position");
    return status == PLY_OK ? shogi_kifu_set_start(r, &p) : status;
}

static ply_status read_western_tag(kifu_reader *r, ply_cursor *c)
{
    const char *name = c->text + c->at;
    while (!ply_cursor_done(c) && ply_cursor_peek(c) > ' ')
        ply_cursor_take(c);
    size_t length = (size_t)(c->text + c->at - name);
    ply_cursor_skip_space(c);
    if (length == 0 || !ply_cursor_accept(c, '"'))
        return ply_cursor_fail(c, PLY_BAD_TEXT, "expected a tag name and a quoted value");
    ply_cursor at_value = *c;
    ply_text value = ply_text_growing();
    int ch;
    while ((ch = ply_cursor_take(c)) >= 0 && ch != '"' && ch != '\n') {
        if (ch == '\\')
            ch = ply_cursor_take(c);
        ply_text_char(&value, (char)ch);
    }
    ply_status status = PLY_OK;
    if (ch != '"' || !ply_cursor_accept(c, ']')) {
        status = ply_cursor_fail(c, PLY_BAD_TEXT, "expected '\"]' at the end of a tag");
    } else if (value.failed) {
        status = shogi_kifu_check(c, PLY_NO_MEMORY);
    } else if (length == 4 && memcmp(name, "SFEN", 4) == 0) {
        status = read_sfen_tag(r, &value, &at_value);
    } else if (length == 11 && memcmp(name, "Termination", 11) == 0) {
        status = shogi_kifu_check(
            c, ply_record_set_ending(r->record, PLY_ONGOING, ply_text_cstr(&value)));
    } else {
        status = shogi_kifu_check(
            c, ply_record_set_tag(r->record, name, length, ply_text_cstr(&value), value.length));
    }
    ply_text_free(&value);
    return status;
}

/* Reads a square if one is next; otherwise returns SHOGI_NO_SQUARE. */
static int accept_square(ply_cursor *c)
{
    ply_cursor ahead = *c;
    int file = ply_cursor_take(&ahead), rank = ply_cursor_take(&ahead);
    if (file < '1' || file > '9' || rank < 'a' || rank > 'i')
        return SHOGI_NO_SQUARE;
    *c = ahead;
    return shogi_square('9' - file, rank - 'a');
}

/* The one legal board move of a piece to a square, for moves without origin. */
static ply_status find_western_move(const shogi_position *p, int code, int to, bool promote,
                                    ply_cursor *at, ply_move *move)
{
    ply_move moves[SHOGI_MAX_MOVES];
    size_t count = shogi_moves_of_mode(p, SHOGI_STANDARD, moves), matches = 0;
    *move = PLY_MOVE_NONE;
    for (size_t i = 0; i < count; i++)
        if (!shogi_move_is_drop(moves[i]) && shogi_move_to(moves[i]) == to &&
            shogi_move_promotes(moves[i]) == promote &&
            shogi_kifu_moved_piece(p, moves[i]) == code) {
            *move = moves[i];
            matches++;
        }
    if (matches == 0)
        return ply_cursor_fail(at, PLY_ILLEGAL_MOVE, "no legal move matches");
    if (matches > 1)
        return ply_cursor_fail(at, PLY_BAD_TEXT, "ambiguous: %zu legal moves match", matches);
    return PLY_OK;
}

/* Reads the piece that moves: a code without owner, or -1. */
static int accept_western_piece(ply_cursor *c)
{
    bool promoted = ply_cursor_accept(c, '+');
    int letter = ply_cursor_take(c);
    const char *kind = letter > 0 ? strchr(shogi_piece_letters, letter) : NULL;
    return kind ? (int)(kind - shogi_piece_letters) | (promoted ? SHOGI_CODE_PROMOTED : 0) : -1;
}

static ply_status read_western_move(kifu_reader *r, ply_cursor *c)
{
    const shogi_position *p = r->state.position;
    ply_cursor at = *c;
    int code = accept_western_piece(c);
    if (code < 0)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected a move such as P-7f");
    int from = accept_square(c), mark = ply_cursor_peek(c), to = from;
    if (mark == '-' || mark == 'x' || mark == '*') {
        ply_cursor_take(c);
        to = accept_square(c);
    } else { /* P7f */
        from = SHOGI_NO_SQUARE;
    }
    if (to == SHOGI_NO_SQUARE)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "expected a move such as P-7f, Bx2b+ or G*5b");
    bool promote = ply_cursor_accept(c, '+');
    if (!promote)
        ply_cursor_accept(c, '=');
    if (mark == '*') {
        if (code >= SHOGI_KING)
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "this piece cannot be dropped");
        return shogi_kifu_add_move(r, shogi_drop_make(code, to), &at);
    }
    if (from == SHOGI_NO_SQUARE) {
        ply_move move;
        ply_status status = find_western_move(p, code, to, promote, &at, &move);
        return status == PLY_OK ? shogi_kifu_add_move(r, move, &at) : status;
    }
    if (p->board[from] == SHOGI_CODE_EMPTY || (p->board[from] & 15) != code)
        return ply_cursor_fail(&at, PLY_ILLEGAL_MOVE, "there is no such piece on the first square");
    return shogi_kifu_add_move(r, shogi_move_make(from, to, promote), &at);
}

/* Reads a result such as 1-0 or Resigns and sets it; *found says whether there is one. */
static ply_status read_result(kifu_reader *r, ply_cursor *c, bool *found)
{
    const char *word;
    ply_cursor ahead = *c;
    size_t length = ply_cursor_word(&ahead, &word);
    bool resigns = r->has_state && length == 7 && memcmp(word, "Resigns", 7) == 0;
    *found = resigns || ply_result_from_score(word, length, &r->record->result);
    if (*found)
        *c = ahead;
    if (!resigns)
        return PLY_OK;
    int side = ((const shogi_position *)r->state.position)->side;
    return shogi_kifu_check(
        c, ply_record_set_ending(r->record, side == SHOGI_BLACK ? PLY_SECOND_WINS : PLY_FIRST_WINS,
                                 "resign"));
}

/* A comment up to `last`; the cursor is behind its first character, which is at `at`. */
static ply_status read_western_comment(kifu_reader *r, ply_cursor *c, char last, ply_cursor *at)
{
    const char *text = c->text + c->at, *limit = c->text + c->length;
    const char *end = memchr(text, last, c->length - c->at);
    if (!end && last != '\n')
        return ply_cursor_fail(at, PLY_BAD_TEXT, "unterminated comment");
    end = end ? end : limit;
    while (!ply_cursor_done(c) && c->text + c->at <= end)
        ply_cursor_take(c);
    while (text < end && (unsigned char)*text <= ' ')
        text++;
    while (end > text && (unsigned char)end[-1] <= ' ')
        end--;
    return end > text ? shogi_kifu_add_comment(r, text, (size_t)(end - text)) : PLY_OK;
}

/* What ends the comment that begins here; 0: there is none. */
static char comment_end(const ply_cursor *c)
{
    ply_cursor ahead = *c;
    int first = ply_cursor_take(&ahead);
    bool is_tag = ply_cursor_peek(&ahead) > ' ';
    return first == '{' ? '}' : first == '#' ? '\n' : first == '[' && !is_tag ? ']' : '\0';
}

/* Reads what comes next: a tag, a result, a comment, a move number or a move. *over: the game has
 * ended, or the next one begins. */
static ply_status read_western_item(kifu_reader *r, ply_cursor *c, bool *over)
{
    uint64_t number;
    ply_cursor at = *c;
    char last = comment_end(c);
    if (last) {
        ply_cursor_take(c);
        return read_western_comment(r, c, last, &at);
    }
    if (ply_cursor_peek(c) == '[') {
        *over = r->has_state;
        if (*over)
            return PLY_OK;
        ply_cursor_take(c);
        return read_western_tag(r, c);
    }
    ply_status status = read_result(r, c, over);
    if (status != PLY_OK || *over)
        return status;
    if (ply_cursor_number(c, 1000000, &number)) {
        while (ply_cursor_accept(c, '.'))
            continue;
        return PLY_OK;
    }
    status = shogi_kifu_ensure_state(r);
    if (status == PLY_OK)
        status = read_western_move(r, c);
    if (status == PLY_OK && ply_cursor_peek(c) > ' ' && ply_cursor_peek(c) != '{')
        status = ply_cursor_fail(c, PLY_BAD_TEXT, "unexpected text after the move");
    return status;
}

/* Western text is ASCII except for comments and tags, so it is read directly, not by lines. */
ply_status shogi_kifu_read_western(ply_cursor *cursor, ply_record *record, bool *found)
{
    kifu_reader r;
    ply_status status = PLY_OK;
    shogi_kifu_open(&r, cursor, record);
    ply_cursor_skip_space(cursor);
    *found = !ply_cursor_done(cursor);
    bool over = false;
    while (status == PLY_OK && !ply_cursor_done(cursor)) {
        if (over && !comment_end(cursor))
            break; /* a comment on the result belongs to the game */
        r.line = *cursor;
        status = read_western_item(&r, cursor, &over);
        ply_cursor_skip_space(cursor);
    }
    shogi_kifu_close(&r);
    return status;
}
