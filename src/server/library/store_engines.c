/* SPDX-License-Identifier: MIT */
/* store_engines.c - the user's engines; see store.h. */
#include "server/library/store_internal.h"

ply_status store_add_engine(store *s, const store_engine *engine, int64_t *id, ply_error *error)
{
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[STATEMENT_ADD_ENGINE];
    sqlite3_bind_text(statement, 1, engine->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, engine->spec, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, engine->options, -1, SQLITE_STATIC);
    ply_status status = store_run(s, STATEMENT_ADD_ENGINE, error);
    *id = status == PLY_OK ? sqlite3_last_insert_rowid(s->db) : 0;
    pthread_mutex_unlock(&s->lock);
    if (status == PLY_OK)
        store_count_write(s);
    return status;
}

ply_status store_delete_engine(store *s, int64_t id, ply_error *error)
{
    pthread_mutex_lock(&s->lock);
    sqlite3_bind_int64(s->statements[STATEMENT_DELETE_ENGINE], 1, id);
    ply_status status = store_run(s, STATEMENT_DELETE_ENGINE, error);
    pthread_mutex_unlock(&s->lock);
    if (status == PLY_OK)
        store_count_write(s);
    return status;
}

ply_status store_list_engines(store *s, void (*visit)(void *context, const store_engine *engine),
                              void *context, ply_error *error)
{
    int step;
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[STATEMENT_LIST_ENGINES];
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        store_engine engine = {.id = sqlite3_column_int64(statement, 0),
                               .name = (const char *)sqlite3_column_text(statement, 1),
                               .spec = (const char *)sqlite3_column_text(statement, 2),
                               .options = (const char *)sqlite3_column_text(statement, 3)};
        visit(context, &engine);
    }
    ply_status status = step == SQLITE_DONE ? PLY_OK : store_fail(s, error);
    sqlite3_reset(statement);
    pthread_mutex_unlock(&s->lock);
    return status;
}
