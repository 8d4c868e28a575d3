/* SPDX-License-Identifier: MIT */
/*
 * pdn_read.c - reads Portable Draughts Notation.
 *
 * Reads PDN 3.0 and the deviations of older files: results of every form as separators, full
 * capture paths where short ones would do, 01-05 and 1 - 5 for 1-5, a3b4, ':' for 'x', '...' for a
 * missing move, '*' right after a move as an annotation, -- as a null move in variations, bytes that
 * are not UTF-8 (read as Latin-1). Every move is played as it is read; an illegal move is an error
 * with line and column. Which of several captures a text means is decided by the caller
 * (pdn_format.c).
 *
 * A game ends at a result or '*', at the end of the text, or where tags follow moves. The tag
 * GameType overrides the caller's rules. FEN or a setup before any move is the start position; a
 * later setup is a node of its own. The result is that of the tag Result or, without it, that of
 * the separator.
 */
#include "games/checkers/notation/pdn.h"
#include <string.h>

enum { DEPTH_LIMIT = 64 }; /* of nested variations */

typedef struct reader {
    ply_cursor *cursor;
    ply_record *record;
    ply_state state;
    bool has_state;
    uint32_t node;                   /* the last move read */
    uint32_t resume_at[DEPTH_LIMIT]; /* the node to return to when each open variation ends */
    size_t depth;
    bool variation_is_empty;  /* the innermost variation has no move yet */
    ply_result result;        /* of the separator */
    bool double_loss;         /* 0-0 */
    ply_text pending_comment; /* comments before the first move of a variation */
    checkers_readings *readings;
    size_t ambiguous; /* captures met so far */
} reader;

/* Adds a message to a bare status such as PLY_NO_MEMORY. */
static ply_status explain(ply_cursor *cursor, ply_status status)
{
    return status == PLY_OK ? status
                            : ply_cursor_fail(cursor, status, "%s", ply_status_text(status));
}

