/* SPDX-License-Identifier: MIT */
/*
 * library.h - the games of the library, as far as they are held in memory.
 *
 * A saved game is a record (its tree only grows) and what people say about it. It is taken for the
 * time of one request, locked, and put back; a change is on disk before it is answered. Games that
 * nobody uses stay in memory while there is room.
 *
 *     record.nodes[n]   move, parent, children, comment, ... of node n
 *     extra[n]          text of the move, who made it, score, place among its siblings
 */
#ifndef PLY_SERVER_LIBRARY_LIBRARY_H
#define PLY_SERVER_LIBRARY_LIBRARY_H

#include "server/library/store.h"
#include <pthread.h>

enum {
    SAVED_NODE_LIMIT = 20000,
    SAVED_TEXT_LIMIT = 1 << 16, /* bytes of a position, of tags and the like */
    SAVED_TITLE_LIMIT = 300,
    SAVED_COMMENT_LIMIT = 20000,
    SAVED_TAG_LIMIT = 64,
};

typedef struct saved_node {
    char *text, *pretty; /* NULL at the root and at set-ups */
    int side;            /* who made the move */
    int32_t score;       /* for player 0; STORE_NO_SCORE: none */
    int32_t depth;
    int64_t rank; /* siblings are in the order of their ranks */
} saved_node;

typedef struct saved_game {
    pthread_mutex_t lock;
    store_row row; /* row.at, row.plies and row.node_count are kept up to date */
    ply_record record;
    saved_node *extra;
    size_t extra_capacity;
    /* The library's own. */
    struct saved_game *newer, *older;
    int64_t id; /* never changes */
    unsigned users;
    bool broken;         /* not to be taken any more; the library's lock guards it */
    bool loaded, failed; /* the game's lock guards these */
    bool at_changed;     /* the game's lock, or the library's when it has no users */
} saved_game;

typedef struct library library;

library *library_open(const char *path, ply_error *error);
/* No game may be taken any more. */
void library_close(library *l);
store *library_store(library *l);
/* How many games are in memory. */
size_t library_loaded(library *l);
/* Writes which nodes were shown last, of some games; false when there was nothing to write. Called
 * now and then. */
bool library_flush(library *l);

/* The game, locked, until library_put; NULL with the reason (PLY_UNSUPPORTED: there is none). */
saved_game *library_take(library *l, int64_t id, ply_error *error);
void library_put(library *l, saved_game *game);
/*
 * A new game from a record, which is taken over, also on failure. Of the row, game, variant and
 * start are filled in here; title, players, clock and tags are the caller's strings. Returned as
 * by library_take.
 */
saved_game *library_create(library *l, ply_record *record, const store_row *row, ply_error *error);

/*
 * Adds a move that is legal in the state at the parent, or finds it. state is moved on. *added says
 * whether the node is new. New nodes are on disk after saved_commit(from the first of them).
 */
ply_status saved_add_move(saved_game *game, uint32_t parent, ply_move move, ply_state *state,
                          uint32_t *node, bool *added, ply_error *error);
/* Writes the row and all nodes from number `first` on; modified becomes now. On failure the game is
 * forgotten and read again from disk when it is next taken. */
ply_status saved_commit(library *l, saved_game *game, size_t first, ply_error *error);
/* Writes comment, nags, rank and score of a node. */
ply_status saved_commit_node(library *l, saved_game *game, uint32_t node, ply_error *error);
/* Makes a node the first child of its parent; *changed says whether it was not. */
void saved_make_first(saved_game *game, uint32_t node, bool *changed);
/* A state at a node; the caller frees it. It lives no longer than the game is taken. */
ply_status saved_state(const saved_game *game, uint32_t node, ply_state *state, ply_error *error);
/* Length of the main line, and its last node. */
uint32_t saved_main_line(const saved_game *game, uint32_t *last);
/* Sets the result where the main line's last position is over. */
void saved_settle(saved_game *game);
bool saved_set_text(char **slot, const char *text);
int64_t saved_now(void);

#endif
