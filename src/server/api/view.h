/* SPDX-License-Identifier: MIT */
/* view.h - games and positions as JSON. */
#ifndef PLY_SERVER_API_VIEW_H
#define PLY_SERVER_API_VIEW_H

#include "server/library/library.h"

/* A position as the page wants it; see View in docs/openapi.json. */
typedef struct view_source {
    ply_state *state; /* is as before when the call returns */
    int64_t id;       /* 0: not saved */
    uint32_t node;
    bool is_setup; /* the node was set up by hand */
    bool has_clock;
    int64_t clock[2]; /* milliseconds left */
} view_source;

/* False when memory runs out. */
bool view_write(const view_source *source, ply_text *out);
/* The view of a node of a saved game. */
bool view_saved(const saved_game *game, uint32_t node, ply_text *out, ply_error *error);

/* Milliseconds left for both players at a node where `side` moves; false when there is no clock. */
bool view_clock(const saved_game *game, uint32_t node, int side, int64_t *left);

/* One node as JSON. */
void view_node(const saved_game *game, uint32_t n, ply_text *out);
/* Begins an answer to added moves: node, added (nodes from number `first` on and the parents of the
 * new) and view. The caller closes the object. */
bool view_added(const saved_game *game, uint32_t node, size_t first, ply_text *out,
                ply_error *error);
/* Members of Summary without the braces, from a row. */
void view_summary(const store_row *row, ply_text *out);
/* A whole game with its tree. */
void view_game(const saved_game *game, ply_text *out);

/* {"move":..., "pretty":...} of a move in the position before it. */
void view_move(const ply_state *before, ply_move move, ply_text *out);
/* An array of these, played on from the state, which is as before afterwards. */
void view_line(ply_state *state, const ply_move *moves, size_t count, ply_text *out);
/* Members score, value, first, bar and line of a search line. side: who moves in the state. */
void view_search_line(ply_state *state, const ply_variation *line, ply_text *out);
/* Where a score bar stands, 0 to 1, for a score of player 0. */
double view_bar(int32_t first);

/* Raw JSON as the value of a member. */
void view_raw(ply_text *out, const char *name, const char *json);
void view_number_or_null(ply_text *out, const char *name, bool known, int64_t value);
void view_outcome(ply_text *out, const char *name, ply_outcome outcome);

#endif