/* --- tags ----------------------------------------------------------------------------------- */
static bool is_name_byte(int c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* The locations of GameType and FEN, for error messages. */
typedef struct tag_locations {
    ply_cursor gametype, fen;
} tag_locations;

static ply_status read_tag(reader *r, tag_locations *locations)
{
    ply_cursor *cursor = r->cursor;
    ply_cursor_take(cursor);
    checkers_pdn_skip_space(cursor);
    const char *name = cursor->text + cursor->at;
    size_t start = cursor->at;
    int first = ply_cursor_peek(cursor);
    if (first < 'A' || first > 'Z')
        return ply_cursor_fail(cursor, PLY_BAD_TEXT,
                               "expected a tag name, starting with a capital letter");
    while (is_name_byte(ply_cursor_peek(cursor)))
        ply_cursor_take(cursor);
    size_t length = cursor->at - start;
    checkers_pdn_skip_space(cursor);
    ply_cursor at_value = *cursor;
    ply_text value = ply_text_growing();
    ply_status status = checkers_pdn_take_string(cursor, &value);
    if (status == PLY_OK) {
        checkers_pdn_skip_space(cursor);
        if (!ply_cursor_accept(cursor, ']'))
            status = ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected ']' after the tag's value");
    }
    if (status == PLY_OK) {
        if (length == 8 && memcmp(name, "GameType", 8) == 0)
            locations->gametype = at_value;
        if (length == 3 && memcmp(name, "FEN", 3) == 0)
            locations->fen = at_value;
        status = value.failed ? PLY_NO_MEMORY
                              : ply_record_set_tag(r->record, name, length, ply_text_cstr(&value),
                                                   value.length);
        status = explain(cursor, status);
    }
    ply_text_free(&value);
    return status;
}

/* Sets the start position from a FEN; at: the location for error messages. */
static ply_status set_start(reader *r, const char *text, size_t length, ply_cursor *at)
{
    ply_error inner = {0};
    checkers_position p;
    ply_cursor inside = ply_cursor_make(text, length, &inner);
    ply_cursor_skip_space(&inside);
    size_t start = inside.at;
    ply_status status = checkers_parse(&r->record->rules, &p, &inside);
    size_t end = inside.at;
    ply_cursor_skip_space(&inside);
    if (status == PLY_OK && !ply_cursor_done(&inside))
        status = ply_cursor_fail(&inside, PLY_BAD_TEXT, "unexpected text after the position");
    if (status != PLY_OK)
        return ply_cursor_fail(at, status, "FEN: %s", inner.message);
    return explain(at, ply_record_set_start(r->record, text + start, end - start));
}

/* Reads all tags before using any: GameType determines how FEN is read, whichever comes first. */
static ply_status read_header(reader *r)
{
    tag_locations locations = {.gametype = *r->cursor, .fen = *r->cursor};
    while (ply_cursor_peek(r->cursor) == '[') {
        ply_status status = read_tag(r, &locations);
        if (status != PLY_OK)
            return status;
        checkers_pdn_skip_space(r->cursor);
    }
    const char *type = ply_record_tag_value(r->record, "GameType");
    if (type && type[0] && strcmp(type, "?") != 0) {
        ply_error inner = {0};
        ply_rules rules;
        ply_status status = checkers_gametype_read(type, strlen(type), &rules, &inner);
        if (status != PLY_OK)
            return ply_cursor_fail(&locations.gametype, status, "%s", inner.message);
        /* The caller's rules stay if they have the same GameType; they may set more options. */
        char wanted[64], given[64];
        ply_text a = ply_text_fixed(wanted, sizeof wanted), b = ply_text_fixed(given, sizeof given);
        checkers_gametype_write(&rules, &a);
        checkers_gametype_write(&r->record->rules, &b);
        if (strcmp(wanted, given) != 0)
            r->record->rules = rules;
    }
    const char *fen = ply_record_tag_value(r->record, "FEN");
    return fen && fen[0] ? set_start(r, fen, strlen(fen), &locations.fen) : PLY_OK;
}

/* --- moves ---------------------------------------------------------------------------------- */
/* Makes the state when the first move is reached, after the rules and the start are known. */
static ply_status need_state(reader *r)
{
    if (r->has_state)
        return PLY_OK;
    ply_status status = ply_record_start_state(r->record, &r->state, r->cursor->error);
    r->has_state = status == PLY_OK;
    return status;
}

/* Moves the state to another node by replaying the game. */
static ply_status go_to(reader *r, uint32_t node)
{
    ply_state fresh;
    ply_status status = ply_record_state_at(r->record, node, &fresh, NULL);
    if (status != PLY_OK)
        return explain(r->cursor, status);
    ply_state_free(&r->state);
    r->state = fresh;
    return PLY_OK;
}

/* A variation replaces the last move: take it back. */
static ply_status open_variation(reader *r)
{
    ply_cursor here = *r->cursor;
    ply_cursor_take(r->cursor);
    if (r->node == 0 || r->variation_is_empty)
        return ply_cursor_fail(&here, PLY_BAD_TEXT, "a variation before any move");
    if (r->depth == DEPTH_LIMIT)
        return ply_cursor_fail(&here, PLY_LIMIT, "variations nested more than %d deep",
                               DEPTH_LIMIT);
    r->resume_at[r->depth++] = r->node;
    r->variation_is_empty = true;
    bool is_setup = r->record->nodes[r->node].setup != NULL;
    r->node = r->record->nodes[r->node].parent;
    if (!is_setup && ply_state_undo(&r->state))
        return PLY_OK;
    return go_to(r, r->node);
}

/* Returns to the move that the variation replaced. */
static ply_status close_variation(reader *r)
{
    ply_cursor here = *r->cursor;
    ply_cursor_take(r->cursor);
    if (r->depth == 0)
        return ply_cursor_fail(&here, PLY_BAD_TEXT, "unmatched ')'");
    if (r->variation_is_empty)
        return ply_cursor_fail(&here, PLY_BAD_TEXT, "a variation without a move");
    uint32_t target = r->resume_at[--r->depth];
    uint32_t fork = r->record->nodes[target].parent;
    /* Undo moves back to the fork; if there is a setup on the way, replay instead. */
    bool by_undo = r->record->nodes[target].setup == NULL;
    for (uint32_t n = r->node; by_undo && n != fork; n = r->record->nodes[n].parent)
        by_undo = r->record->nodes[n].setup == NULL;
    ply_status status = PLY_OK;
    if (by_undo) {
        for (uint32_t n = r->node; n != fork; n = r->record->nodes[n].parent)
            ply_state_undo(&r->state);
        status = explain(r->cursor, ply_record_enter(r->record, target, &r->state, NULL));
    } else {
        status = go_to(r, target);
    }
    r->node = target;
    r->variation_is_empty = false;
    return status;
}

static ply_status read_comment(reader *r)
{
    ply_cursor at_brace = *r->cursor;
    ply_cursor_take(r->cursor);
    const char *text = r->cursor->text + r->cursor->at;
    const char *end = memchr(text, '}', r->cursor->length - r->cursor->at);
    if (!end)
        return ply_cursor_fail(&at_brace, PLY_BAD_TEXT, "unterminated comment");
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
        if (r->depth > 0 && r->variation_is_empty) {
            ply_text_format(&r->pending_comment, "%s%s", r->pending_comment.length ? " " : "",
                            comment.data);
        } else {
            status = ply_record_add_comment(r->record, r->node, comment.data, comment.length);
        }
    }
    ply_text_free(&comment);
    return explain(&at_brace, status);
}

