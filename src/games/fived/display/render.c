/* SPDX-License-Identifier: MIT */
/*
 * render.c - the multiverse for a terminal and for the page; what a player is told about it.
 *
 * The terminal gets a map first, a row for each timeline and two columns for each turn, which stays
 * readable with a hundred timelines; then the boards at the ends of the lines, with the boards
 * before them while there are few lines.
 */
#include "core/json_write.h"
#include "games/fived/notation/move_text.h"
#include "games/fived/notation/pgn.h"
#include "games/fived/rules/checks.h"
#include <ctype.h>
#include <string.h>

static const char *const colour_names[2] = {"White", "Black"};

typedef struct look {
    const fived_position *p;
    int present, lo, hi; /* lo, hi: the active lines */
    int first, last;     /* earliest and latest v of any board */
    unsigned flags;
    ply_text *out;
} look;

static look look_at(const fived_position *p, unsigned flags, ply_text *out)
{
    look k = {.p = p, .present = fived_position_present(p), .flags = flags, .out = out};
    fived_active_range(p, p->hi - p->hi0, p->lo0 - p->lo, &k.lo, &k.hi);
    k.first = k.present;
    k.last = k.present;
    for (int l = p->lo; l <= p->hi; l++) {
        const fived_line *line = fived_position_line(p, l);
        k.first = line->start < k.first ? line->start : k.first;
        k.last = line->end > k.last ? line->end : k.last;
    }
    return k;
}

static bool is_active(const look *k, int l)
{
    return l >= k->lo && l <= k->hi;
}

static bool is_playable(const look *k, int l)
{
    return (fived_position_line(k->p, l)->end & 1) == k->p->side;
}

/* Playable, active and at the present. */
static bool is_due(const look *k, int l)
{
    return is_playable(k, l) && is_active(k, l) && fived_position_line(k->p, l)->end == k->present;
}

static void line_name(const fived_position *p, int l, char name[16])
{
    ply_text text = ply_text_fixed(name, 16);
    fived_format_line(p, l, &text);
}

static void pad(ply_text *out, int count)
{
    while (count-- > 0)
        ply_text_char(out, ' ');
}

/* --- the map -------------------------------------------------------------------------------- */
enum { COLUMNS = 44 }; /* half-turns that fit a terminal */

static void draw_map(const look *k)
{
    ply_text *out = k->out;
    int from = k->last - k->first >= COLUMNS ? (k->last - COLUMNS + 2) & ~1 : k->first & ~1;
    pad(out, 8);
    for (int v = from; v <= k->last; v += 2)
        ply_text_format(out, "T%-3d", v >> 1);
    ply_text_char(out, '\n');
    for (int l = k->p->hi; l >= k->p->lo; l--) {
        const fived_line *line = fived_position_line(k->p, l);
        char name[16];
        line_name(k->p, l, name);
        ply_text_format(out, "%5s %c ", name, is_active(k, l) ? ' ' : '~');
        for (int v = from; v <= line->end; v++) {
            if (v < line->start)
                ply_text_string(out, "  ");
            else if (v < line->end)
                ply_text_format(out, "%s", v == from && line->start < from ? "< " : "- ");
            else
                ply_text_format(out, "%c%s", v & 1 ? 'B' : 'W',
                                is_due(k, l)        ? "!"
                                : is_playable(k, l) ? "?"
                                                    : "");
        }
        ply_text_char(out, '\n');
    }
    pad(out, 8 + 2 * (k->present - from));
    ply_text_format(out, "^ the present: T%d, %s\n", k->present >> 1, colour_names[k->present & 1]);
}

/* --- boards --------------------------------------------------------------------------------- */
typedef struct shown {
    int l, v;
} shown;

