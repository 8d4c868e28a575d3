/* SPDX-License-Identifier: MIT */
/* store_open.c - opening and closing a store: its file, its schema and its statements. */
#include "server/library/store_internal.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCHEMA_VERSION = 5 };

/* What format 2 adds to format 1. In games of format 1 the engine's games are in play, and all
 * others are analyses. */
#define FORMAT_2                                                         \
    "ALTER TABLE games ADD COLUMN mode INTEGER NOT NULL DEFAULT 0;"      \
    "ALTER TABLE games ADD COLUMN tip INTEGER NOT NULL DEFAULT -1;"      \
    "ALTER TABLE games ADD COLUMN clock_state TEXT NOT NULL DEFAULT '';" \
    "ALTER TABLE games ADD COLUMN origin TEXT NOT NULL DEFAULT '';"      \
    "ALTER TABLE nodes ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;"   \
    "CREATE INDEX games_by_origin ON games (origin) WHERE origin <> '';" \
    "UPDATE games SET mode = 1 WHERE players LIKE '%\"engine\"%';"       \
    "PRAGMA user_version = 2;"

/*
 * What format 3 adds to format 2: the best variation of a node; the index of positions
 * (store_index.c), which games are in it, and their openings; and what is known of puzzles. A change of the main
 * line takes a game out of the index until it is indexed again.
 */
#define FORMAT_3                                                                            \
    "ALTER TABLE nodes ADD COLUMN best TEXT;"                                               \
    "ALTER TABLE games ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;"                      \
    "ALTER TABLE games ADD COLUMN opening TEXT NOT NULL DEFAULT '';"                        \
    "CREATE INDEX games_to_index ON games (id) WHERE indexed = 0;"                          \
    "CREATE TABLE positions (key INTEGER NOT NULL, game INTEGER NOT NULL, result INTEGER"   \
    " NOT NULL, PRIMARY KEY (key, game)) WITHOUT ROWID;"                                    \
    "CREATE INDEX positions_by_game ON positions (game);"                                   \
    "CREATE TRIGGER main_line_changed AFTER UPDATE OF rank, deleted ON nodes"               \
    " WHEN old.rank <> new.rank OR old.deleted <> new.deleted"                              \
    " BEGIN UPDATE games SET indexed = 0 WHERE id = new.game; END;"                         \
    "CREATE TABLE puzzles (id TEXT PRIMARY KEY, attempts INTEGER NOT NULL,"                 \
    " solved INTEGER NOT NULL, step INTEGER NOT NULL, due INTEGER NOT NULL) WITHOUT ROWID;" \
    "PRAGMA user_version = 3;"

/* What format 4 adds to format 3: the user's engines (store_engines.c). A number is never used
 * twice, since games name engines by it. */
#define FORMAT_4                                                       \
    "CREATE TABLE engines (id INTEGER PRIMARY KEY AUTOINCREMENT,"      \
    " name TEXT NOT NULL, spec TEXT NOT NULL, options TEXT NOT NULL);" \
    "PRAGMA user_version = 4;"

/* What format 5 adds to format 4: puzzles from the user's games (store_puzzles.c), and which games
 * were searched for them. */
#define FORMAT_5                                                                          \
    "CREATE TABLE own_puzzles (n INTEGER PRIMARY KEY, rules TEXT NOT NULL, goal TEXT NOT" \
    " NULL, key INTEGER NOT NULL, source INTEGER NOT NULL, text TEXT NOT NULL,"           \
    " UNIQUE (rules, goal, key));"                                                        \
    "CREATE TABLE searched (game INTEGER PRIMARY KEY, modified INTEGER NOT NULL);"        \
    "PRAGMA user_version = 5;"

static const char schema[] =
    "CREATE TABLE games (id INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL,"
    " variant TEXT NOT NULL, start TEXT NOT NULL, title TEXT NOT NULL, players TEXT NOT NULL,"
    " clock TEXT NOT NULL, tags TEXT NOT NULL, result INTEGER NOT NULL, ending TEXT NOT NULL,"
    " at INTEGER NOT NULL, created INTEGER NOT NULL, modified INTEGER NOT NULL,"
    " deleted INTEGER NOT NULL, plies INTEGER NOT NULL, node_count INTEGER NOT NULL,"
    " words TEXT NOT NULL);"
    "CREATE INDEX games_by_time ON games (deleted, modified DESC);"
    "CREATE TABLE nodes (game INTEGER NOT NULL REFERENCES games (id), n INTEGER NOT NULL,"
    " parent INTEGER NOT NULL, rank INTEGER NOT NULL, move TEXT, setup TEXT,"
    " millis INTEGER NOT NULL, comment TEXT, nags BLOB, score INTEGER, depth INTEGER,"
    " PRIMARY KEY (game, n)) WITHOUT ROWID;" FORMAT_2 FORMAT_3 FORMAT_4 FORMAT_5;

