/* SPDX-License-Identifier: MIT */
/* store_puzzles.c - what the user has solved, when it is due again, and puzzles from the user's games;
 * see store.h. */
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

/* --- puzzles from the user's games ------------------------------------------------------------ */
static ply_status add_own_puzzle(store *s, const store_own_puzzle *puzzle, size_t *added,
                                 ply_error *error)
{
    sqlite3_stmt *statement = s->statements[STATEMENT_ADD_OWN_PUZZLE];
    sqlite3_bind_text(statement, 1, puzzle->rules, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, puzzle->goal, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 3, (int64_t)puzzle->key);
    sqlite3_bind_int64(statement, 4, puzzle->source);
    sqlite3_bind_text(statement, 5, puzzle->text, -1, SQLITE_STATIC);
    ply_status status = store_run(s, STATEMENT_ADD_OWN_PUZZLE, error);
    if (status == PLY_OK)
        *added += (size_t)sqlite3_changes(s->db);
    return status;
}

ply_status store_add_own_puzzles(store *s, const store_unsearched *game,
                                 const store_own_puzzle *puzzles, size_t count, size_t *added,
                                 ply_error *error)
{
    *added = 0;
    pthread_mutex_lock(&s->lock);
    ply_status status = store_run(s, STATEMENT_BEGIN, error);
    for (size_t i = 0; i < count && status == PLY_OK; i++)
        status = add_own_puzzle(s, &puzzles[i], added, error);
    if (status == PLY_OK) {
        sqlite3_bind_int64(s->statements[STATEMENT_SET_SEARCHED], 1, game->id);
        sqlite3_bind_int64(s->statements[STATEMENT_SET_SEARCHED], 2, game->modified);
        status = store_run(s, STATEMENT_SET_SEARCHED, error);
    }
    status = store_end_transaction(s, status, error);
    pthread_mutex_unlock(&s->lock);
    if (status == PLY_OK)
        store_count_write(s);
    else
        *added = 0;
    return status;
}

ply_status store_list_own_puzzles(store *s,
                                  void (*visit)(void *context, const store_own_puzzle *puzzle),
                                  void *context, ply_error *error)
{
    int step;
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[STATEMENT_LIST_OWN_PUZZLES];
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
        store_own_puzzle puzzle = {.rules = (const char *)sqlite3_column_text(statement, 0),
                                   .goal = (const char *)sqlite3_column_text(statement, 1),
                                   .key = (uint64_t)sqlite3_column_int64(statement, 2),
                                   .source = sqlite3_column_int64(statement, 3),
                                   .text = (const char *)sqlite3_column_text(statement, 4)};
        visit(context, &puzzle);
    }
    ply_status status = step == SQLITE_DONE ? PLY_OK : store_fail(s, error);
    sqlite3_reset(statement);
    pthread_mutex_unlock(&s->lock);
    return status;
}

ply_status store_list_unsearched(store *s, store_unsearched *games, size_t room, size_t *count,
                                 uint64_t *total, ply_error *error)
{
    int step;
    *count = 0;
    *total = 0;
    pthread_mutex_lock(&s->lock);
    sqlite3_stmt *statement = s->statements[STATEMENT_LIST_UNSEARCHED];
    sqlite3_bind_int64(statement, 1, (int64_t)room);
    while ((step = sqlite3_step(statement)) == SQLITE_ROW && *count < room)
        games[(*count)++] = (store_unsearched){.id = sqlite3_column_int64(statement, 0),
                                               .modified = sqlite3_column_int64(statement, 1)};
    ply_status status = step == SQLITE_DONE ? PLY_OK : store_fail(s, error);
    sqlite3_reset(statement);
    statement = s->statements[STATEMENT_COUNT_UNSEARCHED];
    if (status == PLY_OK && sqlite3_step(statement) == SQLITE_ROW)
        *total = (uint64_t)sqlite3_column_int64(statement, 0);
    else if (status == PLY_OK)
        status = store_fail(s, error);
    sqlite3_reset(statement);
    pthread_mutex_unlock(&s->lock);
    return status;
}
