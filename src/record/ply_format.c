/* SPDX-License-Identifier: MIT */
/*
 * ply_format.c - the record format `ply`: games of any kind as plain text.
 *
 *     game neighbours
 *     variant jump                          optional
 *     tag Event "Club evening"              any number; \" and \\ stand for " and \
 *     position bbbbbb/6/6/6/6/wwwwww w      optional: the start position
 *     moves a1a2 {a comment} ( b1b3 c6c4 ) a6a5 $1
 *     result 1-0 no-move                    1-0, 0-1, 1/2-1/2 or *, and how the game ended
 *
 * Moves may continue over several lines up to `result`, which ends the game; another game may
 * follow. A variation in parentheses replaces the move before it. <POSITION> among the moves sets
 * up a new position. A comment may contain anything except a closing brace. Blank lines and lines
 * that begin with # are ignored outside the moves.
 */
#include "core/text/masked.h"
#include "record/formats.h"
#include <string.h>

enum {
    VARIATION_DEPTH = 64, /* of nested variations */
    LINE_WIDTH = 96,      /* moves are wrapped at this column */
};

/* --- reading -------------------------------------------------------------------------------- */
static void skip_blank_lines(ply_cursor *cursor)
{
    do {
        ply_cursor_skip_space(cursor);
        if (ply_cursor_peek(cursor) == '#')
            while (!ply_cursor_done(cursor) && ply_cursor_peek(cursor) != '\n')
                ply_cursor_take(cursor);
    } while (ply_cursor_peek(cursor) == '\n');
}

/* Skips spaces and tabs, but not line ends. */
static void skip_blanks(ply_cursor *cursor)
{
    while (ply_cursor_accept(cursor, ' ') || ply_cursor_accept(cursor, '\t'))
        continue;
}

/* Reads the rest of the line, trimmed; *rest points into the text, length returned. */
static size_t rest_of_line(ply_cursor *cursor, const char **rest)
{
    skip_blanks(cursor);
    *rest = cursor->text + cursor->at;
    size_t length = 0;
    for (size_t i = 1; !ply_cursor_done(cursor) && ply_cursor_peek(cursor) != '\n'; i++) {
        int c = ply_cursor_take(cursor);
        if (c != ' ' && c != '\t' && c != '\r')
            length = i;
    }
    return length;
}

/* Turns a status without a message, such as PLY_NO_MEMORY, into an error at the cursor. */
static ply_status locate(ply_cursor *cursor, ply_status status)
{
    return status == PLY_OK ? status
                            : ply_cursor_fail(cursor, status, "%s", ply_status_text(status));
}

static ply_status read_game(ply_cursor *cursor, ply_record *record, ply_cursor *at_line)
{
    const ply_game *game = record->rules.game;
    const char *id;
    size_t length = rest_of_line(cursor, &id);
    if (length == strlen(game->id) && memcmp(id, game->id, length) == 0)
        return PLY_OK;
    return ply_cursor_fail(at_line, PLY_BAD_TEXT, "this is a record of '%.*s', not of %s",
                           (int)(length < 40 ? length : 40), id, game->id);
}

static ply_status read_variant(ply_cursor *cursor, ply_record *record, ply_cursor *at_line)
{
    char name[256];
    const char *rest;
    ply_error inner = {0};
    size_t length = rest_of_line(cursor, &rest);
    if (length >= sizeof name)
        return ply_cursor_fail(at_line, PLY_BAD_TEXT, "variant too long");
    memcpy(name, rest, length);
    name[length] = '\0';
    ply_status status = ply_rules_make(&record->rules, record->rules.game, name, &inner);
    return status == PLY_OK ? status : ply_cursor_fail(at_line, status, "%s", inner.message);
}

