/* SPDX-License-Identifier: MIT */
/*
 * test_store_file.c - the file of a store: nothing counts as synced before fdatasync has returned,
 * and files that are missing, moved, old or wrong are noticed. The linker replaces fdatasync by one
 * that counts and can fail, and the functions of mutexes by some that count.
 */
#include "server/library/store_internal.h"
#include "server/store_support.h"
#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>

/* --- fdatasync ---------------------------------------------------------------------------------- */
static atomic_int syncs, failing;
static sem_t *held; /* if set, a sync waits for it */

int __real_fdatasync(int file);
int __wrap_fdatasync(int file);

int __wrap_fdatasync(int file)
{
    atomic_fetch_add(&syncs, 1);
    if (held)
        sem_wait(held);
    if (atomic_load(&failing)) {
        errno = EIO;
        return -1;
    }
    return __real_fdatasync(file);
}

/* --- locks -------------------------------------------------------------------------------------- */
static _Thread_local int locked; /* mutexes that this thread holds */
static atomic_int not_locked;    /* times that a thread has unlocked one without holding any */

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    locked++;
    return __real_pthread_mutex_lock(mutex);
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (locked-- <= 0)
        atomic_fetch_add(&not_locked, 1);
    return __real_pthread_mutex_unlock(mutex);
}

/* Every function of the store takes the lock that it gives back, and keeps none. */
static int tear_down_and_check_locks(void **state)
{
    int result = tear_down(state);
    return result ? result : locked != 0 || atomic_load(&not_locked) != 0;
}

/* --- tests -------------------------------------------------------------------------------------- */
static void test_nothing_is_synced_before_fdatasync(void **state)
{
    (void)state;
    store *s = must_open();
    store_header header = made_header("x", 1);
    atomic_store(&syncs, 0);
    assert_true(store_is_synced(s));
    must(store_sync(s, &problem));
    assert_int_equal(atomic_load(&syncs), 0); /* nothing to do */
    must(store_add(s, &header, first_nodes, 2, &header.id, &problem));
    assert_false(store_is_synced(s));
    must(store_sync(s, &problem));
    assert_int_equal(atomic_load(&syncs), 1);
    assert_true(store_is_synced(s));
    must(store_update(s, &header, NULL, 0, &problem));
    assert_false(store_is_synced(s));
    must(store_sync(s, &problem));
    must(store_update_node(s, 1, &first_nodes[1], &problem));
    assert_false(store_is_synced(s));
    must(store_sync(s, &problem));
    assert_int_equal(atomic_load(&syncs), 3);
    must(store_set_at(s, 1, 0, &problem)); /* which may be lost */
    assert_true(store_is_synced(s));
    /* A failure is reported, and the write still counts as unsynced. */
    must(store_update(s, &header, NULL, 0, &problem));
    atomic_store(&failing, 1);
    assert_int_equal(store_sync(s, &problem), PLY_IO);
    assert_non_null(strstr(problem.message, "Input/output error"));
    assert_false(store_is_synced(s));
    atomic_store(&failing, 0);
    must(store_sync(s, &problem));
    assert_true(store_is_synced(s));
    store_close(s);
}

static void *sync_in_thread(void *s)
{
    ply_error error = {0};
    return (void *)(intptr_t)store_sync(s, &error);
}

/* A sync that began before a write does not cover it. */
static void test_a_sync_covers_what_was_written_before(void **state)
{
    (void)state;
    store *s = must_open();
    store_header header = made_header("x", 1);
    sem_t gate;
    pthread_t first, second;
    void *status;
    sem_init(&gate, 0, 0);
    must(store_add(s, &header, first_nodes, 2, &header.id, &problem));
    atomic_store(&syncs, 0);
    held = &gate;
    assert_int_equal(pthread_create(&first, NULL, sync_in_thread, s), 0);
    while (atomic_load(&syncs) == 0)
        usleep(1000);
    must(store_update(s, &header, NULL, 0, &problem)); /* while the first sync runs */
    assert_int_equal(pthread_create(&second, NULL, sync_in_thread, s), 0);
    sem_post(&gate);
    pthread_join(first, &status);
    assert_int_equal((intptr_t)status, PLY_OK);
    assert_false(store_is_synced(s));
    sem_post(&gate);
    pthread_join(second, &status);
    assert_int_equal((intptr_t)status, PLY_OK);
    assert_true(store_is_synced(s));
    assert_int_equal(atomic_load(&syncs), 2);
    held = NULL;
    sem_destroy(&gate);
    store_close(s);
}

