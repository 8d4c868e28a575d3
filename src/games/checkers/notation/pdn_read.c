/* SPDX-License-Identifier: MIT */
/*
 * pdn_read.c - reading Portable Draughts Notation.
 *
 * Reads PDN 3.0 and what older files write: results of every form as separators, full capture
 * paths where short ones would do, 01-05 and 1 - 5 for 1-5, a3b4, ':' for 'x', '...' for a move not
 * given, '*' right behind a move as a mark, bytes that are not UTF-8 (taken for Latin-1). Every
 * move is played as it is read; what is not legal is refused, with its line and column.
 *
 * A game ends at a result or '*', at the end of the text, or where tags begin after moves. The tag
 * GameType chooses the rules over the caller's; FEN or a setup before any move is the start; a
 * setup later on is a node of its own. The result is the tag's, or else the separator's.
 */
#include "games/checkers/notation/pdn.h"
#include <string.h>

enum { DEPTH_LIMIT = 64 }; /* of brackets inside each other */

typedef struct reader {
    ply_cursor *cursor;
    ply_record *record;
    ply_state state;
    bool has_state;
    uint32_t node;               /* the last move read */
    uint32_t after[DEPTH_LIMIT]; /* where to go on after each open bracket */
    size_t depth;
    bool line_is_new;   /* nothing has been played in the innermost brackets */
    bool result_is_set; /* by a separator */
    ply_result result;
    bool double_loss; /* 0-0 */
    ply_text early;   /* comments in brackets before their first move */
} reader;

static ply_status memory(ply_cursor *cursor, ply_status status)
{
    return status == PLY_OK ? status
                            : ply_cursor_fail(cursor, status, "%s", ply_status_text(status));
}

/* White space and lines that begin with %. */
static void skip_space(ply_cursor *cursor)
{
    for (;;) {
        ply_cursor_skip_space(cursor);
        if (ply_cursor_peek(cursor) != '%')
            return;
        while (!ply_cursor_done(cursor) && ply_cursor_peek(cursor) != '\n')
            ply_cursor_take(cursor);
    }
}

/* --- tags ----------------------------------------------------------------------------------- */
static bool is_name_byte(int c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* A string in quotes; \" stands for a quote in it. */
static ply_status read_string(ply_cursor *cursor, ply_text *out)
{
    ply_cursor at_quote = *cursor;
    if (!ply_cursor_accept(cursor, '"'))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a value in quotes");
    ply_text raw = ply_text_growing();
    for (;;) {
        int c = ply_cursor_take(cursor);
        if (c == '"')
            break;
        if (c < 0) {
            ply_text_free(&raw);
            return ply_cursor_fail(&at_quote, PLY_BAD_TEXT, "a quoted value does not end");
        }
        if (c == '\\' && ply_cursor_peek(cursor) == '"')
            c = ply_cursor_take(cursor);
        ply_text_char(&raw, (char)(c == '\n' || c == '\r' || c == '\0' ? ' ' : c));
    }
    checkers_append_utf8(out, ply_text_cstr(&raw), raw.failed ? 0 : raw.length);
    out->failed = out->failed || raw.failed;
    ply_text_free(&raw);
    return PLY_OK;
}

/* Where GameType and FEN stand, so that errors in them have a place. */
typedef struct tag_places {
    ply_cursor gametype, fen;
} tag_places;

static ply_status read_tag(reader *r, tag_places *places)
{
    ply_cursor *cursor = r->cursor;
    ply_cursor_take(cursor);
    skip_space(cursor);
    const char *name = cursor->text + cursor->at;
    size_t begins = cursor->at;
    int first = ply_cursor_peek(cursor);
    if (first < 'A' || first > 'Z')
        return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                               "expected the name of a tag, which begins with a capital");
    while (is_name_byte(ply_cursor_peek(cursor)))
        ply_cursor_take(cursor);
    size_t length = cursor->at - begins;
    skip_space(cursor);
    ply_cursor at_value = *cursor;
    ply_text value = ply_text_growing();
    ply_status status = read_string(cursor, &value);
    if (status == PLY_OK) {
        skip_space(cursor);
        if (!ply_cursor_accept(cursor, ']'))
            status = ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected ']' after the tag's value");
    }
    if (status == PLY_OK) {
        if (length == 8 && memcmp(name, "GameType", 8) == 0)
            places->gametype = at_value;
        if (length == 3 && memcmp(name, "FEN", 3) == 0)
            places->fen = at_value;
        status = value.failed ? PLY_NO_MEMORY
                              : ply_record_set_tag(r->record, name, length, ply_text_cstr(&value),
                                                   value.length);
        status = memory(cursor, status);
    }
    ply_text_free(&value);
    return status;
}

