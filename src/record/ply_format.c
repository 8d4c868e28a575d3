/* SPDX-License-Identifier: MIT */
/*
 * ply_format.c - the record format `ply`: one game of any kind as lines of text.
 *
 *     game neighbours
 *     variant jump                          absent: the default
 *     tag Event "Club evening"              any number of them; \" and \\ stand for " and \
 *     position bbbbbb/6/6/6/6/wwwwww w      absent: the usual start
 *     moves a1a2 {a comment} ( b1b2 c6c5 ) a6a5 $1
 *     result 1-0 no-move                    1-0, 0-1, 1/2-1/2 or *, and how
 *
 * Moves go on over as many lines as they need, up to `result`, which ends the game; several games
 * may follow each other. <POSITION> among the moves sets the board up anew. A variation in brackets
 * replaces the move before it. Comments may hold
 * anything but a closing brace. Empty lines and lines that begin with # are skipped between lines.
 */
#include "record/formats.h"
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 64 }; /* of brackets inside each other */

static const char *const result_names[] = {"*", "1-0", "0-1", "1/2-1/2"};

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

static void skip_blanks(ply_cursor *cursor)
{
    while (ply_cursor_accept(cursor, ' ') || ply_cursor_accept(cursor, '\t'))
        continue;
}

/* The rest of the line without blanks around it. */
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

static ply_status out_of_memory(ply_cursor *cursor, ply_status status)
{
    return status == PLY_OK ? status
                            : ply_cursor_fail(cursor, status, "%s", ply_status_text(status));
}

static ply_status read_tag(ply_cursor *cursor, ply_record *record)
{
    const char *name;
    skip_blanks(cursor);
    size_t name_length = ply_cursor_word(cursor, &name);
    skip_blanks(cursor);
    if (name_length == 0 || !ply_cursor_accept(cursor, '"'))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                               "expected a tag's name and its value in quotes");
    ply_text value = ply_text_growing();
    for (;;) {
        int c = ply_cursor_take(cursor);
        if (c < 0 || c == '\n') {
            ply_text_free(&value);
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "a quoted value does not end on its line");
        }
        if (c == '"')
            break;
        if (c == '\\' && !ply_cursor_done(cursor))
            c = ply_cursor_take(cursor);
        ply_text_char(&value, (char)c);
    }
    ply_status status = ply_record_set_tag(record, name, name_length, ply_text_cstr(&value),
                                           value.failed ? 0 : value.length);
    ply_text_free(&value);
    return out_of_memory(cursor, status);
}

static ply_status read_header(ply_cursor *cursor, ply_record *record)
{
    const ply_game *game = record->rules.game;
    for (;;) {
        skip_blank_lines(cursor);
        ply_cursor at_line = *cursor;
        const char *rest;
        size_t length;
        if (ply_cursor_accept_word(cursor, "game ")) {
            length = rest_of_line(cursor, &rest);
            if (length != strlen(game->id) || memcmp(rest, game->id, length) != 0)
                return ply_cursor_fail(&at_line, PLY_BAD_TEXT, "a record of '%.*s', not of %s",
                                       (int)(length < 40 ? length : 40), rest, game->id);
        } else if (ply_cursor_accept_word(cursor, "variant ")) {
            char name[256];
            ply_error wrong = {0};
            length = rest_of_line(cursor, &rest);
            if (length >= sizeof name)
                return ply_cursor_fail(&at_line, PLY_BAD_TEXT, "the variant is too long");
            memcpy(name, rest, length);
            name[length] = '\0';
            ply_status status = ply_rules_make(&record->rules, game, name, &wrong);
            if (status != PLY_OK)
                return ply_cursor_fail(&at_line, status, "%s", wrong.message);
        } else if (ply_cursor_accept_word(cursor, "tag ")) {
            ply_status status = read_tag(cursor, record);
            if (status != PLY_OK)
                return status;
        } else if (ply_cursor_accept_word(cursor, "position ")) {
            skip_blanks(cursor);
            ply_cursor at_position = *cursor;
            length = rest_of_line(cursor, &rest);
            ply_status status = ply_record_set_start(record, rest, length);
            if (status != PLY_OK)
                return out_of_memory(cursor, status);
            ply_state state;
            ply_error wrong = {0};
            status = ply_record_start_state(record, &state, &wrong);
            if (status != PLY_OK) {
                while (wrong.offset-- > 0)
                    ply_cursor_take(&at_position);
                return ply_cursor_fail(&at_position, status, "%s", wrong.message);
            }
            ply_state_free(&state);
        } else {
            return PLY_OK;
        }
    }
}