static void test_the_file(void **state)
{
    (void)state;
    struct stat about;
    store *s = must_open();
    store_header header = made_header("x", 1);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    /* One process at a time. */
    assert_null(store_open(path, &problem));
    assert_non_null(strstr(problem.message, "locked"));
    /* A file that is moved away is noticed; put back, it is fine. */
    char moved[80];
    snprintf(moved, sizeof moved, "%s/moved", folder);
    must(store_add(s, &header, first_nodes, 2, &header.id, &problem));
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(store_sync(s, &problem), PLY_IO);
    assert_non_null(strstr(problem.message, "moved or deleted"));
    assert_int_equal(fclose(fopen(path, "w")), 0); /* another file of that name */
    assert_int_equal(store_sync(s, &problem), PLY_IO);
    assert_int_equal(rename(moved, path), 0);
    must(store_sync(s, &problem));
    store_close(s);
    /* Closing leaves no descriptor open: the next one has the same number every time. */
    int before = dup(0);
    close(before);
    store_close(must_open());
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
    /* A file that others could read is closed to them. */
    assert_int_equal(chmod(path, 0644), 0);
    store_close(must_open());
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    /* A file of another version, and no file at all. */
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 6", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_null(store_open(path, &problem));
    assert_non_null(strstr(problem.message, "format 6, but this program reads format 5"));
    assert_null(store_open("/no/such/folder/games.db", &problem));
    assert_non_null(strstr(problem.message, "No such file"));
    FILE *text = fopen(path, "w");
    for (int i = 0; i < 200; i++)
        fputs("this is not a database\n", text);
    fclose(text);
    assert_null(store_open(path, &problem));
    assert_non_null(strstr(problem.message, "not a database"));
}

/* The games of format 1 get the columns of later formats; those with an engine are in play. */
static void test_the_old_format(void **state)
{
    (void)state;
    static const char old[] =
        "CREATE TABLE games (id INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL,"
        " variant TEXT NOT NULL, start TEXT NOT NULL, title TEXT NOT NULL, players TEXT NOT NULL,"
        " clock TEXT NOT NULL, tags TEXT NOT NULL, result INTEGER NOT NULL, ending TEXT NOT NULL,"
        " at INTEGER NOT NULL, created INTEGER NOT NULL, modified INTEGER NOT NULL,"
        " deleted INTEGER NOT NULL, plies INTEGER NOT NULL, node_count INTEGER NOT NULL,"
        " words TEXT NOT NULL);"
        "CREATE TABLE nodes (game INTEGER NOT NULL REFERENCES games (id), n INTEGER NOT NULL,"
        " parent INTEGER NOT NULL, rank INTEGER NOT NULL, move TEXT, setup TEXT,"
        " millis INTEGER NOT NULL, comment TEXT, nags BLOB, score INTEGER, depth INTEGER,"
        " PRIMARY KEY (game, n)) WITHOUT ROWID; PRAGMA user_version = 1;"
        "INSERT INTO games VALUES (1, 'g', 'v', '', 't', '[{\"kind\":\"engine\"}]', 'null', '{}',"
        " 0, '', 0, 5, 6, 0, 1, 1, 'w');"
        "INSERT INTO games VALUES (2, 'g', 'v', '', 't', '[]', 'null', '{}', 0, '', 0, 5, 7, 0, 1, "
        "1,"
        " 'w');"
        "INSERT INTO nodes VALUES (1, 0, 0, 0, NULL, NULL, -1, 'c', NULL, NULL, NULL);";
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, old, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    store *s = must_open();
    store_header header;
    static nodes_seen seen;
    seen = (nodes_seen){.limit = 8};
    must(store_read(s, 1, &header, keep_node, &seen, &problem));
    assert_true(header.mode == 1 && header.tip == -1 && header.modified == 6);
    assert_true(header.origin[0] == 0 && header.clock_state[0] == 0);
    assert_true(seen.count == 1 && !seen.nodes[0].deleted);
    assert_string_equal(seen.nodes[0].comment, "c");
    store_header_free(&header);
    must(store_read(s, 2, &header, NULL, NULL, &problem));
    assert_int_equal(header.mode, 0);
    store_header_free(&header);
    /* What came with later formats is there and empty; the games are still to be searched. */
    store_unsearched games[4];
    size_t count;
    uint64_t total;
    must(store_list_unsearched(s, games, 4, &count, &total, &problem));
    assert_true(count == 2 && total == 2 && games[0].id == 2 && games[1].id == 1);
    store_close(s);
    store_close(must_open());
}

/* The tables, indices and triggers of the file, as text. */
static void read_schema(ply_text *schema)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT type, name, sql FROM sqlite_master"
                                        " WHERE sql IS NOT NULL ORDER BY type, name",
                                        -1, &statement, NULL),
                     SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW)
        for (int i = 0; i < 3; i++)
            ply_text_format(schema, "%s\n", (const char *)sqlite3_column_text(statement, i));
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