static ply_status open_schema(store *s, ply_error *error)
{
    sqlite3_stmt *statement;
    int version = -1;
    if (sqlite3_prepare_v2(s->db, "PRAGMA user_version", -1, &statement, NULL) != SQLITE_OK)
        return store_fail(s, error);
    if (sqlite3_step(statement) == SQLITE_ROW)
        version = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    if (version == SCHEMA_VERSION)
        return PLY_OK;
    if (version < 0)
        return store_fail(s, error);
    if (version > SCHEMA_VERSION)
        return ply_error_set(error, PLY_IO,
                             "the game library has format %d, but this program reads format %d",
                             version, SCHEMA_VERSION);
    ply_status status = store_execute(s, "BEGIN EXCLUSIVE", error);
    if (status == PLY_OK)
        status = store_execute(s,
                               version == 0   ? schema
                               : version == 1 ? FORMAT_2 FORMAT_3 FORMAT_4 FORMAT_5
                               : version == 2 ? FORMAT_3 FORMAT_4 FORMAT_5
                               : version == 3 ? FORMAT_4 FORMAT_5
                                              : FORMAT_5,
                               error);
    return status == PLY_OK ? store_execute(s, "COMMIT", error) : status;
}

/* Opens the write-ahead log for syncing. SQLite creates it at the first write, hence the pragma. */
static ply_status open_log(store *s, const char *path, ply_error *error)
{
    char name[4300];
    if (strcmp(path, ":memory:") == 0)
        return PLY_OK;
    ply_status status = store_execute(s, "PRAGMA user_version = 5", error);
    if (status != PLY_OK)
        return status;
    snprintf(name, sizeof name, "%s-wal", path);
    s->sync.file = open(name, O_RDWR | O_CLOEXEC);
    return s->sync.file >= 0 ? PLY_OK
                             : ply_error_set(error, PLY_IO, "%s: %s", name, strerror(errno));
}

/*
 * Creates the file if there is none, and makes it readable by its owner alone; SQLite gives the log
 * the same permissions. Remembers which file it is.
 */
static ply_status secure_file(store *s, const char *path, ply_error *error)
{
    if (strcmp(path, ":memory:") == 0)
        return PLY_OK;
    s->path = strdup(path);
    if (!s->path)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    bool good = file >= 0 && fstat(file, &s->at) == 0 && fchmod(file, S_IRUSR | S_IWUSR) == 0;
    ply_status status =
        good ? PLY_OK : ply_error_set(error, PLY_IO, "%s: %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    return status;
}

store *store_open(const char *path, ply_error *error)
{
    static const char *const texts[] = {
#define XX(name, sql) sql,
        STATEMENTS(XX)
#undef XX
    };
    store *s = calloc(1, sizeof *s);
    if (!s) {
        ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->sync.lock, NULL);
    pthread_cond_init(&s->sync.ended, NULL);
    s->sync.file = -1;
    if (secure_file(s, path, error) != PLY_OK) {
        store_close(s);
        return NULL;
    }
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK) {
        ply_error_set(error, PLY_IO, "%s: %s", path,
                      s->db ? sqlite3_errmsg(s->db) : "out of memory");
        store_close(s);
        return NULL;
    }
    /* Exclusive: another process must not change games that are cached in memory. */
    ply_status status = store_execute(
        s,
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;"
        "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
        "PRAGMA wal_autocheckpoint = 4000; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768",
        error);
    if (status == PLY_OK)
        status = open_schema(s, error);
    for (int i = 0; i < STATEMENT_COUNT && status == PLY_OK; i++)
        if (sqlite3_prepare_v3(s->db, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &s->statements[i],
                               NULL) != SQLITE_OK)
            status = store_fail(s, error);
    if (status == PLY_OK)
        status = open_log(s, path, error);
    if (status == PLY_OK)
        return s;
    store_close(s);
    return NULL;
}

void store_close(store *s)
{
    if (!s)
        return;
    for (int i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(s->statements[i]);
    sqlite3_close(s->db);
    free(s->path);
    if (s->sync.file >= 0)
        close(s->sync.file);
    pthread_mutex_destroy(&s->sync.lock);
    pthread_cond_destroy(&s->sync.ended);
    pthread_mutex_destroy(&s->lock);
    free(s);
}
