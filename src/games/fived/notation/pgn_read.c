/* SPDX-License-Identifier: MIT */
/*
 * pgn_read.c - reading 5DPGN.
 *
 *     [Board "Standard"]                         headers, then boards as 5DFEN if Board is custom
 *     1. e4 / e5                                 White's turn / Black's turn
 *     2. (0T2)Nf3 / (0T2)Ng8>>(0T1)g6~ (>L-1) {a comment}
 *     3. (0T3)a3! (3. (0T3)h3) / ...             a variation
 *
 * Turns may also be written 1w. and 1b., or w. and b. alone. The moves of a turn are played in the
 * order in which they are written. Where a turn ends, the submit is inserted, which must be legal.
 * A variation in parentheses begins with the turn it names (1b.), which is either the next turn or
 * the one just played; without a name it is the next one. What is outside parentheses is the main
 * variation. Every move is resolved against the legal moves, so short and long forms can be mixed.
 */
#include "games/fived/notation/pgn.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 64 };

typedef struct reader {
    ply_cursor *cursor;
    ply_record *record;
    ply_state state;
    uint32_t node;
    bool named;                   /* a turn has been named */
    bool keep_open;               /* the headers say that the last turn is not submitted */
    uint32_t resume[DEPTH_LIMIT]; /* by depth: the node to return to after the variation */
    size_t own[DEPTH_LIMIT];      /* by depth: nodes from this number on belong to the variation */
    size_t depth;
} reader;

/* --- headers -------------------------------------------------------------------------------- */
bool fived_same_name(const char *a, const char *b)
{
    for (;;) {
        while (*a && !isalnum((unsigned char)*a))
            a++;
        while (*b && !isalnum((unsigned char)*b))
            b++;
        if (!*a || !*b)
            return !*a && !*b;
        if (tolower((unsigned char)*a++) != tolower((unsigned char)*b++))
            return false;
    }
}

const ply_variant *fived_variant_named(const char *name)
{
    for (size_t i = 0; i < FIVED_VARIANTS; i++)
        if (fived_same_name(fived_variants[i].name, name) ||
            fived_same_name(fived_variants[i].id, name))
            return &fived_variants[i];
    /* Some files omit the plural s: Misc - Timeline Battleground. */
    char plural[128];
    ply_text text = ply_text_fixed(plural, sizeof plural);
    ply_text_format(&text, "%.100ss", name);
    for (size_t i = 0; i < FIVED_VARIANTS; i++)
        if (fived_same_name(fived_variants[i].name, plural))
            return &fived_variants[i];
    /* Others omit the group: Timeline Marauders. */
    const ply_variant *found = NULL;
    for (size_t i = 0; i < FIVED_VARIANTS; i++) {
        const char *dash = strstr(fived_variants[i].name, " - ");
        if (!dash || !fived_same_name(dash, name))
            continue;
        if (found)
            return NULL; /* as Open does */
        found = &fived_variants[i];
    }
    return found;
}

static const char *tag_value(const ply_record *record, const char *name)
{
    for (size_t i = 0; i < record->tag_count; i++)
        if (fived_same_name(record->tags[i].name, name))
            return record->tags[i].value;
    return NULL;
}

/* Reports a failed status at a location. */
static ply_status report(ply_cursor *at, ply_status status)
{
    return status == PLY_OK ? status : ply_cursor_fail(at, status, "%s", ply_status_text(status));
}

/* Reads [Name "value"] if that is what follows. */
static ply_status read_tag(reader *r, bool *found)
{
    ply_cursor ahead = *r->cursor;
    ply_cursor_take(&ahead);
    const char *name = ahead.text + ahead.at;
    size_t name_length = 0;
    while (fived_is_tag_byte(ply_cursor_peek(&ahead))) {
        ply_cursor_take(&ahead);
        name_length++;
    }
    size_t spaces = ply_cursor_skip_space(&ahead);
    *found = name_length > 0 && spaces > 0 && ply_cursor_accept(&ahead, '"');
    if (!*found)
        return PLY_OK;
    ply_cursor at_value = ahead;
    const char *value = ahead.text + ahead.at;
    size_t length = 0;
    while (ply_cursor_peek(&ahead) != '"') {
        int c = ply_cursor_take(&ahead);
        if (c < 0 || c == '\n')
            return ply_cursor_fail(&at_value, PLY_BAD_TEXT,
                                   "this quoted value does not end on its line");
        length++;
    }
    ply_cursor_take(&ahead);
    ply_cursor_skip_space(&ahead);
    if (!ply_cursor_accept(&ahead, ']'))
        return ply_cursor_fail(&ahead, PLY_BAD_TEXT, "expected ']'");
    *r->cursor = ahead;
    return report(&at_value, ply_record_set_tag(r->record, name, name_length, value, length));
}