/* A file of any format since 2 becomes one like a new one, and keeps its games. */
static void test_formats_between(void **state)
{
    (void)state;
    /* What takes a file one format back. */
    static const char *const back[] = {
        "DROP TABLE own_puzzles; DROP TABLE searched; PRAGMA user_version = 4",
        "DROP TABLE engines; PRAGMA user_version = 3",
        "DROP TRIGGER main_line_changed; DROP TABLE positions; DROP TABLE puzzles;"
        " DROP INDEX games_to_index; ALTER TABLE games DROP COLUMN opening;"
        " ALTER TABLE games DROP COLUMN indexed; ALTER TABLE nodes DROP COLUMN best;"
        " PRAGMA user_version = 2",
    };
    ply_text fresh = ply_text_growing();
    store *s = must_open();
    store_header header = made_header("x", 1);
    must(store_add(s, &header, first_nodes, 2, &header.id, &problem));
    store_close(s);
    read_schema(&fresh);
    for (size_t steps = 1; steps <= sizeof back / sizeof back[0]; steps++) {
        ply_text schema = ply_text_growing();
        sqlite3 *db;
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        for (size_t i = 0; i < steps; i++)
            if (sqlite3_exec(db, back[i], NULL, NULL, NULL) != SQLITE_OK)
                fail_msg("%s: %s", back[i], sqlite3_errmsg(db));
        sqlite3_close(db);
        s = must_open();
        assert_stored(s, &header, first_nodes, 2);
        store_close(s);
        read_schema(&schema);
        assert_string_equal(ply_text_cstr(&schema), ply_text_cstr(&fresh));
        ply_text_free(&schema);
    }
    ply_text_free(&fresh);
}

static void count_puzzle(void *context, const store_own_puzzle *puzzle)
{
    size_t *sum = context;
    *sum += strlen(puzzle->text) + (size_t)puzzle->source;
}

/* Puzzles from games: each is kept once, and a game is searched again only when it has changed. */
static void test_own_puzzles(void **state)
{
    (void)state;
    store *s = must_open();
    store_header header = made_header("x", 5);
    store_unsearched games[2];
    size_t count, added, sum = 0;
    uint64_t total;
    header.plies = 1;
    for (int i = 0; i < 3; i++)
        must(store_add(s, &header, first_nodes, 2, &header.id, &problem));
    must(store_list_unsearched(s, games, 2, &count, &total, &problem));
    assert_true(count == 2 && total == 3 && games[0].id == 3 && games[0].modified == 5);
    store_own_puzzle puzzles[] = {{"g v", "mate", UINT64_MAX, 3, "{}"},
                                  {"g v", "win", UINT64_MAX, 3, "{}"},
                                  {"g v", "mate", UINT64_MAX, 3, "{1}"}};
    must(store_add_own_puzzles(s, &games[0], puzzles, 3, &added, &problem));
    assert_int_equal(added, 2);
    assert_false(store_is_synced(s));
    must(store_add_own_puzzles(s, &games[1], puzzles, 3, &added, &problem));
    assert_int_equal(added, 0);
    must(store_list_own_puzzles(s, count_puzzle, &sum, &problem));
    assert_int_equal(sum, 2 * (2 + 3));
    must(store_list_unsearched(s, games, 2, &count, &total, &problem));
    assert_true(count == 1 && total == 1 && games[0].id == 1);
    header.modified = 6; /* of the third game */
    must(store_update(s, &header, NULL, 0, &problem));
    must(store_list_unsearched(s, games, 2, &count, &total, &problem));
    assert_true(count == 2 && total == 2 && games[0].id == 3 && games[0].modified == 6);
    store_close(s);
}

