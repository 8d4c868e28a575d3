/* SPDX-License-Identifier: MIT */
/*
 * store.h - the games on disk: one SQLite file in WAL mode, opened by one process at a time.
 *
 * Durability. When a write returns PLY_OK, it is committed to the write-ahead log: every later read
 * sees it, and it survives a crash of the process. It survives a crash of the machine once a
 * store_sync that began after the write has returned. The two steps are separate because a sync
 * takes longer than everything else, and one sync covers all writes made before it began.
 *
 *     games   id, game, variant, start, title, players, clock, tags (JSON), result, ending, at,
 *             created, modified (milliseconds since 1970), deleted, plies, node_count, words, mode,
 *             tip, clock_state (game_clock.h), origin
 *     nodes   (game, n), parent, rank (order among siblings), move, setup, millis, comment, nags,
 *             score, depth, deleted, best
 *     positions  (key, game), result: the index of positions (position_index.h)
 *     puzzles    id, attempts, solved, step, due: what the user has solved
 *     own_puzzles  rules, goal, key, source, text: puzzles from the user's games
 *     searched   game, modified: games in which puzzles have been looked for, as they were then
 *     engines    id, name, spec, options: programs of the user's that play and analyse
 *
 * Moves are stored as text, so the file stays readable when the encoding of moves changes.
 *
 * Threads: every function but store_open and store_close may be called from any thread.
 */
#ifndef PLY_SERVER_LIBRARY_STORE_H
#define PLY_SERVER_LIBRARY_STORE_H

#include <plyverse/plyverse.h>

typedef struct store store;

enum { STORE_NO_SCORE = INT32_MIN };

/* Everything about a game except its tree. When a function below fills one in, the caller owns the
 * strings and frees them with store_header_free. */
typedef struct store_header {
    int64_t id;
    char *game, *variant, *start, *title, *players, *clock, *tags, *ending;
    char *clock_state; /* what the clocks show; "": they have not started */
    char *origin;      /* names the shared link that the game was opened from; "": none */
    ply_result result;
    uint32_t at; /* the node last shown */
    int64_t created, modified;
    bool deleted;
    uint32_t plies, node_count;
    int mode;      /* library_mode */
    char *opening; /* its name as far as it is known; filled in by reads only */
    int64_t tip;   /* where the game stands or ended; -1: at the end of the main variation */
} store_header;

typedef struct store_node {
    uint32_t n, parent;
    int64_t rank;
    const char *move, *setup; /* one is NULL; both are NULL at the root */
    int32_t millis;           /* time spent on the move; -1: unknown */
    const char *comment;      /* may be NULL */
    uint8_t nag_count;
    const uint8_t *nags;
    int32_t score, depth; /* score is STORE_NO_SCORE when there is none */
    bool deleted;         /* with everything below it; it keeps its number */
    const char *best;     /* the best variation from here, moves separated by spaces; may be NULL */
} store_node;

/* Opens the file at path, creating it if needed, readable by its owner alone; ":memory:" for a store without a file. Returns
 * NULL, with the reason in *error, when it cannot be opened or another process has it open. */
store *store_open(const char *path, ply_error *error);
/* Syncs all writes and frees the store. NULL is a no-op. */
void store_close(store *s);

/* Returns once every write made before the call is on disk; PLY_IO when the sync failed or the file
 * is no longer at its path. */
ply_status store_sync(store *s, ply_error *error);
/* Whether every write so far is on disk, so that store_sync would return at once. */
bool store_is_synced(store *s);

void store_header_free(store_header *header);

/* --- writes ----------------------------------------------------------------------------------- */
/* Each is one transaction: it happens completely or not at all. */
/* Adds a game with its nodes, the root first; *id gets its number. */
ply_status store_add(store *s, const store_header *header, const store_node *nodes, size_t count,
                     int64_t *id, ply_error *error);
/* Rewrites the header of game header->id, except id, created and the rules, and adds nodes. */
ply_status store_update(store *s, const store_header *header, const store_node *nodes, size_t count,
                        ply_error *error);
/* Rewrites what can change in a node: rank, comment, nags, score, depth, deleted and best. */
ply_status store_update_node(store *s, int64_t id, const store_node *node, ply_error *error);
/* Rewrites only header.at. store_is_synced ignores this write: losing it does no harm. */
ply_status store_set_at(store *s, int64_t id, uint32_t at, ply_error *error);

/* --- reads ------------------------------------------------------------------------------------ */
/*
 * Reads a game. visit (may be NULL) is called with each node in order until it returns false; the
 * node is valid during the call only, and visit must not call the store. PLY_UNSUPPORTED when there
 * is no such game.
 */
ply_status store_read(store *s, int64_t id, store_header *header,
                      bool (*visit)(void *context, const store_node *node), void *context,
                      ply_error *error);

