/* SPDX-License-Identifier: MIT */
/*
 * pgn_write.c - writing 5DPGN, in short form or with all coordinates; 5DFEN; 5DUCI.
 *
 * A variation is written in parentheses before the turn it replaces, as whole turns with the number
 * of the first: 1. e4 (1b. e5 2. Nf3) 1b. c5. A comment on a submit follows the last move of its
 * turn. If the main variation ends in the middle of a turn, the header says Submitted "no".
 */
#include "games/fived/notation/pgn.h"
#include "record/formats.h"
#include <stdlib.h>
#include <string.h>

/* --- turns ---------------------------------------------------------------------------------- */
enum { DEPTH_LIMIT = 64 };

typedef struct writer {
    const ply_record *record;
    ply_state state;
    ply_text *out;
    bool raw, begun;
    bool ends_in_move; /* so a sign such as !? may follow; elsewhere glyphs are numbers */
    int depth;
} writer;

/* Marks check, mate or softmate against the player to move after a turn. */
static ply_status write_check(writer *w)
{
    const ply_rules *rules = &w->record->rules;
    fived_turn_query *q;
    ply_status status = fived_turn_query_open(&q, rules, w->state.position);
    if (status != PLY_OK)
        return status;
    if (fived_turn_query_in_check(q)) {
        char mark = '#';
        if (fived_turn_query_exists(q, false))
            mark = fived_turn_query_exists(q, true) ? '+' : '*';
        ply_text_char(w->out, mark);
    }
    status = q->status;
    fived_turn_query_close(q);
    return status;
}

static void write_remarks(writer *w, const ply_record_node *node)
{
    static const char *const signs[] = {"", "!", "?", "!!", "??", "!?", "?!"};
    for (unsigned i = 0; i < node->nag_count; i++) {
        if (w->ends_in_move && node->nags[i] >= 1 && node->nags[i] <= 6)
            ply_text_string(w->out, signs[node->nags[i]]);
        else
            ply_text_format(w->out, " $%d", node->nags[i]);
        w->ends_in_move = false;
    }
    if (!node->comment)
        return;
    w->ends_in_move = false;
    ply_text_string(w->out, " {");
    for (const char *c = node->comment; *c; c++)
        ply_text_char(w->out, *c == '{' ? '(' : *c == '}' ? ')' : *c);
    ply_text_char(w->out, '}');
}

/* The last node of a turn: down the first children from a node of it. */
static uint32_t first_end(const ply_record *record, uint32_t node)
{
    const ply_record_node *nodes = record->nodes;
    while (node && nodes[node].move != FIVED_SUBMIT && nodes[node].child)
        node = nodes[node].child;
    return node;
}

static ply_status write_move(writer *w, uint32_t node, bool before_submit)
{
    const ply_rules *rules = &w->record->rules;
    ply_move move = w->record->nodes[node].move;
    const fived_position *p = w->state.position;
    int present = fived_position_present(p);
    w->ends_in_move = true;
    ply_text_char(w->out, ' ');
    if (w->raw) {
        fived_format_move(rules, p, move, w->out);
    } else {
        fived_turn_query *q;
        ply_status status = fived_turn_query_open(&q, rules, p);
        if (status != PLY_OK)
            return status;
        fived_format_pgn_move(p, q, move, w->out);
        fived_turn_query_close(q);
    }
    ply_status status = ply_state_play(&w->state, move);
    if (status != PLY_OK || w->raw)
        return status;
    if (before_submit) {
        status = ply_state_play(&w->state, FIVED_SUBMIT);
        if (status != PLY_OK)
            return status;
        status = write_check(w);
        ply_state_undo(&w->state);
        if (status != PLY_OK)
            return status;
    }
    if (fived_position_present(p) < present)
        ply_text_char(w->out, '~');
    return PLY_OK;
}

/* Writes the moves from after `node` to `end`, and plays them. A move that several turns begin with
 * has its remarks in one of them. */
