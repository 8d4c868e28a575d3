/* SPDX-License-Identifier: MIT */
/* test_perft.c - perft and playouts: threads, hash table, divide, stopping. */
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

/* In every game, the total depends neither on the threads nor on the size of the hash table. */
static void test_perft_options(void **state)
{
    (void)state;
    for (size_t g = 0; g < ply_game_count(); g++) {
        ply_rules rules;
        ply_state s;
        test_make_rules(&rules, ply_game_at(g)->id, NULL);
        test_make_state(&s, &rules, NULL);
        int depth = 1;
        uint64_t expected = 0;
        ply_perft_options plain = {.threads = 1};
        while (expected < 20000 && depth < 8)
            assert_int_equal(ply_perft(&s, depth++, &plain, &expected, NULL, NULL), PLY_OK);
        depth--;
        for (unsigned threads = 0; threads <= 3; threads += 3)
            for (size_t mb = 0; mb <= 2; mb++) {
                uint64_t nodes;
                ply_progress progress = {0};
                ply_perft_options options = {
                    .threads = threads, .hash_mb = mb, .progress = &progress};
                assert_int_equal(ply_perft(&s, depth, &options, &nodes, NULL, NULL), PLY_OK);
                assert_true(nodes == expected);
                ply_progress end = ply_progress_read(&progress);
                assert_true(end.parts_done == end.parts_total);
            }
        ply_state_free(&s);
    }
}

static void test_divide(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&s, &rules, NULL);
    ply_perft_entry divide[64];
    size_t count = 99;
    uint64_t nodes, sum = 0;
    ply_perft_options options = {.threads = 2};
    assert_int_equal(ply_perft(&s, 4, &options, &nodes, divide, &count), PLY_OK);
    assert_int_equal(count, 14);
    ply_move moves[64];
    rules.game->moves(&rules, s.position, moves);
    for (size_t i = 0; i < count; i++) {
        uint64_t below;
        assert_true(divide[i].move == moves[i]);
        assert_int_equal(ply_state_play(&s, moves[i]), PLY_OK);
        assert_int_equal(ply_perft(&s, 3, &options, &below, NULL, NULL), PLY_OK);
        ply_state_undo(&s);
        assert_true(divide[i].nodes == below);
        sum += below;
    }
    assert_true(sum == nodes && nodes == 43630);
    assert_int_equal(ply_perft(&s, 0, &options, &nodes, divide, &count), PLY_OK);
    assert_true(nodes == 1 && count == 0);
    ply_state_free(&s);
    /* No legal move. */
    test_make_state(&s, &rules, "b5/6/6/6/6/5w w");
    assert_int_equal(ply_perft(&s, 5, &options, &nodes, divide, &count), PLY_OK);
    assert_true(nodes == 0 && count == 0);
    ply_state_free(&s);
}

static void test_stopping(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&s, &rules, NULL);
    ply_progress progress = {0};
    ply_progress_stop(&progress);
    ply_perft_options options = {.threads = 2, .progress = &progress};
    uint64_t nodes;
    assert_int_equal(ply_perft(&s, 30, &options, &nodes, NULL, NULL), PLY_STOPPED);
    ply_playout_options games = {.games = 1u << 30, .max_plies = 1000, .progress = &progress};
    ply_playout_totals totals;
    assert_int_equal(ply_playouts(&s, &games, &totals), PLY_STOPPED);
    ply_state_free(&s);
}

/* The totals depend on the seed but not on the number of threads. */
static void test_playouts(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&s, &rules, NULL);
    ply_playout_options options = {.games = 1000, .seed = 4, .threads = 1, .max_plies = 10000};
    ply_playout_totals one, four, other;
    assert_int_equal(ply_playouts(&s, &options, &one), PLY_OK);
    options.threads = 4;
    assert_int_equal(ply_playouts(&s, &options, &four), PLY_OK);
    assert_memory_equal(&one, &four, sizeof one);
    options.seed = 5;
    assert_int_equal(ply_playouts(&s, &options, &other), PLY_OK);
    assert_true(other.signature != one.signature);
    options.max_plies = 3;
    assert_int_equal(ply_playouts(&s, &options, &other), PLY_OK);
    assert_true(other.plies == 3000 && other.results[PLY_ONGOING] == 1000);
    ply_state_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perft_options),
        cmocka_unit_test(test_divide),
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_playouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
