/* SPDX-License-Identifier: MIT */
/* view.h - games and positions as JSON. docs/openapi.json describes the schemas named here. */
#ifndef PLY_SERVER_API_VIEW_H
#define PLY_SERVER_API_VIEW_H

#include "server/library/library.h"

/* What the schema View shows. */
typedef struct view_source {
    ply_state *state; /* as it was when the call returns */
    int64_t id;       /* of the saved game; 0: none */
    uint32_t node;
    bool is_setup;    /* the node sets up a position instead of playing a move */
    game_clock clock; /* at the node */
} view_source;

/* Writes a View. False when memory runs out. */
bool view_position(const view_source *source, ply_text *out);
/* Writes the View of a node of a saved game. *state is the state at that node, and as it was when
 * the call returns. False when memory runs out. */
bool view_game_node(const library_game *game, uint32_t node, ply_state *state, ply_text *out);
/* The clock at a node where `side` is to move: the game's own at the tip of a game in play, else
 * what the times of the moves up to the node leave. */
game_clock view_clock(const library_game *game, uint32_t node, int side);

/* Writes a Node. */
void view_node(const library_game *game, uint32_t n, ply_text *out);
/* Opens an Added object and writes node, added (the nodes numbered first and up, after the first's
 * parent) and view. The caller closes it. *state as for view_game_node. */
bool view_added_nodes(const library_game *game, uint32_t node, size_t first, ply_state *state,
                      ply_text *out);
/* Writes the members of a Summary, without the braces. */
void view_summary(const store_header *header, ply_text *out);
/* Writes a Game, with its tree. */
void view_game(const library_game *game, ply_text *out);

/* Writes a MoveText; *before is the state before the move. */
void view_move(const ply_state *before, ply_move move, ply_text *out);
/* Writes an array of MoveText for moves that follow *state, which is as it was when the call
 * returns. */
void view_variation(ply_state *state, const ply_move *moves, size_t count, ply_text *out);
/* Writes the members score, value, first, bar and line of a searched variation. */
void view_scored_variation(ply_state *state, const ply_variation *variation, bool scored,
                           ply_text *out);
/* The share of a score bar, 0 to 1, that belongs to player 0, given their score. */
double view_score_bar(int32_t score);

/* Writes a member whose value is JSON already. */
void view_raw(ply_text *out, const char *name, const char *json);
/* Writes a member that is a number, or null if it is not known. */
void view_number_or_null(ply_text *out, const char *name, bool known, int64_t value);
/* Writes a member that is an Outcome. */
void view_outcome(ply_text *out, const char *name, ply_outcome outcome);

#endif
