/* SPDX-License-Identifier: MIT */
/*
 * evaluate.c - the evaluation: a weighted sum.
 *
 * One part is the pattern totals that play maintains (gomoku.h). A shape has one weight for the
 * player to move, who can still use it, and another for the opponent, whose threats can still be
 * stopped. The other part is what stones on the empty cells would make, in all four directions
 * together (search_board.h).
 */
#include "games/gomoku/eval/search_board.h"
#include <string.h>

const int16_t gomoku_weights[GOMOKU_WEIGHTS] = {
#include "games/gomoku/eval/weights.inc"
};

const char *const gomoku_weight_names[GOMOKU_WEIGHTS] = {
    "to move",          "own four to complete", "own straight four",   "own simple four",
    "own three",        "own open three",       "own broken three",    "own two",
    "own open two",     "enemy four",           "enemy straight four", "enemy three",
    "enemy open three", "enemy broken three",   "enemy two",           "enemy open two",
    "threes of both",
#include "gomoku/code_names.inc"
};

/* Counts the features, in the order of the weights. */
static void count_features(const gomoku_position *p, int32_t *counts)
{
    gomoku_shapes own = gomoku_shapes_of(p, p->side), enemy = gomoku_shapes_of(p, !p->side);
    int32_t all[GOMOKU_COUNT_WEIGHTS] = {
        1,
        own.four > 0,
        own.straight_four,
        own.simple_four,
        own.three,
        own.open_three,
        own.broken_three,
        own.two,
        own.open_two,
        enemy.four > 0,
        enemy.straight_four > 0,
        enemy.three,
        enemy.open_three,
        enemy.broken_three,
        enemy.two,
        enemy.open_two,
        (own.open_three + own.broken_three) * (enemy.open_three + enemy.broken_three) > 0,
    };
    memcpy(counts, all, sizeof all);
}

int32_t gomoku_board_evaluate(const ply_rules *rules, const void *position, void *board)
{
    (void)rules;
    const gomoku_position *p = position;
    const gomoku_search_board *b = board;
    int32_t counts[GOMOKU_COUNT_WEIGHTS], value = b->sums[p->side][0] + b->sums[!p->side][1];
    count_features(position, counts);
    for (int i = 0; i < GOMOKU_COUNT_WEIGHTS; i++)
        value += counts[i] * gomoku_weights[i];
    return value;
}

int32_t gomoku_evaluate(const ply_rules *rules, const void *position)
{
    gomoku_fixed_board fixed;
    gomoku_search_board_init(rules, position, 0, &fixed);
    return gomoku_board_evaluate(rules, position, &fixed);
}

size_t gomoku_terms(const ply_rules *rules, const void *position, ply_term *out)
{
    const gomoku_position *p = position;
    int32_t counts[GOMOKU_COUNT_WEIGHTS];
    size_t count = 0;
    count_features(position, counts);
    for (uint32_t i = 0; i < GOMOKU_COUNT_WEIGHTS; i++)
        if (counts[i])
            out[count++] = (ply_term){i, counts[i] * PLY_TERM_ONE};
    gomoku_fixed_board fixed;
    gomoku_search_board_init(rules, position, 0, &fixed);
    for (int colour = 0; colour < 2; colour++) {
        size_t first = (size_t)(fixed.board.weights[colour] - gomoku_weights) +
                       (colour == p->side ? 0 : GOMOKU_COMBINATIONS);
        for (int y = 0; y < fixed.board.threats.height; y++)
            for (int x = 0; x < fixed.board.threats.width; x++) {
                unsigned code = fixed.board.codes[colour * GOMOKU_MAX_CELLS + gomoku_cell(x, y)];
                if (code)
                    out[count++] =
                        (ply_term){(uint32_t)(first + gomoku_combination_of[code]), PLY_TERM_ONE};
            }
    }
    return count;
}
