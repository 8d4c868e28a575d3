/* SPDX-License-Identifier: MIT */
/*
 * retrograde_cell.h - the state of a slot while its slice is solved; for the host and for CUDA.
 *
 * While a value is being worked out, its cell counts the moves that are not yet known to lose and
 * holds a lower bound on the length of the loss:
 *
 *                  15   14                7 6               0
 *                +----+--------------------+-----------------+
 *     undecided  | 0  | longest loss / 2   | moves left      |
 *                +----+--------------------+-----------------+
 *     decided    | 1  | plies to the end: even is a loss     |
 *                +----+--------------------------------------+
 *
 * Checkpoints contain the cells as they are, so this layout is part of the file format.
 */
#ifndef PLY_MODEL_RETROGRADE_CELL_H
#define PLY_MODEL_RETROGRADE_CELL_H

#include "model/retrograde.h"
#include <limits.h>

enum {
    CELL_DECIDED = 0x8000,
    MOVES_LEFT_BITS = 7,
    MOVES_LEFT_MASK = (1 << MOVES_LEFT_BITS) - 1,
    MAX_DISTANCE = 510,      /* plies */
    CELL_TOO_LONG = 0x10000, /* no cell: a distance or a number of moves exceeds its field */
};
_Static_assert((MAX_DISTANCE / 2 << MOVES_LEFT_BITS | MOVES_LEFT_MASK) < CELL_DECIDED,
               "the bound fits its field");

/*
 * The first content of a cell: what follows from the moves that leave the slice. values: as stored,
 * one for each exit; exit_count may be PLY_SLOT_HOLE.
 */
PLY_HD unsigned cell_first(const uint16_t *values, size_t exit_count, unsigned inner_moves)
{
    unsigned shortest_win = UINT_MAX, longest_loss = 0, draws = 0;
    if (exit_count == PLY_SLOT_HOLE)
        return MOVES_LEFT_MASK;
    for (size_t i = 0; i < exit_count; i++) {
        /* A stored value is 1 + the plies after the move: the distance with the move included. */
        unsigned value = values[i];
        if (value == 0)
            draws++;
        else if (value & 1)
            shortest_win = value < shortest_win ? value : shortest_win;
        else
            longest_loss = value > longest_loss ? value : longest_loss;
    }
    unsigned moves_left = inner_moves + draws;
    if ((shortest_win != UINT_MAX && shortest_win > MAX_DISTANCE) || longest_loss > MAX_DISTANCE ||
        moves_left > MOVES_LEFT_MASK)
        return CELL_TOO_LONG;
    if (shortest_win != UINT_MAX)
        return CELL_DECIDED | shortest_win;
    if (moves_left == 0)
        return CELL_DECIDED | longest_loss;
    return longest_loss / 2 << MOVES_LEFT_BITS | moves_left;
}

/* The distance of a loss all of whose moves are known, from the content before the last of them. */
PLY_HD unsigned cell_loss(unsigned before, unsigned distance)
{
    unsigned longest_loss = (before >> MOVES_LEFT_BITS) * 2;
    return longest_loss > distance ? longest_loss : distance;
}

#endif
