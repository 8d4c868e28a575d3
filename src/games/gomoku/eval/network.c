/* SPDX-License-Identifier: MIT */
/*
 * network.c - the features of a position for neural networks.
 *
 * Networks of gomoku pool cells. An empty cell has a feature for each of its four lines: the
 * pattern of the four cells on either side of it.
 *
 *     . O X .  [cell]  X . . |         0 empty, 1 own, 2 enemy, | the edge
 *      side a           side b         a side has 121 forms (gen_sides.c)
 *
 * A pattern and its mirror image are the same feature: with a >= b it is number a (a + 1) / 2 + b.
 * Without any stone it is 0, no feature, whether the edge is near or not. In renju, where only Black
 * has forbidden points, White has features of its own: 7381 is added. A cell with a stone has no
 * features.
 */
#include "games/gomoku/gomoku.h"
#include "gomoku/sides.inc"

enum {
    FORMS = 121,
    PATTERNS = FORMS * (FORMS + 1) / 2,
    SIDE_CELLS = 4,
    ROW = 5,
    LAST_PHASE_STONES = 64,
};

const char *gomoku_network_family(const ply_rules *rules)
{
    static const char *const families[GOMOKU_RULES] = {
        [GOMOKU_FREESTYLE] = "gomoku-freestyle",
        [GOMOKU_STANDARD] = "gomoku-standard",
        [GOMOKU_RENJU] = "gomoku-renju",
        [GOMOKU_CARO] = "gomoku-caro",
        [GOMOKU_CARO_OVERLINE] = "gomoku-caro-overline",
    };
    bool fits = gomoku_width(rules) <= GOMOKU_MAX_NETWORK_SIDE &&
                gomoku_height(rules) <= GOMOKU_MAX_NETWORK_SIDE;
    return fits && gomoku_row(rules) == ROW ? families[gomoku_rule_of(rules)] : NULL;
}

uint32_t gomoku_feature_count(const ply_rules *rules)
{
    return gomoku_rule_of(rules) == GOMOKU_RENJU ? 2 * PATTERNS : PATTERNS;
}

uint32_t gomoku_network_cells(const ply_rules *rules)
{
    return (uint32_t)gomoku_cell_count(rules);
}

/* A line with four cells off the board before its first cell and after its last; 64 bits are enough
 * for GOMOKU_MAX_NETWORK_SIDE cells. */
static inline uint64_t with_edges(uint64_t line, int length)
{
    return ~(uint64_t)0 << (2 * (length + SIDE_CELLS)) | line << (2 * SIDE_CELLS) | 0xFF;
}

static inline uint64_t exchange_colours(uint64_t line)
{
    return (line & GOMOKU_X_BITS) << 1 | (line >> 1 & GOMOKU_X_BITS);
}

/* Whether the cells of a side are all empty: the first form with four cells on the board, with
 * three, and so on. */
static bool has_no_stone(unsigned form)
{
    return form == 0 || form == 81 || form == 108 || form == 117 || form == 120;
}

static inline unsigned pattern_of(unsigned a, unsigned b)
{
    unsigned high = a > b ? a : b, low = a > b ? b : a;
    return has_no_stone(high) && has_no_stone(low) ? 0 : high * (high + 1) / 2 + low;
}

/* The pattern around cell number i of a line with edges. */
static inline uint16_t pattern_at(uint64_t line, int i)
{
    uint64_t window = line >> (2 * i);
    return (uint16_t)pattern_of(left[window & 0xFF],
                                right[window >> (2 * (SIDE_CELLS + 1)) & 0xFF]);
}

/* What is added to the patterns of a player. */
static unsigned first_feature(const ply_rules *rules, int player)
{
    return gomoku_rule_of(rules) == GOMOKU_RENJU && player == GOMOKU_WHITE ? PATTERNS : 0;
}

size_t gomoku_features(const ply_rules *rules, const void *position, int player, uint16_t *out)
{
    const gomoku_position *p = position;
    int width = gomoku_width(rules), height = gomoku_height(rules);
    unsigned first = first_feature(rules, player);
    size_t count = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            gomoku_spot spot = gomoku_spot_of(width, height, gomoku_cell(x, y));
            bool empty = !(p->lines[spot.line[0]] >> spot.shift[0] & 3);
            for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
                uint64_t line = p->lines[spot.line[d]];
                if (player == GOMOKU_WHITE)
                    line = exchange_colours(line);
                line = with_edges(line, gomoku_line_length(width, height, spot.line[d]));
                unsigned pattern = empty ? pattern_at(line, spot.shift[d] / 2) : 0;
                out[count++] = (uint16_t)(pattern ? first + pattern : 0);
            }
        }
    return count;
}

size_t gomoku_cell_changes(const ply_rules *rules, const void *position, ply_move move,
                           ply_cell_change *out)
{
    const gomoku_position *p = position;
    size_t count = 0;
    if (move == PLY_MOVE_NONE || move == GOMOKU_PASS)
        return 0;
    int width = gomoku_width(rules), height = gomoku_height(rules), cell = gomoku_move_cell(move);
    const int steps[GOMOKU_DIRECTIONS] = {1, width, width - 1, width + 1};
    int number = gomoku_y(cell) * width + gomoku_x(cell);
    gomoku_spot spot = gomoku_spot_of(width, height, cell);
    for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
        int length = gomoku_line_length(width, height, spot.line[d]), at = spot.shift[d] / 2;
        int first = at < SIDE_CELLS ? 0 : at - SIDE_CELLS;
        int last = at + SIDE_CELLS < length ? at + SIDE_CELLS : length - 1;
        uint64_t before = with_edges(p->lines[spot.line[d]], length);
        uint64_t after = before | (uint64_t)(1 + p->side) << (2 * (at + SIDE_CELLS));
        for (int i = first; i <= last; i++)
            if (i != at && !(before >> (2 * (i + SIDE_CELLS)) & 3))
                out[count++] = (ply_cell_change){(uint16_t)(number + (i - at) * steps[d]),
                                                 pattern_at(before, i), pattern_at(after, i)};
    }
    out[count++] = (ply_cell_change){(uint16_t)number, 0, 0};
    return count;
}

uint32_t gomoku_network_move_cell(const ply_rules *rules, ply_move move)
{
    if (move == GOMOKU_PASS)
        return PLY_NO_CELL;
    int cell = gomoku_move_cell(move);
    return (uint32_t)(gomoku_y(cell) * gomoku_width(rules) + gomoku_x(cell));
}

uint16_t gomoku_exchanged_feature(const ply_rules *rules, uint16_t feature)
{
    if (feature == 0)
        return 0;
    unsigned pattern = feature % PATTERNS, high = 0;
    while ((high + 1) * (high + 2) / 2 <= pattern)
        high++;
    unsigned low = pattern - high * (high + 1) / 2;
    pattern = pattern_of(colours_exchanged[high], colours_exchanged[low]);
    unsigned first = feature < PATTERNS ? first_feature(rules, GOMOKU_WHITE) : 0;
    return (uint16_t)(pattern ? first + pattern : 0);
}

/* By the number of stones. */
unsigned gomoku_phase(const ply_rules *rules, const void *position, unsigned phases)
{
    (void)rules;
    const gomoku_position *p = position;
    unsigned stones = p->stones < LAST_PHASE_STONES ? p->stones : LAST_PHASE_STONES - 1;
    return stones * phases / LAST_PHASE_STONES;
}
