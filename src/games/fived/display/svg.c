/* SPDX-License-Identifier: MIT */
/*
 * svg.c - the multiverse of 5D chess as SVG: a row for each timeline, a column for each half-turn.
 *
 * Every board is drawn, so the drawing grows with the game: some 2 KB for each board.
 */
#include "model/svg.h"
#include "games/fived/notation/position_text.h"
#include "games/fived/rules/checks.h"

enum { SQUARE = PLY_SVG_SQUARE, MARGIN = 40, GAP = 120, TITLE = 70 };

typedef struct chessman {
    char kind;
    const char *body, *line, *dots; /* on a square of 100x100 */
} chessman;

static const chessman chessmen[] = {
#include "games/fived/display/chessmen.inc"
};

typedef struct scene {
    const fived_position *p;
    ply_move last;
    int first; /* v of the leftmost column */
    bool flipped;
    ply_text *out;
} scene;

/* Defines the pieces that some board has; bit k of kinds[colour] stands for kind k. */
static void write_shapes(const uint32_t kinds[2], ply_text *out)
{
    static const char *const bodies[2] = {"#fffdf8", "#3b362f"}, *const lines[2] = {"#1d1a16",
                                                                                    "#efe6d6"};
    ply_text_string(out, "<defs>\n");
    for (size_t i = 0; i < sizeof chessmen / sizeof chessmen[0]; i++)
        for (int colour = 0; colour < 2; colour++)
            for (int kind = 1; kind < FIVED_KINDS; kind++)
                if ((kinds[colour] >> kind & 1) &&
                    fived_kind_letter((fived_kind)kind) == chessmen[i].kind)
                    ply_text_format(out,
                                    "<g id=\"ply-man-%c%c\"><path fill=\"%s\" stroke=\"#1d1a16\" "
                                    "stroke-width=\"4\" stroke-linejoin=\"round\" d=\"%s\"/><path "
                                    "fill=\"none\" stroke=\"%s\" stroke-width=\"3\" "
                                    "stroke-linecap=\"round\" d=\"%s\"/><path fill=\"%s\" "
                                    "d=\"%s\"/></g>\n",
                                    colour ? 'b' : 'w', chessmen[i].kind, bodies[colour],
                                    chessmen[i].body, lines[colour], chessmen[i].line,
                                    lines[colour], chessmen[i].dots);
    ply_text_string(out, "</defs>\n");
}

static int row_height(const fived_position *p)
{
    return p->height * SQUARE + 2 * MARGIN + TITLE + GAP;
}

static int column_width(const fived_position *p)
{
    return p->width * SQUARE + 2 * MARGIN + GAP;
}

/* The corner of a board's first square; later half-turns are to the right, higher timelines above. */
static void board_origin(const scene *s, int l, int v, int *x, int *y)
{
    int row = s->flipped ? l - s->p->lo : s->p->hi - l;
    *x = (v - s->first) * column_width(s->p);
    *y = row * row_height(s->p);
}

static ply_svg_box square_box(const scene *s, int left, int top, int x, int y)
{
    const fived_position *p = s->p;
    return (ply_svg_box){left + (s->flipped ? p->width - 1 - x : x) * SQUARE,
                         top + (s->flipped ? y : p->height - 1 - y) * SQUARE, SQUARE, SQUARE};
}

/* Whether the last move left a square of this board, or reached it. */
static bool is_marked(const scene *s, int l, int v, int x, int y)
{
    if (s->last == PLY_MOVE_NONE || s->last == FIVED_SUBMIT)
        return false;
    fived_location from = fived_move_from(s->last), to = fived_move_to(s->last);
    int mover = s->p->side; /* the turn is not over, or it ended with a submit */
    return (from.l == l && 2 * from.t + mover == v && from.x == x && from.y == y) ||
           (to.l == l && 2 * to.t + mover == v && to.x == x && to.y == y);
}

