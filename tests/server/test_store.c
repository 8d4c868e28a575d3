/* SPDX-License-Identifier: MIT */
/*
 * test_store.c - games on disk: every field comes back, queries find what they should, and nothing
 * counts as synced before fdatasync has returned. The linker replaces fdatasync by one that counts
 * and can fail.
 */
#include "server/library/store.h"
#include "support/support.h"
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* --- helpers ------------------------------------------------------------------------------------ */
static char folder[] = "/tmp/plyverse-store-XXXXXX";
static char path[64];
static ply_error problem; /* of the last call that failed */

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/plyverse-store-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/games.db", folder);
    atomic_store(&syncs, 0);
    atomic_store(&failing, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char name[400];
    DIR *open_folder = opendir(folder);
    for (struct dirent *entry; open_folder && (entry = readdir(open_folder)) != NULL;) {
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        unlink(name);
    }
    if (open_folder)
        closedir(open_folder);
    return rmdir(folder);
}

static store *must_open(void)
{
    store *s = store_open(path, &problem);
    if (!s)
        fail_msg("%s", problem.message);
    return s;
}

static void must(ply_status status)
{
    if (status != PLY_OK)
        fail_msg("%s", problem.message);
}

static store_header made_header(const char *title, int64_t modified)
{
    return (store_header){.game = (char *)"gomoku",
                          .variant = (char *)"renju:width=9",
                          .start = (char *)"start text",
                          .title = (char *)title,
                          .players = (char *)"[{\"name\":\"Ann\"}]",
                          .clock = (char *)"{\"base\":1}",
                          .tags = (char *)"{\"Site\":\"Oslo_100%\"}",
                          .ending = (char *)"resign",
                          .result = PLY_SECOND_WINS,
                          .at = 2,
                          .created = 1111111111111,
                          .modified = modified,
                          .plies = 7,
                          .node_count = 2};
}

static const uint8_t glyphs[] = {1, 0, 255};
static const store_node first_nodes[] = {
    {.n = 0, .parent = 0, .rank = 5, .millis = 33, .comment = "root", .score = STORE_NO_SCORE},
    {.n = 1,
     .parent = 0,
     .rank = -4,
     .move = "h8",
     .millis = 1234,
     .comment = "good",
     .nag_count = 3,
     .nags = glyphs,
     .score = -57,
     .depth = 9},
};

typedef struct nodes_seen {
    size_t count, limit;
    store_node nodes[8];
    char texts[8][3][40];
    uint8_t nags[8][PLY_NAG_LIMIT];
} nodes_seen;

static const char *keep_text(char *room, const char *text)
{
    return text ? strcpy(room, text) : NULL;
}

static bool keep_node(void *context, const store_node *node)
{
    nodes_seen *seen = context;
    store_node *kept = &seen->nodes[seen->count];
    *kept = *node;
    kept->move = keep_text(seen->texts[seen->count][0], node->move);
    kept->setup = keep_text(seen->texts[seen->count][1], node->setup);
    kept->comment = keep_text(seen->texts[seen->count][2], node->comment);
    if (node->nag_count)
        memcpy(seen->nags[seen->count], node->nags, node->nag_count);
    return ++seen->count < seen->limit;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : !a && !b;
}

static void assert_same_node(const nodes_seen *seen, size_t i, const store_node *wanted)
{
    const store_node *got = &seen->nodes[i];
    assert_int_equal(got->n, wanted->n);
    assert_int_equal(got->parent, wanted->parent);
    assert_int_equal(got->rank, wanted->rank);
    assert_int_equal(got->millis, wanted->millis);
    assert_int_equal(got->score, wanted->score);
    assert_int_equal(got->depth, wanted->score == STORE_NO_SCORE ? 0 : wanted->depth);
    assert_int_equal(got->nag_count, wanted->nag_count);
    assert_memory_equal(seen->nags[i], wanted->nags ? wanted->nags : glyphs, wanted->nag_count);
    assert_true(same_text(got->move, wanted->move) && same_text(got->setup, wanted->setup) &&
                same_text(got->comment, wanted->comment));
}

static void assert_same_header(const store_header *got, const store_header *wanted)
{
    assert_string_equal(got->game, wanted->game);
    assert_string_equal(got->variant, wanted->variant);
    assert_string_equal(got->start, wanted->start);
    assert_string_equal(got->title, wanted->title);
    assert_string_equal(got->players, wanted->players);
    assert_string_equal(got->clock, wanted->clock);
    assert_string_equal(got->tags, wanted->tags);
    assert_string_equal(got->ending, wanted->ending ? wanted->ending : "");
    assert_int_equal(got->result, wanted->result);
    assert_int_equal(got->at, wanted->at);
    assert_int_equal(got->created, wanted->created);
    assert_int_equal(got->modified, wanted->modified);
    assert_int_equal(got->deleted, wanted->deleted);
    assert_int_equal(got->plies, wanted->plies);
    assert_int_equal(got->node_count, wanted->node_count);
}