static ply_status read_nag(ply_cursor *cursor, ply_record *record, uint32_t node)
{
    uint64_t number;
    if (node == 0 || !ply_cursor_number(cursor, 255, &number))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a number from 0 to 255 after $");
    ply_status status = ply_record_add_nag(record, node, (uint8_t)number);
    return status == PLY_OK
               ? status
               : ply_cursor_fail(cursor, status, "a move has at most %d marks", PLY_NAG_LIMIT);
}

static ply_status read_comment(ply_cursor *cursor, ply_record *record, uint32_t node)
{
    ply_cursor at_brace = *cursor;
    ply_cursor_take(cursor);
    const char *text = cursor->text + cursor->at;
    size_t length = 0;
    while (ply_cursor_peek(cursor) != '}') {
        if (ply_cursor_take(cursor) < 0)
            return ply_cursor_fail(&at_brace, PLY_BAD_TEXT, "a comment that does not end");
        length++;
    }
    ply_cursor_take(cursor);
    return out_of_memory(cursor, ply_record_add_comment(record, node, text, length));
}

/* A setup among the moves: <POSITION>. */
static ply_status read_setup(ply_cursor *cursor, ply_record *record, ply_state *state,
                             uint32_t *node)
{
    ply_cursor at_setup = *cursor;
    ply_cursor_take(cursor);
    const char *text = cursor->text + cursor->at;
    const char *end = memchr(text, '>', cursor->length - cursor->at);
    if (!end)
        return ply_cursor_fail(&at_setup, PLY_BAD_TEXT, "a setup that does not end");
    ply_error wrong = {0};
    ply_status status = ply_state_parse(state, text, (size_t)(end - text), &wrong);
    if (status != PLY_OK)
        return ply_cursor_fail(&at_setup, status, "%s", wrong.message);
    while (ply_cursor_take(cursor) != '>')
        continue;
    return out_of_memory(cursor,
                         ply_record_add_setup(record, *node, text, (size_t)(end - text), node));
}

/* The state at a node of a record that has setups: from the start. */
static ply_status go_by_setups(const ply_record *record, ply_state *state, uint32_t node)
{
    ply_state fresh;
    ply_status status = ply_record_state_at(record, node, &fresh, NULL);
    if (status == PLY_OK) {
        ply_state_free(state);
        *state = fresh;
    }
    return status;
}

/* Moves the state from one node to another by way of the root; variations are rare and short. */
static ply_status go_to(const ply_record *record, ply_state *state, uint32_t node, bool has_setups)
{
    if (has_setups)
        return go_by_setups(record, state, node);
    size_t depth = 0;
    for (uint32_t n = node; n; n = record->nodes[n].parent)
        depth++;
    while (state->plies > depth)
        ply_state_undo(state);
    while (state->plies > 0) {
        uint32_t at = node;
        for (size_t up = depth; up > state->plies; up--)
            at = record->nodes[at].parent;
        if (record->nodes[at].move == state->moves[state->plies - 1])
            break; /* a shared line of moves up to here is the same line from the root */
        ply_state_undo(state);
    }
    while (state->plies < depth) {
        uint32_t at = node;
        for (size_t up = depth; up > state->plies + 1; up--)
            at = record->nodes[at].parent;
        ply_status status = ply_state_play(state, record->nodes[at].move);
        if (status != PLY_OK)
            return status;
    }
    return PLY_OK;
}

