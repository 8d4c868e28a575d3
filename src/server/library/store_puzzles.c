/* SPDX-License-Identifier: MIT */
/* store_puzzles.c - what the user has solved, and when it is due again; see store.h. */
#include "server/library/store_internal.h"
#include <string.h>

ply_status store_read_puzzle(store *s, const char *id, store_puzzle *puzzle, ply_error *error)
{
    *puzzle = (store_puzzle){0};
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[STATEMENT_READ_PUZZLE];
    sqlite3_bind_text(statement, 1, id, -1, SQLITE_STATIC);
    int step = sqlite3_step(statement);
    if (step == SQLITE_ROW)
        *puzzle = (store_puzzle){.attempts = sqlite3_column_int64(statement, 0),
                                 .solved = sqlite3_column_int64(statement, 1),
                                 .step = sqlite3_column_int64(statement, 2),
                                 .due = sqlite3_column_int64(statement, 3)};
    ply_status status = step == SQLITE_ROW || step == SQLITE_DONE ? PLY_OK : store_fail(s, error);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    pthread_mutex_unlock(&s->lock);
    return status;
}

ply_status store_write_puzzle(store *s, const char *id, const store_puzzle *puzzle,
                              ply_error *error)
{
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[STATEMENT_WRITE_PUZZLE];
    sqlite3_bind_text(statement, 1, id, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, puzzle->attempts);
    sqlite3_bind_int64(statement, 3, puzzle->solved);
    sqlite3_bind_int64(statement, 4, puzzle->step);
    sqlite3_bind_int64(statement, 5, puzzle->due);
    ply_status status = store_run(s, STATEMENT_WRITE_PUZZLE, error);
    pthread_mutex_unlock(&s->lock);
    if (status == PLY_OK)
        store_count_write(s);
    return status;
}

ply_status store_list_puzzles(store *s,
                              void (*visit)(void *context, const char *id,
                                            const store_puzzle *puzzle),
                              void *context, ply_error *error)
{
    int step;
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[STATEMENT_LIST_PUZZLES];
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        store_puzzle puzzle = {.attempts = sqlite3_column_int64(statement, 1),
                               .solved = sqlite3_column_int64(statement, 2),
                               .step = sqlite3_column_int64(statement, 3),
                               .due = sqlite3_column_int64(statement, 4)};
        visit(context, (const char *)sqlite3_column_text(statement, 0), &puzzle);
    }
    ply_status status = step == SQLITE_DONE ? PLY_OK : store_fail(s, error);
    sqlite3_reset(statement);
    pthread_mutex_unlock(&s->lock);
    return status;
}