/* Continues from a new node and attaches the comments that preceded it. */
static ply_status enter_new_node(reader *r, uint32_t node, ply_cursor *at)
{
    r->node = node;
    r->variation_is_empty = false;
    ply_status status = PLY_OK;
    if (r->pending_comment.length > 0) {
        status = r->pending_comment.failed
                     ? PLY_NO_MEMORY
                     : ply_record_add_comment(r->record, node, r->pending_comment.data,
                                              r->pending_comment.length);
        ply_text_clear(&r->pending_comment);
    }
    return explain(at, status);
}

/* Reads the text of a setup, /FEN "..."/. */
static ply_status read_setup_text(reader *r, ply_text *fen, ply_cursor *at_value)
{
    ply_cursor_take(r->cursor);
    checkers_pdn_skip_space(r->cursor);
    if (!ply_cursor_accept_word(r->cursor, "FEN"))
        return ply_cursor_fail(r->cursor, PLY_BAD_TEXT, "expected FEN after '/'");
    checkers_pdn_skip_space(r->cursor);
    *at_value = *r->cursor;
    ply_status status = checkers_pdn_take_string(r->cursor, fen);
    checkers_pdn_skip_space(r->cursor);
    if (status == PLY_OK && !ply_cursor_accept(r->cursor, '/'))
        status = ply_cursor_fail(r->cursor, PLY_BAD_TEXT, "expected '/' after the setup");
    if (status == PLY_OK && fen->failed)
        status = explain(r->cursor, PLY_NO_MEMORY);
    return status;
}

/* The position as a setup, with White (1) or Black (0) to move. */
static void format_with_turn(const reader *r, uint8_t turn, ply_text *fen)
{
    checkers_position passed = *(const checkers_position *)r->state.position;
    passed.turn = turn;
    ply_text_clear(fen);
    checkers_format(&r->record->rules, &passed, fen);
}

/* The setups W:: and B:: only change the side to move: replaces them by a full position. */
static ply_status expand_turn_change(reader *r, ply_text *fen)
{
    const char *text = ply_text_cstr(fen);
    if (strcmp(text, "W::") != 0 && strcmp(text, "B::") != 0)
        return PLY_OK;
    ply_status status = need_state(r);
    if (status == PLY_OK)
        format_with_turn(r, fen->data[0] == 'W', fen);
    return status;
}

/* Adds a setup as a node of its own. */
static ply_status add_setup(reader *r, ply_text *fen, ply_cursor *at_setup, ply_cursor *at_value)
{
    ply_error inner = {0};
    uint32_t node;
    ply_status status = need_state(r);
    if (status != PLY_OK)
        return status;
    status = ply_state_parse(&r->state, fen->data, fen->length, &inner);
    if (status != PLY_OK)
        return ply_cursor_fail(at_value, status, "FEN: %s", inner.message);
    ply_text_clear(fen);
    checkers_format(&r->record->rules, r->state.position, fen);
    if (fen->failed)
        return explain(r->cursor, PLY_NO_MEMORY);
    status =
        explain(at_setup, ply_record_add_setup(r->record, r->node, fen->data, fen->length, &node));
    return status == PLY_OK ? enter_new_node(r, node, at_setup) : status;
}

static ply_status read_setup(reader *r)
{
    ply_cursor at_setup = *r->cursor, at_value = at_setup;
    ply_text fen = ply_text_growing();
    ply_status status = read_setup_text(r, &fen, &at_value);
    if (status == PLY_OK)
        status = expand_turn_change(r, &fen);
    bool is_start = r->record->node_count == 1 && !r->record->start && !r->has_state;
    if (status == PLY_OK)
        status = is_start ? set_start(r, fen.data, fen.length, &at_value)
                          : add_setup(r, &fen, &at_setup, &at_value);
    ply_text_free(&fen);
    return status;
}

