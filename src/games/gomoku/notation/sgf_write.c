/* SPDX-License-Identifier: MIT */
/* sgf_write.c - writing Smart Game Format; sgf_read.c describes the format. */
#include "games/gomoku/notation/formats.h"
#include <string.h>

static void write_value(const char *text, ply_text *out)
{
    ply_text_char(out, '[');
    for (; *text; text++) {
        if (*text == ']' || *text == '\\')
            ply_text_char(out, '\\');
        ply_text_char(out, *text);
    }
    ply_text_char(out, ']');
}

static void write_point(const ply_rules *rules, ply_move move, ply_text *out)
{
    ply_text_char(out, '[');
    if (move != GOMOKU_PASS) {
        int cell = gomoku_move_cell(move), x = gomoku_x(cell);
        int y = gomoku_height(rules) - 1 - gomoku_y(cell);
        ply_text_char(out, (char)(x < 26 ? 'a' + x : 'A' + x - 26));
        ply_text_char(out, (char)(y < 26 ? 'a' + y : 'A' + y - 26));
    }
    ply_text_char(out, ']');
}

static void write_node(const ply_record *record, uint32_t n, int side, ply_text *out)
{
    static const char *const properties[] = {"",      "TE[1]", "BM[1]", "TE[2]",
                                             "BM[2]", "IT[]",  "DO[]"};
    const ply_record_node *node = &record->nodes[n];
    ply_text_format(out, ";%c", side ? 'W' : 'B');
    write_point(&record->rules, node->move, out);
    for (unsigned i = 0; i < node->nag_count; i++)
        if (node->nags[i] >= 1 && node->nags[i] <= 6)
            ply_text_string(out, properties[node->nags[i]]);
    if (node->comment) {
        ply_text_char(out, 'C');
        write_value(node->comment, out);
    }
}

/* Writes everything below a node. Black and White alternate, passes included. */
static void write_below(const ply_record *record, uint32_t parent, int side, ply_text *out)
{
    const ply_record_node *nodes = record->nodes;
    size_t column = 0;
    while (nodes[parent].child && !nodes[nodes[parent].child].sibling) {
        parent = nodes[parent].child;
        if (column++ % 12 == 0)
            ply_text_char(out, '\n');
        write_node(record, parent, side, out);
        side = !side;
    }
    for (uint32_t v = nodes[parent].child; v; v = nodes[v].sibling) {
        ply_text_string(out, "\n(");
        write_node(record, v, side, out);
        write_below(record, v, !side, out);
        ply_text_char(out, ')');
    }
}

static void write_setup(const ply_rules *rules, const gomoku_position *p, ply_text *out)
{
    for (int colour = 0; colour < 2; colour++) {
        bool named = false;
        for (int y = 0; y < gomoku_height(rules); y++)
            for (int x = 0; x < gomoku_width(rules); x++) {
                int cell = gomoku_cell(x, y);
                if (gomoku_at(p->lines, cell) != colour)
                    continue;
                if (!named)
                    ply_text_format(out, "A%c", colour ? 'W' : 'B');
                named = true;
                write_point(rules, gomoku_move(cell), out);
            }
    }
    ply_text_format(out, "PL[%c]", p->side ? 'W' : 'B');
}

static void write_rules_and_size(const ply_rules *rules, ply_text *out)
{
    char text[128];
    ply_text name = ply_text_fixed(text, sizeof text);
    ply_rules plain = *rules;
    plain.option[GOMOKU_OPTION_WIDTH] = plain.option[GOMOKU_OPTION_HEIGHT] = 15;
    ply_rules_format(&plain, &name);
    if (gomoku_width(rules) == gomoku_height(rules))
        ply_text_format(out, "SZ[%d]", gomoku_width(rules));
    else
        ply_text_format(out, "SZ[%d:%d]", gomoku_width(rules), gomoku_height(rules));
    ply_text_format(out, "RU[%s]", text);
}

static void write_result(const ply_record *record, ply_text *out)
{
    const char *ending = record->ending ? record->ending : "";
    const char *how = strcmp(ending, "resign") == 0    ? "R"
                      : strcmp(ending, "time") == 0    ? "T"
                      : strcmp(ending, "forfeit") == 0 ? "F"
                                                       : "";
    if (record->result == PLY_DRAW)
        ply_text_string(out, "RE[0]");
    else if (record->result != PLY_ONGOING)
        ply_text_format(out, "RE[%c+%s]", record->result == PLY_FIRST_WINS ? 'B' : 'W', how);
}

/* Writes a tag as a property: under its SGF name, or under its own if that can be one. */
static void write_tag(const ply_record_tag *tag, ply_text *out)
{
    static const char *const reserved[] = {"FF", "GM", "SZ", "CA", "AP", "AB", "AW", "AE",
                                           "PL", "B",  "W",  "C",  "TE", "BM", "IT", "DO"};
    const char *property = NULL;
    for (size_t i = 0; i < GOMOKU_SGF_TAGS; i++)
        if (strcmp(tag->name, gomoku_sgf_tags[i].tag) == 0)
            property = gomoku_sgf_tags[i].property;
    if (!property && tag->name[0] && strlen(tag->name) < GOMOKU_SGF_ID &&
        strspn(tag->name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(tag->name))
        property = tag->name;
    for (size_t i = 0; property && i < sizeof reserved / sizeof reserved[0]; i++)
        if (strcmp(property, reserved[i]) == 0)
            return;
    if (property) {
        ply_text_string(out, property);
        write_value(tag->value, out);
    }
}

ply_status gomoku_write_sgf(const ply_record *record, ply_text *out, ply_error *error)
{
    ply_state start;
    ply_status status = ply_record_start_state(record, &start, error);
    if (status != PLY_OK)
        return status;
    const gomoku_position *p = start.position;
    if (p->passes || p->ended >= GOMOKU_LOST_BY_FORBIDDEN) {
        ply_state_free(&start);
        return ply_error_set(error, PLY_UNSUPPORTED,
                             "sgf cannot hold a start position after a pass or a forbidden point");
    }
    ply_text_string(out, "(;FF[4]GM[4]CA[UTF-8]AP[plyverse]");
    write_rules_and_size(&record->rules, out);
    for (size_t i = 0; i < record->tag_count; i++)
        if (strcmp(record->tags[i].name, "RU") != 0)
            write_tag(&record->tags[i], out);
    write_result(record, out);
    if (record->start)
        write_setup(&record->rules, p, out);
    if (record->nodes[0].comment) {
        ply_text_char(out, 'C');
        write_value(record->nodes[0].comment, out);
    }
    write_below(record, 0, p->side, out);
    ply_text_string(out, ")\n\n");
    ply_state_free(&start);
    return PLY_OK;
}
