/* SPDX-License-Identifier: MIT */
/*
 * sgf_read.c - reading Smart Game Format (FF[4], GM[4]): collections of game trees.
 *
 *     (;FF[4]GM[4]SZ[15]RU[renju]PB[Ann]PW[Bob]RE[B+R]
 *      ;B[hh];W[ig]C[a comment](;B[jj])(;B[gg];W[]))
 *
 * A point is two letters, column and row from the top left corner, a to z and then A to F; letter
 * and number (h8) is read too. An empty value is a pass, and so is [tt] on boards up to 19x19. SZ
 * is a number or WIDTH:HEIGHT. RU is the text of our rules, such as renju or freestyle:row=4, or
 * one of the names that programs write. AB, AW, AE and PL set the start position in the first node.
 * Annotations become NAGs: TE $1, BM $2, IT $5, DO $6; doubled TE and BM $3 and $4. Other
 * properties of the first node become tags of the same name; in other nodes they are ignored.
 */
#include "games/gomoku/notation/formats.h"
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 1024, MAX_RULES_TEXT = 128 };

const gomoku_sgf_tag gomoku_sgf_tags[GOMOKU_SGF_TAGS] = {
    {"PB", "Black"}, {"PW", "White"},     {"EV", "Event"},    {"RO", "Round"},   {"DT", "Date"},
    {"PC", "Site"},  {"AN", "Annotator"}, {"GN", "GameName"}, {"ON", "Opening"},
};

typedef struct sgf {
    ply_cursor *cursor;
    ply_record *record;
    gomoku_reader reader;
    bool opened;            /* the first node has been read */
    ply_text value;         /* of the property being read */
    gomoku_position *setup; /* stones of the first node; NULL: none */
    uint64_t width, height; /* from SZ; 0: missing */
    ply_cursor at_size;
    int to_play; /* from PL; -1: missing */
} sgf;

/* --- properties ------------------------------------------------------------------------------ */
static ply_status read_id(sgf *s, char id[GOMOKU_SGF_ID])
{
    size_t length = 0;
    for (;;) {
        int c = ply_cursor_peek(s->cursor);
        bool small = c >= 'a' && c <= 'z'; /* older files write "Black" for B */
        if (!small && !(c >= 'A' && c <= 'Z'))
            break;
        ply_cursor_take(s->cursor);
        if (small)
            continue;
        if (length + 1 == GOMOKU_SGF_ID)
            return ply_cursor_fail(s->cursor, PLY_BAD_TEXT, "property name too long");
        id[length++] = (char)c;
    }
    id[length] = '\0';
    return length
               ? PLY_OK
               : ply_cursor_fail(s->cursor, PLY_BAD_TEXT, "expected ';', '(', ')' or a property");
}

/* Reads one [value] into s->value and resolves escapes. */
static ply_status read_value(sgf *s)
{
    ply_cursor at_value = *s->cursor;
    ply_text_clear(&s->value);
    if (!ply_cursor_accept(s->cursor, '['))
        return ply_cursor_fail(s->cursor, PLY_BAD_TEXT, "expected '['");
    for (;;) {
        int c = ply_cursor_take(s->cursor);
        if (c == ']')
            break;
        if (c == '\\') {
            c = ply_cursor_take(s->cursor);
            if (c == '\n' || (c == '\r' && ply_cursor_accept(s->cursor, '\n')))
                continue; /* a soft line break */
        }
        if (c < 0)
            return ply_cursor_fail(&at_value, PLY_BAD_TEXT, "unterminated value");
        if (c != '\0')
            ply_text_char(&s->value, (char)c);
    }
    return s->value.failed ? gomoku_record_check(s->cursor, PLY_NO_MEMORY) : PLY_OK;
}

static const char *text_of(const sgf *s)
{
    return ply_text_cstr(&s->value);
}

static int letter_number(int c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' : c >= 'A' && c <= 'F' ? c - 'A' + 26 : -1;
}

