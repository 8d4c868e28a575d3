/* SPDX-License-Identifier: MIT */
/* svg.c - drawing positions as SVG: parts of a drawing, and the drawing of a game that has none. */
#include "model/svg.h"
#include "core/text/xml.h"
#include <stdio.h>
#include <string.h>

void ply_svg_open(const ply_rules *rules, const void *position, ply_svg_box box, ply_text *out)
{
    enum { PIXELS = 48 }; /* of a square */
    const char *player = ply_game_player_name(rules, rules->game->side(rules, position));
    ply_text_format(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%d %d %d %d\" width=\"%d\" "
        "height=\"%d\" role=\"img\" font-family=\"sans-serif\" text-anchor=\"middle\">"
        "<title>",
        box.x, box.y, box.width, box.height, box.width * PIXELS / PLY_SVG_SQUARE,
        box.height * PIXELS / PLY_SVG_SQUARE);
    ply_xml_escape(out, rules->game->name, strlen(rules->game->name));
    ply_text_string(out, ", ");
    ply_xml_escape(out, player, strlen(player));
    ply_text_string(out, " to move</title>\n");
}

void ply_svg_close(ply_text *out)
{
    ply_text_string(out, "</svg>\n");
}

static void write_rect(ply_text *out, ply_svg_box box, int radius, const char *attributes)
{
    ply_text_format(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" ", box.x, box.y,
                    box.width, box.height);
    if (radius > 0)
        ply_text_format(out, "rx=\"%d\" ", radius);
    ply_text_format(out, "%s/>\n", attributes);
}

void ply_svg_rect(ply_text *out, ply_svg_box box, int radius, const char *fill)
{
    char attributes[32];
    snprintf(attributes, sizeof attributes, "fill=\"%s\"", fill);
    write_rect(out, box, radius, attributes);
}

void ply_svg_mark(ply_text *out, ply_svg_box box)
{
    write_rect(out, box, 0, "fill=\"#f2c230\" fill-opacity=\".45\"");
}

void ply_svg_circle(ply_text *out, int x, int y, int radius, const char *fill, const char *edge,
                    int ring)
{
    ply_text_format(out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\"", x, y, radius, fill);
    if (ring > 0)
        ply_text_format(out, " stroke=\"%s\" stroke-width=\"%d\"", edge, ring);
    ply_text_string(out, "/>\n");
}

void ply_svg_label(ply_text *out, int x, int y, int size, const char *fill, const char *label)
{
    ply_text_format(out, "<text x=\"%d\" y=\"%d\" font-size=\"%d\" fill=\"%s\">", x, y, size, fill);
    ply_xml_escape(out, label, strlen(label));
    ply_text_string(out, "</text>\n");
}

/* A game without a drawing of its own: its board for terminals, line by line. */
static void write_text_board(const ply_rules *rules, const void *position, ply_move last,
                             ply_text *out)
{
    enum { WIDTH = 30, HEIGHT = 60, MARGIN = 40 };
    ply_text board = ply_text_growing();
    ply_game_draw(rules, position, last, PLY_DRAW_ASCII, &board);
    const char *text = ply_text_cstr(&board);
    int lines = 0;
    size_t widest = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t length = strcspn(line, "\n");
        widest = length > widest ? length : widest;
        lines++;
    }
    ply_svg_box box = {0, 0, (int)widest * WIDTH + 2 * MARGIN, lines * HEIGHT + 2 * MARGIN};
    ply_svg_open(rules, position, box, out);
    ply_svg_rect(out, box, 20, "#e4e0d6");
    ply_text_string(out, "<g font-family=\"monospace\" font-size=\"50\" text-anchor=\"start\" "
                         "fill=\"#23211d\" xml:space=\"preserve\">\n");
    int y = MARGIN + HEIGHT - 15;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t length = strcspn(line, "\n");
        ply_text_format(out, "<text x=\"%d\" y=\"%d\" textLength=\"%zu\">", MARGIN, y,
                        length * WIDTH);
        ply_xml_escape(out, line, length);
        ply_text_string(out, "</text>\n");
        y += HEIGHT;
    }
    ply_text_string(out, "</g>\n");
    ply_svg_close(out);
    ply_text_free(&board);
}

void ply_game_svg(const ply_rules *rules, const void *position, ply_move last, unsigned flags,
                  ply_text *out)
{
    if (rules->display->svg)
        rules->display->svg(rules, position, last, flags, out);
    else
        write_text_board(rules, position, last, out);
}
