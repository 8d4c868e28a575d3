/* SPDX-License-Identifier: MIT */
/*
 * library.h - the user's saved games, cached in memory.
 *
 * A saved game is a record and a header. The tree of the record only grows: a deleted variation is
 * cut off from its parent, but its nodes keep their numbers. A caller acquires a game, which
 * locks it, and releases it when the request is done. Changes are made in memory and then saved
 * with library_save or library_save_node; see store.h for when they are durable. Games that
 * are not in use stay in memory while there is room.
 *
 *     record.nodes[n]   move, parent, children, comment, ... of node n
 *     extra[n]          text of the move, who played it, score, rank among its siblings
 *
 * Threads: every function but library_open and library_close may be called from any thread. A
 * function that takes a library_game requires that the caller has acquired it.
 */
#ifndef PLY_SERVER_LIBRARY_LIBRARY_H
#define PLY_SERVER_LIBRARY_LIBRARY_H

#include "server/library/game_clock.h"
#include "server/library/store.h"
#include <pthread.h>

enum {
    LIBRARY_NODE_LIMIT = 20000,
    LIBRARY_TEXT_LIMIT = 1 << 16, /* bytes of a move text or of the tags */
    LIBRARY_TITLE_LIMIT = 300,
    LIBRARY_COMMENT_LIMIT = 20000,
    LIBRARY_TAG_LIMIT = 64,
    /* The depth of a score that is exact: the game is over, or a tablebase or a solver knows. */
    LIBRARY_EXACT_DEPTH = 100,
};

/*
 * A game is played or analysed. In play, moves are played at the tip only: a move taken back becomes
 * a variation, the clock runs, and a finished game stays as it is. In an analysis, a move at any
 * node adds a variation.
 */
typedef enum library_mode { LIBRARY_ANALYSIS, LIBRARY_PLAY } library_mode;

typedef struct library_node {
    char *text;    /* the move; NULL at the root and at setups */
    char *pretty;  /* the move in each of the game's notations, one text after the other */
    int side;      /* who played it */
    int32_t score; /* for player 0; STORE_NO_SCORE: none */
    int32_t depth; /* of the search that gave the score; LIBRARY_EXACT_DEPTH: it is exact */
    char *best;    /* the best variation from here, moves separated by spaces; NULL: none */
    int64_t rank;  /* siblings are sorted by rank */
    bool deleted;  /* cut off from its parent */
} library_node;

typedef struct library_game {
    pthread_mutex_t lock;
    store_header header;
    ply_record record;
    library_node *extra; /* one per node of the record */
    game_clock clock;    /* replaces header.clock_state, which is written when the game is saved */
    size_t extra_capacity;
    int64_t id; /* never changes, so it may be read without the lock */
    /* Private to library.c: */
    struct library_game *newer, *older; /* by last use */
    unsigned users;
    bool broken;     /* must not be acquired any more; guarded by the library's lock */
    bool loaded;     /* guarded by the game's lock, as is `failed` */
    bool failed;     /* memory and disk may differ: drop the game and load it again */
    bool at_changed; /* header.at is not saved; guarded by the library's lock if users is 0 */
} library_game;

typedef struct library library;

/* Opens the store at path. NULL, with the reason in *error, on failure. */
library *library_open(const char *path, ply_error *error);
/* Saves what library_flush would and frees everything. No game may be acquired. NULL is a no-op. */
void library_close(library *l);
store *library_store(library *l);
/* The number of games in memory. */
size_t library_loaded(library *l);
/* Saves header.at of some games where it has changed; false when there was nothing to save. Call it
 * every few seconds. */
bool library_flush(library *l);
/* Now, in milliseconds since 1970. */
int64_t library_now(void);

/* Returns the game, locked, until library_release; NULL with the reason in *error (PLY_UNSUPPORTED
 * when there is no such game). */
library_game *library_acquire(library *l, int64_t id, ply_error *error);
void library_release(library *l, library_game *game);
/*
 * Saves a record as a new game and returns it as library_acquire does. Takes the record over, also
 * on failure. Copies title, players, clock, tags, mode, origin and at from *header; the rest comes
 * from the record.
 */
