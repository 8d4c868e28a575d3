/* SPDX-License-Identifier: MIT */
/*
 * store.h - games on disk.
 *
 * One SQLite file, held by one process at a time. What store_add and store_grow write is committed
 * to the write-ahead log, and that synced, before they return: what was answered is there after a
 * crash of the program or of the machine. Calls at the same time share a sync. Any thread may call.
 *
 *     games   id, game, variant, start, title, players, clock, tags (JSON), result, ending, at,
 *             created, modified (milliseconds since 1970), deleted, plies, node_count, words
 *     nodes   (game, n), parent, rank (order among siblings), move, setup, millis, comment, nags,
 *             score, depth
 *
 * Moves are stored as text, so that the file outlives changes of the library's inner encoding.
 */
#ifndef PLY_SERVER_LIBRARY_STORE_H
#define PLY_SERVER_LIBRARY_STORE_H

#include <plyverse/plyverse.h>

typedef struct store store;

enum { STORE_NO_SCORE = INT32_MIN };

/* What is known of a game beside its tree. Strings of a row that is read belong to the caller
 * until store_row_free. */
typedef struct store_row {
    int64_t id;
    char *game, *variant, *start, *title, *players, *clock, *tags, *ending;
    ply_result result;
    uint32_t at;
    int64_t created, modified;
    bool deleted;
    uint32_t plies, node_count;
} store_row;

typedef struct store_node {
    uint32_t n, parent;
    int64_t rank;
    const char *move, *setup; /* one of them, the other NULL; both NULL at the root */
    int32_t millis;           /* -1: not known */
    const char *comment;      /* may be NULL */
    uint8_t nag_count;
    const uint8_t *nags;
    int32_t score, depth; /* STORE_NO_SCORE: none */
} store_node;

/* NULL, with the reason, when it cannot be opened or another process has it. */
store *store_open(const char *path, ply_error *error);
void store_close(store *s);

/* Returns when all that was written before the call is on the disk. */
ply_status store_sync(store *s, ply_error *error);
/* Whether nothing waits for a sync. */
bool store_is_synced(store *s);

void store_row_free(store_row *row);

/* Adds a game, with its root and whatever nodes; *id gets its number. */
ply_status store_add(store *s, const store_row *row, const store_node *nodes, size_t count,
                     int64_t *id, ply_error *error);
/* Everything of the row but id and created is written, and the nodes are added, in one go. */
ply_status store_grow(store *s, const store_row *row, const store_node *nodes, size_t count,
                      ply_error *error);
/* Writes what may change of a node: rank, comment, nags, score, depth. */
ply_status store_change_node(store *s, int64_t id, const store_node *node, ply_error *error);
/* Only the node last shown; not synced by itself, since nothing is lost with it. */
ply_status store_set_at(store *s, int64_t id, uint32_t at, ply_error *error);

/* PLY_UNSUPPORTED when there is no such game. visit (may be NULL) is called with each node in
 * order; it must not call the store. */
ply_status store_read(store *s, int64_t id, store_row *row,
                      bool (*visit)(void *context, const store_node *node), void *context,
                      ply_error *error);

typedef struct store_query {
    const char *words; /* parted by blanks, all of which must occur; may be NULL */
    const char *game;  /* may be NULL */
    bool deleted;
    uint64_t limit, offset;
} store_query;

/* Games, the last changed first. rows has room for query->limit; *total counts all that fit. */
ply_status store_list(store *s, const store_query *query, store_row *rows, size_t *count,
                      uint64_t *total, ply_error *error);
ply_status store_count(store *s, uint64_t *games, ply_error *error);

#endif