static int32_t promotion_bits(const char *list)
{
    static const char order[] = "QRBNSUDC";
    int32_t bits = 0;
    for (; *list; list++) {
        const char *at = strchr(order, toupper((unsigned char)*list));
        if (at)
            bits |= 1 << (at - order);
    }
    return bits;
}

/* Makes the rules that the headers specify. */
static ply_status make_rules(reader *r, ply_cursor *at, bool has_boards)
{
    ply_record *record = r->record;
    const char *board = tag_value(record, "Board");
    if (!board)
        board = tag_value(record, "Variant");
    bool custom = has_boards || tag_value(record, "Position");
    const ply_variant *variant = board ? fived_variant_named(board) : NULL;
    if (!variant && board && !custom)
        return ply_cursor_fail(at, PLY_UNKNOWN_VARIANT,
                               "no variant is called '%.60s', and no boards are given", board);
    char text[256];
    const char *options = tag_value(record, "Options");
    ply_text name = ply_text_fixed(text, sizeof text);
    ply_text_string(&name, variant ? variant->id : record->rules.variant->id);
    if (options)
        ply_text_format(&name, ":%s", options);
    if (!ply_text_complete(&name))
        return ply_cursor_fail(at, PLY_BAD_OPTION, "the options are too long");
    if (variant || options) {
        ply_error error = {0};
        int32_t given[FIVED_OPTIONS];
        memcpy(given, record->rules.option, sizeof given);
        ply_status status = ply_rules_make(&record->rules, record->rules.game, text, &error);
        if (status != PLY_OK)
            return ply_cursor_fail(at, status, "%s", error.message);
        if (!options)
            memcpy(record->rules.option, given, sizeof given);
    }
    const char *promotions = tag_value(record, "Promotions");
    if (promotions && promotion_bits(promotions))
        record->rules.option[FIVED_OPTION_PROMOTION] = promotion_bits(promotions);
    return PLY_OK;
}

static ply_status read_headers(reader *r)
{
    ply_cursor *cursor = r->cursor, at_start = *cursor, at_board = *cursor;
    ply_text boards = ply_text_growing();
    ply_status status = PLY_OK;
    while (status == PLY_OK) {
        ply_cursor_skip_space(cursor);
        if (ply_cursor_peek(cursor) != '[')
            break;
        bool is_tag;
        status = read_tag(r, &is_tag);
        if (status != PLY_OK || is_tag)
            continue;
        if (boards.length == 0)
            at_board = *cursor;
        const char *from = cursor->text + cursor->at;
        size_t length = 0;
        do
            length++;
        while (ply_cursor_take(cursor) != ']' && !ply_cursor_done(cursor));
        ply_text_bytes(&boards, from, length);
        ply_text_char(&boards, ' ');
    }
    if (status == PLY_OK)
        status = make_rules(r, &at_start, boards.length > 0);
    const char *whole = tag_value(r->record, "Position");
    if (status == PLY_OK && boards.failed)
        status = report(cursor, PLY_NO_MEMORY);
    if (status == PLY_OK && (boards.length > 0 || whole)) {
        const char *start = whole ? whole : boards.data;
        size_t length = whole ? strlen(whole) : boards.length - 1;
        status = report(&at_board, ply_record_set_start(r->record, start, length));
    }
    if (status == PLY_OK) {
        ply_error error = {0};
        status = ply_record_start_state(r->record, &r->state, &error);
        if (status != PLY_OK)
            ply_cursor_fail(&at_board, status, "%s", error.message);
    }
    ply_text_free(&boards);
    return status;
}

/* --- moves ---------------------------------------------------------------------------------- */
static ply_move move_at(const reader *r, uint32_t node)
{
    return r->record->nodes[node].move;
}

/* Whether moves have been made that are not yet submitted. */
static bool turn_begun(const reader *r)
{
    return r->node != 0 && move_at(r, r->node) != FIVED_SUBMIT;
}