static void draw_square(const look *k, shown s, int x, int y, ply_move last)
{
    fived_piece piece = fived_position_board(k->p, s.l, s.v)->square[x + 8 * y];
    bool colours = (k->flags & PLY_DRAW_COLOUR) != 0, marked = false;
    if (last != PLY_MOVE_NONE && last != FIVED_SUBMIT) {
        fived_spot to = fived_move_to(last), from = fived_move_from(last);
        marked = (s.l == to.l && s.v >> 1 >= to.t && s.v - 2 * to.t <= 2 && x == to.x &&
                  y == to.y && piece) ||
                 (s.l == from.l && s.v - 2 * from.t <= 2 && s.v >> 1 >= from.t && x == from.x &&
                  y == from.y && !piece);
    }
    if (colours)
        ply_text_format(k->out, "\033[48;5;%d;%sm",
                        marked        ? 58
                        : (x + y) % 2 ? 240
                                      : 236,
                        !piece                ? "38;5;246"
                        : piece & FIVED_BLACK ? "1;38;5;215"
                                              : "1;97");
    char letter = fived_kind_letter(fived_piece_kind(piece));
    ply_text_char(k->out, marked && !colours ? '>' : ' ');
    if (!piece)
        ply_text_string(k->out, k->flags & PLY_DRAW_ASCII ? "." : "\xC2\xB7");
    else
        ply_text_char(k->out, piece & FIVED_BLACK ? (char)tolower(letter) : letter);
    if (colours)
        ply_text_string(k->out, "\033[0m");
}

static void draw_boards(const look *k, const shown *boards, int count, ply_move last)
{
    ply_text *out = k->out;
    const fived_position *p = k->p;
    int width = 2 * p->width + 4;
    ply_text_char(out, '\n');
    for (int i = 0; i < count; i++) {
        char title[48], name[16];
        line_name(p, boards[i].l, name);
        ply_text text = ply_text_fixed(title, sizeof title);
        bool end = boards[i].v == fived_position_line(p, boards[i].l)->end;
        ply_text_format(&text, "(%sT%d)%c%s", name, boards[i].v >> 1, boards[i].v & 1 ? 'b' : 'w',
                        !end                          ? ""
                        : is_due(k, boards[i].l)      ? "!"
                        : is_playable(k, boards[i].l) ? "?"
                                                      : "");
        ply_text_string(out, title);
        pad(out, width - (int)text.length);
        if (text.length >= (size_t)width)
            ply_text_char(out, ' ');
    }
    ply_text_char(out, '\n');
    for (int y = p->height - 1; y >= 0; y--) {
        for (int i = 0; i < count; i++) {
            ply_text_format(out, "%d", y + 1);
            for (int x = 0; x < p->width; x++)
                draw_square(k, boards[i], x, y, last);
            pad(out, 3);
        }
        ply_text_char(out, '\n');
    }
    for (int i = 0; i < count; i++) {
        ply_text_char(out, ' ');
        for (int x = 0; x < p->width; x++)
            ply_text_format(out, " %c", 'a' + x);
        pad(out, 3);
    }
    ply_text_char(out, '\n');
}

void fived_draw(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                ply_text *out)
{
    (void)rules;
    enum { WIDTH = 100, ROW = 16 };
    const fived_position *p = position;
    look k = look_at(p, flags, out);
    shown row[ROW];
    int fit = WIDTH / (2 * p->width + 4), count = 0, lines = p->hi - p->lo + 1;
    fit = fit > ROW ? ROW : fit;
    draw_map(&k);
    int before = lines <= 4 ? fit - 1 : 0; /* few lines: the boards before the end as well */
    for (int l = p->hi; l >= p->lo; l--) {
        const fived_line *line = fived_position_line(p, l);
        int from = line->end - before > line->start ? line->end - before : line->start;
        for (int v = from; v <= line->end; v++)
            row[count++] = (shown){l, v};
        if (count == fit || before > 0 || l == p->lo) {
            draw_boards(&k, row, count, last);
            count = 0;
        }
    }
    ply_text_format(out, "%s to move\n", colour_names[p->side]);
}

/* --- JSON ----------------------------------------------------------------------------------- */
/* Members that name a board. */
static void json_place(const fived_position *p, int l, int v, ply_text *out)
{
    char name[16];
    line_name(p, l, name);
    ply_json_member_string(out, "line", name);
    ply_json_member_unsigned(out, "t", (uint64_t)(v >> 1));
    ply_json_member_string(out, "colour", v & 1 ? "black" : "white");
}

static void json_spot(const look *k, const char *member, int l, int v, int x, int y)
{
    char square[3] = {(char)('a' + x), (char)('1' + y), 0};
    ply_json_name(k->out, member);
    ply_json_open(k->out, '{');
    json_place(k->p, l, v, k->out);
    ply_json_member_string(k->out, "square", square);
    ply_json_close(k->out, '}');
}

static void json_threat(void *context, const fived_threat *t)
{
    const look *k = context;
    ply_json_open(k->out, '{');
    json_spot(k, "from", t->from_l, t->from_v, t->from_x, t->from_y);
    json_spot(k, "to", t->to_l, t->to_v, t->to_x, t->to_y);
    ply_json_close(k->out, '}');
}

