/* SPDX-License-Identifier: MIT */
/*
 * draughts_text.h - boards and moves as Hub and DXP write them, made from the texts of checkers.
 *
 * Both protocols number the squares and name a capture by its first and last square and the pieces
 * taken, in any order. Sessions play by rules whose own notation is in figures (ply_draughts_adjust);
 * a board is read from the position's text, and what a move takes is seen by playing it. The match
 * runner, which speaks Hub from the other side, uses the same.
 */
#ifndef PLY_WIRE_DRAUGHTS_TEXT_H
#define PLY_WIRE_DRAUGHTS_TEXT_H

#include "protocol/session_internal.h"

enum { DRAUGHTS_SQUARES = 32, DRAUGHTS_TAKEN = 12 };

typedef struct draughts_board {
    char turn;                          /* W or B */
    char squares[DRAUGHTS_SQUARES + 1]; /* w b W B e, by number; NUL at the end */
} draughts_board;

typedef struct draughts_move {
    int from, to;
    int taken[DRAUGHTS_TAKEN];
    int taken_count;
} draughts_move;

/* Rules with squares in figures from the corner that both protocols count from. */
void ply_draughts_adjust(const ply_game *game, const char *variant, ply_text *out);
/* The same as rules of their own; positions and moves are the same bits. False: not such a game. */
bool ply_draughts_figures(const ply_rules *rules, ply_rules *out);
void ply_draughts_read(const ply_state *state, draughts_board *board);
/* Sets up a board; white and black are the letters of men and kings in `squares`. */
ply_status ply_draughts_set(ply_state *state, const draughts_board *board, ply_error *error);
draughts_move ply_draughts_describe(const ply_state *state, ply_move move);
/* The legal move that is this one; PLY_MOVE_NONE for none. */
ply_move ply_draughts_find(const ply_state *state, const draughts_move *wanted);

#endif