static size_t depth_of(const ply_record *record, uint32_t node)
{
    size_t depth = 0;
    for (; node; node = record->nodes[node].parent)
        depth++;
    return depth;
}

/* Brings the state to a node: back to the common ancestor, then forward. */
static ply_status go_to(reader *r, uint32_t node)
{
    const ply_record *record = r->record;
    size_t depth = depth_of(record, node);
    uint32_t from = r->node, to = node;
    size_t from_depth = depth_of(record, from), to_depth = depth;
    while (from != to) {
        if (from_depth >= to_depth) {
            from = record->nodes[from].parent;
            from_depth--;
        } else {
            to = record->nodes[to].parent;
            to_depth--;
        }
    }
    while (r->state.plies > from_depth)
        ply_state_undo(&r->state);
    while (r->state.plies < depth) {
        uint32_t next = node;
        for (size_t up = depth; up > r->state.plies + 1; up--)
            next = record->nodes[next].parent;
        ply_status status = ply_state_play(&r->state, record->nodes[next].move);
        if (status != PLY_OK)
            return status;
    }
    r->node = node;
    return PLY_OK;
}

/* Makes a child the first of its siblings. */
static void make_first(ply_record *record, uint32_t parent, uint32_t node)
{
    uint32_t *link = &record->nodes[parent].child;
    if (*link == node)
        return;
    while (*link != node)
        link = &record->nodes[*link].sibling;
    *link = record->nodes[node].sibling;
    record->nodes[node].sibling = record->nodes[parent].child;
    record->nodes[parent].child = node;
}

static ply_status play(reader *r, ply_cursor *at, ply_move move)
{
    ply_status status = ply_state_play(&r->state, move);
    if (status != PLY_OK)
        return report(at, status);
    uint32_t parent = r->node, node = r->record->nodes[parent].child;
    while (node && move_at(r, node) != move)
        node = r->record->nodes[node].sibling;
    if (!node)
        status = ply_record_add(r->record, parent, move, &node);
    if (status != PLY_OK) {
        ply_state_undo(&r->state);
        return report(at, status);
    }
    /* A variation may precede the moves it is an alternative to; those stay the main ones. */
    if (r->depth == 0 || parent >= r->own[r->depth - 1])
        make_first(r->record, parent, node);
    r->node = node;
    return PLY_OK;
}

/* Whether the game begins in the middle of a turn, with no move left to make, and we are there. */
static bool starts_with_submit(const reader *r)
{
    ply_move move;
    ply_cursor word = ply_cursor_make("submit", 6, NULL);
    return r->node == 0 &&
           fived_parse_move(&r->record->rules, r->state.position, &word, &move) == PLY_OK;
}

/* Ends the turn if it has begun. at_end: of a variation, where the turn may stay unfinished. */
static ply_status submit(reader *r, ply_cursor *at, bool at_end)
{
    bool begun = turn_begun(r) || (r->named && starts_with_submit(r));
    if (!begun || (at_end && r->keep_open && r->depth == 0))
        return PLY_OK;
    ply_move move;
    ply_error error = {0};
    ply_cursor word = ply_cursor_make("submit", 6, &error);
    const ply_rules *rules = &r->record->rules;
    ply_status status = fived_parse_move(rules, r->state.position, &word, &move);
    if (status == PLY_ILLEGAL_MOVE && at_end)
        return PLY_OK;
    if (status != PLY_OK)
        return ply_cursor_fail(at, status, "the turn cannot end here: %s", error.message);
    return play(r, at, move);
}

static int side_of(const reader *r)
{
    return r->record->rules.game->side(&r->record->rules, r->state.position);
}

/* The turn of `side` begins here. */
static ply_status begin_turn(reader *r, ply_cursor *at, int side)
{
    if (side_of(r) == side)
        return PLY_OK;
    if (turn_begun(r))
        return submit(r, at, false);
    if (starts_with_submit(r))
        return play(r, at, FIVED_SUBMIT);
    return ply_cursor_fail(at, PLY_BAD_TEXT, "it is %s's turn", side ? "White" : "Black");
}

