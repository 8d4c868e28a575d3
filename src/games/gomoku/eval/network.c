/* SPDX-License-Identifier: MIT */
/*
 * network.c - the features of a position for neural networks.
 *
 * A feature is an empty cell, described by what a stone on it would make for either player. In each
 * of the four directions a stone reaches one of six levels (threat_board.h):
 *
 *     0 nothing   1 a build   2 a three   3 a four   4 a straight four   5 a five
 *
 * Of each player's four levels the two highest count, high >= low, as one of 21 pairs. A cell on
 * which neither player would make anything is no feature; the others are
 *
 *     feature = own pair * 21 + enemy pair          pair = high * (high + 1) / 2 + low
 *
 * So the features say which threats and double threats there are, not where. They do not depend on
 * the size of the board. In renju, where only Black has forbidden points, White has features of its
 * own: 441 is added.
 */
#include "games/gomoku/rules/threat_board.h"

enum { PAIRS = 21, FEATURES = PAIRS * PAIRS, MASKS = 5, ROW = 5, LAST_PHASE_STONES = 64 };

const char *gomoku_network_family(const ply_rules *rules)
{
    static const char *const families[GOMOKU_RULES] = {
        [GOMOKU_FREESTYLE] = "gomoku-freestyle",
        [GOMOKU_STANDARD] = "gomoku-standard",
        [GOMOKU_RENJU] = "gomoku-renju",
        [GOMOKU_CARO] = "gomoku-caro",
        [GOMOKU_CARO_OVERLINE] = "gomoku-caro-overline",
    };
    return gomoku_row(rules) == ROW ? families[gomoku_rule_of(rules)] : NULL;
}

uint32_t gomoku_feature_count(const ply_rules *rules)
{
    return gomoku_rule_of(rules) == GOMOKU_RENJU ? 2 * FEATURES : FEATURES;
}

/* The two highest levels of one player at one cell. */
typedef struct level_pair {
    uint8_t high, low;
} level_pair;

static void add_level(level_pair *pair, int level)
{
    if (level > pair->high) {
        pair->low = pair->high;
        pair->high = (uint8_t)level;
    } else if (level > pair->low) {
        pair->low = (uint8_t)level;
    }
}

static int pair_number(level_pair pair)
{
    return pair.high * (pair.high + 1) / 2 + pair.low;
}

/* Adds what stones on the cells of a line would make; marks those cells. */
static void add_line(const gomoku_threat_board *b, int line, level_pair levels[2][GOMOKU_MAX_CELLS],
                     gomoku_cells *marked)
{
    /* In ascending order of their levels. */
    const uint64_t masks[MASKS] = {b->build[line], b->three[line], b->four[line], b->straight[line],
                                   b->five[line]};
    for (uint64_t bits = masks[0] | masks[1] | masks[2] | masks[3] | masks[4]; bits;
         bits &= bits - 1) {
        int bit = ply_lowest(bits), level = MASKS;
        while (!(masks[level - 1] >> bit & 1))
            level--;
        int cell = gomoku_line_cell(b->width, b->height, line, bit / 2);
        for (int colour = 0; colour < 2 && !gomoku_cells_has(marked, cell); colour++)
            levels[colour][cell] = (level_pair){0, 0};
        gomoku_cells_add(marked, cell);
        add_level(&levels[bit & 1][cell], level);
    }
}

size_t gomoku_features(const ply_rules *rules, const void *position, int player, uint16_t *out)
{
    gomoku_threat_board board;
    level_pair levels[2][GOMOKU_MAX_CELLS]; /* of marked cells */
    gomoku_cells marked = {0};
    gomoku_threat_board_init(&board, rules, position, NULL);
    for (int line = 0; line < board.line_count; line++)
        add_line(&board, line, levels, &marked);
    int first = gomoku_rule_of(rules) == GOMOKU_RENJU && player == GOMOKU_WHITE ? FEATURES : 0;
    size_t count = 0;
    for (int y = 0; y < board.height; y++)
        for (uint32_t row = marked.rows[y]; row; row &= row - 1) {
            int cell = gomoku_cell(ply_lowest(row), y);
            out[count++] = (uint16_t)(first + pair_number(levels[player][cell]) * PAIRS +
                                      pair_number(levels[!player][cell]));
        }
    return count;
}

/* By the number of stones. */
unsigned gomoku_phase(const ply_rules *rules, const void *position, unsigned phases)
{
    (void)rules;
    const gomoku_position *p = position;
    unsigned stones = p->stones < LAST_PHASE_STONES ? p->stones : LAST_PHASE_STONES - 1;
    return stones * phases / LAST_PHASE_STONES;
}
