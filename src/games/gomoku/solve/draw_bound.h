/* SPDX-License-Identifier: MIT */
/*
 * draw_bound.h - why an attacker cannot win: counting what is left of his rows.
 *
 * Every window (row of neighbouring cells) without a stone of the defender's is one the attacker
 * may still fill. Give it 2^stones of 2^row. If the weights add up to less than 2^row with the
 * defender to move, or less than half of that with the attacker to move, the defender stops every
 * row by always taking the cell whose windows weigh most (Erdos and Selfridge 1973). The attacker
 * is given every row of `row` or more and needs no permission, so this holds in every rule set but
 * for renju's Black as defender: a cell may be forbidden to him.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_DRAW_BOUND_H
#define PLY_GAMES_GOMOKU_SOLVE_DRAW_BOUND_H

#include "games/gomoku/rules/threat_board.h"

/* The weights of the attacker's windows added up. */
int gomoku_row_weight(const gomoku_field *f, int attacker);
/* Whether they are too few for him to win. */
static inline bool gomoku_rows_too_few(const gomoku_field *f, int weight, bool defender_moves)
{
    return weight < (1 << f->row) >> (defender_moves ? 0 : 1);
}

#endif
