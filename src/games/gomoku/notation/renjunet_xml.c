/* SPDX-License-Identifier: MIT */
/*
 * renjunet_xml.c - the RenjuNet database: XML with the extension rif. No schema was ever published.
 * This is what its files contain, as far as a game record needs it:
 *
 *     <database version="1.0">
 *       <players>     <player id="45" name="Ando" surname="Meritee" country="1" /> ... </players>
 *       <tournaments> <tournament id="1" name="World Championship" year="2005" ... /> ...
 *       <rules>       <rule id="1" name="RIF" ...>...</rule> ...          likewise <openings>
 *       <games>
 *         <game id="1" tournament="1" round="F2" rule="1" black="45" white="67" bresult="1"
 *               btime="8" wtime="8" opening="21" alt="i8" swap="R">
 *           <move>h8 h9 h7 h6 i9 ...</move>
 *           <info>a note</info>
 *         </game>
 *       </games>
 *     </database>
 *
 * bresult is Black's score: 1, 0.5 or 0. The games are renju on 15x15, so that is what a record
 * read from here is, whatever rules the caller asked for. Names are looked up by id; where an id is
 * missing, the tag holds "#45". Unknown elements are skipped, but must be well formed.
 */
#include "core/text/utf8.h"
#include "core/text/xml.h"
#include "games/gomoku/notation/formats.h"
#include <string.h>

enum { NAME_BYTES = 64 };

static bool is_name_char(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == ':' || c == '.';
}

static ply_status read_name(ply_cursor *cursor, char name[NAME_BYTES])
{
    size_t length = 0;
    while (is_name_char(ply_cursor_peek(cursor))) {
        if (length + 1 == NAME_BYTES)
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "name too long");
        name[length++] = (char)ply_cursor_take(cursor);
    }
    name[length] = '\0';
    return length ? PLY_OK : ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a name");
}

static ply_status skip_past(ply_cursor *cursor, const char *end, const char *what)
{
    ply_cursor at_start = *cursor;
    while (!ply_cursor_accept_word(cursor, end))
        if (ply_cursor_take(cursor) < 0)
            return ply_cursor_fail(&at_start, PLY_BAD_TEXT, "unterminated %s", what);
    return PLY_OK;
}