static ply_status write_path(writer *w, uint32_t node, uint32_t end)
{
    const ply_record_node *nodes = w->record->nodes;
    while (node != end) {
        uint32_t next = end;
        while (nodes[next].parent != node)
            next = nodes[next].parent;
        if (nodes[next].setup)
            return PLY_UNSUPPORTED;
        ply_status status;
        if (nodes[next].move == FIVED_SUBMIT) {
            status = ply_state_play(&w->state, FIVED_SUBMIT);
        } else {
            bool last = next != end && nodes[end].move == FIVED_SUBMIT && nodes[end].parent == next;
            status = write_move(w, next, last);
        }
        if (status != PLY_OK)
            return status;
        if (!w->raw && first_end(w->record, next) == end)
            write_remarks(w, &nodes[next]);
        node = next;
    }
    return PLY_OK;
}

/* The last node of the next turn below `top`, after the one that ends at `end` (0: the first). */
static uint32_t next_end(const ply_record *record, uint32_t top, uint32_t end)
{
    const ply_record_node *nodes = record->nodes;
    uint32_t node = end ? end : nodes[top].child;
    if (end) {
        while (node != top && !nodes[node].sibling)
            node = nodes[node].parent;
        if (node == top)
            return 0;
        node = nodes[node].sibling;
    }
    return first_end(record, node);
}

/* Writes the number of a turn, or the slash between White's turn and Black's. */
static void write_turn_number(writer *w, unsigned number, bool black, bool follows)
{
    /* White's turns start a new line of text, except in variations. */
    const char *separator = w->raw || (w->depth == 0 && !black) ? "\n" : " ";
    if (!w->begun)
        separator = "";
    if (w->raw)
        ply_text_format(w->out, "%s%s", separator, black ? "b." : "w.");
    else if (black && follows)
        ply_text_string(w->out, " /");
    else
        ply_text_format(w->out, "%s%u%s.", separator, number, black ? "b" : "");
    w->begun = true;
    w->ends_in_move = false;
}

/* Writes everything below a node. follows: White's turn was written just before. */
static ply_status write_variation(writer *w, uint32_t node, unsigned number, bool follows)
{
    size_t plies = w->state.plies;
    ply_status status = PLY_OK;
    for (uint32_t end; status == PLY_OK && (end = next_end(w->record, node, 0)) != 0;) {
        bool black = ((const fived_position *)w->state.position)->side;
        uint32_t other = w->raw ? 0 : next_end(w->record, node, end);
        for (; other && status == PLY_OK; other = next_end(w->record, node, other)) {
            size_t here = w->state.plies;
            if (w->depth == DEPTH_LIMIT)
                return PLY_LIMIT;
            ply_text_string(w->out, w->begun ? " (" : "(");
            w->begun = false;
            w->depth++;
            write_turn_number(w, number, black, false);
            status = write_path(w, node, other);
            if (status == PLY_OK)
                status = write_variation(w, other, number + black, !black);
            w->depth--;
            ply_text_char(w->out, ')');
            while (w->state.plies > here)
                ply_state_undo(&w->state);
            follows = false;
        }
        if (status != PLY_OK)
            break;
        write_turn_number(w, number, black, follows);
        status = write_path(w, node, end);
        follows = !black;
        number += black;
        node = end;
    }
    while (w->state.plies > plies)
        ply_state_undo(&w->state);
    return status;
}