static ply_status read_tag(ply_cursor *cursor, ply_record *record)
{
    const char *name;
    skip_blanks(cursor);
    size_t name_length = ply_cursor_word(cursor, &name);
    skip_blanks(cursor);
    if (name_length == 0 || !ply_cursor_accept(cursor, '"'))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected the tag's name and a quoted value");
    ply_text value = ply_text_growing();
    for (;;) {
        int c = ply_cursor_take(cursor);
        if (c < 0 || c == '\n') {
            ply_text_free(&value);
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "unterminated quoted value");
        }
        if (c == '"')
            break;
        if (c == '\\' && !ply_cursor_done(cursor))
            c = ply_cursor_take(cursor);
        ply_text_char(&value, (char)c);
    }
    ply_status status = value.failed ? PLY_NO_MEMORY
                                     : ply_record_set_tag(record, name, name_length,
                                                          ply_text_cstr(&value), value.length);
    ply_text_free(&value);
    return locate(cursor, status);
}

static ply_status read_start(ply_cursor *cursor, ply_record *record)
{
    const char *text;
    skip_blanks(cursor);
    ply_cursor at_position = *cursor;
    size_t length = rest_of_line(cursor, &text);
    ply_status status = ply_record_set_start(record, text, length);
    if (status != PLY_OK)
        return locate(cursor, status);
    ply_state state;
    ply_error inner = {0};
    status = ply_record_start_state(record, &state, &inner);
    if (status != PLY_OK) {
        while (inner.offset-- > 0)
            ply_cursor_take(&at_position);
        return ply_cursor_fail(&at_position, status, "%s", inner.message);
    }
    ply_state_free(&state);
    return PLY_OK;
}

static ply_status read_header(ply_cursor *cursor, ply_record *record)
{
    ply_status status = PLY_OK;
    while (status == PLY_OK) {
        skip_blank_lines(cursor);
        ply_cursor at_line = *cursor;
        if (ply_cursor_accept_word(cursor, "game "))
            status = read_game(cursor, record, &at_line);
        else if (ply_cursor_accept_word(cursor, "variant "))
            status = read_variant(cursor, record, &at_line);
        else if (ply_cursor_accept_word(cursor, "tag "))
            status = read_tag(cursor, record);
        else if (ply_cursor_accept_word(cursor, "position "))
            status = read_start(cursor, record);
        else
            break;
    }
    return status;
}

/* Reads the moves of one game. */
typedef struct move_reader {
    ply_cursor *cursor;
    ply_record *record;
    ply_state state; /* at `node` */
    uint32_t node;   /* read last */
    bool has_setups;
    size_t depth;                        /* open parentheses */
    uint32_t return_to[VARIATION_DEPTH]; /* the node to continue from after each closes */
} move_reader;

static ply_status read_nag(move_reader *r)
{
    uint64_t number;
    if (r->node == 0 || !ply_cursor_number(r->cursor, 255, &number))
        return ply_cursor_fail(r->cursor, PLY_BAD_TEXT, "expected a number from 0 to 255 after $");
    ply_status status = ply_record_add_nag(r->record, r->node, (uint8_t)number);
    return status == PLY_OK ? status
                            : ply_cursor_fail(r->cursor, status,
                                              "more than %d annotations on a move", PLY_NAG_LIMIT);
}

static ply_status read_comment(move_reader *r)
{
    ply_cursor *cursor = r->cursor, at_brace = *cursor;
    ply_cursor_take(cursor);
    const char *text = cursor->text + cursor->at;
    size_t length = 0;
    while (ply_cursor_peek(cursor) != '}') {
        if (ply_cursor_take(cursor) < 0)
            return ply_cursor_fail(&at_brace, PLY_BAD_TEXT, "unterminated comment");
        length++;
    }
    ply_cursor_take(cursor);
    return locate(cursor, ply_record_add_comment(r->record, r->node, text, length));
}

/* A setup among the moves: <POSITION>. */
static ply_status read_setup(move_reader *r)
{
    ply_cursor *cursor = r->cursor, at_setup = *cursor;
    ply_cursor_take(cursor);
    const char *text = cursor->text + cursor->at;
    const char *end = memchr(text, '>', cursor->length - cursor->at);
    if (!end)
        return ply_cursor_fail(&at_setup, PLY_BAD_TEXT, "unterminated position");
    ply_error inner = {0};
    ply_status status = ply_state_parse(&r->state, text, (size_t)(end - text), &inner);
    if (status != PLY_OK)
        return ply_cursor_fail(&at_setup, status, "%s", inner.message);
    while (ply_cursor_take(cursor) != '>')
        continue;
    r->has_setups = true;
    return locate(cursor,
                  ply_record_add_setup(r->record, r->node, text, (size_t)(end - text), &r->node));
}

