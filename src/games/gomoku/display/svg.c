/* SPDX-License-Identifier: MIT */
/* svg.c - the gomoku board as SVG. */
#include "model/svg.h"
#include "games/gomoku/gomoku.h"

enum { STEP = PLY_SVG_SQUARE, MARGIN = 95, RADIUS = 46 };

/* What is drawn, and which way round. */
typedef struct scene {
    int width, height;
    bool flipped;
    ply_text *out;
} scene;

static int shown_x(const scene *s, int x)
{
    return (s->flipped ? s->width - 1 - x : x) * STEP;
}

static int shown_y(const scene *s, int y)
{
    return (s->flipped ? y : s->height - 1 - y) * STEP;
}

/* Whether a line of the board has a star point at i: the middle and, on large boards, the fourth
 * from each edge. */
static bool is_star(int i, int lines)
{
    if (lines % 2 == 0)
        return false;
    return i == lines / 2 || (lines >= 13 && (i == 3 || i == lines - 4));
}

static void write_grid(const scene *s)
{
    int right = (s->width - 1) * STEP, bottom = (s->height - 1) * STEP;
    ply_text_string(s->out, "<path fill=\"none\" stroke=\"#5b4020\" stroke-width=\"4\" d=\"");
    for (int x = 0; x < s->width; x++)
        ply_text_format(s->out, "M%d 0V%d", x * STEP, bottom);
    for (int y = 0; y < s->height; y++)
        ply_text_format(s->out, "M0 %dH%d", y * STEP, right);
    ply_text_string(s->out, "\"/>\n");
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++)
            if (is_star(x, s->width) && is_star(y, s->height))
                ply_svg_circle(s->out, x * STEP, y * STEP, 11, "#5b4020", NULL, 0);
    for (int x = 0; x < s->width; x++) {
        char name[3] = {'a', (char)('a' + x % 26), '\0'};
        ply_svg_label(s->out, shown_x(s, x), bottom + 82, 33, "#5b4020", x < 26 ? name + 1 : name);
    }
    for (int y = 0; y < s->height; y++) {
        char name[12];
        ply_text text = ply_text_fixed(name, sizeof name);
        ply_text_format(&text, "%d", y + 1);
        ply_svg_label(s->out, -68, shown_y(s, y) + 12, 33, "#5b4020", name);
    }
}

void gomoku_svg(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                ply_text *out)
{
    const gomoku_position *p = position;
    scene s = {gomoku_width(rules), gomoku_height(rules), (flags & PLY_SVG_FLIPPED) != 0, out};
    ply_svg_box box = {-MARGIN, -MARGIN, (s.width - 1) * STEP + 2 * MARGIN,
                       (s.height - 1) * STEP + 2 * MARGIN};
    ply_svg_open(rules, position, box, out);
    ply_svg_rect(out, box, 24, "#e9bd74");
    write_grid(&s);
    for (int y = 0; y < s.height; y++) {
        for (uint64_t stones = p->lines[y]; stones; stones &= stones - 1) {
            int bit = ply_lowest(stones), x = bit >> 1;
            bool white = bit & 1, marked = last == gomoku_move(gomoku_cell(x, y));
            ply_svg_circle(out, shown_x(&s, x), shown_y(&s, y), RADIUS,
                           white ? "#f6f2ea" : "#23211e", white ? "#a79f8e" : "#0d0c0b", 3);
            if (marked)
                ply_svg_circle(out, shown_x(&s, x), shown_y(&s, y), 18, "#b3261e", NULL, 0);
        }
    }
    ply_svg_close(out);
}
