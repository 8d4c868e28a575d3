/* SPDX-License-Identifier: MIT */
/*
 * renju.h - the points that renju forbids to Black, by the complete definition, for the host and for
 * devices.
 *
 * A black stone is classified with the stone on the board:
 *
 *     five           exactly five in a row in any direction: allowed, whatever else it makes
 *     overline       six or more in a row
 *     double four    two or more fours. A four is four stones in a line that one more stone makes
 *                    exactly five. Two fours in one line count as two; a straight four, which can
 *                    be completed at both ends, is one.
 *     double three   two or more real threes. A three is three stones that one more stone makes a
 *                    straight four. It is real when at least one such stone makes no five and is no
 *                    overline, double four or double three, classified recursively on the board as
 *                    it is then.
 *
 * In terms of the windows of a line (windows.h): a four is a window with four stones that holds the
 * new stone. Neighbouring windows count once, because both can have four stones only if they share
 * them. A three is a pair of neighbouring windows with three stones.
 */
#ifndef PLY_GAMES_GOMOKU_RULES_RENJU_H
#define PLY_GAMES_GOMOKU_RULES_RENJU_H

#include "games/gomoku/rules/points.h"

enum { ROW = 5, FIVE = -1 };

/* The board while points are classified. */
typedef struct renju {
    int width, height;
    uint64_t *lines;
    gomoku_trace *trace; /* or NULL */
    int depth;           /* stones placed to classify threes */
} renju;

/* Black's windows of a line. */
typedef struct own_windows {
    windows_one all;
    uint64_t exact; /* those that become exactly five when filled */
} own_windows;

PLY_HD own_windows windows_of_black(uint64_t line, int length)
{
    own_windows w = {.all = windows_of_one(line, gomoku_line_mask(length), ROW)};
    w.exact = w.all.fit & ~(line << 2) & ~(line >> (2 * ROW)) & GOMOKU_X_BITS;
    return w;
}

/* The length of the run of black stones through the one at `shift`. */
PLY_HD int run_length(uint64_t line, int shift)
{
    uint64_t not_own = ~line & GOMOKU_X_BITS;
    uint64_t above = not_own >> shift;                    /* bit 0: the stone itself */
    uint64_t below = shift ? not_own << (64 - shift) : 0; /* bit 62: the cell before it */
    int after = above ? ply_lowest(above) / 2 : 32 - shift / 2;
    int before = below ? (63 - ply_highest(below)) / 2 : shift / 2;
    return after + before;
}

/* The windows that begin between `first` and `last` cells before the stone. */
PLY_HD uint64_t starting_between(int shift, int first, int last)
{
    uint64_t from = shift >= 2 * first ? (uint64_t)1 << (shift - 2 * first) : 1;
    uint64_t to = shift >= 2 * last ? (uint64_t)1 << (shift - 2 * last) : 0;
    return to ? (to - from) | to : 0;
}

PLY_CALLED int classify(renju *board, int cell);

/* Whether an allowed stone makes a straight four of one of the pairs of windows in `threes`. */
PLY_CALLED bool is_real_three(renju *board, int line, uint64_t threes)
{
    for (; threes; threes &= threes - 1) {
        int outer = ply_lowest(threes) / 2;
        /* The four inner cells hold three stones; the fourth is the point. */
        for (int at = outer + 1; at < outer + ROW; at++)
            if (!((board->lines[line] >> (2 * at)) & 3)) {
                int point = gomoku_line_cell(board->width, board->height, line, at);
                if (classify(board, point) == GOMOKU_ALLOWED)
                    return true;
                break;
            }
    }
    return false;
}

/* Unless it finds a five, classifying a stone looks no further than this along its lines. */
PLY_CALLED void trace_reach(renju *board, const gomoku_spot *spot)
{
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        int at = spot->shift[d] / 2;
        int last = gomoku_line_length(board->width, board->height, spot->line[d]) - 1;
        for (int i = at > ROW ? at - ROW : 0; i <= at + ROW && i <= last; i++) {
            int cell = gomoku_line_cell(board->width, board->height, spot->line[d], i);
            board->trace->rows[gomoku_y(cell)] |= (uint32_t)1 << gomoku_x(cell);
        }
    }
}