/* The value as a move on the current board. */
static ply_status read_point(const sgf *s, ply_cursor *at_value, ply_move *move)
{
    const ply_rules *rules = &s->record->rules;
    const char *text = text_of(s);
    int width = gomoku_width(rules), height = gomoku_height(rules);
    if (s->value.length == 0 || (strcmp(text, "tt") == 0 && width <= 19 && height <= 19)) {
        *move = GOMOKU_PASS;
        return PLY_OK;
    }
    if (s->value.length >= 2 && text[1] >= '0' && text[1] <= '9') {
        ply_cursor point = ply_cursor_make(text, s->value.length, NULL);
        int cell = 0;
        if (gomoku_parse_cell(rules, &point, &cell) == PLY_OK && ply_cursor_done(&point)) {
            *move = gomoku_move(cell);
            return PLY_OK;
        }
    }
    int x = letter_number(text[0]), y = s->value.length == 2 ? letter_number(text[1]) : -1;
    if (x < 0 || y < 0 || x >= width || y >= height)
        return ply_cursor_fail(at_value, PLY_BAD_TEXT, "'%.20s' is not a point of a %dx%d board",
                               text, width, height);
    *move = gomoku_move(gomoku_cell(x, height - 1 - y));
    return PLY_OK;
}

/* --- the first node -------------------------------------------------------------------------- */
static ply_status read_size(sgf *s, const ply_cursor *at_value)
{
    ply_cursor text = ply_cursor_make(text_of(s), s->value.length, NULL);
    s->at_size = *at_value;
    bool good = ply_cursor_number(&text, 9999, &s->width);
    s->height = s->width;
    if (good && ply_cursor_accept(&text, ':'))
        good = ply_cursor_number(&text, 9999, &s->height);
    if (!good || !ply_cursor_done(&text))
        return ply_cursor_fail(&s->at_size, PLY_BAD_TEXT, "SZ is a number or WIDTH:HEIGHT");
    return gomoku_record_resize(s->record, &s->at_size, s->width, s->height);
}

/* RU as the text of our rules, or a name that other programs use; otherwise it remains a tag. */
static ply_status read_rules(sgf *s)
{
    static const char *const names[][2] = {
        {"gomoku", "freestyle"},         {"free", "freestyle"}, {"gomoku-freestyle", "freestyle"},
        {"gomoku-standard", "standard"}, {"exact", "standard"}, {"rif", "renju"},
        {"caro6", "caro-overline"},      {"caro5", "caro"},
    };
    char lower[MAX_RULES_TEXT];
    if (s->value.length >= sizeof lower)
        return gomoku_record_tag(s->record, s->cursor, "RU", text_of(s), s->value.length);
    for (size_t i = 0; i <= s->value.length; i++) {
        char c = text_of(s)[i];
        lower[i] = (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    }
    const char *variant = lower;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(lower, names[i][0]) == 0)
            variant = names[i][1];
    ply_rules rules;
    if (!lower[0] || ply_rules_make(&rules, s->record->rules.game, variant, NULL) != PLY_OK)
        return gomoku_record_tag(s->record, s->cursor, "RU", text_of(s), s->value.length);
    s->record->rules = rules;
    return s->width ? gomoku_record_resize(s->record, &s->at_size, s->width, s->height) : PLY_OK;
}

static ply_status read_result(sgf *s)
{
    const char *text = text_of(s);
    ply_result result = PLY_ONGOING;
    const char *ending = NULL;
    if ((text[0] == 'B' || text[0] == 'W') && text[1] == '+') {
        result = text[0] == 'B' ? PLY_FIRST_WINS : PLY_SECOND_WINS;
        ending = text[2] == 'R'   ? "resign"
                 : text[2] == 'T' ? "time"
                 : text[2] == 'F' ? "forfeit"
                                  : NULL;
    } else if (strcmp(text, "0") == 0 || strcmp(text, "Draw") == 0) {
        result = PLY_DRAW;
    } else if (text[0] && strcmp(text, "?") != 0 && strcmp(text, "Void") != 0) {
        return gomoku_record_tag(s->record, s->cursor, "RE", text, s->value.length);
    }
    return gomoku_record_check(s->cursor, ply_record_set_ending(s->record, result, ending));
}

