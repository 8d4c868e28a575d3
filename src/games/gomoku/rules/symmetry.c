/* SPDX-License-Identifier: MIT */
/*
 * symmetry.c - the images of a board: eight if it is square, otherwise four.
 *
 * Image i: bit 0 mirrors left and right, bit 1 mirrors bottom and top, bit 2 swaps x and y
 * (square boards only), in that order.
 */
#include "games/gomoku/gomoku.h"
#include <string.h>

int gomoku_image_cell(int width, int height, uint32_t i, int cell)
{
    int x = gomoku_x(cell), y = gomoku_y(cell);
    if (i & 1)
        x = width - 1 - x;
    if (i & 2)
        y = height - 1 - y;
    return i & 4 ? gomoku_cell(y, x) : gomoku_cell(x, y);
}

/* Fills in an image except for its key. Its totals are those of the position. */
static void put_image(const ply_rules *rules, const gomoku_position *p, uint32_t i,
                      gomoku_position *image)
{
    int width = gomoku_width(rules), height = gomoku_height(rules);
    memcpy(image, p, sizeof *image);
    memset(image->lines, 0, rules->position_bytes - sizeof *image);
    image->stones = 0;
    for (int y = 0; y < height; y++)
        for (uint64_t stones = p->lines[y]; stones; stones &= stones - 1) {
            int bit = ply_lowest(stones);
            gomoku_put_stone(rules, image,
                             gomoku_image_cell(width, height, i, gomoku_cell(bit >> 1, y)),
                             bit & 1);
        }
}

void gomoku_image(const ply_rules *rules, const void *position, uint32_t i, void *out)
{
    gomoku_position *image = out;
    put_image(rules, position, i, image);
    image->hash = gomoku_compute_hash(rules, image);
}

/* The rows of an image, without the other lines. */
static void image_rows(const ply_rules *rules, const gomoku_position *p, uint32_t i, uint64_t *rows)
{
    int width = gomoku_width(rules), height = gomoku_height(rules);
    memset(rows, 0, GOMOKU_MAX_SIDE * sizeof rows[0]);
    for (int y = 0; y < height; y++)
        for (uint64_t stones = p->lines[y]; stones; stones &= stones - 1) {
            int bit = ply_lowest(stones);
            int cell = gomoku_image_cell(width, height, i, gomoku_cell(bit >> 1, y));
            rows[gomoku_y(cell)] |= (uint64_t)1 << (2 * gomoku_x(cell) + (bit & 1));
        }
}

void gomoku_canonical(const ply_rules *rules, const void *position, void *out)
{
    const gomoku_position *p = position;
    uint64_t best_rows[GOMOKU_MAX_SIDE], rows[GOMOKU_MAX_SIDE];
    uint32_t best = 0;
    image_rows(rules, p, 0, best_rows);
    for (uint32_t i = 1; i < rules->symmetries; i++) {
        image_rows(rules, p, i, rows);
        for (int y = 0; y < gomoku_height(rules); y++) {
            if (rows[y] == best_rows[y])
                continue;
            if (rows[y] < best_rows[y]) {
                best = i;
                memcpy(best_rows, rows, sizeof best_rows);
            }
            break;
        }
    }
    gomoku_image(rules, p, best, out);
}
