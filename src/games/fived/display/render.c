/* SPDX-License-Identifier: MIT */
/*
 * render.c - the multiverse for the terminal and for the web app, and notes about a position.
 *
 * The terminal shows a map first: a row for each timeline and two columns for each turn, which
 * stays readable with a hundred timelines. Then it shows the boards at the ends of the timelines,
 * and the boards before them while there are few timelines.
 */
#include "core/text/json_write.h"
#include "games/fived/notation/move_text.h"
#include "games/fived/notation/pgn.h"
#include "games/fived/rules/checks.h"
#include <ctype.h>
#include <string.h>

static const char *const colour_names[2] = {"White", "Black"};

/* A position to be shown, and where. */
typedef struct scene {
    const fived_position *p;
    int present, lo, hi; /* lo, hi: the active timelines */
    int first, last;     /* earliest and latest v of any board */
    unsigned flags;
    ply_text *out;
} scene;

static scene scene_of(const fived_position *p, unsigned flags, ply_text *out)
{
    scene k = {.p = p, .present = fived_position_present(p), .flags = flags, .out = out};
    fived_active_range(p, p->hi - p->start_hi, p->start_lo - p->lo, &k.lo, &k.hi);
    k.first = k.present;
    k.last = k.present;
    for (int l = p->lo; l <= p->hi; l++) {
        const fived_timeline *timeline = fived_position_timeline(p, l);
        k.first = timeline->start < k.first ? timeline->start : k.first;
        k.last = timeline->end > k.last ? timeline->end : k.last;
    }
    return k;
}

static bool is_active(const scene *k, int l)
{
    return l >= k->lo && l <= k->hi;
}

static bool is_playable(const scene *k, int l)
{
    return (fived_position_timeline(k->p, l)->end & 1) == k->p->side;
}

/* Whether a move is due: playable, active and at the present. */
static bool is_due(const scene *k, int l)
{
    return is_playable(k, l) && is_active(k, l) &&
           fived_position_timeline(k->p, l)->end == k->present;
}

/* The mark of an end board: a move is due, a move is possible, or neither. */
static const char *end_mark(const scene *k, int l)
{
    if (is_due(k, l))
        return "!";
    return is_playable(k, l) ? "?" : "";
}

static void timeline_name(const fived_position *p, int l, char name[16])
{
    ply_text text = ply_text_fixed(name, 16);
    fived_format_timeline(p->even, l, &text);
}

static void pad(ply_text *out, int count)
{
    while (count-- > 0)
        ply_text_char(out, ' ');
}

/* --- the map -------------------------------------------------------------------------------- */
enum { COLUMNS = 44 }; /* half-turns that fit on a terminal */

static void draw_map(const scene *k)
{
    ply_text *out = k->out;
    int from = k->last - k->first >= COLUMNS ? (k->last - COLUMNS + 2) & ~1 : k->first & ~1;
    pad(out, 8);
    for (int v = from; v <= k->last; v += 2)
        ply_text_format(out, "T%-3d", v >> 1);
    ply_text_char(out, '\n');
    for (int l = k->p->hi; l >= k->p->lo; l--) {
        const fived_timeline *timeline = fived_position_timeline(k->p, l);
        char name[16];
        timeline_name(k->p, l, name);
        ply_text_format(out, "%5s %c ", name, is_active(k, l) ? ' ' : '~');
        for (int v = from; v <= timeline->end; v++) {
            if (v < timeline->start)
                ply_text_string(out, "  ");
            else if (v < timeline->end)
                ply_text_format(out, "%s", v == from && timeline->start < from ? "< " : "- ");
            else
                ply_text_format(out, "%c%s", v & 1 ? 'B' : 'W', end_mark(k, l));
        }
        ply_text_char(out, '\n');
    }
    pad(out, 8 + 2 * (k->present - from));
    int t, c;
    fived_v_to_tc(k->present, &t, &c);
    ply_text_format(out, "^ the present: T%d, %s\n", t, colour_names[c]);
}

/* --- boards --------------------------------------------------------------------------------- */
typedef struct shown_board {
    int l, v;
} shown_board;

/* Whether a square is the location itself or the same square up to a turn later. */
static bool is_near(shown_board board, int x, int y, fived_location location)
{
    int later = board.v - 2 * location.t;
    return board.l == location.l && later >= 0 && later <= 2 && x == location.x && y == location.y;
}

