/* SPDX-License-Identifier: MIT */
/*
 * draw_bound.h - the Erdos-Selfridge bound: the attacker's chances add up to too little.
 *
 * Every window (`row` neighbouring cells of a line) without a stone of the defender is one that the
 * attacker may still fill. Give it the weight 2^stones. If the weights add up to less than 2^row
 * with the defender to move, or to less than half of that with the attacker to move, the defender
 * stops every row by always taking the cell whose windows weigh most (Erdos and Selfridge 1973).
 *
 * The bound grants the attacker every row of `row` or more stones, so it holds under every rule,
 * with one exception: renju with Black as the defender, to whom a cell may be forbidden.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_DRAW_BOUND_H
#define PLY_GAMES_GOMOKU_SOLVE_DRAW_BOUND_H

#include "games/gomoku/rules/threat_board.h"

/* The total weight of the attacker's windows. */
int gomoku_window_weight(const gomoku_threat_board *b, int attacker);
/* Whether that weight is too small for the attacker to win. */
static inline bool gomoku_weight_is_drawn(const gomoku_threat_board *b, int weight,
                                          bool defender_moves)
{
    return weight < (1 << b->row) >> (defender_moves ? 0 : 1);
}

#endif
