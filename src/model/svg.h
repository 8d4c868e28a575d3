/* SPDX-License-Identifier: MIT */
/*
 * svg.h - what the games need to draw a position as SVG (ply_display_hooks.svg).
 *
 * A square of a board is PLY_SVG_SQUARE units wide, and all coordinates are whole numbers, so no
 * number depends on the locale. The drawing stands alone: it refers to no style sheet and, except for
 * digits and letters, needs no font. Ids begin with "ply-" and always mean the same shape, so several
 * drawings can be part of one page.
 */
#ifndef PLY_MODEL_SVG_H
#define PLY_MODEL_SVG_H

#include <plyverse/game.h>

enum { PLY_SVG_SQUARE = 100 };

typedef struct ply_svg_box {
    int x, y, width, height;
} ply_svg_box;

/* Begins a drawing that shows the box; its title is the game and the player to move. */
void ply_svg_open(const ply_rules *rules, const void *position, ply_svg_box box, ply_text *out);
void ply_svg_close(ply_text *out);
/* A rectangle with rounded corners (radius 0: sharp ones). */
void ply_svg_rect(ply_text *out, ply_svg_box box, int radius, const char *fill);
/* The same, marking a square that the last move left or reached. */
void ply_svg_mark(ply_text *out, ply_svg_box box);
/* ring: the width of the outline, whose colour is `edge`; 0: none. */
void ply_svg_circle(ply_text *out, int x, int y, int radius, const char *fill, const char *edge,
                    int ring);
/* A line of text whose middle is at x and whose letters stand on y. */
void ply_svg_label(ply_text *out, int x, int y, int size, const char *fill, const char *label);

#endif
