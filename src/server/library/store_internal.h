/* SPDX-License-Identifier: MIT */
/* store_internal.h - the store, shared by store.c (reading and writing) and store_open.c. */
#ifndef PLY_SERVER_LIBRARY_STORE_INTERNAL_H
#define PLY_SERVER_LIBRARY_STORE_INTERNAL_H

#include "server/library/store.h"
#include <pthread.h>
#include <sqlite3.h>
#include <sys/stat.h>

#define HEADER_COLUMNS                                                                    \
    "id, game, variant, start, title, players, clock, tags, result, ending, at, created," \
    " modified, deleted, plies, node_count, mode, tip, clock_state, origin, opening"

/* Games with moves in which puzzles are still to be looked for. */
#define UNSEARCHED                                                              \
    " FROM games WHERE deleted = 0 AND plies > 0 AND NOT EXISTS (SELECT 1 FROM" \
    " searched WHERE searched.game = games.id AND searched.modified = games.modified)"

/* XX(NAME, sql): the statements that store_open prepares. */
#define STATEMENTS(XX)                                                                            \
    XX(BEGIN, "BEGIN IMMEDIATE")                                                                  \
    XX(COMMIT, "COMMIT")                                                                          \
    XX(ROLLBACK, "ROLLBACK")                                                                      \
    XX(ADD_GAME,                                                                                  \
       "INSERT INTO games (game, variant, start, title, players, clock, tags, result, ending,"    \
       " at, created, modified, deleted, plies, node_count, words, mode, tip, clock_state,"       \
       " origin) VALUES (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,"      \
       " ?17, ?18, ?19, ?20, ?21)")                                                               \
    XX(UPDATE_GAME,                                                                               \
       "UPDATE games SET title = ?5, players = ?6, clock = ?7, tags = ?8, result = ?9,"           \
       " ending = ?10, at = ?11, modified = ?13, deleted = ?14, plies = ?15, node_count = ?16,"   \
       " words = ?17, mode = ?18, tip = ?19, clock_state = ?20, indexed = 0 WHERE id = ?1")       \
    XX(ADD_NODE, "INSERT INTO nodes VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"   \
                 " ?13)")                                                                         \
    XX(UPDATE_NODE,                                                                               \
       "UPDATE nodes SET rank = ?4, comment = ?8, nags = ?9, score = ?10, depth = ?11,"           \
       " deleted = ?12, best = ?13 WHERE game = ?1 AND n = ?2")                                   \
    XX(SET_AT, "UPDATE games SET at = ?2 WHERE id = ?1")                                          \
    XX(READ_GAME, "SELECT " HEADER_COLUMNS " FROM games WHERE id = ?1")                           \
    XX(READ_NODES, "SELECT n, parent, rank, move, setup, millis, comment, nags, score, depth,"    \
                   " deleted, best FROM nodes WHERE game = ?1 ORDER BY n")                        \
    XX(FIND_ORIGIN, "SELECT id FROM games WHERE origin = ?1 AND deleted = 0 ORDER BY id LIMIT 1") \
    XX(NEXT_UNINDEXED, "SELECT min(id) FROM games WHERE indexed = 0 AND id > ?1")                 \
    XX(COUNT_UNINDEXED, "SELECT count(*) FROM games WHERE indexed = 0")                           \
    XX(CLEAR_POSITIONS, "DELETE FROM positions WHERE game = ?1")                                  \
    XX(ADD_POSITION, "INSERT OR IGNORE INTO positions VALUES (?1, ?2, ?3)")                       \
    XX(SET_INDEXED, "UPDATE games SET indexed = 1, opening = ?2 WHERE id = ?1"                    \
                    " AND modified = ?3")                                                         \
    XX(COUNT_POSITION, "SELECT result, count(*) FROM positions WHERE key = ?1 GROUP BY result")   \
    XX(READ_PUZZLE, "SELECT attempts, solved, step, due FROM puzzles WHERE id = ?1")              \
    XX(WRITE_PUZZLE, "INSERT OR REPLACE INTO puzzles VALUES (?1, ?2, ?3, ?4, ?5)")                \
    XX(LIST_PUZZLES, "SELECT id, attempts, solved, step, due FROM puzzles ORDER BY id")           \
    XX(ADD_OWN_PUZZLE, "INSERT OR IGNORE INTO own_puzzles (rules, goal, key, source, text)"       \
                       " VALUES (?1, ?2, ?3, ?4, ?5)")                                            \
    XX(LIST_OWN_PUZZLES, "SELECT rules, goal, key, source, text FROM own_puzzles ORDER BY n")     \
    XX(SET_SEARCHED, "INSERT OR REPLACE INTO searched VALUES (?1, ?2)")                           \
    XX(LIST_UNSEARCHED, "SELECT id, modified" UNSEARCHED " ORDER BY modified DESC, id DESC"       \
                        " LIMIT ?1")                                                              \
    XX(COUNT_UNSEARCHED, "SELECT count(*)" UNSEARCHED)                                            \
    XX(ADD_ENGINE, "INSERT INTO engines (name, spec, options) VALUES (?1, ?2, ?3)")               \
    XX(DELETE_ENGINE, "DELETE FROM engines WHERE id = ?1")                                        \
    XX(LIST_ENGINES, "SELECT id, name, spec, options FROM engines ORDER BY id")                   \
    XX(EXISTS_GAME, "SELECT 1 FROM games WHERE id = ?1")                                          \
    XX(COUNT_GAMES, "SELECT count(*) FROM games WHERE deleted = 0")

enum statement {
#define XX(name, sql) STATEMENT_##name,
    STATEMENTS(XX)
#undef XX
        STATEMENT_COUNT
};

/* Group commit. A writer needs a sync that began after its write; one sync covers all of them. */
typedef struct log_sync {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int file;                 /* the write-ahead log; -1: the store is in memory */
    uint64_t written, synced; /* writes so far; how many of them are on disk */
    bool running;             /* a thread is in fdatasync */
} log_sync;

struct store {
    sqlite3 *db;
    char *path;     /* NULL: in memory */
    struct stat at; /* the file that was opened */
    sqlite3_stmt *statements[STATEMENT_COUNT];
    pthread_mutex_t lock; /* guards db and statements */
    log_sync sync;
};

/* Fills in *error from the database's last error; returns its status. */
ply_status store_fail(const store *s, ply_error *error);
/* Runs a statement that returns no rows, and resets it. */
ply_status store_run(store *s, enum statement which, ply_error *error);
/* Says that something was written that store_sync must cover. */
void store_count_write(store *s);
/* Commits, or rolls back if status is a failure, be it one of BEGIN itself. */
ply_status store_end_transaction(store *s, ply_status status, ply_error *error);
/* Executes SQL that returns no rows. */
ply_status store_execute(store *s, const char *sql, ply_error *error);

#endif
