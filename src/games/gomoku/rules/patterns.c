/* SPDX-License-Identifier: MIT */
/*
 * patterns.c - matching single patterns, what a stone would make, and move ordering.
 *
 * The matcher by mask and XOR is the plain way to count patterns. play updates the same counts by
 * adding up all windows of the changed lines at once (kernel_isa.c); the tests compare the two.
 */
#include "games/gomoku/rules/points.h"
#include <string.h>

#include "gomoku/patterns.inc"

gomoku_pattern_list gomoku_patterns(int row, int colour, gomoku_anchor anchor, int missing)
{
    return lists[row - GOMOKU_MIN_ROW][colour][anchor][missing];
}

/* The patterns of one anchor, all with as many cells, at one place of a line. */
static int match_at(int row, int colour, gomoku_anchor anchor, int missing, uint64_t line,
                    int place)
{
    gomoku_pattern_list list = gomoku_patterns(row, colour, anchor, missing);
    int matches = 0;
    /* Every pattern has a stone of its colour. */
    if (list.count == 0 ||
        !((line >> (2 * place)) & list.patterns[0].mask & (GOMOKU_X_BITS << colour)))
        return 0;
    for (unsigned i = 0; i < list.count; i++)
        matches += gomoku_pattern_difference(list.patterns[i], line, place) == 0;
    return matches;
}

int gomoku_match_line(int row, int colour, int missing, uint64_t line, int length)
{
    int matches = 0;
    if (length == row)
        return match_at(row, colour, GOMOKU_EXACT, missing, line, 0);
    if (length > row) {
        matches += match_at(row, colour, GOMOKU_PREFIX, missing, line, 0);
        matches += match_at(row, colour, GOMOKU_SUFFIX, missing, line, length - row - 1);
    }
    for (int place = 0; place + row + 2 <= length; place++)
        matches += match_at(row, colour, GOMOKU_INFIX, missing, line, place);
    return matches;
}

gomoku_windows gomoku_windows_in(int width, int height, int row, const uint64_t *lines, int colour)
{
    int counts[4] = {0}; /* by the number of stones missing */
    for (int i = 0; i < gomoku_line_count(width, height); i++)
        for (int missing = 0; lines[i] && missing < 4; missing++)
            counts[missing] += gomoku_match_line(row, colour, missing, lines[i],
                                                 gomoku_line_length(width, height, i));
    return (gomoku_windows){counts[0], counts[1], counts[2], counts[3]};
}

/* Count number i of a total. */
static int unpack(uint64_t total, int i)
{
    return (int)(total >> (16 * i) & 0xFFFF);
}

gomoku_windows gomoku_windows_of(const ply_rules *rules, const void *position, int colour)
{
    (void)rules;
    uint64_t windows = ((const gomoku_position *)position)->totals[colour];
    return (gomoku_windows){unpack(windows, 0), unpack(windows, 1), unpack(windows, 2),
                            unpack(windows, 3)};
}

gomoku_shapes gomoku_shapes_of(const gomoku_position *p, int colour)
{
    uint64_t windows = p->totals[colour], shapes = p->totals[2 + colour];
    return (gomoku_shapes){
        .five = unpack(windows, 0),
        .four = unpack(windows, 1),
        .three = unpack(windows, 2),
        .two = unpack(windows, 3),
        .straight_four = unpack(shapes, 0),
        .simple_four = unpack(windows, 1) - 2 * unpack(shapes, 0),
        .open_three = unpack(shapes, 1),
        .broken_three = unpack(shapes, 2),
        .open_two = unpack(shapes, 3),
    };
}

gomoku_points gomoku_points_of(uint64_t line, int length, enum gomoku_rule rule, int row)
{
    return points_of(line, length, rule, row);
}

/* --- move ordering --------------------------------------------------------------------------- */
/* For a five, a straight four, a four, a three and a two. */
enum { SCORED_SHAPES = 5 };
static const struct {
    int32_t own, enemy;
} shape_scores[SCORED_SHAPES] = {
    {1000000, 500000}, {100000, 20000}, {2000, 800}, {1500, 700}, {60, 30}};

static void add_scores(const ply_rules *rules, int line, uint64_t points, int32_t score,
                       int32_t *scores)
{
    for (; points; points &= points - 1) {
        int cell = gomoku_line_cell(gomoku_width(rules), gomoku_height(rules), line,
                                    ply_lowest(points) / 2);
        scores[cell] += score;
    }
}

/* Scores what the stone makes for its player, and a little less what it denies the opponent. */
void gomoku_score_moves(const ply_rules *rules, const void *position, const ply_move *moves,
                        size_t count, int32_t *scores)
{
    const gomoku_position *p = position;
    int32_t at[GOMOKU_MAX_CELLS] = {0};
    uint64_t own = GOMOKU_X_BITS << p->side, enemy = ~own;
    int width = gomoku_width(rules), height = gomoku_height(rules);
    for (int i = 0; i < gomoku_line_count(width, height); i++) {
        int length = gomoku_line_length(width, height, i);
        if (!p->lines[i] || length < gomoku_row(rules))
            continue;
        gomoku_points g =
            gomoku_points_of(p->lines[i], length, gomoku_rule_of(rules), gomoku_row(rules));
        const uint64_t points[SCORED_SHAPES] = {g.five, g.straight, g.four, g.three, g.two};
        for (int k = 0; k < SCORED_SHAPES; k++) {
            add_scores(rules, i, points[k] & own, shape_scores[k].own, at);
            add_scores(rules, i, points[k] & enemy, shape_scores[k].enemy, at);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (moves[i] == GOMOKU_PASS) {
            scores[i] = -1;
            continue;
        }
        int cell = gomoku_move_cell(moves[i]);
        /* Ties go to the cell nearer the centre. */
        int off = 2 * gomoku_x(cell) - (width - 1), up = 2 * gomoku_y(cell) - (height - 1);
        scores[i] = 16 * at[cell] + (8 - (off * off + up * up) / 256);
    }
}

/* A move is noisy if it wins, makes a four, or takes a cell on which the opponent would win. */
bool gomoku_is_noisy(const ply_rules *rules, const void *position, ply_move move)
{
    const gomoku_position *p = position;
    if (move == GOMOKU_PASS)
        return false;
    int width = gomoku_width(rules), height = gomoku_height(rules);
    gomoku_spot spot = gomoku_spot_of(width, height, gomoku_move_cell(move));
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        uint64_t line = p->lines[spot.line[d]];
        int length = gomoku_line_length(width, height, spot.line[d]);
        if (!line || length < gomoku_row(rules))
            continue;
        gomoku_points g = gomoku_points_of(line, length, gomoku_rule_of(rules), gomoku_row(rules));
        uint64_t own = (uint64_t)1 << (spot.shift[d] + p->side);
        uint64_t enemy = (uint64_t)1 << (spot.shift[d] + !p->side);
        if (((g.five | g.four) & own) | (g.five & enemy))
            return true;
    }
    return false;
}