/* A bracket with a blank behind it, or one that does not begin a move: some games' moves do. */
static bool opens_variation(const ply_cursor *cursor, const ply_rules *rules,
                            const ply_state *state)
{
    ply_cursor ahead = *cursor;
    ply_move move;
    ahead.error = NULL;
    ply_cursor_take(&ahead);
    if (ply_cursor_done(&ahead) || ply_cursor_peek(&ahead) <= ' ')
        return true;
    ahead = *cursor;
    ahead.error = NULL;
    return rules->game->parse_move(rules, state->position, &ahead, &move) != PLY_OK;
}

static ply_status read_moves(ply_cursor *cursor, ply_record *record, ply_state *state)
{
    const ply_game *game = record->rules.game;
    uint32_t node = 0, after[DEPTH_LIMIT]; /* where to go on after each open bracket */
    size_t depth = 0;
    bool has_setups = false;
    for (;;) {
        ply_cursor_skip_space(cursor);
        ply_status status = PLY_OK;
        int c = ply_cursor_peek(cursor);
        ply_cursor here = *cursor;
        if (c < 0 || (depth == 0 && ply_cursor_accept_word(cursor, "result"))) {
            *cursor = here;
            return depth == 0 ? PLY_OK
                              : ply_cursor_fail(cursor, PLY_BAD_TEXT, "a bracket is not closed");
        }
        if (c == '{') {
            status = read_comment(cursor, record, node);
        } else if (c == '<') {
            has_setups = true;
            status = read_setup(cursor, record, state, &node);
        } else if (ply_cursor_accept(cursor, '$')) {
            status = read_nag(cursor, record, node);
        } else if (c == '(' && opens_variation(cursor, &record->rules, state)) {
            ply_cursor_take(cursor);
            if (node == 0 || depth == DEPTH_LIMIT)
                return ply_cursor_fail(&here, PLY_BAD_TEXT,
                                       node == 0 ? "a variation before any move"
                                                 : "brackets too deep");
            after[depth++] = node;
            node = record->nodes[node].parent;
            status = go_to(record, state, node, has_setups);
        } else if (c == ')') {
            if (depth == 0)
                return ply_cursor_fail(&here, PLY_BAD_TEXT, "a bracket that was not opened");
            ply_cursor_take(cursor);
            node = after[--depth];
            status = go_to(record, state, node, has_setups);
        } else {
            ply_move move;
            status = game->parse_move(&record->rules, state->position, cursor, &move);
            if (status != PLY_OK)
                return status;
            c = ply_cursor_peek(cursor);
            if (c > ' ' && c != ')' && c != '{' && c != '$' && c != '(')
                return ply_cursor_fail(cursor, PLY_BAD_TEXT, "more text after the move");
            status = ply_state_play(state, move);
            if (status == PLY_OK)
                status = ply_record_add(record, node, move, &node);
        }
        if (status != PLY_OK)
            return cursor->error && cursor->error->status == status
                       ? status
                       : ply_cursor_fail(&here, status, "%s", ply_status_text(status));
    }
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
    for (int r = 0; r < 4; r++)
        if (strlen(result_names[r]) == length && memcmp(result_names[r], word, length) == 0) {
            char how[64];
            size_t rest_length = rest_of_line(cursor, &rest);
            if (rest_length >= sizeof how)
                return ply_cursor_fail(&at_result, PLY_BAD_TEXT, "the ending is too long");
            memcpy(how, rest, rest_length);
            how[rest_length] = '\0';
            return out_of_memory(
                cursor, ply_record_set_ending(record, (ply_result)r, rest_length ? how : NULL));
        }
    return ply_cursor_fail(&at_result, PLY_BAD_TEXT, "expected 1-0, 0-1, 1/2-1/2 or *");
}

