/* SPDX-License-Identifier: MIT */
/*
 * pdn_write.c - writes Portable Draughts Notation 3.0.
 *
 * Follows the standard: the tags, with a full GameType and with FEN if the game does not start as
 * usual; moves in the notation and with the capture sign of the game type; the whole path of a
 * capture only where the short form is ambiguous; annotations right after their moves; and '*' as
 * the only separator.
 */
#include "games/checkers/notation/pdn.h"
#include <string.h>

enum { LINE_LENGTH = 80 };

typedef struct writer {
    const ply_record *record;
    ply_state state;
    ply_text *out;
    size_t line_start;
    unsigned number;   /* of the next full move */
    bool needs_number; /* the next move is numbered even if it is the second player's */
    bool no_space;     /* the next word follows an opening parenthesis */
} writer;

static void write_word(writer *w, const char *word, size_t length)
{
    if (w->out->length > w->line_start && !w->no_space) {
        if (w->out->length - w->line_start + length + 1 > LINE_LENGTH) {
            ply_text_char(w->out, '\n');
            w->line_start = w->out->length;
        } else {
            ply_text_char(w->out, ' ');
        }
    }
    ply_text_bytes(w->out, word, length);
    w->no_space = false;
}

/* A comment may be long and contain line breaks. */
static void write_comment(writer *w, const char *comment)
{
    ply_text text = ply_text_growing();
    ply_text_char(&text, '{');
    for (const char *c = comment; *c; c++)
        ply_text_char(&text, *c == '}' ? ')' : *c);
    ply_text_char(&text, '}');
    write_word(w, ply_text_cstr(&text), text.failed ? 0 : text.length);
    w->out->failed = w->out->failed || text.failed;
    ply_text_free(&text);
    w->needs_number = true;
}

/* Whether the player who moves first is to move. */
static bool is_first_player(const writer *w)
{
    return checkers_side(&w->record->rules, w->state.position) == 0;
}

static void write_node(writer *w, uint32_t n)
{
    const ply_record_node *node = &w->record->nodes[n];
    const ply_rules *rules = &w->record->rules;
    char buffer[PLY_MOVE_TEXT + 32];
    ply_text text = ply_text_fixed(buffer, sizeof buffer);
    if (node->setup) {
        ply_text setup = ply_text_growing();
        ply_text_format(&setup, "/FEN \"%s\"/", node->setup);
        write_word(w, ply_text_cstr(&setup), setup.failed ? 0 : setup.length);
        w->out->failed = w->out->failed || setup.failed;
        ply_text_free(&setup);
        w->needs_number = true;
    } else {
        if (is_first_player(w) || w->needs_number) {
            ply_text_format(&text, is_first_player(w) ? "%u." : "%u...", w->number);
            write_word(w, buffer, text.length);
            text = ply_text_fixed(buffer, sizeof buffer);
        }
        w->needs_number = false;
        checkers_format_move(rules, w->state.position, node->move, &text);
    }
    unsigned first = 0;
    if (!node->setup && node->nag_count > 0) {
        unsigned nag = node->nags[0];
        bool parentheses = nag > CHECKERS_NAG_PARENTHESES && nag < CHECKERS_NAG_PARENTHESES + 7;
        if (parentheses)
            ply_text_format(&text, "(%s)", checkers_annotations[nag - CHECKERS_NAG_PARENTHESES]);
        else if (nag >= 1 && nag < 7)
            ply_text_string(&text, checkers_annotations[nag]);
        first = parentheses || (nag >= 1 && nag < 7);
    }
    if (!node->setup)
        write_word(w, buffer, text.length);
    for (unsigned i = first; i < node->nag_count; i++) {
        text = ply_text_fixed(buffer, sizeof buffer);
        ply_text_format(&text, "$%u", node->nags[i]);
        write_word(w, buffer, text.length);
    }
    if (node->comment)
        write_comment(w, node->comment);
}

static ply_status write_children(writer *w, uint32_t parent);

/* Plays the move or setup of a node without writing anything. */
static ply_status enter(writer *w, uint32_t n)
{
    if (!w->record->nodes[n].setup && !is_first_player(w))
        w->number++;
    return ply_record_enter(w->record, n, &w->state, NULL);
}

static ply_status write_variation(writer *w, uint32_t n)
{
    ply_state before;
    unsigned number = w->number;
    ply_status status = ply_state_copy(&before, &w->state);
    if (status != PLY_OK)
        return status;
    write_word(w, "(", 1);
    w->no_space = w->needs_number = true;
    write_node(w, n);
    status = enter(w, n);
    if (status == PLY_OK)
        status = write_children(w, n);
    ply_text_char(w->out, ')');
    ply_state_free(&w->state);
    w->state = before;
    w->number = number;
    w->needs_number = true;
    return status;
}

