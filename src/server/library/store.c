/* SPDX-License-Identifier: MIT */
/*
 * store.c - reading, writing and syncing; see store.h. Opening is in store_open.c.
 *
 * SQLite runs with synchronous = NORMAL: it appends to the write-ahead log but does not sync it at
 * each commit. store_sync does that instead, once for all threads that wait at the time.
 */
#include "server/library/store_internal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ply_status store_fail(const store *s, ply_error *error)
{
    int code = sqlite3_errcode(s->db) & 0xFF;
    ply_status status = code == SQLITE_NOMEM ? PLY_NO_MEMORY : PLY_IO;
    return ply_error_set(error, status, "game library: %s", sqlite3_errmsg(s->db));
}

ply_status store_execute(store *s, const char *sql, ply_error *error)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? PLY_OK : store_fail(s, error);
}

ply_status store_run(store *s, enum statement which, ply_error *error)
{
    sqlite3_stmt *statement = s->statements[which];
    ply_status status = sqlite3_step(statement) == SQLITE_DONE ? PLY_OK : store_fail(s, error);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

void store_count_write(store *s)
{
    pthread_mutex_lock(&s->sync.lock);
    s->sync.written++;
    pthread_mutex_unlock(&s->sync.lock);
}

bool store_is_synced(store *s)
{
    pthread_mutex_lock(&s->sync.lock);
    bool synced = s->sync.file < 0 || s->sync.synced == s->sync.written;
    pthread_mutex_unlock(&s->sync.lock);
    return synced;
}

/* Fails if the file is no longer where it was opened: what is written to it would be lost. */
static ply_status check_file(const store *s, ply_error *error)
{
    struct stat now;
    if (!s->path ||
        (stat(s->path, &now) == 0 && now.st_dev == s->at.st_dev && now.st_ino == s->at.st_ino))
        return PLY_OK;
    return ply_error_set(error, PLY_IO,
                         "game library: %s was moved or deleted while the server was running; "
                         "put it back or restart the server",
                         s->path);
}

ply_status store_sync(store *s, ply_error *error)
{
    log_sync *sync = &s->sync;
    ply_status status = check_file(s, error);
    pthread_mutex_lock(&sync->lock);
    uint64_t wanted = sync->written;
    while (sync->file >= 0 && sync->synced < wanted && status == PLY_OK) {
        if (sync->running) {
            pthread_cond_wait(&sync->ended, &sync->lock);
            continue;
        }
        uint64_t covered = sync->written;
        sync->running = true;
        pthread_mutex_unlock(&sync->lock);
        int failed = fdatasync(sync->file) != 0 ? errno : 0;
        pthread_mutex_lock(&sync->lock);
        sync->running = false;
        if (failed)
            status = ply_error_set(error, PLY_IO, "game library: %s", strerror(failed));
        else
            sync->synced = covered;
        pthread_cond_broadcast(&sync->ended);
    }
    pthread_mutex_unlock(&sync->lock);
    return status;
}

void store_header_free(store_header *header)
{
    free(header->game);
    free(header->variant);
    free(header->start);
    free(header->title);
    free(header->players);
    free(header->clock);
    free(header->tags);
    free(header->ending);
    free(header->clock_state);
    free(header->origin);
    free(header->opening);
    *header = (store_header){0};
}

/* --- writing ---------------------------------------------------------------------------------- */
static void bind_text(sqlite3_stmt *statement, int at, const char *text)
{
    if (text)
        sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(statement, at);
}

/* The text that store_list searches. */
static char *searchable_text(const store_header *header)
{
    size_t room = strlen(header->game) + strlen(header->variant) + strlen(header->title) +
                  strlen(header->players) + strlen(header->tags) + 8;
    char *words = malloc(room);
    if (words)
        snprintf(words, room, "%s\n%s\n%s\n%s\n%s", header->title, header->players, header->tags,
                 header->game, header->variant);
    return words;
}

static ply_status write_header(store *s, enum statement which, const store_header *header,
                               ply_error *error)
{
    sqlite3_stmt *statement = s->statements[which];
    char *words = searchable_text(header);
    if (!words)
        return ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    const char *texts[] = {header->game,    header->variant, header->start, header->title,
                           header->players, header->clock,   header->tags};
    if (which != STATEMENT_ADD_GAME)
        sqlite3_bind_int64(statement, 1, header->id);
    for (int i = 0; i < 7; i++)
        bind_text(statement, i + 2, texts[i]);
    sqlite3_bind_int(statement, 9, (int)header->result);
    bind_text(statement, 10, header->ending ? header->ending : "");
    sqlite3_bind_int64(statement, 11, header->at);
    sqlite3_bind_int64(statement, 12, header->created);
    sqlite3_bind_int64(statement, 13, header->modified);
    sqlite3_bind_int(statement, 14, header->deleted);
    sqlite3_bind_int64(statement, 15, header->plies);
    sqlite3_bind_int64(statement, 16, header->node_count);
    bind_text(statement, 17, words);
    sqlite3_bind_int(statement, 18, header->mode);
    sqlite3_bind_int64(statement, 19, header->tip);
    bind_text(statement, 20, header->clock_state ? header->clock_state : "");
    if (which == STATEMENT_ADD_GAME)
        bind_text(statement, 21, header->origin ? header->origin : "");
    ply_status status = store_run(s, which, error);
    free(words);
    return status;
}

static ply_status write_node(store *s, enum statement which, int64_t id, const store_node *node,
                             ply_error *error)
{
    sqlite3_stmt *statement = s->statements[which];
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_int64(statement, 2, node->n);
    sqlite3_bind_int64(statement, 4, node->rank);
    if (which == STATEMENT_ADD_NODE) {
        sqlite3_bind_int64(statement, 3, node->parent);
        bind_text(statement, 5, node->move);
        bind_text(statement, 6, node->setup);
        sqlite3_bind_int(statement, 7, node->millis);
    }
    bind_text(statement, 8, node->comment);
    if (node->nag_count > 0)
        sqlite3_bind_blob(statement, 9, node->nags, node->nag_count, SQLITE_STATIC);
    if (node->score != STORE_NO_SCORE) {
        sqlite3_bind_int(statement, 10, node->score);
        sqlite3_bind_int(statement, 11, node->depth);
    }
    sqlite3_bind_int(statement, 12, node->deleted);
    bind_text(statement, 13, node->best);
    return store_run(s, which, error);
}

ply_status store_end_transaction(store *s, ply_status status, ply_error *error)
{
    if (status == PLY_OK)
        status = store_run(s, STATEMENT_COMMIT, error);
    if (status != PLY_OK && !sqlite3_get_autocommit(s->db))
        store_run(s, STATEMENT_ROLLBACK, NULL);
    return status;
}

ply_status store_add(store *s, const store_header *header, const store_node *nodes, size_t count,
                     int64_t *id, ply_error *error)
{
    pthread_mutex_lock(&s->lock);
    ply_status status = store_run(s, STATEMENT_BEGIN, error);
    if (status == PLY_OK) {
        status = write_header(s, STATEMENT_ADD_GAME, header, error);
        *id = sqlite3_last_insert_rowid(s->db);
        for (size_t i = 0; i < count && status == PLY_OK; i++)
            status = write_node(s, STATEMENT_ADD_NODE, *id, &nodes[i], error);
    }
    status = store_end_transaction(s, status, error);
    pthread_mutex_unlock(&s->lock);
    if (status == PLY_OK)
        store_count_write(s);
    return status;
}

ply_status store_update(store *s, const store_header *header, const store_node *nodes, size_t count,
                        ply_error *error)
{
    pthread_mutex_lock(&s->lock);
    ply_status status = store_run(s, STATEMENT_BEGIN, error);
    if (status == PLY_OK) {
        for (size_t i = 0; i < count && status == PLY_OK; i++)
            status = write_node(s, STATEMENT_ADD_NODE, header->id, &nodes[i], error);
        if (status == PLY_OK)
            status = write_header(s, STATEMENT_UPDATE_GAME, header, error);
    }
    status = store_end_transaction(s, status, error);
    pthread_mutex_unlock(&s->lock);
    if (status == PLY_OK)
        store_count_write(s);
    return status;
}

ply_status store_update_node(store *s, int64_t id, const store_node *node, ply_error *error)
{
    pthread_mutex_lock(&s->lock);
    ply_status status = write_node(s, STATEMENT_UPDATE_NODE, id, node, error);
    pthread_mutex_unlock(&s->lock);
    if (status == PLY_OK)
        store_count_write(s);
    return status;
}

ply_status store_set_at(store *s, int64_t id, uint32_t at, ply_error *error)
{
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[STATEMENT_SET_AT];
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_int64(statement, 2, at);
    ply_status status = store_run(s, STATEMENT_SET_AT, error);
    pthread_mutex_unlock(&s->lock);
    return status;
}

/* --- reading ---------------------------------------------------------------------------------- */
static bool copy_column(sqlite3_stmt *statement, int column, char **text)
{
    const unsigned char *value = sqlite3_column_text(statement, column);
    *text = strdup(value ? (const char *)value : "");
    return *text != NULL;
}

/* Copies a result row. False when memory runs out; the header is empty then. */
static bool read_header(sqlite3_stmt *statement, store_header *header)
{
    char **const texts[] = {&header->game,    &header->variant, &header->start, &header->title,
                            &header->players, &header->clock,   &header->tags};
    *header = (store_header){.id = sqlite3_column_int64(statement, 0),
                             .result = (ply_result)sqlite3_column_int(statement, 8),
                             .at = (uint32_t)sqlite3_column_int64(statement, 10),
                             .created = sqlite3_column_int64(statement, 11),
                             .modified = sqlite3_column_int64(statement, 12),
                             .deleted = sqlite3_column_int(statement, 13) != 0,
                             .plies = (uint32_t)sqlite3_column_int64(statement, 14),
                             .node_count = (uint32_t)sqlite3_column_int64(statement, 15),
                             .mode = sqlite3_column_int(statement, 16),
                             .tip = sqlite3_column_int64(statement, 17)};
    bool good = copy_column(statement, 9, &header->ending) &&
                copy_column(statement, 18, &header->clock_state) &&
                copy_column(statement, 19, &header->origin) &&
                copy_column(statement, 20, &header->opening);
    for (int i = 0; i < 7 && good; i++)
        good = copy_column(statement, i + 1, texts[i]);
    if (!good)
        store_header_free(header);
    return good;
}

/* A result row as a node, whose strings live until the statement steps on. */
static store_node read_node(sqlite3_stmt *statement)
{
    bool scored = sqlite3_column_type(statement, 8) != SQLITE_NULL;
    int nags = sqlite3_column_bytes(statement, 7);
    return (store_node){
        .n = (uint32_t)sqlite3_column_int64(statement, 0),
        .parent = (uint32_t)sqlite3_column_int64(statement, 1),
        .rank = sqlite3_column_int64(statement, 2),
        .move = (const char *)sqlite3_column_text(statement, 3),
        .setup = (const char *)sqlite3_column_text(statement, 4),
        .millis = sqlite3_column_int(statement, 5),
        .comment = (const char *)sqlite3_column_text(statement, 6),
        .nag_count = (uint8_t)(nags > PLY_NAG_LIMIT ? PLY_NAG_LIMIT : nags),
        .nags = sqlite3_column_blob(statement, 7),
        .score = scored ? sqlite3_column_int(statement, 8) : STORE_NO_SCORE,
        .depth = sqlite3_column_int(statement, 9),
        .deleted = sqlite3_column_int(statement, 10) != 0,
        .best = (const char *)sqlite3_column_text(statement, 11),
    };
}

ply_status store_read(store *s, int64_t id, store_header *header,
                      bool (*visit)(void *context, const store_node *node), void *context,
                      ply_error *error)
{
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[STATEMENT_READ_GAME];
    sqlite3_bind_int64(statement, 1, id);
    ply_status status;
    int step = sqlite3_step(statement);
    if (step == SQLITE_ROW)
        status = read_header(statement, header)
                     ? PLY_OK
                     : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
    else
        status = step == SQLITE_DONE ? ply_error_set(error, PLY_UNSUPPORTED, "no such game")
                                     : store_fail(s, error);
    sqlite3_reset(statement);
    if (status == PLY_OK && visit) {
        bool wanted = true;
        statement = s->statements[STATEMENT_READ_NODES];
        sqlite3_bind_int64(statement, 1, id);
        while (wanted && (step = sqlite3_step(statement)) == SQLITE_ROW) {
            store_node node = read_node(statement);
            wanted = visit(context, &node);
        }
        if (wanted && step != SQLITE_DONE)
            status = store_fail(s, error);
        sqlite3_reset(statement);
        if (status != PLY_OK)
            store_header_free(header);
    }
    pthread_mutex_unlock(&s->lock);
    return status;
}

/* Binds a LIKE pattern that finds the text anywhere and takes its wildcards literally. False if
 * memory ran out. */
static bool bind_pattern(sqlite3_stmt *statement, int at, const char *text, size_t length)
{
    ply_text pattern = ply_text_growing();
    ply_text_char(&pattern, '%');
    for (size_t i = 0; i < length; i++) {
        if (strchr("%_\\", text[i]))
            ply_text_char(&pattern, '\\');
        ply_text_char(&pattern, text[i]);
    }
    ply_text_char(&pattern, '%');
    bool bound = !pattern.failed && sqlite3_bind_text(statement, at, ply_text_cstr(&pattern), -1,
                                                      SQLITE_TRANSIENT) == SQLITE_OK;
    ply_text_free(&pattern);
    return bound;
}

enum { PLAYER = 5, OPENING = 6, RESULT = 7, KEY = 8, FIRST_WORD = 9, WORD_LIMIT = 8 };

/* Prepares "SELECT columns FROM games WHERE ... tail" and binds the query's conditions: deleted is
 * ?1, game ?2, then as in the enum above; ?3 and ?4 are left to the tail. The caller
 * finalizes *out, which may be NULL after a failure. */
static ply_status prepare_query(store *s, const store_query *query, const char *columns,
                                const char *tail, sqlite3_stmt **out, ply_error *error)
{
    ply_text sql = ply_text_growing();
    const char *words[WORD_LIMIT];
    size_t lengths[WORD_LIMIT];
    int count = 0;
    ply_cursor cursor = ply_cursor_make(query->words ? query->words : "",
                                        query->words ? strlen(query->words) : 0, NULL);
    for (; count < WORD_LIMIT; count++) {
        ply_cursor_skip_space(&cursor);
        lengths[count] = ply_cursor_word(&cursor, &words[count]);
        if (lengths[count] == 0)
            break;
    }
    ply_text_format(&sql, "SELECT %s FROM games WHERE deleted = ?1", columns);
    if (query->game)
        ply_text_string(&sql, " AND game = ?2");
    if (query->player)
        ply_text_format(&sql, " AND players LIKE ?%d ESCAPE '\\'", PLAYER);
    if (query->opening)
        ply_text_format(&sql, " AND opening LIKE ?%d ESCAPE '\\'", OPENING);
    if (query->has_result)
        ply_text_format(&sql, " AND result = ?%d", RESULT);
    if (query->has_key)
        ply_text_format(&sql, " AND id IN (SELECT game FROM positions WHERE key = ?%d)", KEY);
    for (int i = 0; i < count; i++)
        ply_text_format(&sql, " AND words LIKE ?%d ESCAPE '\\'", FIRST_WORD + i);
    ply_text_string(&sql, tail);
    sqlite3_stmt *statement = NULL;
    bool bound = !sql.failed;
    ply_status status = PLY_OK;
    if (bound &&
        sqlite3_prepare_v2(s->db, ply_text_cstr(&sql), -1, &statement, NULL) != SQLITE_OK) {
        status = store_fail(s, error);
    } else if (bound) {
        sqlite3_bind_int(statement, 1, query->deleted);
        if (query->game)
            sqlite3_bind_text(statement, 2, query->game, -1, SQLITE_STATIC);
        if (query->player)
            bound &= bind_pattern(statement, PLAYER, query->player, strlen(query->player));
        if (query->opening)
            bound &= bind_pattern(statement, OPENING, query->opening, strlen(query->opening));
        if (query->has_result)
            sqlite3_bind_int(statement, RESULT, (int)query->result);
        if (query->has_key)
            sqlite3_bind_int64(statement, KEY, (int64_t)query->key);
        for (int i = 0; i < count; i++)
            bound &= bind_pattern(statement, FIRST_WORD + i, words[i], lengths[i]);
    }
    ply_text_free(&sql);
    *out = statement;
    return bound ? status : ply_error_set(error, PLY_NO_MEMORY, "out of memory");
}

ply_status store_list(store *s, const store_query *query, store_header *headers, size_t *count,
                      uint64_t *total, ply_error *error)
{
    *count = 0;
    *total = 0;
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement;
    ply_status status = prepare_query(s, query, "count(*)", "", &statement, error);
    if (status == PLY_OK && sqlite3_step(statement) == SQLITE_ROW)
        *total = (uint64_t)sqlite3_column_int64(statement, 0);
    else if (status == PLY_OK)
        status = store_fail(s, error);
    sqlite3_finalize(statement);
    if (status == PLY_OK) {
        status =
            prepare_query(s, query, HEADER_COLUMNS,
                          " ORDER BY modified DESC, id DESC LIMIT ?3 OFFSET ?4", &statement, error);
        sqlite3_bind_int64(statement, 3, (int64_t)query->limit);
        sqlite3_bind_int64(statement, 4, (int64_t)query->offset);
        int step = SQLITE_DONE;
        while (status == PLY_OK && *count < query->limit &&
               (step = sqlite3_step(statement)) == SQLITE_ROW) {
            if (read_header(statement, &headers[*count]))
                ++*count;
            else
                status = ply_error_set(error, PLY_NO_MEMORY, "out of memory");
        }
        if (status == PLY_OK && step != SQLITE_DONE && step != SQLITE_ROW)
            status = store_fail(s, error);
        sqlite3_finalize(statement);
    }
    pthread_mutex_unlock(&s->lock);
    while (status != PLY_OK && *count > 0)
        store_header_free(&headers[--*count]);
    return status;
}

ply_status store_find_origin(store *s, const char *origin, int64_t *id, ply_error *error)
{
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[STATEMENT_FIND_ORIGIN];
    bind_text(statement, 1, origin);
    int step = sqlite3_step(statement);
    *id = step == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    ply_status status = step == SQLITE_ROW || step == SQLITE_DONE ? PLY_OK : store_fail(s, error);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    pthread_mutex_unlock(&s->lock);
    return status;
}

ply_status store_exists(store *s, int64_t id, bool *exists, ply_error *error)
{
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[STATEMENT_EXISTS_GAME];
    sqlite3_bind_int64(statement, 1, id);
    int step = sqlite3_step(statement);
    *exists = step == SQLITE_ROW;
    ply_status status = step == SQLITE_ROW || step == SQLITE_DONE ? PLY_OK : store_fail(s, error);
    sqlite3_reset(statement);
    pthread_mutex_unlock(&s->lock);
    return status;
}

ply_status store_count(store *s, uint64_t *games, ply_error *error)
{
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[STATEMENT_COUNT_GAMES];
    ply_status status = PLY_OK;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *games = (uint64_t)sqlite3_column_int64(statement, 0);
    else
        status = store_fail(s, error);
    sqlite3_reset(statement);
    pthread_mutex_unlock(&s->lock);
    return status;
}