/* The ancestor of a node at `depth`, when the node itself is at `node_depth`. */
static uint32_t ancestor(const ply_record *record, uint32_t node, size_t node_depth, size_t depth)
{
    for (; node_depth > depth; node_depth--)
        node = record->nodes[node].parent;
    return node;
}

/* Goes to another node: undoes moves up to a common ancestor and plays down from it. */
static ply_status go_by_undo(move_reader *r, uint32_t node)
{
    const ply_record_node *nodes = r->record->nodes;
    ply_state *state = &r->state;
    size_t depth = 0;
    for (uint32_t n = node; n; n = nodes[n].parent)
        depth++;
    while (state->plies > depth)
        ply_state_undo(state);
    while (state->plies > 0) {
        uint32_t at = ancestor(r->record, node, depth, state->plies);
        if (nodes[at].move == state->moves[state->plies - 1])
            break; /* the paths meet: a variation shares all moves before the one it replaces */
        ply_state_undo(state);
    }
    ply_status status = PLY_OK;
    while (state->plies < depth && status == PLY_OK) {
        uint32_t at = ancestor(r->record, node, depth, state->plies + 1);
        status = ply_state_play(state, nodes[at].move);
    }
    return status;
}

/* Goes to another node of a record with setups, which cannot be undone: replays from the start. */
static ply_status go_by_replay(move_reader *r, uint32_t node)
{
    ply_state fresh;
    ply_status status = ply_record_state_at(r->record, node, &fresh, NULL);
    if (status == PLY_OK) {
        ply_state_free(&r->state);
        r->state = fresh;
    }
    return status;
}

static ply_status go_to(move_reader *r, uint32_t node)
{
    r->node = node;
    return r->has_setups ? go_by_replay(r, node) : go_by_undo(r, node);
}

/* Whether a parenthesis opens a variation: white space follows, or it does not begin a move, as it
 * does in some games. */
static bool opens_variation(const move_reader *r)
{
    const ply_rules *rules = &r->record->rules;
    ply_cursor ahead = *r->cursor;
    ply_move move;
    ahead.error = NULL;
    ply_cursor_take(&ahead);
    if (ply_cursor_done(&ahead) || ply_cursor_peek(&ahead) <= ' ')
        return true;
    ahead = *r->cursor;
    ahead.error = NULL;
    return rules->game->parse_move(rules, r->state.position, &ahead, &move) != PLY_OK;
}

static ply_status open_variation(move_reader *r)
{
    ply_cursor here = *r->cursor;
    if (r->node == 0)
        return ply_cursor_fail(&here, PLY_BAD_TEXT, "a variation before any move");
    if (r->depth == VARIATION_DEPTH)
        return ply_cursor_fail(&here, PLY_BAD_TEXT, "variations nested too deep");
    ply_cursor_take(r->cursor);
    r->return_to[r->depth++] = r->node;
    return locate(&here, go_to(r, r->record->nodes[r->node].parent));
}

static ply_status close_variation(move_reader *r)
{
    ply_cursor here = *r->cursor;
    if (r->depth == 0)
        return ply_cursor_fail(&here, PLY_BAD_TEXT, "unmatched ')'");
    ply_cursor_take(r->cursor);
    return locate(&here, go_to(r, r->return_to[--r->depth]));
}

static ply_status read_move(move_reader *r)
{
    const ply_rules *rules = &r->record->rules;
    ply_cursor here = *r->cursor;
    ply_move move;
    ply_status status = rules->game->parse_move(rules, r->state.position, r->cursor, &move);
    if (status != PLY_OK)
        return status;
    int c = ply_cursor_peek(r->cursor);
    if (c > ' ' && !strchr("){$(", c))
        return ply_cursor_fail(r->cursor, PLY_BAD_TEXT, "more text after the move");
    status = ply_state_play(&r->state, move);
    if (status == PLY_OK)
        status = ply_record_add(r->record, r->node, move, &r->node);
    return locate(&here, status);
}

