/* SPDX-License-Identifier: MIT */
/*
 * test_search.c - searching with tablebases: exact scores and distances at the root and below, and
 * games that take exactly as many plies as announced.
 */
#include "support/endings.h"

static char dir[200];
static ply_rules rules;

static int build_tablebase(void **state)
{
    (void)state;
    test_make_rules(&rules, "checkers", "english");
    test_folder_make(dir, sizeof dir);
    test_build(&rules, dir, "3", 1, 0);
    return 0;
}

static int remove_tablebase(void **state)
{
    (void)state;
    test_folder_remove(dir);
    return 0;
}

static ply_search_report search(ply_searcher *searcher, const ply_state *state, int depth,
                                unsigned variations)
{
    ply_search_limits limits = {.depth = depth, .multipv = variations};
    ply_search_report report;
    assert_int_equal(ply_searcher_run(searcher, state, &limits, NULL, NULL, &report), PLY_OK);
    return report;
}

static ply_searcher *new_searcher(ply_search_kind kind, const char *folder)
{
    ply_search_options options = {.kind = kind, .memory_mb = 1, .tablebase_dir = folder};
    ply_searcher *searcher = ply_searcher_new(&rules, &options);
    assert_non_null(searcher);
    return searcher;
}

static int32_t score_of(ply_tablebase_value value)
{
    if (value.result == PLY_TABLEBASE_DRAW)
        return 0;
    return value.result == PLY_TABLEBASE_WIN ? PLY_SCORE_WIN - value.plies
                                             : value.plies - PLY_SCORE_WIN;
}

/* A random position of at most three pieces with a legal move. */
static void random_position(ply_rng *rng, ply_state *state)
{
    for (;;) {
        size_t class_index;
        unsigned own, other;
        const size_t classes = rules.indexing->class_count(&rules);
        char name[40];
        do {
            class_index = ply_rng_below(rng, (uint32_t)classes);
            ply_text text = ply_text_fixed(name, sizeof name);
            rules.indexing->class_name(&rules, class_index, &text);
            unsigned a, b, c, d;
            assert_int_equal(sscanf(name, "%um%ukv%um%uk", &a, &b, &c, &d), 4);
            own = a + b;
            other = c + d;
        } while (own == 0 || other == 0 || own + other > 3);
        rules.indexing->unrank(&rules, class_index,
                               ply_rng_next(rng) % rules.indexing->class_size(&rules, class_index),
                               state->position);
        if (ply_game_count_moves(&rules, state->position) > 0)
            return;
    }
}

/* Root scores are those of the tablebase, for every variation and both search algorithms. */
static void test_root(void **state)
{
    (void)state;
    ply_rng rng = ply_rng_make(3, 0);
    ply_tablebase *tablebase;
    assert_int_equal(ply_tablebase_open(&rules, dir, 0, &tablebase, NULL), PLY_OK);
    for (int kind = 0; kind < 2; kind++) {
        ply_searcher *searcher = new_searcher((ply_search_kind)kind, dir);
        for (int i = 0; i < 300; i++) {
            ply_state s;
            ply_tablebase_value value;
            ply_tablebase_move moves[PLY_STACK_MOVES];
            assert_int_equal(ply_state_init(&s, &rules), PLY_OK);
            random_position(&rng, &s);
            assert_true(ply_tablebase_probe(tablebase, s.position, &value));
            size_t count = ply_tablebase_moves(tablebase, s.position, moves);
            ply_search_report report = search(searcher, &s, 4, 64);
            assert_int_equal(report.pv_count, count);
            assert_int_equal(report.pv[0].score, score_of(value));
            for (size_t k = 0; k < count; k++) {
                size_t m = 0;
                while (moves[m].move != report.pv[k].moves[0])
                    m++;
                assert_true(moves[m].known);
                assert_int_equal(report.pv[k].score, score_of(moves[m].value));
                assert_true(k == 0 || report.pv[k].score <= report.pv[k - 1].score);
            }
            ply_state_free(&s);
        }
        ply_searcher_free(searcher);
    }
    ply_tablebase_close(tablebase);
}

