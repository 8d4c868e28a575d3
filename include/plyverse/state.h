/* SPDX-License-Identifier: MIT */
/*
 * state.h - one game being played: the rules, the position now, and the way back.
 *
 * The simple layer over game.h. A state owns its memory and grows as moves are played; a caller
 * that must not allocate reserves room first. Not safe to use from two threads at once.
 */
#ifndef PLYVERSE_STATE_H
#define PLYVERSE_STATE_H

#include <plyverse/game.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ply_state {
    const ply_rules *rules;    /* not owned; must outlive the state */
    void *position;            /* rules->position_bytes */
    ply_move *moves;           /* the moves played, oldest first */
    unsigned char *undo_stack; /* rules->undo_bytes each */
    size_t plies, capacity;
} ply_state;

/* A state at the start position. On failure nothing needs freeing. */
PLY_API ply_status ply_state_init(ply_state *state, const ply_rules *rules);
PLY_API void ply_state_free(ply_state *state);
/* Makes *to a copy of *from, trail included. *to is uninitialised before. */
PLY_API ply_status ply_state_copy(ply_state *to, const ply_state *from);
/* Back to the start position with an empty trail. */
PLY_API ply_status ply_state_restart(ply_state *state);
/* Sets the position from text, all of which must be read; the trail becomes empty. On failure the
 * state is as it was. */
PLY_API ply_status ply_state_parse(ply_state *state, const char *text, size_t length,
                                   ply_error *error);
/* Room for so many more plies without allocation. */
PLY_API ply_status ply_state_reserve(ply_state *state, size_t plies);
/* Plays a move known to be legal. */
PLY_API ply_status ply_state_play(ply_state *state, ply_move move);
/* Takes back the last move; false when there is none. */
PLY_API bool ply_state_undo(ply_state *state);
/*
 * Plays the moves of a text. White space or commas may part them; where a game's moves end by
 * themselves, as in h8h9i7, nothing need. On failure, those before the bad one are taken back.
 */
PLY_API ply_status ply_state_play_text(ply_state *state, const char *text, size_t length,
                                       ply_error *error);
PLY_API ply_outcome ply_state_outcome(const ply_state *state);

#ifdef __cplusplus
}
#endif
#endif