static ply_status read_marks(reader *r)
{
    ply_cursor *cursor = r->cursor;
    for (;;) {
        int c = ply_cursor_peek(cursor);
        if (c == '+' || c == '#' || c == '*' || c == '~') {
            ply_cursor_take(cursor);
        } else if (c == '!' || c == '?') {
            ply_cursor at = *cursor;
            ply_cursor_take(cursor);
            int next = ply_cursor_peek(cursor);
            uint8_t nag = c == '!' ? 1 : 2;
            if (next == '!' || next == '?') {
                ply_cursor_take(cursor);
                nag = c == next ? (c == '!' ? 3 : 4) : (c == '!' ? 5 : 6);
            }
            ply_status status = ply_record_add_nag(r->record, r->node, nag);
            if (status != PLY_OK)
                return report(&at, status);
        } else {
            return PLY_OK;
        }
    }
}

static ply_status read_move(reader *r)
{
    fived_move_pattern pattern;
    ply_cursor at = *r->cursor;
    if (ply_cursor_accept_word(r->cursor, "submit"))
        return submit(r, &at, false);
    ply_status status = fived_parse_move_pattern(r->cursor, &pattern);
    if (status != PLY_OK)
        return status;
    ply_move move = PLY_MOVE_NONE;
    status = fived_find_move(&r->record->rules, r->state.position, &pattern, &at, &move);
    if (status == PLY_OK)
        status = play(r, &at, move);
    return status == PLY_OK ? read_marks(r) : status;
}

static ply_status read_comment(reader *r)
{
    ply_cursor *cursor = r->cursor, at = *cursor;
    ply_cursor_take(cursor);
    const char *text = cursor->text + cursor->at;
    size_t length = 0, depth = 1;
    for (;; length++) {
        int c = ply_cursor_take(cursor);
        if (c < 0)
            return ply_cursor_fail(&at, PLY_BAD_TEXT, "this comment does not end");
        depth += c == '{' ? 1 : c == '}' ? (size_t)-1 : 0;
        if (depth == 0)
            break;
    }
    return report(&at, ply_record_add_comment(r->record, r->node, text, length));
}

/* Reads 12. 12w. 12b. w. or b. and returns whose turn it names: 0, 1, or -1 for none of these. */
static int read_turn_number(ply_cursor *cursor)
{
    ply_cursor ahead = *cursor;
    uint64_t number;
    bool numbered = ply_cursor_number(&ahead, UINT32_MAX, &number);
    int side = ply_cursor_accept(&ahead, 'w') ? 0 : ply_cursor_accept(&ahead, 'b') ? 1 : -1;
    if (!ply_cursor_accept(&ahead, '.') || (!numbered && side < 0))
        return -1;
    bool dots = false;
    while (ply_cursor_accept(&ahead, '.'))
        dots = true; /* 1... names Black's turn */
    *cursor = ahead;
    return side >= 0 ? side : dots;
}

static ply_status open_variation(reader *r)
{
    ply_cursor at = *r->cursor;
    ply_cursor_take(r->cursor);
    if (r->depth == DEPTH_LIMIT)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "variations are nested too deeply");
    ply_cursor ahead = *r->cursor;
    ply_cursor_skip_space(&ahead);
    int side = read_turn_number(&ahead);
    r->own[r->depth] = r->record->node_count;
    r->resume[r->depth++] = r->node;
    /* The turn it names is the current one, the one just played, or the next. */
    uint32_t node = r->node;
    bool replaces =
        turn_begun(r) ? side == side_of(r) : node != 0 && side >= 0 && side != side_of(r);
    if (replaces) {
        if (move_at(r, node) == FIVED_SUBMIT)
            node = r->record->nodes[node].parent;
        while (node && move_at(r, node) != FIVED_SUBMIT)
            node = r->record->nodes[node].parent;
        return report(&at, go_to(r, node));
    }
    return turn_begun(r) ? submit(r, &at, false) : PLY_OK;
}

static ply_status close_variation(reader *r)
{
    ply_cursor at = *r->cursor;
    ply_cursor_take(r->cursor);
    if (r->depth == 0)
        return ply_cursor_fail(&at, PLY_BAD_TEXT, "this parenthesis closes no variation");
    ply_status status = submit(r, &at, true);
    r->depth--;
    return status == PLY_OK ? report(&at, go_to(r, r->resume[r->depth])) : status;
}