/* Classifies a black stone that is on the board: FIVE or a kind. */
PLY_CALLED int classify_stone(renju *board, const gomoku_spot *spot)
{
    uint64_t threes[GOMOKU_DIRECTIONS];
    int fours = 0, lines_with_three = 0;
    bool overline = false;
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        int run = run_length(board->lines[spot->line[d]], spot->shift[d]);
        if (run == ROW)
            return FIVE;
        overline |= run > ROW;
    }
    if (overline)
        return GOMOKU_OVERLINE;
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        uint64_t line = board->lines[spot->line[d]], own = line & GOMOKU_X_BITS;
        threes[d] = 0;
        if (!(own & (own - 1)))
            continue; /* no second stone */
        own_windows w =
            windows_of_black(line, gomoku_line_length(board->width, board->height, spot->line[d]));
        uint64_t with_four =
            windows_with_one(&w.all, w.exact, 4) & starting_between(spot->shift[d], ROW - 1, 0);
        fours += ply_popcount(with_four) - ply_popcount(with_four & (with_four >> 2));
        threes[d] = windows_paired_one(windows_with_one(&w.all, w.exact, 3), w.all.empty, ROW) &
                    starting_between(spot->shift[d], ROW - 1, 1);
        lines_with_three += threes[d] != 0;
    }
    if (fours >= 2)
        return GOMOKU_DOUBLE_FOUR;
    if (lines_with_three < 2)
        return GOMOKU_ALLOWED;
    if (board->trace)
        trace_reach(board, spot);
    int real = 0;
    for (int d = 0; d < GOMOKU_DIRECTIONS && real < 2; d++)
        if (threes[d] && real + lines_with_three-- >= 2)
            real += is_real_three(board, spot->line[d], threes[d]);
    return real >= 2 ? GOMOKU_DOUBLE_THREE : GOMOKU_ALLOWED;
}

/* Places a stone, classifies it, and removes it again. */
PLY_CALLED int classify(renju *board, int cell)
{
    gomoku_spot spot = gomoku_spot_of(board->width, board->height, cell);
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
        board->lines[spot.line[d]] |= (uint64_t)1 << spot.shift[d];
    if (board->trace && (board->depth > 0 || board->trace->both_colours))
        trace_reach(board, &spot);
    board->depth++;
    int kind = classify_stone(board, &spot);
    board->depth--;
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++)
        board->lines[spot.line[d]] &= ~((uint64_t)1 << spot.shift[d]);
    return kind;
}

/* Which cells may be forbidden: bit x of word y. */
typedef struct candidates {
    uint32_t four[GOMOKU_MAX_SIDE], three[GOMOKU_MAX_SIDE]; /* a stone makes one in some line */
    uint32_t all[GOMOKU_MAX_SIDE];
} candidates;

/* Marks points of a line in `once`, and in `twice` those that were marked already. */
PLY_CALLED void mark_cells(const renju *board, int line, uint64_t points, uint32_t *once,
                           uint32_t *twice)
{
    for (points &= GOMOKU_X_BITS; points; points &= points - 1) {
        int cell = gomoku_line_cell(board->width, board->height, line, ply_lowest(points) / 2);
        uint32_t bit = (uint32_t)1 << gomoku_x(cell);
        twice[gomoku_y(cell)] |= once[gomoku_y(cell)] & bit;
        once[gomoku_y(cell)] |= bit;
    }
}

/* Every forbidden point is a candidate: it makes an overline, two fours or two threes. */
PLY_CALLED void find_candidates(const renju *board, candidates *c)
{
    int count = gomoku_line_count(board->width, board->height);
    memset(c, 0, sizeof *c);
    for (int i = 0; i < count; i++) {
        uint64_t line = board->lines[i], own = line & GOMOKU_X_BITS;
        if (!(own & (own - 1)))
            continue;
        int length = gomoku_line_length(board->width, board->height, i);
        gomoku_points points = points_of(line, length, GOMOKU_RENJU, ROW);
        uint32_t ignored[GOMOKU_MAX_SIDE] = {0};
        mark_cells(board, i, points.overline | points.four_twice, c->all, ignored);
        mark_cells(board, i, points.four, c->four, c->all);
        mark_cells(board, i, points.three, c->three, c->all);
    }
}

/* As gomoku_forbidden_points, on bare lines, which are changed temporarily. */
PLY_CALLED int find_forbidden(int width, int height, uint64_t *lines, uint32_t *rows,
                              uint8_t *kinds)
{
    renju board = {.width = width, .height = height, .lines = lines, .trace = NULL, .depth = 0};
    candidates c;
    int count = 0;
    find_candidates(&board, &c);
    for (int y = 0; y < board.height; y++) {
        rows[y] = 0;
        for (uint32_t cells = c.all[y]; cells; cells &= cells - 1) {
            int cell = gomoku_cell(ply_lowest(cells), y), kind = classify(&board, cell);
            if (kind <= GOMOKU_ALLOWED)
                continue;
            rows[y] |= cells & -cells;
            if (kinds)
                kinds[cell] = (uint8_t)kind;
            count++;
        }
    }
    return count;
}

#endif