static ply_status put_at(sgf *s, int cell, const char *id, ply_cursor *at_value)
{
    if (gomoku_at(s->setup->lines, cell) >= 0)
        return ply_cursor_fail(at_value, PLY_BAD_POSITION, "two stones on one point");
    if (strcmp(id, "AE") != 0)
        gomoku_put_stone(&s->record->rules, s->setup, cell, id[1] == 'W');
    return PLY_OK;
}

/* AB, AW and AE: a point, or a rectangle given by two corners, aa:cc. */
static ply_status put_stones(sgf *s, const char *id, ply_cursor *at_value)
{
    ply_move corner[2] = {GOMOKU_PASS, GOMOKU_PASS};
    char *colon = s->value.length == 5 && text_of(s)[2] == ':' ? s->value.data + 2 : NULL;
    char second[3] = "";
    if (colon) {
        memcpy(second, colon + 1, 3);
        s->value.length = 2;
        *colon = '\0';
    }
    ply_status status = read_point(s, at_value, &corner[0]);
    corner[1] = corner[0];
    if (status == PLY_OK && colon) {
        memcpy(s->value.data, second, 3);
        status = read_point(s, at_value, &corner[1]);
    }
    if (status != PLY_OK)
        return status;
    if (corner[0] == GOMOKU_PASS || corner[1] == GOMOKU_PASS)
        return ply_cursor_fail(at_value, PLY_BAD_TEXT, "a stone needs a point");
    if (!s->setup) {
        s->setup = calloc(1, s->record->rules.position_bytes);
        if (!s->setup)
            return gomoku_record_check(s->cursor, PLY_NO_MEMORY);
    }
    /* The first corner is the top left one. */
    int from = gomoku_move_cell(corner[0]), to = gomoku_move_cell(corner[1]);
    for (int y = gomoku_y(from); y >= gomoku_y(to); y--)
        for (int x = gomoku_x(from); x <= gomoku_x(to) && status == PLY_OK; x++)
            status = put_at(s, gomoku_cell(x, y), id, at_value);
    return status;
}

/* The properties of the first node that must be known first, wherever they are in it. */
static ply_status read_head_property(sgf *s, const char *id, ply_cursor *at_value)
{
    if (strcmp(id, "GM") == 0 && strcmp(text_of(s), "4") != 0)
        return ply_cursor_fail(at_value, PLY_BAD_TEXT,
                               "not a gomoku game: GM[%.20s] instead of GM[4]", text_of(s));
    if (strcmp(id, "SZ") == 0)
        return read_size(s, at_value);
    return strcmp(id, "RU") == 0 ? read_rules(s) : PLY_OK;
}

static bool is_head_property(const char *id)
{
    static const char *const head[] = {"GM", "SZ", "RU", "FF", "CA", "AP"};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        if (strcmp(id, head[i]) == 0)
            return true;
    return false;
}

static bool is_setup_property(const char *id)
{
    return strcmp(id, "AB") == 0 || strcmp(id, "AW") == 0 || strcmp(id, "AE") == 0;
}

static ply_status read_root_property(sgf *s, const char *id, ply_cursor *at_value)
{
    if (is_head_property(id))
        return PLY_OK; /* read already, or about the file and not the game */
    if (is_setup_property(id) || strcmp(id, "PL") == 0) {
        if (s->opened)
            return ply_cursor_fail(at_value, PLY_UNSUPPORTED, "stones set after a move");
        if (is_setup_property(id))
            return put_stones(s, id, at_value);
        s->to_play = text_of(s)[0] == 'W' || strcmp(text_of(s), "2") == 0;
        return PLY_OK;
    }
    if (strcmp(id, "RE") == 0)
        return read_result(s);
    const char *tag = id;
    for (size_t i = 0; i < GOMOKU_SGF_TAGS; i++)
        if (strcmp(id, gomoku_sgf_tags[i].property) == 0)
            tag = gomoku_sgf_tags[i].tag;
    return gomoku_record_tag(s->record, s->cursor, tag, text_of(s), s->value.length);
}

/* Handles a value of property id, which is in s->value. */
typedef ply_status property_reader(sgf *s, void *context, const char *id, ply_cursor *at_value);