/* Reads a character reference after its '&'; false leaves the cursor where it was. */
static bool read_reference(ply_cursor *cursor, ply_text *out)
{
    static const struct {
        const char *name;
        char c;
    } known[] = {{"amp;", '&'}, {"lt;", '<'}, {"gt;", '>'}, {"quot;", '"'}, {"apos;", '\''}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (ply_cursor_accept_word(cursor, known[i].name)) {
            ply_text_char(out, known[i].c);
            return true;
        }
    ply_cursor ahead = *cursor;
    uint32_t code = 0;
    bool hex, any = false;
    if (!ply_cursor_accept(&ahead, '#'))
        return false;
    hex = ply_cursor_accept(&ahead, 'x');
    for (;; any = true) {
        int c = ply_cursor_peek(&ahead), letter = c | 0x20;
        int digit = c >= '0' && c <= '9'                    ? c - '0'
                    : hex && letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
                                                            : -1;
        if (digit < 0)
            break;
        ply_cursor_take(&ahead);
        code = code > 0x10FFFF ? code : code * (hex ? 16 : 10) + (uint32_t)digit;
    }
    if (!any || !ply_cursor_accept(&ahead, ';') || code == 0 || code > 0x10FFFF)
        return false;
    ply_utf8_append(out, code);
    *cursor = ahead;
    return true;
}

/* Takes one character of text and resolves references; unknown names stay as they are. */
static void take_text(ply_cursor *cursor, ply_text *out)
{
    int c = ply_cursor_take(cursor);
    if (c != '&' || !read_reference(cursor, out))
        ply_text_char(out, (char)c);
}

/* Reads the next attribute of a tag, or the end of the tag: then *more is false, and *closed says
 * whether it ended with "/>". */
static ply_status read_attribute(ply_cursor *cursor, char name[NAME_BYTES], ply_text *value,
                                 bool *more, bool *closed)
{
    ply_cursor_skip_space(cursor);
    *closed = ply_cursor_accept_word(cursor, "/>");
    *more = !*closed && !ply_cursor_accept(cursor, '>');
    if (!*more)
        return PLY_OK;
    ply_status status = read_name(cursor, name);
    if (status != PLY_OK)
        return status;
    ply_cursor_skip_space(cursor);
    if (!ply_cursor_accept(cursor, '='))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected '=' after the attribute %s", name);
    ply_cursor_skip_space(cursor);
    ply_cursor at_value = *cursor;
    int quote = ply_cursor_take(cursor);
    if (quote != '"' && quote != '\'')
        return ply_cursor_fail(&at_value, PLY_BAD_TEXT, "expected a value in quotes");
    ply_text_clear(value);
    while (!ply_cursor_accept(cursor, (char)quote)) {
        if (ply_cursor_done(cursor) || ply_cursor_peek(cursor) == '<')
            return ply_cursor_fail(&at_value, PLY_BAD_TEXT, "unterminated quoted value");
        take_text(cursor, value);
    }
    return value->failed ? gomoku_record_check(cursor, PLY_NO_MEMORY) : PLY_OK;
}

static ply_status skip_attributes(ply_cursor *cursor, bool *closed)
{
    char name[NAME_BYTES];
    ply_text value = ply_text_growing();
    bool more = true;
    ply_status status = PLY_OK;
    while (status == PLY_OK && more)
        status = read_attribute(cursor, name, &value, &more, closed);
    ply_text_free(&value);
    return status;
}

/* Skips a comment, an instruction or a declaration, if one is next. */
static ply_status skip_markup(ply_cursor *cursor, bool *skipped)
{
    *skipped = true;
    if (ply_cursor_accept_word(cursor, "<!--"))
        return skip_past(cursor, "-->", "comment");
    if (ply_cursor_accept_word(cursor, "<?"))
        return skip_past(cursor, "?>", "instruction");
    if (ply_cursor_accept_word(cursor, "<!"))
        return skip_past(cursor, ">", "declaration");
    *skipped = false;
    return PLY_OK;
}

/* --- names by id ----------------------------------------------------------------------------- */
/* Looks up <TABLE id="ID" ...> in the whole text and appends the values of two attributes. */
static void look_up(const ply_cursor *cursor, const char *table, const char *id, const char *first,
                    const char *second, ply_text *out)
{
    char key[2 * NAME_BYTES];
    ply_text text = ply_text_fixed(key, sizeof key);
    ply_text_format(&text, "<%s id=\"%s\"", table, id);
    const char *at =
        ply_text_complete(&text) ? memmem(cursor->text, cursor->length, key, text.length) : NULL;
    size_t before = out->length;
    if (at) {
        ply_cursor row = ply_cursor_make(at, cursor->length - (size_t)(at - cursor->text), NULL);
        char name[NAME_BYTES];
        ply_text value = ply_text_growing(), parts[2] = {ply_text_growing(), ply_text_growing()};
        bool more = true, closed;
        ply_cursor_take(&row);
        ply_status status = read_name(&row, name);
        while (status == PLY_OK && more) {
            status = read_attribute(&row, name, &value, &more, &closed);
            if (status == PLY_OK && more)
                for (int i = 0; i < 2; i++)
                    if (strcmp(name, i ? second : first) == 0) {
                        ply_text_clear(&parts[i]);
                        ply_text_bytes(&parts[i], ply_text_cstr(&value), value.length);
                    }
        }
        for (int i = 0; i < 2; i++) {
            if (i && out->length > before && parts[i].length)
                ply_text_char(out, ' ');
            ply_text_string(out, ply_text_cstr(&parts[i]));
            ply_text_free(&parts[i]);
        }
        ply_text_free(&value);
    }
    if (out->length == before)
        ply_text_format(out, "#%s", id);
}

static ply_status set_looked_up(ply_record *record, ply_cursor *cursor, const char *tag,
                                const char *table, const char *id, const char *first,
                                const char *second)
{
    ply_text name = ply_text_growing();
    look_up(cursor, table, id, first, second, &name);
    ply_status status = name.failed
                            ? gomoku_record_check(cursor, PLY_NO_MEMORY)
                            : gomoku_record_tag(record, cursor, tag, name.data, name.length);
    ply_text_free(&name);
    return status;
}

/* --- games ----------------------------------------------------------------------------------- */
static ply_status use_attribute(ply_record *record, ply_cursor *cursor, const char *name,
                                const ply_text *value)
{
    static const struct {
        const char *attribute, *tag, *table, *first, *second;
    } known[] = {
        {"black", "Black", "player", "name", "surname"},
        {"white", "White", "player", "name", "surname"},
        {"tournament", "Event", "tournament", "name", "year"},
        {"rule", "OpeningRule", "rule", "name", ""},
        {"opening", "Opening", "opening", "abbr", "name"},
        {"id", "RenjuNetId", NULL, NULL, NULL},
        {"round", "Round", NULL, NULL, NULL},
        {"alt", "Alternatives", NULL, NULL, NULL},
        {"swap", "Swaps", NULL, NULL, NULL},
        {"btime", "BlackTime", NULL, NULL, NULL},
        {"wtime", "WhiteTime", NULL, NULL, NULL},
    };
    const char *text = ply_text_cstr(value);
    if (strcmp(name, "bresult") == 0) {
        ply_result result = strcmp(text, "1") == 0     ? PLY_FIRST_WINS
                            : strcmp(text, "0") == 0   ? PLY_SECOND_WINS
                            : strcmp(text, "0.5") == 0 ? PLY_DRAW
                                                       : PLY_ONGOING;
        if (result == PLY_ONGOING && value->length > 0)
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "bresult is 1, 0.5 or 0, not '%.20s'",
                                   text);
        return gomoku_record_check(cursor, ply_record_set_ending(record, result, NULL));
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0] && value->length > 0; i++)
        if (strcmp(name, known[i].attribute) == 0)
            return known[i].table
                       ? set_looked_up(record, cursor, known[i].tag, known[i].table, text,
                                       known[i].first, known[i].second)
                       : gomoku_record_tag(record, cursor, known[i].tag, text, value->length);
    return PLY_OK;
}

