/* SPDX-License-Identifier: MIT */
/* test_store.c - games on disk: every field comes back, and queries find what they should. */
#include "server/store_support.h"

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
                            .origin = header.origin,
                            .mode = 2,
                            .tip = -1,
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
    all[1].deleted = true;
    all[1].score = 12;
    all[1].depth = 3;
    all[1].best = "a1a2 b1b2";
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

/* A turn of several moves is saved at once. */
static void test_several_nodes_at_once(void **state)
{
    (void)state;
    enum { NODES = 6 };
    store *s = must_open();
    store_header header = made_header("x", 1);
    store_node all[NODES] = {first_nodes[0], first_nodes[1]};
    for (uint32_t n = 2; n < NODES; n++) {
        all[n] = first_nodes[1];
        all[n].n = n;
        all[n].parent = n - 1;
    }
    must(store_add(s, &header, all, 2, &header.id, &problem));
    must(store_update(s, &header, &all[2], NODES - 2, &problem));
    assert_stored(s, &header, all, NODES);
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
    store_query query = {
        .words = words, .game = game, .deleted = deleted, .limit = limit, .offset = offset};
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

static void test_origins(void **state)
{
    (void)state;
    store *s = must_open();
    store_header a = made_header("a", 1), b = made_header("b", 2), c = made_header("c", 3);
    int64_t id = 99;
    must(store_find_origin(s, "link", &id, &problem));
    assert_int_equal(id, 0);
    a.deleted = true;
    c.origin = NULL;
    must(store_add(s, &a, first_nodes, 1, &a.id, &problem));
    must(store_add(s, &b, first_nodes, 1, &b.id, &problem));
    must(store_add(s, &b, first_nodes, 1, &id, &problem));
    must(store_add(s, &c, first_nodes, 1, &c.id, &problem));
    must(store_find_origin(s, "link", &id, &problem));
    assert_int_equal(id, b.id); /* the oldest that is not deleted */
    must(store_find_origin(s, "lin", &id, &problem));
    assert_int_equal(id, 0);
    must(store_find_origin(s, "link", &id, &problem));
    assert_int_equal(id, b.id);
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_every_field_comes_back),
        TEST(test_several_nodes_at_once),
        TEST(test_reading_stops_when_told),
        TEST(test_failed_writes_change_nothing),
        TEST(test_queries),
        TEST(test_origins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