/* Whether the moves end here: at `result`, which is not read, or at the end of the text. */
static bool moves_end(const move_reader *r)
{
    ply_cursor ahead = *r->cursor;
    return ply_cursor_done(&ahead) || (r->depth == 0 && ply_cursor_accept_word(&ahead, "result"));
}

static ply_status read_items(move_reader *r)
{
    ply_status status = PLY_OK;
    while (status == PLY_OK) {
        ply_cursor_skip_space(r->cursor);
        if (moves_end(r))
            return r->depth == 0 ? PLY_OK : ply_cursor_fail(r->cursor, PLY_BAD_TEXT, "missing ')'");
        int c = ply_cursor_peek(r->cursor);
        if (c == '{')
            status = read_comment(r);
        else if (c == '<')
            status = read_setup(r);
        else if (ply_cursor_accept(r->cursor, '$'))
            status = read_nag(r);
        else if (c == '(' && opens_variation(r))
            status = open_variation(r);
        else if (c == ')')
            status = close_variation(r);
        else
            status = read_move(r);
    }
    return status;
}

static ply_status read_moves(ply_cursor *cursor, ply_record *record)
{
    move_reader r = {.cursor = cursor, .record = record};
    ply_status status = ply_record_start_state(record, &r.state, cursor->error);
    if (status != PLY_OK)
        return status;
    status = read_items(&r);
    ply_state_free(&r.state);
    return status;
}

static ply_status read_result(ply_cursor *cursor, ply_record *record)
{
    skip_blank_lines(cursor);
    if (ply_cursor_done(cursor))
        return PLY_OK;
    if (!ply_cursor_accept_word(cursor, "result "))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                               "expected game, variant, tag, position, moves or result");
    skip_blanks(cursor);
    ply_cursor at_result = *cursor;
    const char *word, *rest;
    size_t length = ply_cursor_word(cursor, &word);
    ply_result result;
    if (!ply_result_from_score(word, length, &result))
        return ply_cursor_fail(&at_result, PLY_BAD_TEXT, "expected 1-0, 0-1, 1/2-1/2 or *");
    char ending[64];
    size_t rest_length = rest_of_line(cursor, &rest);
    if (rest_length >= sizeof ending)
        return ply_cursor_fail(&at_result, PLY_BAD_TEXT, "ending too long");
    memcpy(ending, rest, rest_length);
    ending[rest_length] = '\0';
    return locate(cursor, ply_record_set_ending(record, result, rest_length ? ending : NULL));
}

static ply_status read_ply(ply_cursor *cursor, ply_record *record, bool *found)
{
    skip_blank_lines(cursor);
    *found = !ply_cursor_done(cursor);
    if (!*found)
        return PLY_OK;
    ply_status status = read_header(cursor, record);
    if (status == PLY_OK && ply_cursor_accept_word(cursor, "moves"))
        status = read_moves(cursor, record);
    return status == PLY_OK ? read_result(cursor, record) : status;
}

/* --- writing -------------------------------------------------------------------------------- */
typedef struct writer {
    const ply_record *record;
    ply_state state;
    ply_text *out;
    size_t line_start; /* length of *out at the start of the current line */
} writer;

static void write_comment(writer *w, const char *comment)
{
    ply_text_string(w->out, " {");
    ply_text_masked(w->out, comment, "}", ')');
    ply_text_char(w->out, '}');
}

static void write_tag(ply_text *out, const ply_record_tag *tag)
{
    if (!tag->name[0])
        return;
    ply_text_string(out, "\ntag ");
    ply_text_masked(out, tag->name, PLY_BLANK_BYTES, '_');
    ply_text_string(out, " \"");
    for (const char *c = tag->value; *c; c++) {
        if (*c == '"' || *c == '\\')
            ply_text_char(out, '\\');
        ply_text_char(out, *c == '\n' ? ' ' : *c);
    }
    ply_text_char(out, '"');
}

static void write_word(writer *w, const char *word)
{
    if (w->out->length - w->line_start + strlen(word) > LINE_WIDTH) {
        ply_text_string(w->out, "\n ");
        w->line_start = w->out->length;
    }
    ply_text_format(w->out, " %s", word);
}