/* Sets the start position from a FEN; at: where to put the blame. */
static ply_status set_start(reader *r, const char *text, size_t length, ply_cursor *at)
{
    ply_error wrong = {0};
    checkers_position p;
    ply_cursor inside = ply_cursor_make(text, length, &wrong);
    ply_cursor_skip_space(&inside);
    size_t begins = inside.at;
    ply_status status = checkers_parse(&r->record->rules, &p, &inside);
    size_t ends = inside.at;
    ply_cursor_skip_space(&inside);
    if (status == PLY_OK && !ply_cursor_done(&inside))
        status = ply_cursor_fail(&inside, PLY_BAD_TEXT, "more text after the position");
    if (status != PLY_OK)
        return ply_cursor_fail(at, status, "FEN: %s", wrong.message);
    return memory(at, ply_record_set_start(r->record, text + begins, ends - begins));
}

/* All tags are read before they are used: GameType says how to read FEN, whichever comes first. */
static ply_status read_header(reader *r)
{
    tag_places places = {.gametype = *r->cursor, .fen = *r->cursor};
    while (ply_cursor_peek(r->cursor) == '[') {
        ply_status status = read_tag(r, &places);
        if (status != PLY_OK)
            return status;
        skip_space(r->cursor);
    }
    const char *type = ply_record_tag_value(r->record, "GameType");
    if (type && type[0] && strcmp(type, "?") != 0) {
        ply_error wrong = {0};
        ply_rules rules;
        ply_status status = checkers_gametype_read(type, strlen(type), &rules, &wrong);
        if (status != PLY_OK)
            return ply_cursor_fail(&places.gametype, status, "%s", wrong.message);
        /* The caller's rules stay where the type says no more than they do. */
        char wanted[64], given[64];
        ply_text a = ply_text_fixed(wanted, sizeof wanted), b = ply_text_fixed(given, sizeof given);
        checkers_gametype_write(&rules, &a);
        checkers_gametype_write(&r->record->rules, &b);
        if (strcmp(wanted, given) != 0)
            r->record->rules = rules;
    }
    const char *fen = ply_record_tag_value(r->record, "FEN");
    return fen && fen[0] ? set_start(r, fen, strlen(fen), &places.fen) : PLY_OK;
}

/* --- the body ------------------------------------------------------------------------------- */
static ply_status need_state(reader *r)
{
    if (r->has_state)
        return PLY_OK;
    ply_status status = ply_record_start_state(r->record, &r->state, r->cursor->error);
    r->has_state = status == PLY_OK;
    return status;
}

/* The state at a node, when the line is left. */
static ply_status go_to(reader *r, uint32_t node)
{
    ply_state fresh;
    ply_status status = ply_record_state_at(r->record, node, &fresh, NULL);
    if (status != PLY_OK)
        return memory(r->cursor, status);
    ply_state_free(&r->state);
    r->state = fresh;
    return PLY_OK;
}

/* The last move is taken back and a line in its place begins, or that line ends. */
static ply_status open_bracket(reader *r)
{
    ply_cursor here = *r->cursor;
    ply_cursor_take(r->cursor);
    if (r->node == 0 || r->line_is_new)
        return ply_cursor_fail(&here, PLY_BAD_TEXT, "a variation before any move");
    if (r->depth == DEPTH_LIMIT)
        return ply_cursor_fail(&here, PLY_LIMIT, "more than %d brackets inside each other",
                               DEPTH_LIMIT);
    r->after[r->depth++] = r->node;
    r->line_is_new = true;
    bool by_hand = r->record->nodes[r->node].setup != NULL;
    r->node = r->record->nodes[r->node].parent;
    if (!by_hand && ply_state_undo(&r->state))
        return PLY_OK;
    return go_to(r, r->node);
}

static ply_status close_bracket(reader *r)
{
    ply_cursor here = *r->cursor;
    ply_cursor_take(r->cursor);
    if (r->depth == 0)
        return ply_cursor_fail(&here, PLY_BAD_TEXT, "a bracket that was not opened");
    if (r->line_is_new)
        return ply_cursor_fail(&here, PLY_BAD_TEXT, "brackets without a move");
    uint32_t back = r->after[--r->depth];
    uint32_t fork = r->record->nodes[back].parent;
    /* By undo where only moves lead back to the fork; else from the start. */
    bool by_undo = r->record->nodes[back].setup == NULL;
    for (uint32_t n = r->node; by_undo && n != fork; n = r->record->nodes[n].parent)
        by_undo = r->record->nodes[n].setup == NULL;
    ply_status status = PLY_OK;
    if (by_undo) {
        for (uint32_t n = r->node; n != fork; n = r->record->nodes[n].parent)
            ply_state_undo(&r->state);
        status = memory(r->cursor, ply_record_enter(r->record, back, &r->state, NULL));
    } else {
        status = go_to(r, back);
    }
    r->node = back;
    r->line_is_new = false;
    return status;
}