/* Reads the properties of a node, after its ';', and hands on each value. */
static ply_status read_properties(sgf *s, property_reader *reader, void *context)
{
    ply_status status = PLY_OK;
    while (status == PLY_OK) {
        char id[GOMOKU_SGF_ID];
        ply_cursor_skip_space(s->cursor);
        int c = ply_cursor_peek(s->cursor);
        if (c < 0 || c == ';' || c == '(' || c == ')')
            break;
        status = read_id(s, id);
        ply_cursor_skip_space(s->cursor);
        if (status == PLY_OK && ply_cursor_peek(s->cursor) != '[')
            status = ply_cursor_fail(s->cursor, PLY_BAD_TEXT, "expected '[' after %s", id);
        while (status == PLY_OK && ply_cursor_peek(s->cursor) == '[') {
            ply_cursor at_value = *s->cursor;
            ply_cursor_take(&at_value);
            status = read_value(s);
            if (status == PLY_OK)
                status = reader(s, context, id, &at_value);
            ply_cursor_skip_space(s->cursor);
        }
    }
    return status;
}

static ply_status take_head_property(sgf *s, void *context, const char *id, ply_cursor *at_value)
{
    (void)context;
    return read_head_property(s, id, at_value);
}

/* Scans the first node for its head properties; leaves the cursor at the start of the node. */
static ply_status read_head(sgf *s)
{
    ply_cursor begin = *s->cursor;
    ply_status status = read_properties(s, take_head_property, NULL);
    if (status == PLY_OK)
        *s->cursor = begin;
    return status;
}

/* Everything in the first node but its move is known: opens the reader. */
static ply_status open_game(sgf *s, ply_cursor *at_node)
{
    ply_record *record = s->record;
    if (s->opened)
        return PLY_OK;
    if (s->setup || s->to_play > 0) {
        ply_text text = ply_text_growing();
        gomoku_position *p = calloc(1, record->rules.position_bytes);
        ply_status status = p ? PLY_OK : PLY_NO_MEMORY;
        if (p && s->setup)
            memcpy(p, s->setup, record->rules.position_bytes);
        if (p) {
            p->side = s->to_play > 0;
            gomoku_format(&record->rules, p, &text);
            status =
                text.failed ? PLY_NO_MEMORY : ply_record_set_start(record, text.data, text.length);
        }
        free(p);
        ply_text_free(&text);
        if (status != PLY_OK)
            return gomoku_record_check(s->cursor, status);
    }
    ply_status status = gomoku_reader_open(&s->reader, record, at_node);
    s->opened = status == PLY_OK;
    return status;
}

/* --- nodes ----------------------------------------------------------------------------------- */
static ply_status play_value(sgf *s, int colour, ply_cursor *at_value)
{
    static const char *const names[2] = {"Black", "White"};
    ply_move move = GOMOKU_PASS;
    ply_status status = read_point(s, at_value, &move);
    if (status != PLY_OK)
        return status;
    const gomoku_position *p = s->reader.state.position;
    if (p->side != colour)
        return ply_cursor_fail(at_value, PLY_ILLEGAL_MOVE, "%s is to move, not %s", names[p->side],
                               names[colour]);
    return gomoku_reader_add(&s->reader, at_value, move);
}

/* The NAG of a property, or 0. */
static int nag_of(const char *id, bool twice)
{
    return strcmp(id, "TE") == 0   ? (twice ? 3 : 1)
           : strcmp(id, "BM") == 0 ? (twice ? 4 : 2)
           : strcmp(id, "IT") == 0 ? 5
           : strcmp(id, "DO") == 0 ? 6
                                   : 0;
}

static ply_status add_nag(sgf *s, const char *id)
{
    int nag = nag_of(id, strcmp(text_of(s), "2") == 0);
    if (nag == 0 || s->reader.node == 0)
        return PLY_OK;
    ply_status status = ply_record_add_nag(s->record, s->reader.node, (uint8_t)nag);
    return status == PLY_LIMIT ? PLY_OK : gomoku_record_check(s->cursor, status);
}

/* A node being read. */
typedef struct sgf_node {
    bool first, moved, commented;
    ply_cursor at;
    ply_text comment;
} sgf_node;