static void write_node(writer *w, uint32_t n)
{
    const ply_record_node *node = &w->record->nodes[n];
    const ply_rules *rules = &w->record->rules;
    char text[PLY_MOVE_TEXT];
    ply_text move = ply_text_fixed(text, sizeof text);
    if (node->setup) {
        ply_text_format(w->out, " <%s>", node->setup);
    } else {
        rules->game->format_move(rules, w->state.position, node->move, &move);
        write_word(w, text);
    }
    for (unsigned i = 0; i < node->nag_count; i++) {
        ply_text nag = ply_text_fixed(text, sizeof text);
        ply_text_format(&nag, "$%u", node->nags[i]);
        write_word(w, text);
    }
    if (node->comment)
        write_comment(w, node->comment);
}

static ply_status write_children(writer *w, uint32_t parent);

/* Enters a node, writes everything below it, and returns to the parent. */
static ply_status write_subtree(writer *w, uint32_t n)
{
    ply_status status;
    if (w->record->nodes[n].setup) {
        ply_state before = w->state;
        status = ply_record_state_at(w->record, n, &w->state, NULL);
        if (status == PLY_OK) {
            status = write_children(w, n);
            ply_state_free(&w->state);
        }
        w->state = before;
        return status;
    }
    status = ply_state_play(&w->state, w->record->nodes[n].move);
    if (status == PLY_OK) {
        status = write_children(w, n);
        ply_state_undo(&w->state);
    }
    return status;
}

/* Writes the children of a node and everything below them, from the state at that node. */
static ply_status write_children(writer *w, uint32_t parent)
{
    const ply_record_node *nodes = w->record->nodes;
    size_t plies = w->state.plies;
    ply_status status = PLY_OK;
    while (status == PLY_OK && nodes[parent].child) {
        uint32_t main_move = nodes[parent].child;
        write_node(w, main_move);
        for (uint32_t v = nodes[main_move].sibling; v && status == PLY_OK; v = nodes[v].sibling) {
            write_word(w, "(");
            write_node(w, v);
            status = write_subtree(w, v);
            write_word(w, ")");
        }
        if (status == PLY_OK && nodes[main_move].setup) {
            status = write_subtree(w, main_move);
            break;
        }
        if (status == PLY_OK)
            status = ply_state_play(&w->state, nodes[main_move].move);
        parent = main_move;
    }
    while (w->state.plies > plies)
        ply_state_undo(&w->state);
    return status;
}

static ply_status write_ply(const ply_record *record, ply_text *out, ply_error *error)
{
    writer w = {.record = record, .out = out};
    ply_status status = ply_record_start_state(record, &w.state, error);
    if (status != PLY_OK)
        return status;
    ply_text_format(out, "game %s\nvariant ", record->rules.game->id);
    ply_rules_format(&record->rules, out);
    for (size_t i = 0; i < record->tag_count; i++)
        write_tag(out, &record->tags[i]);
    if (record->start) {
        ply_text_string(out, "\nposition ");
        ply_text_masked(out, record->start, "\r\n", ' ');
    }
    ply_text_string(out, "\nmoves");
    w.line_start = out->length;
    if (record->nodes[0].comment)
        write_comment(&w, record->nodes[0].comment);
    status = write_children(&w, 0);
    ply_state_free(&w.state);
    if (status != PLY_OK)
        return ply_error_set(error, status, "%s", ply_status_text(status));
    ply_text_format(out, "\nresult %s%s", ply_result_score(record->result),
                    record->ending ? " " : "");
    ply_text_masked(out, record->ending ? record->ending : "", "\r\n", ' ');
    ply_text_string(out, "\n\n");
    return PLY_OK;
}

static const char *const signs[] = {"^game ", "^moves ", NULL};

static void skip_ply(ply_cursor *cursor)
{
    ply_record_skip_to_word(cursor, "game ");
}

const ply_format ply_format_ply = {.id = "ply",
                                   .name = "Plyverse record",
                                   .extension = "ply",
                                   .signs = signs,
                                   .read = read_ply,
                                   .write = write_ply,
                                   .skip = skip_ply,
                                   .scores = PLY_SCORES_EVAL};