/* Errors of the database are reported by every function, and leave nothing behind. */
static void test_database_errors(void **state)
{
    (void)state;
    store *s = must_open();
    store_header header = made_header("x", 1), got = {0};
    int64_t id = 7;
    uint64_t total = 7;
    size_t count = 7, added = 7;
    store_unsearched unsearched = {1, 1};
    store_query query = {.limit = 1};
    must(store_add(s, &header, first_nodes, 2, &header.id, &problem));
    must(store_sync(s, &problem));
    /* Out of memory is told apart from errors of the disk. */
    sqlite3_hard_heap_limit64(sqlite3_memory_used());
    ply_status status = store_list(s, &query, &got, &count, &total, &problem);
    sqlite3_hard_heap_limit64(0);
    assert_int_equal(status, PLY_NO_MEMORY);
    assert_int_equal(count, 0);
    assert_int_equal(sqlite3_exec(s->db,
                                  "DROP TABLE nodes; DROP TABLE games;"
                                  " DROP TABLE searched; DROP TABLE own_puzzles",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    struct {
        const char *what;
        ply_status status;
    } calls[] = {
        {"count", store_count(s, &total, &problem)},
        {"list", store_list(s, &query, &got, &count, &total, &problem)},
        {"read", store_read(s, header.id, &got, NULL, NULL, &problem)},
        {"find", store_find_origin(s, "link", &id, &problem)},
        {"add", store_add(s, &header, first_nodes, 2, &id, &problem)},
        {"update", store_update(s, &header, NULL, 0, &problem)},
        {"node", store_update_node(s, header.id, &first_nodes[1], &problem)},
        {"unsearched", store_list_unsearched(s, &unsearched, 1, &count, &total, &problem)},
        {"puzzles", store_add_own_puzzles(s, &unsearched, NULL, 0, &added, &problem)},
        {"own puzzles", store_list_own_puzzles(s, count_puzzle, &added, &problem)},
        {"at", store_set_at(s, header.id, 0, &problem)},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (calls[i].status != PLY_IO)
            fail_msg("%s: status %d", calls[i].what, (int)calls[i].status);
    assert_non_null(strstr(problem.message, "game library: no such table"));
    assert_int_equal(count, 0);
    assert_true(store_is_synced(s)); /* nothing was written */
    store_close(s);
}

/* --- interrupted statements --------------------------------------------------------------------- */
static int steps_left;

static int interrupt(void *context)
{
    (void)context;
    return --steps_left == -1;
}

/* Every step of every statement fails once: the failure is reported, and nothing is half done. */
static void test_interrupted_statements(void **state)
{
    (void)state;
    store *s = must_open();
    store_header header = made_header("x", 1), got[2] = {0};
    uint64_t games = 0, total;
    size_t count;
    int64_t id;
    must(store_add(s, &header, first_nodes, 2, &id, &problem));
    must(store_add(s, &header, first_nodes, 2, &header.id, &problem));
    must(store_sync(s, &problem));
    for (int call = 0; call < 4; call++) {
        ply_status status = PLY_IO;
        int failures = 0;
        for (int steps = 0; status != PLY_OK; steps++) {
            static nodes_seen seen;
            seen = (nodes_seen){.limit = 8};
            store_query query = {.words = "x", .limit = 2};
            problem = (ply_error){0};
            steps_left = steps;
            sqlite3_progress_handler(s->db, 1, interrupt, NULL);
            if (call == 0)
                status = store_list(s, &query, got, &count, &total, &problem);
            else if (call == 1)
                status = store_read(s, header.id, got, keep_node, &seen, &problem);
            else if (call == 2)
                status = store_count(s, &games, &problem);
            else
                status = store_add(s, &header, first_nodes, 2, &id, &problem);
            sqlite3_progress_handler(s->db, 0, NULL, NULL);
            assert_true(steps < 10000);
            if (status == PLY_OK) { /* then all of it is there */
                assert_true(call != 0 || (count == 2 && total == 2));
                assert_true(call != 1 || seen.count == 2);
                assert_true(call != 2 || games == 2);
                store_header_free(&got[0]);
                store_header_free(&got[1]);
                break;
            }
            failures++;
            assert_int_equal(status, PLY_IO);
            if (!strstr(problem.message, "interrupted"))
                fail_msg("call %d, step %d: %s", call, steps, problem.message);
            assert_true(store_is_synced(s)); /* nothing was written */
            if (call == 0)                   /* rows that were read before are freed */
                assert_true(count == 0 && !got[0].game && !got[1].game);
        }
        assert_true(failures > 5);
    }
    /* One of the games that failed may exist: that of a COMMIT interrupted at its very end. */
    must(store_count(s, &games, &problem));
    assert_in_range(games, 3, 4);
    store_close(s);
}

/* Without a file everything works and nothing needs a sync. */
static void test_in_memory(void **state)
{
    (void)state;
    store *s = store_open(":memory:", &problem);
    store_header header = made_header("x", 1);
    atomic_store(&syncs, 0);
    assert_non_null(s);
    must(store_add(s, &header, first_nodes, 2, &header.id, &problem));
    assert_true(store_is_synced(s));
    must(store_sync(s, &problem));
    assert_int_equal(atomic_load(&syncs), 0);
    assert_stored(s, &header, first_nodes, 2);
    store_close(s);
    store_close(NULL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down_and_check_locks)
    const struct CMUnitTest tests[] = {
        TEST(test_nothing_is_synced_before_fdatasync),
        TEST(test_a_sync_covers_what_was_written_before),
        TEST(test_the_file),
        TEST(test_the_old_format),
        TEST(test_formats_between),
        TEST(test_own_puzzles),
        TEST(test_database_errors),
        TEST(test_interrupted_statements),
        TEST(test_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