static ply_status read_comment(reader *r)
{
    ply_cursor at_brace = *r->cursor;
    ply_cursor_take(r->cursor);
    const char *text = r->cursor->text + r->cursor->at;
    const char *end = memchr(text, '}', r->cursor->length - r->cursor->at);
    if (!end)
        return ply_cursor_fail(&at_brace, PLY_BAD_TEXT, "a comment that does not end");
    while (ply_cursor_take(r->cursor) != '}')
        continue;
    while (text < end && (unsigned char)*text <= ' ')
        text++;
    while (end > text && (unsigned char)end[-1] <= ' ')
        end--;
    ply_text comment = ply_text_growing();
    checkers_append_utf8(&comment, text, (size_t)(end - text));
    for (size_t i = 0; i < comment.length && !comment.failed; i++)
        comment.data[i] = comment.data[i] ? comment.data[i] : ' ';
    ply_status status = comment.failed ? PLY_NO_MEMORY : PLY_OK;
    if (status == PLY_OK && comment.length > 0) {
        if (r->depth > 0 && r->line_is_new) {
            ply_text_format(&r->early, "%s%s", r->early.length ? " " : "", comment.data);
        } else {
            status = ply_record_add_comment(r->record, r->node, comment.data, comment.length);
        }
    }
    ply_text_free(&comment);
    return memory(&at_brace, status);
}

static ply_status node_added(reader *r, uint32_t node, ply_cursor *at)
{
    r->node = node;
    r->line_is_new = false;
    ply_status status = PLY_OK;
    if (r->early.length > 0) {
        status = r->early.failed
                     ? PLY_NO_MEMORY
                     : ply_record_add_comment(r->record, node, r->early.data, r->early.length);
        ply_text_clear(&r->early);
    }
    return memory(at, status);
}

/* /FEN "..."/: the board set up anew. W:: and B:: change the side to move only. */
static ply_status read_setup(reader *r)
{
    ply_cursor at_setup = *r->cursor;
    ply_cursor_take(r->cursor);
    skip_space(r->cursor);
    if (!ply_cursor_accept_word(r->cursor, "FEN"))
        return ply_cursor_fail(r->cursor, PLY_BAD_TEXT, "expected FEN after '/'");
    skip_space(r->cursor);
    ply_cursor at_value = *r->cursor;
    ply_text fen = ply_text_growing();
    ply_status status = read_string(r->cursor, &fen);
    skip_space(r->cursor);
    if (status == PLY_OK && !ply_cursor_accept(r->cursor, '/'))
        status = ply_cursor_fail(r->cursor, PLY_BAD_TEXT, "expected '/' after the setup");
    if (status == PLY_OK && fen.failed)
        status = memory(r->cursor, PLY_NO_MEMORY);
    if (status == PLY_OK &&
        (strcmp(ply_text_cstr(&fen), "W::") == 0 || strcmp(ply_text_cstr(&fen), "B::") == 0)) {
        status = need_state(r);
        if (status == PLY_OK) {
            checkers_position passed = *(const checkers_position *)r->state.position;
            passed.turn = fen.data[0] == 'W';
            ply_text_clear(&fen);
            checkers_format(&r->record->rules, &passed, &fen);
        }
    }
    if (status == PLY_OK && r->record->node_count == 1 && !r->record->start && !r->has_state) {
        status = set_start(r, fen.data, fen.length, &at_value);
    } else if (status == PLY_OK) {
        ply_error wrong = {0};
        uint32_t node;
        status = need_state(r);
        if (status == PLY_OK) {
            status = ply_state_parse(&r->state, fen.data, fen.length, &wrong);
            if (status != PLY_OK)
                ply_cursor_fail(&at_value, status, "FEN: %s", wrong.message);
            ply_text_clear(&fen);
            checkers_format(&r->record->rules, r->state.position, &fen);
            status = status == PLY_OK && fen.failed ? memory(r->cursor, PLY_NO_MEMORY) : status;
        }
        if (status == PLY_OK) {
            status = memory(&at_setup,
                            ply_record_add_setup(r->record, r->node, fen.data, fen.length, &node));
            if (status == PLY_OK)
                status = node_added(r, node, &at_setup);
        }
    }
    ply_text_free(&fen);
    return status;
}