/* Reads moves, separated by white space, up to the next '<'. */
static ply_status read_moves(ply_record *record, ply_cursor *cursor)
{
    gomoku_reader reader;
    ply_status status = gomoku_reader_open(&reader, record, cursor);
    if (status != PLY_OK)
        return status;
    for (;;) {
        ply_cursor_skip_space(cursor);
        if (status != PLY_OK || ply_cursor_done(cursor) || ply_cursor_peek(cursor) == '<')
            break;
        status = gomoku_reader_parse(&reader, cursor);
    }
    gomoku_reader_close(&reader);
    return status;
}

static void skip_text(ply_cursor *cursor)
{
    while (!ply_cursor_done(cursor) && ply_cursor_peek(cursor) != '<')
        ply_cursor_take(cursor);
}

static ply_status read_info(ply_record *record, ply_cursor *cursor)
{
    ply_text text = ply_text_growing();
    ply_cursor_skip_space(cursor);
    while (!ply_cursor_done(cursor) && ply_cursor_peek(cursor) != '<')
        take_text(cursor, &text);
    while (text.length > 0 && strchr(" \t\r\n", text.data[text.length - 1]))
        text.length--;
    ply_status status = PLY_OK;
    if (text.failed)
        status = PLY_NO_MEMORY;
    else if (text.length > 0)
        status = ply_record_add_comment(record, 0, text.data, text.length);
    ply_text_free(&text);
    return gomoku_record_check(cursor, status);
}

/* Reads the attributes of a game; *closed: it has no content. */
static ply_status read_game_attributes(ply_cursor *cursor, ply_record *record, bool *closed)
{
    char name[NAME_BYTES];
    ply_text value = ply_text_growing();
    bool more = true;
    ply_status status = PLY_OK;
    while (status == PLY_OK && more) {
        ply_cursor_skip_space(cursor);
        ply_cursor at_attribute = *cursor;
        status = read_attribute(cursor, name, &value, &more, closed);
        if (status == PLY_OK && more)
            status = use_attribute(record, &at_attribute, name, &value);
    }
    ply_text_free(&value);
    return status;
}