typedef struct store_query {
    const char *words;            /* separated by spaces; every one must occur; may be NULL */
    const char *game;             /* a game's id; NULL for all games */
    bool deleted;                 /* deleted games instead of the others */
    const char *player, *opening; /* texts that a player's name, the opening contain; may be NULL */
    bool has_result;              /* only games with this result: */
    ply_result result;
    bool has_key; /* only games with a position of this key: */
    uint64_t key;
    uint64_t limit, offset;
} store_query;

/* Lists games, the most recently modified first. headers has room for query->limit; *total counts
 * all matches. On failure *count is 0. */
ply_status store_list(store *s, const store_query *query, store_header *headers, size_t *count,
                      uint64_t *total, ply_error *error);
/* The oldest game of an origin that is not deleted; *id is 0 if there is none. */
ply_status store_find_origin(store *s, const char *origin, int64_t *id, ply_error *error);
/* --- the index of positions (store_index.c) --------------------------------------------------- */
/* Makes the index empty if it was made with other keys: keys says how they are made. */
ply_status store_check_index(store *s, uint32_t keys, ply_error *error);
/* The lowest number above `after` of a game that is not in the index; 0 if there is none. */
ply_status store_next_unindexed(store *s, int64_t after, int64_t *id, ply_error *error);
ply_status store_count_unindexed(store *s, uint64_t *count, ply_error *error);
/* What the index says about a game as it was at the time `modified`. */
typedef struct store_index_entry {
    int64_t id, modified;
    ply_result result;
    const uint64_t *keys; /* of its positions */
    size_t count;
    const char *opening;
} store_index_entry;
/* Replaces what the index says about some games, in one transaction. A game that was modified
 * meanwhile stays among those that are not in the index. */
ply_status store_index(store *s, const store_index_entry *entries, size_t count, ply_error *error);
/* Counts the games with a position by their result. */
ply_status store_count_position(store *s, uint64_t key, uint64_t counts[4], ply_error *error);

/* --- puzzles (store_puzzles.c) ----------------------------------------------------------------- */
typedef struct store_puzzle {
    int64_t attempts, solved, step, due; /* due: milliseconds since 1970 */
} store_puzzle;
/* What is known of a puzzle; zeros if it was never tried. */
ply_status store_read_puzzle(store *s, const char *id, store_puzzle *puzzle, ply_error *error);
ply_status store_write_puzzle(store *s, const char *id, const store_puzzle *puzzle,
                              ply_error *error);
/* Calls visit for each puzzle that was tried; visit must not call the store. */
ply_status store_list_puzzles(store *s,
                              void (*visit)(void *context, const char *id,
                                            const store_puzzle *puzzle),
                              void *context, ply_error *error);

/* A puzzle that was found in a game of the library. */
typedef struct store_own_puzzle {
    const char *rules; /* GAME VARIANT; with goal and key it names the puzzle, */
    const char *goal;  /* which is kept once */
    uint64_t key;
    int64_t source;   /* the game */
    const char *text; /* JSON, as ply_puzzle_write writes it */
} store_own_puzzle;
/* A game to look for puzzles in. */
typedef struct store_unsearched {
    int64_t id, modified;
} store_unsearched;
/* Saves the puzzles of a game, and that it was searched as it was at the time `modified`, in one
 * transaction. *added counts the puzzles that are new. */
ply_status store_add_own_puzzles(store *s, const store_unsearched *game,
                                 const store_own_puzzle *puzzles, size_t count, size_t *added,
                                 ply_error *error);
/* Calls visit for each puzzle in the order in which they were found; visit must not call the store. */
ply_status store_list_own_puzzles(store *s,
                                  void (*visit)(void *context, const store_own_puzzle *puzzle),
                                  void *context, ply_error *error);
/* Lists games with moves that were not searched since they changed, the most recently modified
 * first. games has room for `room`; *total counts all of them. */
ply_status store_list_unsearched(store *s, store_unsearched *games, size_t room, size_t *count,
                                 uint64_t *total, ply_error *error);

/* --- engines (store_engines.c) ------------------------------------------------------------------ */
typedef struct store_engine {
    int64_t id;
    const char *name, *spec, *options; /* as in match/engine.h */
} store_engine;
/* Adds an engine; *id gets its number, which no other one ever has. */
ply_status store_add_engine(store *s, const store_engine *engine, int64_t *id, ply_error *error);
/* Deletes an engine, if there is one with that number. */
ply_status store_delete_engine(store *s, int64_t id, ply_error *error);
/* Calls visit for each engine, which is valid during the call only; visit must not call the store.
 */
ply_status store_list_engines(store *s, void (*visit)(void *context, const store_engine *engine),
                              void *context, ply_error *error);

/* Whether there is a game with that number, deleted or not. */
ply_status store_exists(store *s, int64_t id, bool *exists, ply_error *error);
/* Counts the games that are not deleted. */
ply_status store_count(store *s, uint64_t *games, ply_error *error);

#endif