/*
 * Reads a null move, --, with which analyses show a threat: the setup that changes the side to move.
 * In the game itself no rule lets a player pass, so there it is an error.
 */
static ply_status read_null_move(reader *r)
{
    ply_cursor at_move = *r->cursor;
    ply_cursor_accept_word(r->cursor, "--");
    if (r->depth == 0)
        return ply_cursor_fail(&at_move, PLY_BAD_TEXT,
                               "a null move outside a variation: no player may pass");
    const checkers_position *position = r->state.position;
    ply_text fen = ply_text_growing();
    format_with_turn(r, !position->turn, &fen);
    ply_status status =
        fen.failed ? explain(r->cursor, PLY_NO_MEMORY) : add_setup(r, &fen, &at_move, &at_move);
    ply_text_free(&fen);
    return status;
}

static ply_status add_annotation(reader *r, uint8_t nag, ply_cursor *at)
{
    if (r->node == 0 || r->variation_is_empty)
        return ply_cursor_fail(at, PLY_BAD_TEXT, "an annotation without a move");
    ply_status status = ply_record_add_nag(r->record, r->node, nag);
    return status == PLY_OK
               ? status
               : ply_cursor_fail(at, status, "a move has at most %d annotations", PLY_NAG_LIMIT);
}

static ply_status read_nag(reader *r)
{
    ply_cursor at_nag = *r->cursor;
    uint64_t number;
    ply_cursor_take(r->cursor);
    if (!ply_cursor_number(r->cursor, 255, &number))
        return ply_cursor_fail(r->cursor, PLY_BAD_TEXT, "expected a number from 0 to 255 after $");
    return add_annotation(r, (uint8_t)number, &at_nag);
}

/* Of more than two signs, only the first two count. */
static ply_status read_annotation(reader *r)
{
    ply_cursor here = *r->cursor;
    size_t length = checkers_pdn_annotation_length(r->cursor);
    bool parentheses = ply_cursor_peek(r->cursor) == '(';
    const char *text = r->cursor->text + r->cursor->at + parentheses;
    size_t signs = length - 2 * (size_t)parentheses;
    signs = signs > 2 ? 2 : signs;
    uint8_t nag = 0;
    for (uint8_t i = 1; i < 7; i++)
        if (strlen(checkers_annotations[i]) == signs &&
            memcmp(checkers_annotations[i], text, signs) == 0)
            nag = i;
    for (size_t i = 0; i < length; i++)
        ply_cursor_take(r->cursor);
    return add_annotation(r, (uint8_t)(nag + (parentheses ? CHECKERS_NAG_PARENTHESES : 0)), &here);
}

/* Why there is no move where one is expected. */
static ply_status no_move(ply_cursor *at)
{
    static const char *const words[] = {"null", "pass", "0-0"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        ply_cursor ahead = *at;
        if (ply_cursor_accept_word(&ahead, words[i]))
            return ply_cursor_fail(at, PLY_BAD_TEXT, "'%s' is not a move; a null move is --",
                                   words[i]);
    }
    return ply_cursor_fail(at, PLY_BAD_TEXT,
                           "expected a move, a comment, a variation, a setup or a result");
}

/* Chooses among the moves that an ambiguous capture may be. */
static ply_status choose_reading(reader *r, const ply_cursor *at, size_t count, size_t *choice)
{
    checkers_readings *all = r->readings;
    *choice = 0;
    if (count == 1)
        return PLY_OK;
    if (r->ambiguous == CHECKERS_MAX_AMBIGUOUS) {
        ply_cursor here = *at;
        return ply_cursor_fail(&here, PLY_ILLEGAL_MOVE, CHECKERS_AMBIGUOUS);
    }
    if (r->ambiguous == all->used) {
        all->at[all->used] = *at;
        all->choice[all->used] = 0;
        all->count[all->used++] = (uint8_t)count;
    }
    *choice = all->choice[r->ambiguous++];
    return PLY_OK;
}

