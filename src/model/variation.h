/* SPDX-License-Identifier: MIT */
/*
 * variation.h - sequences of moves as text, separated by spaces.
 *
 * A move's text depends on the position it is played in, so both functions play the moves on a copy
 * of the state. They fail with PLY_NO_MEMORY, or with what ply_state_play returns; what has been
 * appended by then stays.
 */
#ifndef PLY_MODEL_VARIATION_H
#define PLY_MODEL_VARIATION_H

#include <plyverse/state.h>

/* Appends the text of a move that is legal in the state. */
typedef void ply_move_formatter(const ply_state *state, ply_move move, ply_text *out);

/* The game's own notation (format_move). */
void ply_move_format(const ply_state *state, ply_move move, ply_text *out);

/* Appends moves to be played from the state. format: NULL for the game's own notation. */
ply_status ply_variation_format(const ply_state *state, const ply_move *moves, size_t count,
                                ply_move_formatter *format, ply_text *out);
/* Appends the moves that led from the start of the game to the state. */
ply_status ply_state_format_moves(const ply_state *state, ply_move_formatter *format,
                                  ply_text *out);

#endif