/* Reads the content of an element of a game, up to its closing tag. */
static ply_status read_content(ply_cursor *cursor, ply_record *record, const char *name)
{
    if (strcmp(name, "move") == 0)
        return read_moves(record, cursor);
    if (strcmp(name, "info") == 0)
        return read_info(record, cursor);
    skip_text(cursor);
    return PLY_OK;
}

/* Reads an element of a game. *has_moves: a list of moves has been read. */
static ply_status read_game_element(ply_cursor *cursor, ply_record *record, bool *has_moves)
{
    char name[NAME_BYTES], end[NAME_BYTES + 4];
    bool empty = false;
    ply_cursor at_tag = *cursor;
    if (!ply_cursor_accept(cursor, '<'))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                               ply_cursor_done(cursor) ? "unterminated game" : "expected '<'");
    ply_status status = read_name(cursor, name);
    if (status == PLY_OK)
        status = skip_attributes(cursor, &empty);
    if (status != PLY_OK || empty)
        return status;
    if (strcmp(name, "move") == 0) {
        if (*has_moves)
            return ply_cursor_fail(&at_tag, PLY_BAD_TEXT, "a second move list in one game");
        *has_moves = true;
    }
    status = read_content(cursor, record, name);
    if (status != PLY_OK)
        return status;
    ply_text closing = ply_text_fixed(end, sizeof end);
    ply_text_format(&closing, "</%s>", name);
    return ply_cursor_accept_word(cursor, end)
               ? PLY_OK
               : ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected %s", end);
}

/* Reads a game after its name, up to its closing tag. */
static ply_status read_game(ply_cursor *cursor, ply_record *record)
{
    bool closed = false, has_moves = false;
    ply_status status = read_game_attributes(cursor, record, &closed);
    while (status == PLY_OK && !closed) {
        bool skipped = false;
        ply_cursor_skip_space(cursor);
        status = skip_markup(cursor, &skipped);
        if (status != PLY_OK || skipped)
            continue;
        if (ply_cursor_accept_word(cursor, "</game>"))
            return PLY_OK;
        status = read_game_element(cursor, record, &has_moves);
    }
    return status;
}

ply_status gomoku_read_renjuxml(ply_cursor *cursor, ply_record *record, bool *found)
{
    ply_error cause = {0};
    ply_status status = ply_rules_make(&record->rules, record->rules.game, "renju", &cause);
    if (status != PLY_OK)
        return ply_cursor_fail(cursor, status, "%s", cause.message);
    *found = false;
    while (status == PLY_OK) {
        char name[NAME_BYTES];
        bool skipped = false, closed = false;
        ply_cursor_skip_space(cursor);
        if (ply_cursor_done(cursor))
            return PLY_OK;
        status = skip_markup(cursor, &skipped);
        if (status != PLY_OK || skipped)
            continue;
        if (ply_cursor_accept_word(cursor, "</")) {
            status = read_name(cursor, name);
            ply_cursor_skip_space(cursor);
            if (status == PLY_OK && !ply_cursor_accept(cursor, '>'))
                status = ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected '>'");
            continue;
        }
        if (!ply_cursor_accept(cursor, '<'))
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected '<'");
        status = read_name(cursor, name);
        if (status == PLY_OK && strcmp(name, "game") == 0) {
            *found = true;
            status = read_game(cursor, record);
            return status == PLY_OK ? gomoku_record_set_result(record, cursor) : status;
        }
        if (status == PLY_OK)
            status = skip_attributes(cursor, &closed);
        /* The text of an unknown element, such as the description of a rule. */
        if (status == PLY_OK && !closed)
            skip_text(cursor);
    }
    return status;
}

/* --- writing --------------------------------------------------------------------------------- */
static void write_attribute(const ply_record *record, const char *name, const char *tag,
                            ply_text *out)
{
    const char *value = ply_record_tag_value(record, tag);
    if (!value)
        return;
    ply_text_format(out, " %s=\"", name);
    ply_xml_escape(out, value, strlen(value));
    ply_text_char(out, '"');
}

