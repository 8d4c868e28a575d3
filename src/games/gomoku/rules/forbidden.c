/* SPDX-License-Identifier: MIT */
/*
 * forbidden.c - the points that renju forbids to Black, by the complete definition.
 *
 * renju.h has the definition.
 */
#include "games/gomoku/rules/renju.h"
#include <string.h>

enum gomoku_forbidden gomoku_classify(int width, int height, uint64_t *lines, int cell,
                                      gomoku_trace *trace)
{
    renju board = {.width = width, .height = height, .lines = lines, .trace = trace};
    int kind = classify(&board, cell);
    return kind == FIVE ? GOMOKU_ALLOWED : (enum gomoku_forbidden)kind;
}

static size_t lines_bytes(const ply_rules *rules)
{
    return (size_t)gomoku_line_count(gomoku_width(rules), gomoku_height(rules)) * sizeof(uint64_t);
}

enum gomoku_forbidden gomoku_forbidden_at(const ply_rules *rules, const gomoku_position *p,
                                          int cell)
{
    uint64_t lines[GOMOKU_MAX_LINES];
    memcpy(lines, p->lines, lines_bytes(rules));
    return gomoku_classify(gomoku_width(rules), gomoku_height(rules), lines, cell, NULL);
}

int gomoku_forbidden_points(const ply_rules *rules, const gomoku_position *p, uint32_t *rows,
                            uint8_t *kinds)
{
    uint64_t lines[GOMOKU_MAX_LINES];
    memcpy(lines, p->lines, lines_bytes(rules));
    return find_forbidden(gomoku_width(rules), gomoku_height(rules), lines, rows, kinds);
}

/* Adds the black stones among the cells first to last of a line as a shape. */
static void add_shape(const renju *board, int line, int first, int last, gomoku_shape *shape)
{
    *shape = (gomoku_shape){0};
    for (int at = first; at <= last && shape->count < 2 * GOMOKU_REACH; at++)
        if (board->lines[line] >> (2 * at) & 1)
            shape->cells[shape->count++] = gomoku_line_cell(board->width, board->height, line, at);
}

/* The shapes that the stone at a spot makes in one direction. */
static int shapes_in_line(renju *board, const gomoku_spot *spot, int d, int kind,
                          gomoku_shape *shapes)
{
    int line = spot->line[d], at = spot->shift[d] / 2, count = 0;
    uint64_t stones = board->lines[line];
    int length = gomoku_line_length(board->width, board->height, line);
    if (kind == GOMOKU_OVERLINE) {
        int first = at, last = at;
        while (first > 0 && stones >> (2 * (first - 1)) & 1)
            first--;
        while (last + 1 < length && stones >> (2 * (last + 1)) & 1)
            last++;
        if (last - first >= ROW)
            add_shape(board, line, first, last, &shapes[count++]);
        return count;
    }
    own_windows w = windows_of_black(stones, length);
    if (kind == GOMOKU_DOUBLE_FOUR) {
        uint64_t fours =
            windows_with_one(&w.all, w.exact, 4) & starting_between(spot->shift[d], ROW - 1, 0);
        for (fours &= ~(fours << 2); fours && count < 2; fours &= fours - 1) {
            int first = ply_lowest(fours) / 2;
            add_shape(board, line, first, first + ROW - 1, &shapes[count++]);
        }
        return count;
    }
    uint64_t threes = windows_paired_one(windows_with_one(&w.all, w.exact, 3), w.all.empty, ROW) &
                      starting_between(spot->shift[d], ROW - 1, 1);
    if (threes && is_real_three(board, line, threes)) {
        int outer = ply_lowest(threes) / 2;
        add_shape(board, line, outer + 1, outer + ROW - 1, &shapes[count++]);
    }
    return count;
}

int gomoku_forbidden_shapes(const ply_rules *rules, const gomoku_position *p, int cell,
                            gomoku_shape shapes[GOMOKU_MAX_SHAPES])
{
    uint64_t lines[GOMOKU_MAX_LINES];
    renju board = {.width = gomoku_width(rules), .height = gomoku_height(rules), .lines = lines};
    gomoku_spot spot = gomoku_spot_of(board.width, board.height, cell);
    int kind = (int)gomoku_forbidden_at(rules, p, cell), count = 0;
    memcpy(lines, p->lines, lines_bytes(rules));
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
        lines[spot.line[d]] |= (uint64_t)1 << spot.shift[d];
    for (int d = 0; d < GOMOKU_DIRECTIONS && kind != GOMOKU_ALLOWED; d++)
        count += shapes_in_line(&board, &spot, d, kind, &shapes[count]);
    return count;
}

const char *gomoku_forbidden_name(enum gomoku_forbidden kind)
{
    static const char *const names[] = {"allowed", "double-three", "double-four", "overline"};
    return names[kind];
}
