/* SPDX-License-Identifier: MIT */
/*
 * state.h - a game in progress: the rules, the position, and the moves that led to it.
 *
 * The simple layer over game.h: whoever wants to play games needs no function pointers.
 *
 *     ply_rules rules;
 *     ply_state state;
 *     ply_rules_make(&rules, ply_game_find("gomoku"), "renju", NULL);
 *     ply_state_init(&state, &rules);
 *     ply_state_play_text(&state, "h8 i9", 5, NULL);
 *     ...
 *     ply_state_free(&state);
 *
 * A state owns its memory and grows as moves are played; a caller that must not allocate reserves
 * room beforehand. All text that is passed in stays the caller's. A failed ply_state_init leaves a
 * state for which every function below fails or does nothing.
 *
 * Thread safety: a state may be used by one thread at a time, but functions that take a const state
 * may run on several threads at once, as long as none changes it.
 */
#ifndef PLYVERSE_STATE_H
#define PLYVERSE_STATE_H

#include <plyverse/game.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ply_state {
    const ply_rules *rules;    /* not owned; must outlive the state */
    void *position;            /* rules->position_bytes bytes */
    ply_move *moves;           /* the moves played, oldest first */
    unsigned char *undo_stack; /* an entry of rules->undo_bytes bytes per move */
    size_t plies;              /* moves played */
    size_t capacity;           /* moves there is room for */
} ply_state;

/* Makes a state at the start position, which the caller frees. PLY_UNKNOWN_GAME if ply_rules_make
 * has failed. After a failure there is nothing to free. */
PLY_API ply_status ply_state_init(ply_state *state, const ply_rules *rules);
/* Frees the state's memory. Freeing a state twice does no harm. */
PLY_API void ply_state_free(ply_state *state);
/* Makes *to, which is uninitialised, a copy of *from including its moves. After a failure there is
 * nothing to free. */
PLY_API ply_status ply_state_copy(ply_state *to, const ply_state *from);
/* Returns to the start position and forgets the moves. On failure the state is unchanged. */
PLY_API ply_status ply_state_restart(ply_state *state);
/* Sets the position from text, which must hold nothing else, and forgets the moves. On failure the
 * state is unchanged, and error (may be NULL) says what is wrong and where. */
PLY_API ply_status ply_state_parse(ply_state *state, const char *text, size_t length,
                                   ply_error *error);
/* Makes room for that many more plies, which will then not allocate. */
PLY_API ply_status ply_state_reserve(ply_state *state, size_t plies);
/* --- looking -------------------------------------------------------------------------------- */
/*
 * Writes the legal moves to out, at most `room` of them, and returns how many there are, which may
 * be more. rules->max_moves is always enough room. A game can be over although there are moves; see
 * ply_state_outcome. 0 if there is no move or, in 5D chess, no memory.
 */
PLY_API size_t ply_state_moves(const ply_state *state, ply_move *out, size_t room);
/* Whether a move is legal. Any number may be asked about. */
PLY_API bool ply_state_is_legal(const ply_state *state, ply_move move);
/* The player to move, 0 or 1. */
PLY_API int ply_state_side(const ply_state *state);
/* A 64-bit key: equal positions have equal keys, different ones almost certainly not. */
PLY_API uint64_t ply_state_key(const ply_state *state);
/* Whether the game is over, and how it ended. */
PLY_API ply_outcome ply_state_outcome(const ply_state *state);
/* Appends the position as text that ply_state_parse reads. */
PLY_API void ply_state_format(const ply_state *state, ply_text *out);
/* Appends a board for people; flags: a sum of PLY_DRAW_*. */
PLY_API void ply_state_draw(const ply_state *state, unsigned flags, ply_text *out);
/* Appends a board as a complete SVG drawing, with the last move marked; flags: a sum of PLY_SVG_*. */
PLY_API void ply_state_svg(const ply_state *state, unsigned flags, ply_text *out);
/* Appends a legal move as text that ply_state_parse_move reads. */
PLY_API void ply_state_move_text(const ply_state *state, ply_move move, ply_text *out);
/* Parses a legal move, and nothing else, without playing it. PLY_BAD_TEXT or PLY_ILLEGAL_MOVE on
 * failure; error (may be NULL) then says what is wrong and where. */
PLY_API ply_status ply_state_parse_move(const ply_state *state, const char *text, size_t length,
                                        ply_move *move, ply_error *error);

/* --- playing -------------------------------------------------------------------------------- */
/* Plays a move known to be legal. */
PLY_API ply_status ply_state_play(ply_state *state, ply_move move);
/* Takes back the last move; false when there is none. */
PLY_API bool ply_state_undo(ply_state *state);
/*
 * Parses and plays moves separated by white space or commas. A game whose moves end unambiguously
 * needs no separator, as in h8h9i7. On failure all moves played by this call are taken back.
 */
PLY_API ply_status ply_state_play_text(ply_state *state, const char *text, size_t length,
                                       ply_error *error);

/* --- saving --------------------------------------------------------------------------------- */
/*
 * Appends the whole state as text: the number of moves, the moves, and the position they start from
 * if it is not the usual one, all separated by spaces. The rules are not part of it. PLY_NO_MEMORY.
 */
PLY_API ply_status ply_state_save(const ply_state *state, ply_text *out);
/* Replaces the state by one that ply_state_save wrote under the same rules. On failure the state is
 * unchanged, and error (may be NULL) says what is wrong and where. */
PLY_API ply_status ply_state_load(ply_state *state, const char *text, size_t length,
                                  ply_error *error);

/* --- results -------------------------------------------------------------------------------- */
/* "ongoing", "first", "second" or "draw"; "?" for an invalid value. */
PLY_API const char *ply_result_name(ply_result result);
/* The score as game records write it: "*", "1-0", "0-1" or "1/2-1/2"; "?" for an invalid value. */
PLY_API const char *ply_result_score(ply_result result);
/* The result with that name or score. Returns false, *result unchanged, when there is none. */
PLY_API bool ply_result_from_name(const char *text, size_t length, ply_result *result);
PLY_API bool ply_result_from_score(const char *text, size_t length, ply_result *result);

#ifdef __cplusplus
}
#endif
#endif