static void assert_stored(store *s, const store_header *wanted, const store_node *nodes,
                          size_t count)
{
    store_header header;
    static nodes_seen seen;
    seen = (nodes_seen){.limit = 8};
    must(store_read(s, wanted->id, &header, keep_node, &seen, &problem));
    assert_int_equal(header.id, wanted->id);
    assert_same_header(&header, wanted);
    store_header_free(&header);
    assert_true(header.game == NULL && header.ending == NULL);
    assert_int_equal(seen.count, count);
    for (size_t i = 0; i < count; i++)
        assert_same_node(&seen, i, &nodes[i]);
}

/* --- tests -------------------------------------------------------------------------------------- */
static void test_every_field_comes_back(void **state)
{
    (void)state;
    store *s = must_open();
    store_header header = made_header("A title", 2222222222222);
    must(store_add(s, &header, first_nodes, 2, &header.id, &problem));
    assert_int_equal(header.id, 1);
    assert_stored(s, &header, first_nodes, 2);
    /* Everything but the rules and the time of creation can change. */
    store_header changed = {.id = 1,
                            .game = header.game,
                            .variant = header.variant,
                            .start = header.start,
                            .title = (char *)"Another",
                            .players = (char *)"[]",
                            .clock = (char *)"null",
                            .tags = (char *)"{}",
                            .result = PLY_DRAW,
                            .at = 3,
                            .created = header.created,
                            .modified = 2222222222223,
                            .deleted = true,
                            .plies = 8,
                            .node_count = 3};
    store_node all[3] = {first_nodes[0],
                         first_nodes[1],
                         {.n = 2,
                          .parent = 1,
                          .rank = 1,
                          .setup = "a position",
                          .millis = -1,
                          .score = 0,
                          .depth = 0}};
    must(store_update(s, &changed, &all[2], 1, &problem));
    assert_stored(s, &changed, all, 3);
    /* A node keeps its place in the tree. */
    all[1].rank = 7;
    all[1].comment = NULL;
    all[1].nag_count = 0;
    all[1].score = 12;
    all[1].depth = 3;
    must(store_update_node(s, 1, &all[1], &problem));
    assert_stored(s, &changed, all, 3);
    all[1].comment = "back";
    all[1].score = STORE_NO_SCORE;
    must(store_update_node(s, 1, &all[1], &problem));
    assert_stored(s, &changed, all, 3);
    changed.at = 1;
    must(store_set_at(s, 1, 1, &problem));
    assert_stored(s, &changed, all, 3);
    store_close(s);
    /* The same from the file, and the next number is not used twice. */
    s = must_open();
    assert_stored(s, &changed, all, 3);
    int64_t id;
    must(store_add(s, &header, first_nodes, 1, &id, &problem));
    assert_int_equal(id, 2);
    store_close(s);
}

static void test_reading_stops_when_told(void **state)
{
    (void)state;
    store *s = must_open();
    store_header header = made_header("x", 1), got;
    must(store_add(s, &header, first_nodes, 2, &header.id, &problem));
    static nodes_seen seen;
    seen = (nodes_seen){.limit = 1};
    must(store_read(s, 1, &got, keep_node, &seen, &problem));
    assert_int_equal(seen.count, 1);
    store_header_free(&got);
    must(store_read(s, 1, &got, NULL, NULL, &problem));
    store_header_free(&got);
    assert_stored(s, &header, first_nodes, 2); /* the statement was reset */
    assert_int_equal(store_read(s, 2, &got, keep_node, &seen, &problem), PLY_UNSUPPORTED);
    assert_string_equal(problem.message, "no such game");
    store_close(s);
}

/* A transaction happens completely or not at all. */
static void test_failed_writes_change_nothing(void **state)
{
    (void)state;
    store *s = must_open();
    store_header header = made_header("x", 1);
    store_node twice[2] = {first_nodes[0], first_nodes[0]};
    int64_t id;
    uint64_t games;
    assert_true(store_is_synced(s));
    assert_int_equal(store_add(s, &header, twice, 2, &id, &problem), PLY_IO);
    assert_non_null(strstr(problem.message, "UNIQUE"));
    assert_true(store_is_synced(s)); /* nothing was written */
    must(store_count(s, &games, &problem));
    assert_int_equal(games, 0);
    must(store_add(s, &header, first_nodes, 2, &header.id, &problem));
    must(store_sync(s, &problem));
    store_header changed = made_header("changed", 2);
    changed.id = header.id;
    assert_int_equal(store_update(s, &changed, first_nodes, 1, &problem), PLY_IO);
    assert_true(store_is_synced(s));
    assert_stored(s, &header, first_nodes, 2);
    store_node bad = first_nodes[1]; /* a node of a game that does not exist */
    changed.id = 99;
    bad.n = 5;
    assert_int_equal(store_update(s, &changed, &bad, 1, &problem), PLY_IO);
    must(store_add(s, &header, first_nodes, 2, &id, &problem)); /* the store still works */
    store_close(s);
}