static ply_status take_property(sgf *s, void *context, const char *id, ply_cursor *at_value)
{
    sgf_node *node = context;
    if (strcmp(id, "B") == 0 || strcmp(id, "W") == 0) {
        if (node->moved)
            return ply_cursor_fail(at_value, PLY_BAD_TEXT, "two moves in one node");
        node->moved = true;
        ply_status status = open_game(s, &node->at);
        return status == PLY_OK ? play_value(s, id[0] == 'W', at_value) : status;
    }
    if (strcmp(id, "C") == 0) {
        if (node->commented)
            ply_text_char(&node->comment, ' ');
        node->commented = true;
        ply_text_bytes(&node->comment, text_of(s), s->value.length);
        return PLY_OK;
    }
    if (node->first && nag_of(id, false) == 0)
        return read_root_property(s, id, at_value);
    if (is_setup_property(id))
        return ply_cursor_fail(at_value, PLY_UNSUPPORTED,
                               "stones can only be set in the first node");
    return node->moved ? add_nag(s, id) : PLY_OK;
}

/* Reads a node after its ';'. Its move is added first whatever the order in the file, so a comment
 * found before it waits. */
static ply_status read_node(sgf *s)
{
    sgf_node node = {.first = !s->opened, .at = *s->cursor, .comment = ply_text_growing()};
    ply_status status = read_properties(s, take_property, &node);
    if (status == PLY_OK)
        status = open_game(s, &node.at);
    if (status == PLY_OK && node.comment.length > 0)
        status = gomoku_record_check(
            s->cursor, node.comment.failed
                           ? PLY_NO_MEMORY
                           : ply_record_add_comment(s->record, s->reader.node, node.comment.data,
                                                    node.comment.length));
    ply_text_free(&node.comment);
    return status;
}

/* Reads one tree, from its '(' to its ')'. */
static ply_status read_tree(sgf *s)
{
    struct {
        uint32_t node;
        size_t plies;
    } open[DEPTH_LIMIT];
    size_t depth = 0;
    do {
        ply_cursor_skip_space(s->cursor);
        ply_cursor here = *s->cursor;
        int c = ply_cursor_take(s->cursor);
        ply_status status = PLY_OK;
        if (c == '(') {
            if (depth == DEPTH_LIMIT)
                return ply_cursor_fail(&here, PLY_LIMIT, "variations nested too deeply");
            if (depth > 0 && !s->opened)
                return ply_cursor_fail(&here, PLY_BAD_TEXT, "expected ';' and a node first");
            open[depth].node = s->reader.node;
            open[depth].plies = s->opened ? s->reader.state.plies : 0;
            depth++;
        } else if (c == ')' && depth > 0) {
            depth--;
            if (s->opened)
                gomoku_reader_back(&s->reader, open[depth].node, open[depth].plies);
        } else if (c == ';') {
            if (!s->opened)
                status = read_head(s);
            if (status == PLY_OK)
                status = read_node(s);
        } else {
            return ply_cursor_fail(&here, PLY_BAD_TEXT,
                                   c < 0 ? "unterminated game tree" : "expected ';', '(' or ')'");
        }
        if (status != PLY_OK)
            return status;
    } while (depth > 0);
    return s->opened ? PLY_OK
                     : ply_cursor_fail(s->cursor, PLY_BAD_TEXT, "a game tree without a node");
}

ply_status gomoku_read_sgf(ply_cursor *cursor, ply_record *record, bool *found)
{
    ply_cursor_skip_space(cursor);
    ply_cursor_accept_word(cursor, "\xEF\xBB\xBF"); /* a byte order mark */
    *found = !ply_cursor_done(cursor);
    if (!*found)
        return PLY_OK;
    if (ply_cursor_peek(cursor) != '(')
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected '(' at the start of a game tree");
    sgf s = {.cursor = cursor, .record = record, .value = ply_text_growing(), .to_play = -1};
    ply_status status = read_tree(&s);
    if (s.opened)
        gomoku_reader_close(&s.reader);
    ply_text_free(&s.value);
    free(s.setup);
    return status == PLY_OK ? gomoku_record_set_result(record, cursor) : status;
}