static void json_line(const look *k, int l, ply_text *out)
{
    const fived_line *line = fived_position_line(k->p, l);
    char name[16];
    line_name(k->p, l, name);
    ply_json_open(out, '{');
    ply_json_name(out, "l");
    ply_json_signed(out, l);
    ply_json_member_string(out, "name", name);
    ply_json_member_bool(out, "active", is_active(k, l));
    ply_json_member_bool(out, "playable", is_playable(k, l));
    ply_json_member_bool(out, "due", is_due(k, l));
    int parent;
    if (fived_line_origin(k->p, l, &parent)) {
        ply_json_name(out, "parent");
        ply_json_open(out, '{');
        json_place(k->p, parent, line->start - 1, out);
        ply_json_close(out, '}');
    }
    ply_json_name(out, "boards");
    ply_json_open(out, '[');
    for (int v = line->start; v <= line->end; v++) {
        char ranks[160];
        ply_text text = ply_text_fixed(ranks, sizeof ranks);
        fived_format_board(k->p, line->row[v - line->start], &text);
        ply_json_open(out, '{');
        ply_json_member_unsigned(out, "t", (uint64_t)(v >> 1));
        ply_json_member_string(out, "colour", v & 1 ? "black" : "white");
        ply_json_member_string(out, "ranks", ranks);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
    ply_json_close(out, '}');
}

void fived_json(const ply_rules *rules, const void *position, ply_text *out)
{
    const fived_position *p = position;
    look k = look_at(p, 0, out);
    fived_search s;
    char reason[160];
    ply_text text = ply_text_fixed(reason, sizeof reason);
    ply_json_member_unsigned(out, "width", p->width);
    ply_json_member_unsigned(out, "height", p->height);
    ply_json_name(out, "present");
    ply_json_open(out, '{');
    ply_json_member_unsigned(out, "t", (uint64_t)(k.present >> 1));
    ply_json_member_string(out, "colour", k.present & 1 ? "black" : "white");
    ply_json_close(out, '}');
    fived_search_init(&s);
    if (fived_search_prepare(&s, rules, p) == PLY_OK) {
        fived_submit_reason(&s, &text);
        ply_json_member_bool(out, "check", fived_in_check(&s, rules, p));
        ply_json_member_bool(out, "may_submit", text.length == 0);
        ply_json_member_string(out, "submit_reason", reason);
    }
    fived_search_free(&s);
    ply_json_name(out, "checks");
    ply_json_open(out, '[');
    fived_visit_threats(rules, p, json_threat, &k);
    ply_json_close(out, ']');
    ply_json_name(out, "lines");
    ply_json_open(out, '[');
    for (int l = p->lo; l <= p->hi; l++)
        json_line(&k, l, out);
    ply_json_close(out, ']');
}

/* As 5DPGN has it, without the marks that need the whole turn. */
void fived_display_move(const ply_rules *rules, const void *position, ply_move move, ply_move last,
                        ply_text *out)
{
    (void)last;
    fived_search s;
    fived_search_init(&s);
    if (move != FIVED_SUBMIT && fived_search_prepare(&s, rules, position) == PLY_OK)
        fived_format_pgn_move(&s, move, out);
    else
        fived_format_move(rules, position, move, out);
    fived_search_free(&s);
}

/* --- notes ---------------------------------------------------------------------------------- */
void fived_notes(const ply_rules *rules, const void *position, ply_text *out)
{
    const fived_position *p = position;
    fived_search s;
    char reason[160];
    ply_text text = ply_text_fixed(reason, sizeof reason);
    fived_search_init(&s);
    if (fived_search_prepare(&s, rules, p) == PLY_OK) {
        fived_submit_reason(&s, &text);
        if (text.length > 0)
            ply_text_format(out, "submit: not yet: %s\n", reason);
        else
            ply_text_string(out, "submit: legal\n");
        bool check = fived_in_check(&s, rules, p);
        if (check)
            ply_text_format(out, "%s is in check\n", colour_names[p->side]);
        if (!fived_search_exists(&s, false))
            ply_text_string(out, check ? "checkmate\n" : "stalemate\n");
        else if (check && (fived_position_present(p) & 1) == p->side &&
                 !fived_search_exists(&s, true))
            ply_text_string(out, "softmate: every legal turn moves the present back\n");
    }
    fived_search_free(&s);
}