/* Whether the last move left or reached the square. */
static bool is_marked(shown_board board, int x, int y, bool empty, ply_move last)
{
    if (last == PLY_MOVE_NONE || last == FIVED_SUBMIT)
        return false;
    return is_near(board, x, y, empty ? fived_move_from(last) : fived_move_to(last));
}

/* ANSI colours of a square and of what is on it. */
static int background(int x, int y, bool marked)
{
    enum { MARKED = 58, LIGHT = 240, DARK = 236 };
    if (marked)
        return MARKED;
    return (x + y) % 2 ? LIGHT : DARK;
}

static const char *foreground(fived_piece piece)
{
    if (!piece)
        return "38;5;246";
    return piece & FIVED_BLACK ? "1;38;5;215" : "1;97";
}

static void draw_square(const scene *k, shown_board board, int x, int y, ply_move last)
{
    fived_piece piece = fived_position_board(k->p, board.l, board.v)->square[x + 8 * y];
    bool colours = (k->flags & PLY_DRAW_COLOUR) != 0;
    bool marked = is_marked(board, x, y, piece == 0, last);
    if (colours)
        ply_text_format(k->out, "\033[48;5;%d;%sm", background(x, y, marked), foreground(piece));
    char letter = fived_kind_letter(fived_piece_kind(piece));
    ply_text_char(k->out, marked && !colours ? '>' : ' ');
    if (!piece)
        ply_text_string(k->out, k->flags & PLY_DRAW_ASCII ? "." : "\xC2\xB7");
    else
        ply_text_char(k->out, piece & FIVED_BLACK ? (char)tolower(letter) : letter);
    if (colours)
        ply_text_string(k->out, "\033[0m");
}