/* --- records -------------------------------------------------------------------------------- */
/* Whether we write this header ourselves. */
static bool is_own_header(const char *name)
{
    static const char *const own[] = {"Mode",    "Board",    "Variant",   "Size",  "Promotions",
                                      "Options", "Position", "Submitted", "Result"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (fived_same_name(name, own[i]))
            return true;
    return false;
}

static void write_header(ply_text *out, const char *name, const char *value)
{
    ply_text_char(out, '[');
    for (; *name; name++)
        ply_text_char(out, fived_is_tag_byte((unsigned char)*name) ? *name : '_');
    ply_text_string(out, " \"");
    for (; *value; value++)
        ply_text_char(out, *value == '"' || *value == '\n' ? '\'' : *value);
    ply_text_string(out, "\"]\n");
}

/* Whether the main variation ends in the middle of a turn. */
static bool ends_open(const ply_record *record)
{
    uint32_t node = 0;
    while (record->nodes[node].child)
        node = record->nodes[node].child;
    return node != 0 && record->nodes[node].move != FIVED_SUBMIT;
}

static void write_headers(writer *w)
{
    const ply_record *record = w->record;
    const ply_rules *rules = &record->rules;
    const fived_position *p = w->state.position;
    ply_text *out = w->out, start = ply_text_growing();
    write_header(out, "Mode", "5D");
    write_header(out, "Board", record->start ? "Custom" : rules->variant->name);
    ply_text_format(out, "[Size \"%dx%d\"]\n", p->width, p->height);
    if (rules->option[FIVED_OPTION_PROMOTION] != 1 && rules->option[FIVED_OPTION_PROMOTION] != 0) {
        ply_text_string(out, "[Promotions \"");
        for (int i = 0, written = 0; i < 8; i++)
            if (rules->option[FIVED_OPTION_PROMOTION] >> i & 1)
                ply_text_format(out, "%s%c", written++ ? "," : "", "QRBNSUDC"[i]);
        ply_text_string(out, "\"]\n");
    }
    ply_text options = ply_text_growing();
    ply_rules_format(rules, &options);
    const char *colon = strchr(ply_text_cstr(&options), ':');
    if (colon)
        write_header(out, "Options", colon + 1);
    for (size_t i = 0; i < record->tag_count; i++)
        if (record->tags[i].name[0] && !is_own_header(record->tags[i].name))
            write_header(out, record->tags[i].name, record->tags[i].value);
    write_header(out, "Result", ply_result_score(record->result));
    if (ends_open(record))
        write_header(out, "Submitted", "no");
    if (record->start) {
        rules->game->format(rules, p, &start);
        const char *text = ply_text_cstr(&start);
        if (text[0] && text[strlen(text) - 1] != ']') {
            write_header(out, "Position", text); /* it has words that 5DFEN lacks */
        } else {
            for (const char *c = text; *c; c++)
                ply_text_char(out, *c == ' ' ? '\n' : *c);
            ply_text_char(out, '\n');
        }
    }
    out->failed = out->failed || start.failed || options.failed;
    ply_text_free(&start);
    ply_text_free(&options);
}

static ply_status write_record(const ply_record *record, ply_text *out, ply_error *error, bool raw)
{
    writer w = {.record = record, .out = out, .raw = raw};
    ply_status status = ply_record_start_state(record, &w.state, error);
    if (status != PLY_OK)
        return status;
    write_headers(&w);
    if (record->nodes[0].comment && !raw) {
        write_remarks(&w, &record->nodes[0]);
        ply_text_char(out, '\n');
    }
    status = write_variation(&w, 0, 1, false);
    if (record->result != PLY_ONGOING)
        ply_text_format(out, "%s%s", w.begun ? " " : "", ply_result_score(record->result));
    ply_text_string(out, "\n");
    ply_state_free(&w.state);
    return status == PLY_OK ? status : ply_error_set(error, status, "%s", ply_status_text(status));
}

static ply_status write_pgn(const ply_record *record, ply_text *out, ply_error *error)
{
    return write_record(record, out, error, false);
}

static ply_status write_raw(const ply_record *record, ply_text *out, ply_error *error)
{
    return write_record(record, out, error, true);
}

/* --- 5DFEN ---------------------------------------------------------------------------------- */
static ply_status read_fen(ply_cursor *cursor, ply_record *record, bool *found)
{
    ply_cursor_skip_space(cursor);
    *found = !ply_cursor_done(cursor);
    if (!*found)
        return PLY_OK;
    fived_position p;
    size_t from = cursor->at;
    ply_status status = fived_parse(&record->rules, &p, cursor);
    if (status != PLY_OK)
        return status;
    fived_clear(&record->rules, &p);
    return ply_record_set_start(record, cursor->text + from, cursor->at - from);
}

static ply_status write_fen(const ply_record *record, ply_text *out, ply_error *error)
{
    ply_state state;
    ply_status status = ply_record_final_state(record, &state, error);
    if (status != PLY_OK)
        return status;
    ply_text text = ply_text_growing();
    record->rules.game->format(&record->rules, state.position, &text);
    for (const char *c = ply_text_cstr(&text); *c; c++)
        ply_text_char(out, *c == ' ' && c[1] == '[' ? '\n' : *c);
    ply_text_char(out, '\n');
    out->failed = out->failed || text.failed;
    ply_text_free(&text);
    ply_state_free(&state);
    return PLY_OK;
}

/* --- 5DUCI ---------------------------------------------------------------------------------- */
/* Timelines are plain numbers here, -0 being -1; otherwise as the raw form, but without = before a
 * promotion. */
static void format_uci_move(ply_move move, ply_text *out)
{
    if (move == FIVED_SUBMIT) {
        ply_text_string(out, "submit");
        return;
    }
    fived_location from = fived_move_from(move), to = fived_move_to(move);
    ply_text_format(out, "(%dT%d)%c%c(%dT%d)%c%c", from.l, from.t, 'a' + from.x, '1' + from.y, to.l,
                    to.t, 'a' + to.x, '1' + to.y);
    if (fived_move_promotion(move))
        ply_text_char(out, fived_kind_letter(fived_move_promotion(move)));
}

static ply_status write_uci(const ply_record *record, ply_text *out, ply_error *error)
{
    ply_state state;
    ply_status status = ply_record_start_state(record, &state, error);
    if (status != PLY_OK)
        return status;
    const fived_position *p = state.position;
    if (!record->start && strcmp(record->rules.variant->id, "standard-turn-zero") == 0) {
        ply_text_string(out, "position startpos");
    } else {
        ply_text_format(out, "position size %dx%d %s fen ", p->width, p->height,
                        p->even ? "even" : "odd");
        record->rules.game->format(&record->rules, p, out);
    }
    ply_text_string(out, " moves");
    for (uint32_t n = record->nodes[0].child; n; n = record->nodes[n].child) {
        ply_text_char(out, ' ');
        format_uci_move(record->nodes[n].move, out);
    }
    ply_text_char(out, '\n');
    ply_state_free(&state);
    return PLY_OK;
}

static ply_status read_uci_moves(ply_cursor *cursor, ply_record *record, ply_state *state)
{
    uint32_t node = 0;
    for (;;) {
        while (ply_cursor_accept(cursor, ' ') || ply_cursor_accept(cursor, '\t') ||
               ply_cursor_accept(cursor, '\r'))
            continue;
        int c = ply_cursor_peek(cursor);
        if (c < 0 || c == '\n')
            return PLY_OK;
        ply_cursor at = *cursor;
        fived_move_pattern pattern;
        ply_move move = FIVED_SUBMIT;
        ply_status status;
        if (c == 's') {
            status = fived_parse_move(&record->rules, state->position, cursor, &move);
        } else {
            status = fived_parse_move_pattern(cursor, &pattern);
            fived_board_ref *refs[2] = {&pattern.from, &pattern.to};
            const fived_position *p = state->position;
            for (int i = 0; i < 2 && p->even; i++)
                if (refs[i]->timeline.negative && refs[i]->timeline.number > 0)
                    refs[i]->timeline.number--; /* -1 means -0 */
            if (status == PLY_OK)
                status = fived_find_move(&record->rules, p, &pattern, &at, &move);
        }
        if (status != PLY_OK)
            return status;
        status = ply_state_play(state, move);
        if (status == PLY_OK)
            status = ply_record_add(record, node, move, &node);
        if (status != PLY_OK)
            return ply_cursor_fail(&at, status, "%s", ply_status_text(status));
    }
}

static ply_status read_uci(ply_cursor *cursor, ply_record *record, bool *found)
{
    ply_cursor_skip_space(cursor);
    *found = !ply_cursor_done(cursor);
    if (!*found)
        return PLY_OK;
    const char *word;
    ply_cursor at = *cursor;
    ply_status status = PLY_OK;
    if (!ply_cursor_accept_word(cursor, "position"))
        return ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected 'position'");
    ply_cursor_skip_space(cursor);
    if (ply_cursor_accept_word(cursor, "size")) {
        ply_cursor_skip_space(cursor);
        ply_cursor_word(cursor, &word);
        ply_cursor_skip_space(cursor);
    }
    if (!ply_cursor_accept_word(cursor, "odd"))
        ply_cursor_accept_word(cursor, "even");
    ply_cursor_skip_space(cursor);
    at = *cursor;
    if (ply_cursor_accept_word(cursor, "startpos")) {
        int32_t given[FIVED_OPTIONS];
        memcpy(given, record->rules.option, sizeof given);
        status = ply_rules_make(&record->rules, record->rules.game, "standard-turn-zero", NULL);
        memcpy(record->rules.option, given, sizeof given);
    } else if (ply_cursor_accept_word(cursor, "fen")) {
        bool has_boards;
        status = read_fen(cursor, record, &has_boards);
        if (status == PLY_OK && !has_boards)
            status = ply_cursor_fail(cursor, PLY_BAD_TEXT, "expected a board in [ ]");
    } else {
        status = ply_cursor_fail(&at, PLY_BAD_TEXT, "expected 'startpos' or 'fen'");
    }
    if (status != PLY_OK)
        return status;
    ply_cursor_skip_space(cursor);
    ply_state state;
    ply_error error = {0};
    status = ply_record_start_state(record, &state, &error);
    if (status != PLY_OK)
        return ply_cursor_fail(&at, status, "%s", error.message);
    if (ply_cursor_accept_word(cursor, "moves"))
        status = read_uci_moves(cursor, record, &state);
    ply_state_free(&state);
    return status;
}

static const char *const pgn_signs[] = {"[Board ",  "[Mode \"5D", "[Size ",   "(#T#",
                                        "(##T#",    "(-#T#",      "(+#T#",    "(-##T#",
                                        "#. * / @", "#.* / @",    "#. * / (", NULL};
static const char *const fen_signs[] = {"[*:*:*:w]", "[*:*:*:b]", NULL};
static const char *const uci_signs[] = {"^position startpos", "^position size", "^position fen",
                                        "^position odd",      "^position even", NULL};

const ply_format fived_formats[FIVED_FORMATS] = {
    {.id = "5dpgn",
     .name = "5DPGN",
     .extension = "5dpgn",
     .signs = pgn_signs,
     .read = fived_pgn_read,
     .write = write_pgn,
     .skip = ply_record_skip_tagged,
     .scores = PLY_SCORES_EVAL},
    {.id = "5dpgn-raw",
     .name = "5DPGN with all coordinates",
     .extension = "5dpgn",
     .signs = pgn_signs,
     .read = fived_pgn_read,
     .write = write_raw,
     .skip = ply_record_skip_tagged},
    {.id = "5dfen",
     .name = "5DFEN boards",
     .extension = "5dfen",
     .signs = fen_signs,
     .read = read_fen,
     .write = write_fen},
    {.id = "5duci",
     .name = "5DUCI position",
     .extension = "5duci",
     .signs = uci_signs,
     .read = read_uci,
     .write = write_uci},
};
