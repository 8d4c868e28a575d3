/* SPDX-License-Identifier: MIT */
/*
 * state.h - a game in progress: the rules, the position, and the moves that led to it.
 *
 * The simple layer over game.h. A state owns its memory and grows as moves are played; a caller
 * that must not allocate reserves room beforehand. A state may be used by one thread at a time.
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

/* Makes a state at the start position. After a failure there is nothing to free. */
PLY_API ply_status ply_state_init(ply_state *state, const ply_rules *rules);
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
PLY_API ply_outcome ply_state_outcome(const ply_state *state);

/* "ongoing", "first", "second" or "draw". */
PLY_API const char *ply_result_name(ply_result result);
/* The score as game records write it: "*", "1-0", "0-1" or "1/2-1/2". */
PLY_API const char *ply_result_score(ply_result result);
/* The result with that name or score. Returns false, *result unchanged, when there is none. */
PLY_API bool ply_result_from_name(const char *text, size_t length, ply_result *result);
PLY_API bool ply_result_from_score(const char *text, size_t length, ply_result *result);

#ifdef __cplusplus
}
#endif
#endif
