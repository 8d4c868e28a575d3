/* SPDX-License-Identifier: MIT */
/* store_index.c - the index of positions: which games contain which; see store.h. */
#include "server/library/store_internal.h"
#include <stdio.h>

ply_status store_check_index(store *s, uint32_t keys, ply_error *error)
{
    char sql[160];
    sqlite3_stmt *statement = NULL;
    int32_t before = 0;
    pthread_mutex_lock(&s->lock);
    /* SQLite leaves the application_id to the application. */
    ply_status status =
        sqlite3_prepare_v2(s->db, "PRAGMA application_id", -1, &statement, NULL) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_ROW
            ? PLY_OK
            : store_fail(s, error);
    if (status == PLY_OK)
        before = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    snprintf(sql, sizeof sql,
             "UPDATE games SET indexed = 0; DELETE FROM positions; PRAGMA application_id = %d",
             (int32_t)keys);
    if (status == PLY_OK && before != (int32_t)keys)
        status = store_execute(s, sql, error);
    pthread_mutex_unlock(&s->lock);
    return status;
}

/* Runs a statement that returns one number. */
static ply_status read_number(store *s, enum statement which, int64_t parameter, int64_t *number,
                              ply_error *error)
{
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[which];
    if (sqlite3_bind_parameter_count(statement) > 0)
        sqlite3_bind_int64(statement, 1, parameter);
    ply_status status = sqlite3_step(statement) == SQLITE_ROW ? PLY_OK : store_fail(s, error);
    *number = status == PLY_OK ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_reset(statement);
    pthread_mutex_unlock(&s->lock);
    return status;
}

ply_status store_next_unindexed(store *s, int64_t after, int64_t *id, ply_error *error)
{
    return read_number(s, STATEMENT_NEXT_UNINDEXED, after, id, error);
}

ply_status store_count_unindexed(store *s, uint64_t *count, ply_error *error)
{
    int64_t number;
    ply_status status = read_number(s, STATEMENT_COUNT_UNINDEXED, 0, &number, error);
    *count = (uint64_t)number;
    return status;
}

static ply_status index_entry(store *s, const store_index_entry *entry, ply_error *error)
{
    sqlite3_bind_int64(s->statements[STATEMENT_CLEAR_POSITIONS], 1, entry->id);
    ply_status status = store_run(s, STATEMENT_CLEAR_POSITIONS, error);
    sqlite3_stmt *statement = s->statements[STATEMENT_ADD_POSITION];
    for (size_t i = 0; i < entry->count && status == PLY_OK; i++) {
        sqlite3_bind_int64(statement, 1, (int64_t)entry->keys[i]);
        sqlite3_bind_int64(statement, 2, entry->id);
        sqlite3_bind_int(statement, 3, (int)entry->result);
        status = store_run(s, STATEMENT_ADD_POSITION, error);
    }
    if (status != PLY_OK)
        return status;
    statement = s->statements[STATEMENT_SET_INDEXED];
    sqlite3_bind_int64(statement, 1, entry->id);
    sqlite3_bind_text(statement, 2, entry->opening, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 3, entry->modified);
    return store_run(s, STATEMENT_SET_INDEXED, error);
}

ply_status store_index(store *s, const store_index_entry *entries, size_t count, ply_error *error)
{
    pthread_mutex_lock(&s->lock);
    ply_status status = store_run(s, STATEMENT_BEGIN, error);
    for (size_t i = 0; i < count && status == PLY_OK; i++)
        status = index_entry(s, &entries[i], error);
    /* The index can be made again, so nobody waits for it to be on disk. */
    status = store_end_transaction(s, status, error);
    pthread_mutex_unlock(&s->lock);
    return status;
}

ply_status store_count_position(store *s, uint64_t key, uint64_t counts[4], ply_error *error)
{
    int step;
    for (int i = 0; i < 4; i++)
        counts[i] = 0;
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[STATEMENT_COUNT_POSITION];
    sqlite3_bind_int64(statement, 1, (int64_t)key);
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        int result = sqlite3_column_int(statement, 0);
        if (result >= 0 && result < 4)
            counts[result] = (uint64_t)sqlite3_column_int64(statement, 1);
    }
    ply_status status = step == SQLITE_DONE ? PLY_OK : store_fail(s, error);
    sqlite3_reset(statement);
    pthread_mutex_unlock(&s->lock);
    return status;
}
