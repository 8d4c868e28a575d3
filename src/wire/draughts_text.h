/* SPDX-License-Identifier: MIT */
/*
 * draughts_text.h - boards and moves as Hub and DXP write them, converted from and to the notation
 * of checkers.
 *
 * Both protocols number the squares and describe a capture by its first square, its last square and
 * the pieces taken, in any order. States passed to the functions below must have rules with numeric
 * notation (ply_draughts_adjust, ply_draughts_numeric_rules): boards are converted by way of the
 * position's text, and the pieces a move takes are found by playing it.
 */
#ifndef PLY_WIRE_DRAUGHTS_TEXT_H
#define PLY_WIRE_DRAUGHTS_TEXT_H

#include <plyverse/state.h>

enum { DRAUGHTS_SQUARES = 32, DRAUGHTS_TAKEN_LIMIT = 12 };

typedef struct draughts_board {
    char turn;                          /* W or B */
    char squares[DRAUGHTS_SQUARES + 1]; /* w b W B (men, kings) or e (empty), by number; NUL */
} draughts_board;

typedef struct draughts_move {
    int from, to; /* 1 to DRAUGHTS_SQUARES */
    int taken[DRAUGHTS_TAKEN_LIMIT];
    int taken_count;
} draughts_move;

/*
 * Appends to the text of a variant the options that number the squares from the corner both
 * protocols count from. Appends nothing if there is no such variant.
 */
void ply_draughts_adjust(const ply_game *game, const char *variant, ply_text *out);
/* Copies rules with the same options set. Positions and moves are the same bits under both. False
 * if the game has no such options. */
bool ply_draughts_numeric_rules(const ply_rules *rules, ply_rules *out);
void ply_draughts_read(const ply_state *state, draughts_board *board);
/* Sets the state's position. On failure the state is unchanged. */
ply_status ply_draughts_set(ply_state *state, const draughts_board *board, ply_error *error);
draughts_move ply_draughts_describe(const ply_state *state, ply_move move);
/* The legal move that matches the description; PLY_MOVE_NONE if there is none. */
ply_move ply_draughts_find(const ply_state *state, const draughts_move *wanted);

/* --- moves in Hub notation: FROM-TO, or FROMxTOxTAKEN... ------------------------------------- */
void ply_hub_move_format(const draughts_move *move, ply_text *out);
/* False if the text is malformed. A capture may leave out the pieces taken. */
bool ply_hub_move_parse(const char *text, size_t length, draughts_move *move, bool *is_capture);

#endif