/* The winner ends the game in the announced number of plies, against the best defence. */
static void test_play_out(void **state)
{
    (void)state;
    ply_rng rng = ply_rng_make(4, 0);
    ply_searcher *searcher = new_searcher(PLY_SEARCH_ALPHABETA, dir);
    int decided = 0;
    for (int i = 0; i < 60; i++) {
        ply_state s;
        assert_int_equal(ply_state_init(&s, &rules), PLY_OK);
        random_position(&rng, &s);
        ply_search_report report = search(searcher, &s, 1, 1);
        int32_t score = report.pv[0].score;
        if (score != 0) {
            int32_t plies = PLY_SCORE_WIN - abs(score);
            int winner = rules.game->side(&rules, s.position) ^ (score < 0);
            decided++;
            /* The principal variation is the whole game, up to its maximum length. */
            assert_int_equal(report.pv[0].length, plies < PLY_PV_LIMIT ? plies : PLY_PV_LIMIT);
            for (int32_t left = plies; left > 0; left--) {
                report = search(searcher, &s, 1, 1);
                assert_int_equal(PLY_SCORE_WIN - abs(report.pv[0].score), left);
                assert_int_equal(ply_state_play(&s, report.pv[0].moves[0]), PLY_OK);
            }
            assert_int_equal(ply_state_outcome(&s).result,
                             winner == 0 ? PLY_FIRST_WINS : PLY_SECOND_WINS);
        }
        ply_state_free(&s);
    }
    assert_true(decided > 30);
    ply_searcher_free(searcher);
}

/* A capture into the tablebase has its exact distance at depth 1. */
static void test_below_the_root(void **state)
{
    (void)state;
    ply_state s;
    ply_tablebase_value value;
    ply_tablebase *tablebase;
    assert_int_equal(ply_tablebase_open(&rules, dir, 0, &tablebase, NULL), PLY_OK);
    test_make_state(&s, &rules, "B:W18,22,K30:BK15");
    assert_false(ply_tablebase_probe(tablebase, s.position, &value));
    ply_searcher *with = new_searcher(PLY_SEARCH_ALPHABETA, dir);
    ply_searcher *without = new_searcher(PLY_SEARCH_ALPHABETA, NULL);
    int32_t exact = search(with, &s, 4, 1).pv[0].score;
    assert_true(abs(exact) > PLY_SCORE_FORCED || exact == 0);
    assert_true(abs(search(without, &s, 4, 1).pv[0].score) < PLY_SCORE_FORCED);
    test_make_rules(&rules, "checkers", "english");
    ply_searcher_free(with);
    ply_searcher_free(without);
    ply_state_free(&s);
    /* 15x22 is the only move, and three pieces are left. */
    test_make_state(&s, &rules, "B:W18,K30,32:BK15");
    ply_move moves[PLY_STACK_MOVES];
    assert_int_equal(rules.game->moves(&rules, s.position, moves), 1);
    with = new_searcher(PLY_SEARCH_ALPHABETA, dir);
    exact = search(with, &s, 1, 1).pv[0].score;
    assert_int_equal(ply_state_play(&s, moves[0]), PLY_OK);
    assert_true(ply_tablebase_probe(tablebase, s.position, &value));
    int32_t after = score_of(value);
    assert_int_equal(exact, after == 0 ? 0 : after > 0 ? 1 - after : -after - 1);
    ply_searcher_free(with);
    ply_state_free(&s);
    ply_tablebase_close(tablebase);
}

/* With a missing folder or a damaged file, the search runs as without a tablebase. */
static void test_without(void **state)
{
    (void)state;
    char path[400], broken[200];
    ply_state s;
    test_folder_make(broken, sizeof broken);
    test_build(&rules, broken, "2", 1, 0);
    snprintf(path, sizeof path, "%s/checkers/english/0m1kv0m1k.plt", broken);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fputs("nothing", file);
    fclose(file);
    test_make_state(&s, &rules, "B:WK13:BK1");
    ply_searcher *missing = new_searcher(PLY_SEARCH_ALPHABETA, "/nonexistent/folder");
    ply_searcher *damaged = new_searcher(PLY_SEARCH_ALPHABETA, broken);
    ply_searcher *plain = new_searcher(PLY_SEARCH_ALPHABETA, NULL);
    uint64_t nodes = search(plain, &s, 6, 1).nodes;
    assert_true(nodes > 20);
    assert_int_equal(search(missing, &s, 6, 1).nodes, nodes);
    assert_int_equal(search(damaged, &s, 6, 1).nodes, nodes);
    ply_searcher_free(missing);
    ply_searcher_free(damaged);
    ply_searcher_free(plain);
    ply_state_free(&s);
    test_folder_remove(broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_root), cmocka_unit_test(test_play_out),
                                       cmocka_unit_test(test_below_the_root),
                                       cmocka_unit_test(test_without)};
    return cmocka_run_group_tests(tests, build_tablebase, remove_tablebase);
}