static ply_status read_plain(ply_cursor *cursor, ply_record *record, bool *found)
{
    skip_blank_lines(cursor);
    *found = !ply_cursor_done(cursor);
    if (!*found)
        return PLY_OK;
    ply_status status = read_header(cursor, record);
    if (status != PLY_OK)
        return status;
    if (ply_cursor_accept_word(cursor, "moves")) {
        ply_state state;
        status = ply_record_start_state(record, &state, cursor->error);
        if (status != PLY_OK)
            return status;
        status = read_moves(cursor, record, &state);
        ply_state_free(&state);
        if (status != PLY_OK)
            return status;
    }
    return read_result(cursor, record);
}

/* --- writing -------------------------------------------------------------------------------- */
typedef struct writer {
    const ply_record *record;
    ply_state state;
    ply_text *out;
    size_t line_start;
} writer;

static void write_word(writer *w, const char *word)
{
    if (w->out->length - w->line_start + strlen(word) > 96) {
        ply_text_string(w->out, "\n ");
        w->line_start = w->out->length;
    }
    ply_text_format(w->out, " %s", word);
}

static ply_status write_node(writer *w, uint32_t n)
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
    if (node->comment) {
        ply_text_format(w->out, " {%s}", node->comment);
    }
    return PLY_OK;
}

static ply_status write_below(writer *w, uint32_t parent);

/* Goes to a node, writes what is below it, and comes back. */
static ply_status write_under(writer *w, uint32_t n)
{
    ply_status status;
    if (w->record->nodes[n].setup) {
        ply_state before = w->state;
        status = ply_record_state_at(w->record, n, &w->state, NULL);
        if (status == PLY_OK) {
            status = write_below(w, n);
            ply_state_free(&w->state);
        }
        w->state = before;
        return status;
    }
    status = ply_state_play(&w->state, w->record->nodes[n].move);
    if (status == PLY_OK) {
        status = write_below(w, n);
        ply_state_undo(&w->state);
    }
    return status;
}

/* Writes the children of a node and everything below them, from the state at that node. */
static ply_status write_below(writer *w, uint32_t parent)
{
    const ply_record_node *nodes = w->record->nodes;
    size_t plies = w->state.plies;
    ply_status status = PLY_OK;
    while (status == PLY_OK && nodes[parent].child) {
        uint32_t main_move = nodes[parent].child;
        status = write_node(w, main_move);
        for (uint32_t v = nodes[main_move].sibling; v && status == PLY_OK; v = nodes[v].sibling) {
            write_word(w, "(");
            status = write_node(w, v);
            if (status == PLY_OK)
                status = write_under(w, v);
            write_word(w, ")");
        }
        if (status == PLY_OK && nodes[main_move].setup) {
            status = write_under(w, main_move);
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

static ply_status write_plain(const ply_record *record, ply_text *out, ply_error *error)
{
    writer w = {.record = record, .out = out};
    ply_status status = ply_record_start_state(record, &w.state, error);
    if (status != PLY_OK)
        return status;
    ply_text_format(out, "game %s\nvariant ", record->rules.game->id);
    ply_rules_format(&record->rules, out);
    for (size_t i = 0; i < record->tag_count; i++) {
        ply_text_format(out, "\ntag %s \"", record->tags[i].name);
        for (const char *c = record->tags[i].value; *c; c++) {
            if (*c == '"' || *c == '\\')
                ply_text_char(out, '\\');
            ply_text_char(out, *c == '\n' ? ' ' : *c);
        }
        ply_text_char(out, '"');
    }
    if (record->start)
        ply_text_format(out, "\nposition %s", record->start);
    ply_text_string(out, "\nmoves");
    w.line_start = out->length;
    if (record->nodes[0].comment)
        ply_text_format(out, " {%s}", record->nodes[0].comment);
    status = write_below(&w, 0);
    ply_state_free(&w.state);
    if (status != PLY_OK)
        return ply_error_set(error, status, "%s", ply_status_text(status));
    ply_text_format(out, "\nresult %s%s%s\n\n", result_names[record->result],
                    record->ending ? " " : "", record->ending ? record->ending : "");
    return PLY_OK;
}

const ply_format ply_format_ply = {.id = "ply",
                                   .name = "Plyverse record",
                                   .extension = "ply",
                                   .read = read_plain,
                                   .write = write_plain};