/* Writes everything below a node; the state is left at the end of its main variation. */
static ply_status write_children(writer *w, uint32_t parent)
{
    const ply_record_node *nodes = w->record->nodes;
    ply_status status = PLY_OK;
    for (uint32_t n; status == PLY_OK && (n = nodes[parent].child) != 0; parent = n) {
        write_node(w, n);
        for (uint32_t v = nodes[n].sibling; v && status == PLY_OK; v = nodes[v].sibling)
            status = write_variation(w, v);
        if (status == PLY_OK)
            status = enter(w, n);
    }
    return status;
}

/* --- tags ----------------------------------------------------------------------------------- */
static void write_tag(ply_text *out, const char *name, const char *value)
{
    bool capital = name[0] >= 'A' && name[0] <= 'Z';
    ply_text_char(out, '[');
    if (!capital)
        ply_text_string(out, "X_");
    for (const char *c = name; *c; c++) {
        bool good = (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') ||
                    (*c >= '0' && *c <= '9') || *c == '_';
        ply_text_char(out, good ? *c : '_');
    }
    ply_text_string(out, " \"");
    for (const char *c = value; *c; c++) {
        if (*c == '"')
            ply_text_char(out, '\\');
        ply_text_char(out, *c == '\n' || *c == '\r' ? ' ' : *c);
        if (*c == '\\' && c[1] == '\0')
            ply_text_char(out, ' '); /* or it would escape the closing quote */
    }
    ply_text_string(out, "\"]\n");
}

/* The text of the tag if it means the record's result, such as 2-0; else the standard text. */
static const char *result_text(const ply_record *record)
{
    const char *tag = ply_record_tag_value(record, "Result");
    ply_result result;
    if (tag && checkers_result_read(&record->rules, tag, strlen(tag), &result) &&
        result == record->result)
        return tag;
    if (record->ending && strcmp(record->ending, "double-loss") == 0)
        return "0-0";
    return checkers_result_text(&record->rules, record->result);
}

/* start: the FEN of the start position, or NULL for the usual one. */
static void write_tags(const ply_record *record, const char *start, ply_text *out)
{
    char gametype[64];
    ply_text type = ply_text_fixed(gametype, sizeof gametype);
    checkers_gametype_write(&record->rules, &type);
    bool has_result = false, has_type = false, has_fen = false;
    for (size_t i = 0; i < record->tag_count; i++) {
        const char *name = record->tags[i].name, *value = record->tags[i].value;
        if (strcmp(name, "Result") == 0) {
            value = result_text(record);
            has_result = true;
        } else if (strcmp(name, "GameType") == 0) {
            value = gametype;
            has_type = true;
        } else if (strcmp(name, "FEN") == 0) {
            if (!start)
                continue;
            value = start;
            has_fen = true;
        }
        write_tag(out, name, value);
    }
    if (!has_result)
        write_tag(out, "Result", result_text(record));
    if (!has_type)
        write_tag(out, "GameType", gametype);
    if (start && !has_fen)
        write_tag(out, "FEN", start);
}

ply_status checkers_pdn_write(const ply_record *record, ply_text *out, ply_error *error)
{
    writer w = {.record = record, .out = out, .number = 1, .needs_number = true};
    ply_status status = ply_record_start_state(record, &w.state, error);
    if (status != PLY_OK)
        return status;
    /* Without a FEN tag, a setup in place of the first move would be read as the start position. */
    bool needs_start = record->start != NULL;
    for (uint32_t n = record->nodes[0].child; n; n = record->nodes[n].sibling)
        needs_start = needs_start || record->nodes[n].setup;
    ply_text start = ply_text_growing();
    if (needs_start)
        checkers_format(&record->rules, w.state.position, &start);
    write_tags(record, needs_start ? ply_text_cstr(&start) : NULL, out);
    out->failed = out->failed || start.failed;
    ply_text_free(&start);
    w.line_start = out->length;
    if (record->nodes[0].comment)
        write_comment(&w, record->nodes[0].comment);
    status = write_children(&w, 0);
    write_word(&w, "*", 1);
    ply_text_string(out, "\n\n");
    ply_state_free(&w.state);
    return status == PLY_OK ? status : ply_error_set(error, status, "%s", ply_status_text(status));
}