library_game *library_create(library *l, ply_record *record, const store_header *header,
                             ply_error *error);

/*
 * Plays a move that is legal in *state, the state at node parent, and adds it unless the parent has
 * it already. *node gets the child and *added whether it is new; *state is at the child then. On
 * failure nothing changes. New nodes must be saved with library_save.
 */
ply_status library_add_move(library_game *game, uint32_t parent, ply_move move, ply_state *state,
                            uint32_t *node, bool *added, ply_error *error);
/* Removes the nodes numbered first and up, which must not have been saved. */
void library_remove_unsaved(library_game *game, size_t first);
/* Writes the header and all nodes numbered first and up; sets header.modified to now. On failure
 * the next library_acquire reads the game from disk again. */
ply_status library_save(library *l, library_game *game, size_t first, ply_error *error);
/* Writes comment, nags, rank and score of a node. Failure as for library_save. */
ply_status library_save_node(library *l, library_game *game, uint32_t node, ply_error *error);
/* Sets header.at, which library_flush or library_save writes later. Returns whether it changed. */
bool library_show_node(library_game *game, uint32_t node);
/* Makes a node the first child of its parent. Save the node afterwards. */
void library_promote(library_game *game, uint32_t node);
/* Cuts a node, with everything below it, off from its parent, or puts it back. Not for the root.
 * Save the node afterwards. */
void library_delete_node(library_game *game, uint32_t node, bool deleted);
/* Replays the game up to a node. The caller frees the state before it releases the game. */
ply_status library_state_at(const library_game *game, uint32_t node, ply_state *state,
                            ply_error *error);
/* Returns the number of plies of the main line; *last gets its last node. */
uint32_t library_main_line(const library_game *game, uint32_t *last);
/*
 * Sets the result in the header if the game has come to its end by the rules: at the tip in play,
 * else at the end of the main line, which becomes the tip. *state (may be NULL) is the state at
 * `node`; it saves a replay when that is the node in question.
 */
void library_update_result(library_game *game, uint32_t node, const ply_state *state);

/* --- a game in play (library_play.c) ---------------------------------------------------------- */
/* Whether moves can be played at the tip: the game is in play and not over. */
bool library_in_play(const library_game *game);
/* Whether a node is an ancestor of another one, or the same. */
bool library_is_above(const library_game *game, uint32_t node, uint32_t lower);
/* Whether the game has an end, after which its record ends too: it is in play or has a result. */
bool library_has_tip(const library_game *game);

typedef enum library_permission {
    LIBRARY_MAY_PLAY,
    LIBRARY_NOT_TIP,     /* the game stands at another node */
    LIBRARY_FINISHED,    /* the game is over */
    LIBRARY_OUT_OF_TIME, /* the game is over since now, and must be saved */
} library_permission;

/* Whether a move may be played at a node. A clock that has run out ends the game. */
library_permission library_may_play(library_game *game, uint32_t node, int64_t now);
/*
 * Continues a game in play: `node`, which was added below the tip or was there, becomes the tip, and
 * the way to it the main line. Presses the clock of the player who moved; `next` moves next.
 * Nodes numbered first_new and up must be saved afterwards; the others are.
 */
ply_status library_continue(library *l, library_game *game, uint32_t node, size_t first_new,
                            int next, int64_t now, ply_error *error);
/* Makes an ancestor of the tip the tip; `next` is to move there. Save the game afterwards. */
void library_take_back(library_game *game, uint32_t node, int next, int64_t now);
/* Ends a game by resignation, agreement or time, or with PLY_ONGOING reopens it, and stops the
 * clock. False when memory runs out. Save the game afterwards. */
bool library_end(library_game *game, ply_result result, const char *ending, int64_t now);
/* Replaces an allocated string by a copy of text; false, and no change, when memory runs out. */
bool library_set_text(char **slot, const char *text);

#endif