static void write_board(const scene *s, int l, int v)
{
    const fived_position *p = s->p;
    const fived_board *board = fived_position_board(p, l, v);
    int left, top, t, colour;
    char name[16], title[40];
    board_origin(s, l, v, &left, &top);
    fived_v_to_tc(v, &t, &colour);
    ply_text text = ply_text_fixed(name, sizeof name);
    fived_format_timeline(p->even, l, &text);
    text = ply_text_fixed(title, sizeof title);
    ply_text_format(&text, "(%sT%d)%c", name, t, colour ? 'b' : 'w');
    ply_svg_label(s->out, left + p->width * SQUARE / 2, top - MARGIN - 20, 52, "#7a7468", title);
    ply_svg_rect(s->out,
                 (ply_svg_box){left - MARGIN, top - MARGIN, p->width * SQUARE + 2 * MARGIN,
                               p->height * SQUARE + 2 * MARGIN},
                 24, colour ? "#4b463e" : "#dcd5c6");
    ply_svg_rect(s->out, (ply_svg_box){left, top, p->width * SQUARE, p->height * SQUARE}, 0,
                 "#ece4d4");
    ply_text_string(s->out, "<path fill=\"#b4997b\" d=\"");
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            if ((x + y) % 2 == 0) {
                ply_svg_box box = square_box(s, left, top, x, y);
                ply_text_format(s->out, "M%d %dh%dv%dh-%dz", box.x, box.y, SQUARE, SQUARE, SQUARE);
            }
    ply_text_string(s->out, "\"/>\n");
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            fived_piece piece = board->square[x + 8 * y];
            ply_svg_box box = square_box(s, left, top, x, y);
            if (is_marked(s, l, v, x, y))
                ply_svg_mark(s->out, box);
            if (piece)
                ply_text_format(s->out, "<use href=\"#ply-man-%c%c\" x=\"%d\" y=\"%d\"/>\n",
                                piece & FIVED_BLACK ? 'b' : 'w',
                                fived_kind_letter(fived_piece_kind(piece)), box.x, box.y);
        }
}

/* A line through the boards of a timeline, and from the board that it branched off. */
static void write_timeline(const scene *s, int l)
{
    const fived_position *p = s->p;
    const fived_timeline *timeline = fived_position_timeline(p, l);
    int x, y, parent, middle = p->height * SQUARE / 2;
    ply_text_string(s->out, "<path fill=\"none\" stroke=\"#0b6e69\" stroke-opacity=\".5\" "
                            "stroke-width=\"36\" stroke-linecap=\"round\" d=\"M");
    if (fived_timeline_origin(p, l, &parent)) {
        board_origin(s, parent, timeline->start - 1, &x, &y);
        ply_text_format(s->out, "%d %dL", x + p->width * SQUARE / 2, y + middle);
    }
    board_origin(s, l, timeline->start, &x, &y);
    ply_text_format(s->out, "%d %dH", x, y + middle);
    board_origin(s, l, timeline->end, &x, &y);
    ply_text_format(s->out, "%d\"/>\n", x + p->width * SQUARE + MARGIN + GAP / 3);
}

void fived_svg(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
               ply_text *out)
{
    const fived_position *p = position;
    uint32_t kinds[2] = {0, 0};
    int first = fived_position_timeline(p, p->lo)->start, end = first;
    for (int l = p->lo; l <= p->hi; l++) {
        const fived_timeline *timeline = fived_position_timeline(p, l);
        first = timeline->start < first ? timeline->start : first;
        end = timeline->end > end ? timeline->end : end;
        for (int v = timeline->start; v <= timeline->end; v++)
            for (int square = 0; square < 64; square++) {
                fived_piece piece = timeline->boards[v - timeline->start]->square[square];
                kinds[(piece & FIVED_BLACK) != 0] |= 1u << fived_piece_kind(piece);
            }
    }
    scene s = {p, last, first, (flags & PLY_SVG_FLIPPED) != 0, out};
    ply_svg_box box = {-MARGIN - GAP / 2, -MARGIN - TITLE - GAP / 2,
                       (end - first + 1) * column_width(p), (p->hi - p->lo + 1) * row_height(p)};
    ply_svg_open(rules, position, box, out);
    write_shapes(kinds, out);
    if (!(flags & PLY_SVG_BARE))
        ply_svg_rect(out, box, 40, "#eceae4");
    for (int l = p->lo; l <= p->hi; l++)
        write_timeline(&s, l);
    for (int l = p->lo; l <= p->hi; l++) {
        const fived_timeline *timeline = fived_position_timeline(p, l);
        for (int v = timeline->start; v <= timeline->end; v++)
            write_board(&s, l, v);
    }
    ply_svg_close(out);
}