static size_t list(store *s, const char *words, const char *game, bool deleted, uint64_t limit,
                   uint64_t offset, int64_t *ids, uint64_t *total)
{
    store_header headers[8];
    size_t count = 99;
    store_query query = {words, game, deleted, limit, offset};
    must(store_list(s, &query, headers, &count, total, &problem));
    assert_true(count <= limit);
    for (size_t i = 0; i < count; i++) {
        ids[i] = headers[i].id;
        assert_non_null(headers[i].title);
        store_header_free(&headers[i]);
    }
    return count;
}

static void assert_found(store *s, const char *words, const char *game, bool deleted,
                         const char *wanted)
{
    int64_t ids[8];
    uint64_t total;
    char got[64] = "";
    size_t count = list(s, words, game, deleted, 8, 0, ids, &total);
    assert_int_equal(count, total);
    for (size_t i = 0; i < count; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%d ", (int)ids[i]);
    assert_string_equal(got, wanted);
}

static void test_queries(void **state)
{
    (void)state;
    store *s = must_open();
    store_header a = made_header("Castle of Ann", 30), b = made_header("50% off", 10);
    store_header c = made_header("under_score", 20), d = made_header("back\\slash", 10);
    c.game = (char *)"shogi";
    c.variant = (char *)"standard";
    d.deleted = true;
    b.tags = c.tags = d.tags = (char *)"{}";
    store_header *all[] = {&a, &b, &c, &d};
    for (size_t i = 0; i < 4; i++)
        must(store_add(s, all[i], first_nodes, 1, &all[i]->id, &problem));
    assert_found(s, NULL, NULL, false, "1 3 2 "); /* the last modified first */
    assert_found(s, "", NULL, false, "1 3 2 ");
    assert_found(s, NULL, NULL, true, "4 ");
    assert_found(s, NULL, "shogi", false, "3 ");
    assert_found(s, NULL, "chess", false, "");
    assert_found(s, "castle", NULL, false, "1 "); /* case does not matter */
    assert_found(s, "ann castle", NULL, false, "1 ");
    assert_found(s, "castle off", NULL, false, ""); /* every word must occur */
    assert_found(s, "  off ", NULL, false, "2 ");
    assert_found(s, "renju", NULL, false, "1 2 "); /* variant, game, players and tags count */
    assert_found(s, "shogi", NULL, false, "3 ");
    assert_found(s, "oslo", NULL, false, "1 ");
    assert_found(s, "name", "gomoku", false, "1 2 ");
    assert_found(s, "%", NULL, false, "1 2 "); /* wildcards are taken literally */
    assert_found(s, "_", NULL, false, "1 3 ");
    assert_found(s, "r_s", NULL, false, "3 ");
    assert_found(s, "k\\s", NULL, true, "4 ");
    assert_found(s, "\\", NULL, false, "");
    /* Words beyond the eighth are ignored. */
    assert_found(s, "c a s t l e o f", NULL, false, "1 ");
    assert_found(s, "c a s t l e o f zzz", NULL, false, "1 ");
    assert_found(s, "c a s t l e o zzz", NULL, false, "");
    int64_t ids[8];
    uint64_t total, games;
    assert_int_equal(list(s, NULL, NULL, false, 2, 0, ids, &total), 2);
    assert_true(total == 3 && ids[0] == 1 && ids[1] == 3);
    assert_int_equal(list(s, NULL, NULL, false, 2, 2, ids, &total), 1);
    assert_true(total == 3 && ids[0] == 2);
    assert_int_equal(list(s, NULL, NULL, false, 0, 0, ids, &total), 0);
    assert_int_equal(total, 3);
    must(store_count(s, &games, &problem));
    assert_int_equal(games, 3);
    store_close(s);
}

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
    /* A file that others could read is closed to them. */
    assert_int_equal(chmod(path, 0644), 0);
    store_close(must_open());
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    /* A file of another version, and no file at all. */
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 2", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_null(store_open(path, &problem));
    assert_non_null(strstr(problem.message, "format 2, but this program reads format 1"));
    assert_null(store_open("/no/such/folder/games.db", &problem));
    assert_non_null(strstr(problem.message, "No such file"));
    FILE *text = fopen(path, "w");
    for (int i = 0; i < 200; i++)
        fputs("this is not a database\n", text);
    fclose(text);
    assert_null(store_open(path, &problem));
    assert_non_null(strstr(problem.message, "not a database"));
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
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_every_field_comes_back),
        TEST(test_reading_stops_when_told),
        TEST(test_failed_writes_change_nothing),
        TEST(test_queries),
        TEST(test_nothing_is_synced_before_fdatasync),
        TEST(test_a_sync_covers_what_was_written_before),
        TEST(test_the_file),
        TEST(test_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