static ply_status add_mark(reader *r, uint8_t nag, ply_cursor *at)
{
    if (r->node == 0 || r->line_is_new)
        return ply_cursor_fail(at, PLY_BAD_TEXT, "a mark without a move");
    ply_status status = ply_record_add_nag(r->record, r->node, nag);
    return status == PLY_OK
               ? status
               : ply_cursor_fail(at, status, "a move has at most %d marks", PLY_NAG_LIMIT);
}

static ply_status read_nag(reader *r)
{
    ply_cursor at_nag = *r->cursor;
    uint64_t number;
    ply_cursor_take(r->cursor);
    if (!ply_cursor_number(r->cursor, 255, &number))
        return ply_cursor_fail(r->cursor, PLY_BAD_TEXT, "expected a number from 0 to 255 after $");
    return add_mark(r, (uint8_t)number, &at_nag);
}

static bool is_strength(int c)
{
    return c == '!' || c == '?';
}

/* How many bytes of "!?" or "(!?)" stand here; 0 for none. */
static size_t strength_length(const ply_cursor *cursor)
{
    const char *text = cursor->text + cursor->at;
    size_t length = cursor->length - cursor->at, i = length > 0 && text[0] == '(';
    size_t begins = i;
    while (i < length && is_strength((unsigned char)text[i]))
        i++;
    if (i == begins)
        return 0;
    if (begins == 0)
        return i;
    return i < length && text[i] == ')' ? i + 1 : 0;
}