/* Skips a remark in parentheses such as (~T5) or (>L-2); false if there is none. */
static bool skip_remark(ply_cursor *cursor)
{
    ply_cursor ahead = *cursor;
    ply_cursor_take(&ahead);
    ply_cursor_skip_space(&ahead);
    if (ply_cursor_peek(&ahead) != '~' && ply_cursor_peek(&ahead) != '>')
        return false;
    while (!ply_cursor_done(&ahead) && ply_cursor_peek(&ahead) != '\n')
        if (ply_cursor_take(&ahead) == ')') {
            *cursor = ahead;
            return true;
        }
    return false;
}

static bool read_result(ply_cursor *cursor, ply_result *result)
{
    static const struct {
        const char *word;
        ply_result result;
    } words[] = {{"1-0", PLY_FIRST_WINS},
                 {"0-1", PLY_SECOND_WINS},
                 {"1/2-1/2", PLY_DRAW},
                 {"1/2", PLY_DRAW},
                 {"*", PLY_ONGOING}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        ply_cursor ahead = *cursor;
        if (ply_cursor_accept_word(&ahead, words[i].word) && ply_cursor_peek(&ahead) <= ' ') {
            *cursor = ahead;
            *result = words[i].result;
            return true;
        }
    }
    return false;
}

/* The number of a glyph; `at` is its $. Before the first move it belongs to the submit of a turn that
 * was begun before the game. */
static ply_status read_glyph(reader *r, ply_cursor *at)
{
    uint64_t nag;
    ply_status status = r->node == 0 && r->named ? submit(r, at, false) : PLY_OK;
    if (status != PLY_OK)
        return status;
    if (r->node == 0 || !ply_cursor_number(r->cursor, 255, &nag))
        return ply_cursor_fail(r->cursor, PLY_BAD_TEXT, "expected a number from 0 to 255 after $");
    return report(at, ply_record_add_nag(r->record, r->node, (uint8_t)nag));
}

/* Reads the next element of the move text. */
static ply_status read_item(reader *r, bool *over)
{
    ply_cursor *cursor = r->cursor, at = *cursor;
    int c = ply_cursor_peek(cursor), side;
    ply_result result;
    fived_board_ref ref;
    if (c < 0 || (c == '[' && r->depth == 0) || (r->depth == 0 && read_result(cursor, &result))) {
        *over = true;
        if (r->depth > 0)
            return ply_cursor_fail(cursor, PLY_BAD_TEXT, "a variation is not closed");
        if (c >= 0 && c != '[')
            ply_record_set_ending(r->record, result, NULL);
        return submit(r, &at, true);
    }
    if (c == '{')
        return read_comment(r);
    if (ply_cursor_accept(cursor, '/'))
        return begin_turn(r, &at, 1);
    if (ply_cursor_accept(cursor, '$'))
        return read_glyph(r, &at);
    if ((side = read_turn_number(cursor)) >= 0) {
        r->named = true;
        /* If Black moves first, "1." may precede Black's first turn. */
        if (side == 0 && r->node == 0 && side_of(r) == 1 && !starts_with_submit(r))
            return PLY_OK;
        return begin_turn(r, &at, side);
    }
    if (c == ')')
        return close_variation(r);
    if (c == '(') {
        ply_cursor ahead = *cursor;
        if (skip_remark(cursor))
            return PLY_OK;
        if (!fived_parse_board_ref(&ahead, &ref))
            return open_variation(r);
    }
    return read_move(r);
}

ply_status fived_pgn_read(ply_cursor *cursor, ply_record *record, bool *found)
{
    ply_cursor_skip_space(cursor);
    *found = !ply_cursor_done(cursor);
    if (!*found)
        return PLY_OK;
    reader r = {.cursor = cursor, .record = record};
    ply_status status = read_headers(&r);
    if (status != PLY_OK)
        return status;
    const char *submitted = tag_value(record, "Submitted");
    r.keep_open = submitted && fived_same_name(submitted, "no");
    for (bool over = false; !over && status == PLY_OK;) {
        ply_cursor_skip_space(cursor);
        status = read_item(&r, &over);
    }
    const char *result = tag_value(record, "Result");
    if (status == PLY_OK && record->result == PLY_ONGOING && result) {
        ply_cursor value = ply_cursor_make(result, strlen(result), NULL);
        ply_result tagged;
        if (read_result(&value, &tagged))
            record->result = tagged;
    }
    ply_state_free(&r.state);
    return status;
}