static void draw_boards(const scene *k, const shown_board *boards, int count, ply_move last)
{
    ply_text *out = k->out;
    const fived_position *p = k->p;
    int width = 2 * p->width + 4;
    ply_text_char(out, '\n');
    for (int i = 0; i < count; i++) {
        char title[48], name[16];
        timeline_name(p, boards[i].l, name);
        ply_text text = ply_text_fixed(title, sizeof title);
        bool end = boards[i].v == fived_position_timeline(p, boards[i].l)->end;
        int t, c;
        fived_v_to_tc(boards[i].v, &t, &c);
        ply_text_format(&text, "(%sT%d)%c%s", name, t, c ? 'b' : 'w',
                        end ? end_mark(k, boards[i].l) : "");
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
    scene k = scene_of(p, flags, out);
    shown_board row[ROW];
    int fit = WIDTH / (2 * p->width + 4), count = 0, timelines = p->hi - p->lo + 1;
    fit = fit > ROW ? ROW : fit;
    draw_map(&k);
    int before = timelines <= 4 ? fit - 1 : 0; /* earlier boards, while timelines are few */
    for (int l = p->hi; l >= p->lo; l--) {
        const fived_timeline *timeline = fived_position_timeline(p, l);
        int from =
            timeline->end - before > timeline->start ? timeline->end - before : timeline->start;
        for (int v = from; v <= timeline->end; v++)
            row[count++] = (shown_board){l, v};
        if (count == fit || before > 0 || l == p->lo) {
            draw_boards(&k, row, count, last);
            count = 0;
        }
    }
    ply_text_format(out, "%s to move\n", colour_names[p->side]);
}

/* --- JSON ----------------------------------------------------------------------------------- */
/* The members that say when a board is. */
static void json_time(int v, ply_text *out)
{
    int t, c;
    fived_v_to_tc(v, &t, &c);
    ply_json_member_unsigned(out, "t", (uint64_t)t);
    ply_json_member_string(out, "colour", c ? "black" : "white");
}

/* The members that name a board. */
static void json_board_name(const fived_position *p, int l, int v, ply_text *out)
{
    char name[16];
    timeline_name(p, l, name);
    ply_json_member_string(out, "line", name);
    json_time(v, out);
}

static void json_square(const scene *k, const char *member, int l, int v, int x, int y)
{
    char square[3] = {(char)('a' + x), (char)('1' + y), 0};
    ply_json_name(k->out, member);
    ply_json_open(k->out, '{');
    json_board_name(k->p, l, v, k->out);
    ply_json_member_string(k->out, "square", square);
    ply_json_close(k->out, '}');
}

static void json_threat(void *context, const fived_threat *t)
{
    const scene *k = context;
    ply_json_open(k->out, '{');
    json_square(k, "from", t->from_l, t->from_v, t->from_x, t->from_y);
    json_square(k, "to", t->to_l, t->to_v, t->to_x, t->to_y);
    ply_json_close(k->out, '}');
}

static void json_timeline(const scene *k, int l, ply_text *out)
{
    const fived_timeline *timeline = fived_position_timeline(k->p, l);
    char name[16];
    timeline_name(k->p, l, name);
    ply_json_open(out, '{');
    ply_json_name(out, "l");
    ply_json_signed(out, l);
    ply_json_member_string(out, "name", name);
    ply_json_member_bool(out, "active", is_active(k, l));
    ply_json_member_bool(out, "playable", is_playable(k, l));
    ply_json_member_bool(out, "due", is_due(k, l));
    int parent;
    if (fived_timeline_origin(k->p, l, &parent)) {
        ply_json_name(out, "parent");
        ply_json_open(out, '{');
        json_board_name(k->p, parent, timeline->start - 1, out);
        ply_json_close(out, '}');
    }
    ply_json_name(out, "boards");
    ply_json_open(out, '[');
    for (int v = timeline->start; v <= timeline->end; v++) {
        char ranks[160];
        ply_text text = ply_text_fixed(ranks, sizeof ranks);
        fived_format_board(k->p, timeline->boards[v - timeline->start], &text);
        ply_json_open(out, '{');
        json_time(v, out);
        ply_json_member_string(out, "ranks", ranks);
        ply_json_close(out, '}');
    }
    ply_json_close(out, ']');
    ply_json_close(out, '}');
}

void fived_json(const ply_rules *rules, const void *position, ply_text *out)
{
    const fived_position *p = position;
    scene k = scene_of(p, 0, out);
    fived_turn_query *q;
    char reason[160];
    ply_text text = ply_text_fixed(reason, sizeof reason);
    ply_json_member_unsigned(out, "width", p->width);
    ply_json_member_unsigned(out, "height", p->height);
    ply_json_name(out, "present");
    ply_json_open(out, '{');
    json_time(k.present, out);
    ply_json_close(out, '}');
    if (fived_turn_query_open(&q, rules, p) == PLY_OK) {
        fived_submit_reason(q, &text);
        ply_json_member_bool(out, "check", fived_turn_query_in_check(q));
        ply_json_member_bool(out, "may_submit", text.length == 0);
        ply_json_member_string(out, "submit_reason", reason);
    }
    fived_turn_query_close(q);
    ply_json_name(out, "checks");
    ply_json_open(out, '[');
    fived_visit_threats(rules, p, json_threat, &k);
    ply_json_close(out, ']');
    ply_json_name(out, "lines");
    ply_json_open(out, '[');
    for (int l = p->lo; l <= p->hi; l++)
        json_timeline(&k, l, out);
    ply_json_close(out, ']');
}

/* As in 5DPGN, without the marks that need the whole turn. */
void fived_display_move(const ply_rules *rules, const void *position, ply_move move, ply_move last,
                        ply_text *out)
{
    (void)last;
    fived_turn_query *q = NULL;
    if (move == FIVED_SUBMIT || (fived_pgn_move_needs_query(position, move) &&
                                 fived_turn_query_open(&q, rules, position) != PLY_OK)) {
        fived_format_move(rules, position, move, out);
        return;
    }
    fived_format_pgn_move(position, q, move, out);
    fived_turn_query_close(q);
}

/* --- notes ---------------------------------------------------------------------------------- */
static void write_notes(fived_turn_query *q, ply_text *out)
{
    const fived_position *p = q->position;
    char reason[160];
    ply_text text = ply_text_fixed(reason, sizeof reason);
    fived_submit_reason(q, &text);
    if (text.length > 0)
        ply_text_format(out, "submit: not yet: %s\n", reason);
    else
        ply_text_string(out, "submit: legal\n");
    bool check = fived_turn_query_in_check(q), exists = fived_turn_query_exists(q, false);
    if (check)
        ply_text_format(out, "%s is in check\n", colour_names[p->side]);
    if (q->status != PLY_OK)
        return; /* out of memory: the answers below would mean nothing */
    if (!exists)
        ply_text_string(out, check ? "checkmate\n" : "stalemate\n");
    else if (check && (fived_position_present(p) & 1) == p->side &&
             !fived_turn_query_exists(q, true) && q->status == PLY_OK)
        ply_text_string(out, "softmate: every legal turn moves the present back\n");
}

void fived_notes(const ply_rules *rules, const void *position, ply_text *out)
{
    fived_turn_query *q;
    if (fived_turn_query_open(&q, rules, position) == PLY_OK)
        write_notes(q, out);
    fived_turn_query_close(q);
}