static void write_table_row(const ply_record *record, const char *table, const char *tag,
                            unsigned id, const char *attribute, ply_text *out)
{
    const char *value = ply_record_tag_value(record, tag);
    if (!value)
        return;
    ply_text_format(out, "<%ss>\n<%s id=\"%u\" %s=\"", table, table, id, attribute);
    ply_xml_escape(out, value, strlen(value));
    ply_text_format(out, "\" />\n</%ss>\n", table);
}

static void write_reference(const ply_record *record, const char *attribute, const char *tag,
                            unsigned id, ply_text *out)
{
    if (ply_record_tag_value(record, tag))
        ply_text_format(out, " %s=\"%u\"", attribute, id);
}

static const char tail[] = "</database>\n";

/* Removes the end of the document so that another game can follow. Returns the number of the last
 * game in it; 0: there is none yet. Tables may be repeated, because ids are never reused. */
static unsigned reopen(ply_text *out)
{
    static const char mark[] = "<game id=\"";
    size_t end = sizeof tail - 1;
    if (out->length < end || out->length >= out->capacity ||
        memcmp(out->data + out->length - end, tail, end) != 0)
        return 0;
    out->length -= end;
    out->data[out->length] = '\0';
    for (size_t at = out->length; at-- > 0;)
        if (out->data[at] == '<' && out->length - at > sizeof mark &&
            memcmp(out->data + at, mark, sizeof mark - 1) == 0) {
            ply_cursor cursor = ply_cursor_make(out->data + at + sizeof mark - 1,
                                                out->length - at - sizeof mark + 1, NULL);
            uint64_t id = 0;
            ply_cursor_number(&cursor, UINT32_MAX / 4, &id);
            return (unsigned)id;
        }
    return 0;
}

ply_status gomoku_write_renjuxml(const ply_record *record, ply_text *out, ply_error *error)
{
    static const char *const scores[] = {"", "1", "0", "0.5"};
    ply_status status = gomoku_record_check_start(record, "renjuxml", error);
    if (status != PLY_OK)
        return status;
    if (gomoku_rule_of(&record->rules) != GOMOKU_RENJU || gomoku_width(&record->rules) != 15 ||
        gomoku_height(&record->rules) != 15)
        return ply_error_set(error, PLY_UNSUPPORTED, "renjuxml holds renju on 15x15 only");
    unsigned id = reopen(out) + 1;
    if (id == 1)
        ply_text_string(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                             "<database version=\"1.0\">\n");
    write_table_row(record, "player", "Black", 2 * id - 1, "name", out);
    write_table_row(record, "player", "White", 2 * id, "name", out);
    write_table_row(record, "tournament", "Event", id, "name", out);
    write_table_row(record, "rule", "OpeningRule", id, "name", out);
    write_table_row(record, "opening", "Opening", id, "name", out);
    ply_text_format(out, "<games>\n<game id=\"%u\"", id);
    write_reference(record, "tournament", "Event", id, out);
    write_attribute(record, "round", "Round", out);
    write_reference(record, "rule", "OpeningRule", id, out);
    write_reference(record, "black", "Black", 2 * id - 1, out);
    write_reference(record, "white", "White", 2 * id, out);
    if (record->result != PLY_ONGOING)
        ply_text_format(out, " bresult=\"%s\"", scores[record->result]);
    write_attribute(record, "btime", "BlackTime", out);
    write_attribute(record, "wtime", "WhiteTime", out);
    write_reference(record, "opening", "Opening", id, out);
    write_attribute(record, "alt", "Alternatives", out);
    write_attribute(record, "swap", "Swaps", out);
    ply_text_string(out, ">\n<move>");
    for (uint32_t n = record->nodes[0].child; n; n = record->nodes[n].child) {
        gomoku_format_move(&record->rules, NULL, record->nodes[n].move, out);
        if (record->nodes[n].child)
            ply_text_char(out, ' ');
    }
    ply_text_string(out, "</move>\n");
    if (record->nodes[0].comment) {
        ply_text_string(out, "<info>");
        ply_xml_escape(out, record->nodes[0].comment, strlen(record->nodes[0].comment));
        ply_text_string(out, "</info>\n");
    }
    ply_text_format(out, "</game>\n</games>\n%s", tail);
    return PLY_OK;
}