static ply_status read_move(reader *r)
{
    char word[96];
    ply_cursor at_move = *r->cursor;
    ply_status status = need_state(r);
    if (status != PLY_OK)
        return status;
    size_t length = checkers_pdn_take_move(r->cursor, word, sizeof word);
    if (length == 0 || (length == 3 && memcmp(word, "0-0", 3) == 0))
        return no_move(&at_move);
    ply_error inner = {0};
    ply_cursor inside = ply_cursor_make(word, length, &inner);
    ply_move moves[CHECKERS_MAX_READINGS] = {0};
    size_t count = 0, choice;
    uint32_t node;
    status = checkers_parse_readings(&r->record->rules, r->state.position, &inside, moves, &count);
    if (status == PLY_OK && !ply_cursor_done(&inside))
        status = ply_cursor_fail(&inside, PLY_BAD_TEXT, "'%.*s' is not a move",
                                 (int)(length < 40 ? length : 40), word);
    if (status != PLY_OK)
        return ply_cursor_fail(&at_move, status, "%s", inner.message);
    status = choose_reading(r, &at_move, count, &choice);
    if (status != PLY_OK)
        return status;
    status = ply_state_play(&r->state, moves[choice]);
    if (status == PLY_OK)
        status = ply_record_add(r->record, r->node, moves[choice], &node);
    if (status != PLY_OK)
        return explain(&at_move, status);
    status = enter_new_node(r, node, &at_move);
    ply_cursor at_star = *r->cursor;
    /* A '*' right after the move is an annotation; one that stands alone ends the game. */
    if (status == PLY_OK && ply_cursor_accept(r->cursor, '*'))
        status = add_annotation(r, CHECKERS_NAG_FORCED, &at_star);
    return status;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* Reads a result if there is one. */
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
            *r->cursor = before; /* "1-1" is the beginning of "1-10" */
            continue;
        }
        checkers_result_read(&r->record->rules, words[i], strlen(words[i]), &r->result);
        r->double_loss = strcmp(words[i], "0-0") == 0;
        return true;
    }
    return false;
}

/* Reads a move number, 12. or 12..., or ... alone. */
static bool read_move_number(ply_cursor *cursor)
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

/* A game ends where it has a result, so its next move must not follow: another game begins with 1. */
static ply_status check_end(reader *r, ply_cursor *at_result)
{
    ply_cursor ahead = *r->cursor;
    uint64_t number;
    checkers_pdn_skip_space(&ahead);
    if (!ply_cursor_number(&ahead, 999999, &number) || ply_cursor_peek(&ahead) != '.' || number < 2)
        return PLY_OK;
    return ply_cursor_fail(at_result, PLY_BAD_TEXT, "a result ends the game, but move %u follows",
                           (unsigned)number);
}

static ply_status read_body(reader *r)
{
    for (;;) {
        checkers_pdn_skip_space(r->cursor);
        ply_cursor here = *r->cursor;
        int c = ply_cursor_peek(r->cursor);
        ply_status status = PLY_OK;
        if (c < 0 || c == '[')
            return r->depth == 0 ? PLY_OK
                                 : ply_cursor_fail(r->cursor, PLY_BAD_TEXT, "unclosed '('");
        if (r->depth == 0 && read_result(r))
            return check_end(r, &here);
        if (c == '{')
            status = read_comment(r);
        else if (c == '/')
            status = read_setup(r);
        else if (c == '$')
            status = read_nag(r);
        else if (checkers_pdn_annotation_length(r->cursor) > 0)
            status = read_annotation(r);
        else if (c == '(')
            status = open_variation(r);
        else if (c == ')')
            status = close_variation(r);
        else if (c == '-' && ply_cursor_accept_word(&here, "--"))
            status = read_null_move(r);
        else if (!read_move_number(r->cursor))
            status = read_move(r);
        if (status != PLY_OK)
            return status;
    }
}

/* The tag Result overrides the separator. */
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
    return explain(r->cursor, ply_record_set_ending(r->record, result, ending));
}

ply_status checkers_pdn_read_game(ply_cursor *cursor, ply_record *record,
                                  checkers_readings *readings)
{
    ply_cursor at_game = *cursor;
    reader r = {.cursor = cursor,
                .record = record,
                .pending_comment = ply_text_growing(),
                .readings = readings};
    ply_status status = read_header(&r);
    if (status == PLY_OK)
        status = read_body(&r);
    if (status == PLY_OK)
        status = settle_result(&r);
    if (status == PLY_OK && record->tag_count == 0 && record->node_count == 1 && !record->start &&
        !record->nodes[0].comment)
        status = ply_cursor_fail(&at_game, PLY_BAD_TEXT, "a game with neither tags nor moves");
    if (r.has_state)
        ply_state_free(&r.state);
    ply_text_free(&r.pending_comment);
    return status;
}
