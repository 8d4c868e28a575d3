/* SPDX-License-Identifier: MIT */
/* kif_write.c - writing KIF and KI2; kif_read.c shows both formats. */
#include "games/shogi/notation/record_reader.h"
#include <string.h>

/* --- header and summary --------------------------------------------------------------------- */
/* Whether a line that begins with the name of a tag would be read as something else. */
static bool is_reserved(const char *name)
{
    static const char *const prefixes[] = {
        "手合割",     "手数",   "変化",   "まで",   "先手の持駒", "後手の持駒", "下手の持駒",
        "上手の持駒", "先手番", "後手番", "下手番", "上手番",     "▲",          "△",
        "▼",          "▽",      "☗",      "☖",      "　"};
    if (strspn(name, " \t*#&|+0123456789") > 0)
        return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static void write_tag(const char *name, const char *value, ply_text *out)
{
    if (!name[0])
        return;
    if (is_reserved(name))
        ply_text_char(out, '_');
    for (; *name; name++) {
        bool wide_colon = strncmp(name, "：", 3) == 0;
        ply_text_char(out, wide_colon || strchr(":\r\n", *name) ? '_' : *name);
        name += wide_colon ? 2 : 0;
    }
    ply_text_string(out, "：");
    shogi_kifu_write_one_line(value, out);
    ply_text_char(out, '\n');
}

/* The handicap or the start position, then the tags. */
static void write_header(const ply_record *record, const shogi_position *start, ply_text *out)
{
    const ply_variant *variant = shogi_kifu_start_variant(record);
    const char *handicap = variant ? shogi_kifu_variant_kanji(variant) : NULL;
    if (handicap)
        ply_text_format(out, "手合割：%s\n", handicap);
    else
        shogi_kifu_format_diagram(start, out);
    /* In handicap games the players are 下手 and 上手. */
    bool uneven = handicap && variant != shogi_variant_at(0);
    for (size_t i = 0; i < record->tag_count; i++) {
        const char *name = shogi_kifu_tag_to_kanji(record->tags[i].name);
        if (strcmp(name, "手合割") == 0)
            continue; /* written above */
        if (uneven && strcmp(name, "先手") == 0)
            name = "下手";
        else if (uneven && strcmp(name, "後手") == 0)
            name = "上手";
        write_tag(name, record->tags[i].value, out);
    }
}

/* The last line, such as まで77手で先手の勝ち. */
static void write_summary(const ply_record *record, size_t plies, int turn, ply_text *out)
{
    const kifu_ending *ending = shogi_kifu_ending_of(record, turn);
    const ply_variant *variant = shogi_kifu_start_variant(record);
    bool uneven = variant && variant != shogi_variant_at(0) && shogi_kifu_variant_kanji(variant);
    if (record->result == PLY_ONGOING && !ending)
        return;
    ply_text_format(out, "まで%zu手で", plies);
    if (record->result != PLY_FIRST_WINS && record->result != PLY_SECOND_WINS) {
        ply_text_format(out, "%s\n", ending ? ending->kanji : "引き分け");
        return;
    }
    bool black = record->result == PLY_FIRST_WINS;
    if (ending && strcmp(ending->kanji, "詰み") == 0 && black == (turn == SHOGI_WHITE)) {
        ply_text_string(out, "詰み\n"); /* who has won goes without saying */
        return;
    }
    static const char *const reasons[][2] = {
        {"illegal-move", "反則により"}, {"perpetual-check", "反則により"},
        {"timeout", "時間切れにより"},  {"entering-king", "入玉により"},
        {"mate", "詰みにより"},         {"no-move", "詰みにより"},
        {"no-show", "不戦により"},      {"try", "トライにより"}};
    for (size_t i = 0; record->ending && i < sizeof reasons / sizeof reasons[0]; i++)
        if (strcmp(reasons[i][0], record->ending) == 0)
            ply_text_string(out, reasons[i][1]);
    ply_text_format(out, "%sの勝ち\n",
                    uneven ? (black ? "下手" : "上手") : (black ? "先手" : "後手"));
}

/* --- moves ---------------------------------------------------------------------------------- */
enum { KI2_MOVES_PER_LINE = 6 };

typedef struct kifu_writer {
    const ply_record *record;
    ply_state state;
    ply_text *out;
    bool ki2;
    unsigned on_line;  /* KI2: moves on the current line of text */
    uint64_t spent[2]; /* KIF: milliseconds that each player has used in this variation */
} kifu_writer;

/* Writes the time spent on a move or on the ending, and the player's total. */
static void write_kif_time(kifu_writer *w, int32_t spent)
{
    if (spent < 0)
        return;
    int side = ((const shogi_position *)w->state.position)->side;
    uint64_t millis = (uint64_t)spent;
    uint64_t total = (w->spent[side] += millis) / 1000, now = millis / 1000;
    ply_text_format(w->out, " (%2llu:%02llu", (unsigned long long)(now / 60),
                    (unsigned long long)(now % 60));
    if (millis % 1000)
        ply_text_format(w->out, ".%03u", (unsigned)(millis % 1000));
    ply_text_format(w->out, "/%02llu:%02llu:%02llu)", (unsigned long long)(total / 3600),
                    (unsigned long long)(total / 60 % 60), (unsigned long long)(total % 60));
}

static void write_kif_move(kifu_writer *w, uint32_t n, ply_move last)
{
    const ply_record_node *node = &w->record->nodes[n];
    const shogi_position *p = w->state.position;
    char text[PLY_MOVE_TEXT];
    ply_text move = ply_text_fixed(text, sizeof text);
    shogi_kifu_format_kif_move(p, node->move, last, &move);
    ply_text_format(w->out, "%4zu %s", w->state.plies + 1, text);
    write_kif_time(w, node->millis);
    ply_text_char(w->out, '\n');
}

static void end_ki2_line(kifu_writer *w)
{
    if (w->ki2 && w->on_line > 0)
        ply_text_char(w->out, '\n');
    w->on_line = 0;
}

static void write_ki2_move(kifu_writer *w, uint32_t n, ply_move last)
{
    const shogi_position *p = w->state.position;
    char text[PLY_MOVE_TEXT];
    ply_text move = ply_text_fixed(text, sizeof text);
    shogi_kifu_format_ki2_move(p, w->record->nodes[n].move, last, &move);
    if (w->on_line == KI2_MOVES_PER_LINE)
        end_ki2_line(w);
    ply_text_format(w->out, "%s%s%s", w->on_line ? "    " : "", p->side == SHOGI_BLACK ? "▲" : "△",
                    text);
    w->on_line++;
}

/* Writes and plays the variation that begins with node `first`. */
static ply_status write_moves_from(kifu_writer *w, uint32_t first)
{
    const ply_record_node *nodes = w->record->nodes;
    for (uint32_t n = first; n; n = nodes[n].child) {
        ply_move last = nodes[n].parent ? nodes[nodes[n].parent].move : PLY_MOVE_NONE;
        if (w->ki2)
            write_ki2_move(w, n, last);
        else
            write_kif_move(w, n, last);
        if (nodes[n].comment) {
            end_ki2_line(w);
            shogi_kifu_write_comment(nodes[n].comment, "*", w->out);
        }
        ply_status status = ply_state_play(&w->state, nodes[n].move);
        if (status != PLY_OK)
            return status;
    }
    end_ki2_line(w);
    return PLY_OK;
}

/* The last node of the variation that begins at n. */
static uint32_t variation_end(const ply_record_node *nodes, uint32_t n)
{
    while (nodes[n].child)
        n = nodes[n].child;
    return n;
}

/* Sets the time that both players have used before node n, at which it is the writer's turn. */
static void sum_times_before(kifu_writer *w, uint32_t n)
{
    const ply_record_node *nodes = w->record->nodes;
    int side = ((const shogi_position *)w->state.position)->side;
    w->spent[0] = w->spent[1] = 0;
    for (uint32_t a = nodes[n].parent; a; a = nodes[a].parent) {
        side = !side;
        w->spent[side] += nodes[a].millis > 0 ? (uint64_t)nodes[a].millis : 0;
    }
}

/*
 * Writes the alternatives to the moves of the variation that begins at `first`, those of its last
 * moves first, each followed by its own alternatives. So the move number after 変化 always refers to
 * the variation above it. Takes back the moves on the way, down to the position before `first`.
 */
static ply_status write_variations(kifu_writer *w, uint32_t first)
{
    const ply_record_node *nodes = w->record->nodes;
    ply_status status = PLY_OK;
    for (uint32_t n = variation_end(nodes, first); status == PLY_OK; n = nodes[n].parent) {
        ply_state_undo(&w->state);
        /* Only the first child continues a variation; its siblings are the alternatives. */
        bool is_first = nodes[nodes[n].parent].child == n;
        for (uint32_t v = is_first ? nodes[n].sibling : 0; v && status == PLY_OK;
             v = nodes[v].sibling) {
            ply_text_format(w->out, "\n変化：%zu手\n", w->state.plies + 1);
            sum_times_before(w, v);
            status = write_moves_from(w, v);
            if (status == PLY_OK)
                status = write_variations(w, v);
        }
        if (n == first)
            break;
    }
    return status;
}

static ply_status write_record(const ply_record *record, ply_text *out, ply_error *error, bool ki2)
{
    kifu_writer w = {.record = record, .out = out, .ki2 = ki2};
    ply_status status = ply_record_start_state(record, &w.state, error);
    if (status != PLY_OK)
        return status;
    write_header(record, w.state.position, out);
    if (!ki2)
        ply_text_string(out, "手数----指手---------消費時間--\n");
    shogi_kifu_write_comment(record->nodes[0].comment, "*", out);
    uint32_t first = record->nodes[0].child;
    status = write_moves_from(&w, first);
    if (status == PLY_OK) {
        int turn = ((const shogi_position *)w.state.position)->side;
        const kifu_ending *ending = shogi_kifu_ending_of(record, turn);
        if (!ki2 && ending) {
            ply_text_format(out, "%4zu %s", w.state.plies + 1, ending->kanji);
            write_kif_time(&w, record->nodes[0].millis);
            ply_text_char(out, '\n');
        }
        write_summary(record, w.state.plies, turn, out);
        if (first)
            status = write_variations(&w, first);
    }
    ply_text_char(out, '\n');
    ply_state_free(&w.state);
    return status == PLY_OK ? status : ply_error_set(error, status, "%s", ply_status_text(status));
}

ply_status shogi_kifu_write_kif(const ply_record *record, ply_text *out, ply_error *error)
{
    return write_record(record, out, error, false);
}

ply_status shogi_kifu_write_ki2(const ply_record *record, ply_text *out, ply_error *error)
{
    return write_record(record, out, error, true);
}