/* Marks longer than two signs count as their first two. */
static ply_status read_strength(reader *r)
{
    ply_cursor here = *r->cursor;
    size_t length = strength_length(r->cursor);
    bool bracket = ply_cursor_peek(r->cursor) == '(';
    const char *text = r->cursor->text + r->cursor->at + bracket;
    size_t signs = length - 2 * (size_t)bracket;
    signs = signs > 2 ? 2 : signs;
    uint8_t nag = 0;
    for (uint8_t i = 1; i < 7; i++)
        if (strlen(checkers_strengths[i]) == signs &&
            memcmp(checkers_strengths[i], text, signs) == 0)
            nag = i;
    for (size_t i = 0; i < length; i++)
        ply_cursor_take(r->cursor);
    return add_mark(r, (uint8_t)(nag + (bracket ? CHECKERS_NAG_BRACKET : 0)), &here);
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/*
 * A move as one word, blanks around its signs left out, into a buffer; returns its length, or 0 if
 * no move can stand here. The cursor goes behind it.
 */
static size_t gather_move(ply_cursor *cursor, char *buffer, size_t room)
{
    size_t length = 0;
    for (;;) {
        while (length < room &&
               (is_digit(ply_cursor_peek(cursor)) ||
                (ply_cursor_peek(cursor) >= 'a' && ply_cursor_peek(cursor) <= 'h')))
            buffer[length++] = (char)ply_cursor_take(cursor);
        if (length == 0 || length == room)
            return 0;
        ply_cursor ahead = *cursor;
        ply_cursor_accept(&ahead, ' ');
        int sign = ply_cursor_take(&ahead);
        if (sign != '-' && sign != 'x' && sign != 'X' && sign != ':')
            return length;
        ply_cursor_accept(&ahead, ' ');
        int next = ply_cursor_peek(&ahead);
        if (!is_digit(next) && !(next >= 'a' && next <= 'h'))
            return length;
        buffer[length++] = (char)sign;
        *cursor = ahead;
    }
}

static ply_status read_move(reader *r)
{
    char word[96];
    ply_cursor at_move = *r->cursor;
    ply_status status = need_state(r);
    if (status != PLY_OK)
        return status;
    size_t length = gather_move(r->cursor, word, sizeof word);
    if (length == 0)
        return ply_cursor_fail(&at_move, PLY_BAD_TEXT,
                               "expected a move, a comment, a bracket, a setup or a result");
    ply_error wrong = {0};
    ply_cursor inside = ply_cursor_make(word, length, &wrong);
    ply_move move;
    uint32_t node;
    status = checkers_parse_move(&r->record->rules, r->state.position, &inside, &move);
    if (status == PLY_OK && !ply_cursor_done(&inside))
        status = ply_cursor_fail(&inside, PLY_BAD_TEXT, "'%.*s' is not a move",
                                 (int)(length < 40 ? length : 40), word);
    if (status != PLY_OK)
        return ply_cursor_fail(&at_move, status, "%s", wrong.message);
    status = ply_state_play(&r->state, move);
    if (status == PLY_OK)
        status = ply_record_add(r->record, r->node, move, &node);
    if (status != PLY_OK)
        return memory(&at_move, status);
    status = node_added(r, node, &at_move);
    ply_cursor behind = *r->cursor;
    /* A star that touches the move is a mark; one that stands alone ends the game. */
    if (status == PLY_OK && ply_cursor_accept(r->cursor, '*'))
        status = add_mark(r, CHECKERS_NAG_FORCED, &behind);
    return status;
}

/* Reads a result if one stands here. */
static bool read_result(reader *r)
{
    static const char *const words[] = {"1/2-1/2", "1-0", "0-1", "2-0", "0-2", "1-1", "0-0", "*"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        ply_cursor before = *r->cursor;
        if (!ply_cursor_accept_word(r->cursor, words[i]))
            continue;
        int c = ply_cursor_peek(r->cursor);
        if (words[i][0] != '*' &&
            (is_digit(c) || c == '-' || c == 'x' || c == '.' || c == '/' || c == ':')) {
            *r->cursor = before; /* 1-1 of 1-10 */
            continue;
        }
        checkers_result_read(&r->record->rules, words[i], strlen(words[i]), &r->result);
        r->double_loss = strcmp(words[i], "0-0") == 0;
        r->result_is_set = words[i][0] != '*';
        return true;
    }
    return false;
}

/* 12. or 12... in front of a move, or ... alone. */
static bool read_number(ply_cursor *cursor)
{
    if (ply_cursor_accept_word(cursor, "..."))
        return true;
    ply_cursor ahead = *cursor;
    uint64_t number;
    if (!ply_cursor_number(&ahead, 999999, &number) || !ply_cursor_accept(&ahead, '.'))
        return false;
    if (!ply_cursor_accept_word(&ahead, ".."))
        ply_cursor_accept(&ahead, '.');
    *cursor = ahead;
    return true;
}

static ply_status read_body(reader *r)
{
    for (;;) {
        skip_space(r->cursor);
        int c = ply_cursor_peek(r->cursor);
        ply_status status = PLY_OK;
        bool ends = c < 0 || c == '[' || (r->depth == 0 && read_result(r));
        if (ends)
            return r->depth == 0
                       ? PLY_OK
                       : ply_cursor_fail(r->cursor, PLY_BAD_TEXT, "a bracket is not closed");
        if (c == '{')
            status = read_comment(r);
        else if (c == '/')
            status = read_setup(r);
        else if (c == '$')
            status = read_nag(r);
        else if (strength_length(r->cursor) > 0)
            status = read_strength(r);
        else if (c == '(')
            status = open_bracket(r);
        else if (c == ')')
            status = close_bracket(r);
        else if (!read_number(r->cursor))
            status = read_move(r);
        if (status != PLY_OK)
            return status;
    }
}

static ply_status settle_result(reader *r)
{
    const char *tag = ply_record_tag_value(r->record, "Result");
    ply_result result = r->result;
    bool double_loss = r->double_loss;
    if (tag && strcmp(tag, "*") != 0 && tag[0] &&
        checkers_result_read(&r->record->rules, tag, strlen(tag), &result))
        double_loss = strcmp(tag, "0-0") == 0;
    const char *ending =
        double_loss ? "double-loss" : ply_record_tag_value(r->record, "Termination");
    return memory(r->cursor, ply_record_set_ending(r->record, result, ending));
}

ply_status checkers_pdn_read(ply_cursor *cursor, ply_record *record, bool *found)
{
    if (cursor->at == 0)
        ply_cursor_accept_word(cursor, "\xEF\xBB\xBF"); /* a byte order mark */
    skip_space(cursor);
    *found = !ply_cursor_done(cursor);
    if (!*found)
        return PLY_OK;
    ply_cursor at_game = *cursor;
    reader r = {.cursor = cursor, .record = record, .early = ply_text_growing()};
    ply_status status = read_header(&r);
    if (status == PLY_OK)
        status = read_body(&r);
    if (status == PLY_OK)
        status = settle_result(&r);
    if (status == PLY_OK && record->tag_count == 0 && record->node_count == 1 && !record->start &&
        !record->nodes[0].comment)
        status = ply_cursor_fail(&at_game, PLY_BAD_TEXT, "a game without tags and moves");
    if (r.has_state)
        ply_state_free(&r.state);
    ply_text_free(&r.early);
    return status;
}
