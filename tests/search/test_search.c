/* SPDX-License-Identifier: MIT */
/*
 * test_search.c - the search algorithms: correct forced results, determinism, limits, stopping.
 *
 * Forced wins and losses are compared with brute force on small positions of Neighbours, which are
 * full of them. Determinism and stopping are checked for every game of the registry.
 */
#include "core/clock.h"
#include "search/transposition.h"
#include "support/support.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static ply_search_report run_search(const ply_state *state, ply_search_options options,
                                    ply_search_limits limits, ply_variation *best)
{
    ply_search_report report;
    ply_searcher *searcher = ply_searcher_new(state->rules, &options);
    assert_non_null(searcher);
    assert_int_equal(ply_searcher_run(searcher, state, &limits, NULL, NULL, &report), PLY_OK);
    assert_true(report.pv_count >= 1);
    *best = report.pv[0];
    ply_searcher_free(searcher);
    return report;
}

/* Whether the player to move can force a win within `plies` plies, by brute force. */
static bool can_force(ply_state *state, int plies)
{
    const ply_rules *rules = state->rules;
    ply_move moves[64];
    size_t count = rules->game->moves(rules, state->position, moves);
    if (plies <= 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(ply_state_play(state, moves[i]), PLY_OK);
        ply_move replies[64];
        size_t reply_count = rules->game->moves(rules, state->position, replies);
        bool wins = true; /* without a reply, the game is won */
        for (size_t k = 0; k < reply_count && wins; k++) {
            assert_int_equal(ply_state_play(state, replies[k]), PLY_OK);
            wins = can_force(state, plies - 2);
            ply_state_undo(state);
        }
        ply_state_undo(state);
        if (wins)
            return true;
    }
    return false;
}

static void random_small_position(const ply_rules *rules, ply_state *state, ply_rng *rng)
{
    do {
        size_t class_index = (1 + ply_rng_below(rng, 3)) * 7 + 1 + ply_rng_below(rng, 3);
        uint64_t size = rules->indexing->class_size(rules, class_index);
        assert_int_equal(
            rules->indexing->unrank(rules, class_index, ply_rng_next(rng) % size, state->position),
            PLY_OK);
        state->plies = 0;
    } while (ply_state_outcome(state).result != PLY_ONGOING);
}

static void test_forced_results(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&s, &rules, NULL);
    ply_rng rng = ply_rng_make(11, 0);
    int wins = 0, losses = 0, rounds = test_under_tsan() ? 10 : 300;
    for (int i = 0; i < rounds; i++) {
        random_small_position(&rules, &s, &rng);
        ply_variation best;
        /* Late moves are reduced, so a win within 5 plies may take more depth; 12 is enough. */
        run_search(&s, (ply_search_options){.memory_mb = 1}, (ply_search_limits){.depth = 12},
                   &best);
        int shortest = 0;
        for (int plies = 1; plies <= 5 && !shortest; plies += 2)
            if (can_force(&s, plies))
                shortest = plies;
        if (shortest) {
            wins++;
            assert_true(best.score > PLY_SCORE_FORCED);
            assert_true(PLY_SCORE_WIN - best.score >= shortest);
        }
        if (best.score > PLY_SCORE_FORCED && PLY_SCORE_WIN - best.score <= 5)
            assert_true(shortest && PLY_SCORE_WIN - best.score >= shortest);
        if (best.score < -PLY_SCORE_FORCED && PLY_SCORE_WIN + best.score <= 6) {
            losses++;
            /* After every move, the opponent can force the win in time. */
            ply_move moves[64];
            size_t count = rules.game->moves(&rules, s.position, moves);
            for (size_t k = 0; k < count; k++) {
                assert_int_equal(ply_state_play(&s, moves[k]), PLY_OK);
                assert_true(can_force(&s, PLY_SCORE_WIN + best.score - 1));
                ply_state_undo(&s);
            }
        }
    }
    assert_true((wins > 50 && losses > 20) || test_under_tsan());
    ply_state_free(&s);
}

/* Parameters change the search; a text that is not valid is refused and changes nothing. */
static void test_parameters(void **state)
{
    (void)state;
    static const char *const bad[] = {"lmp_base",     "lmp_base=",    "lmp_base=x",
                                      "lmp_base=999", "lmp_base=12,", "lmp_base=12 ",
                                      "nothing=1",    "=1",           "lmp_bas=1"};
    ply_rules rules;
    ply_state s;
    ply_variation best;
    test_make_rules(&rules, "shogi", NULL);
    test_make_state(&s, &rules, NULL);
    ply_search_options options = {.memory_mb = 2};
    ply_search_limits limits = {.depth = 6};
    uint64_t usual = run_search(&s, options, limits, &best).nodes;
    options.parameters = "lmp_base=12,lmr_base=0";
    assert_int_equal(ply_search_parameters_check(options.parameters, NULL), PLY_OK);
    assert_int_equal(ply_search_parameters_check(NULL, NULL), PLY_OK);
    assert_true(run_search(&s, options, limits, &best).nodes != usual);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ply_error error = {0};
        assert_int_equal(ply_search_parameters_check(bad[i], &error), PLY_BAD_OPTION);
        assert_true(error.message[0]);
        options.parameters = bad[i];
        assert_int_equal(run_search(&s, options, limits, &best).nodes, usual);
    }
    ply_state_free(&s);
}

/* The margins that games bring along are valid, and the search uses them. */
static void test_margins_of_games(void **state)
{
    (void)state;
    ply_rules rules;
    for (size_t g = 0; g < ply_game_count(); g++) {
        test_make_rules(&rules, ply_game_at(g)->id, NULL);
        assert_int_equal(ply_search_parameters_check(rules.search->parameters, NULL), PLY_OK);
    }
    test_make_rules(&rules, "shogi", NULL);
    ply_search_hooks hooks = *rules.search;
    ply_search_options options = {.memory_mb = 2};
    ply_search_limits limits = {.depth = 6};
    uint64_t nodes[2];
    for (int own = 0; own < 2; own++) { /* the same margins, from the game and from the options */
        ply_state s;
        ply_variation best;
        hooks.parameters = own ? "lmp_base=12,lmr_base=0" : NULL;
        options.parameters = own ? NULL : "lmp_base=12,lmr_base=0";
        rules.search = &hooks;
        test_make_state(&s, &rules, NULL);
        nodes[own] = run_search(&s, options, limits, &best).nodes;
        ply_state_free(&s);
    }
    assert_int_equal(nodes[0], nodes[1]);
}

/*
 * A mate in three plies that sacrifices the bishop, so that every static evaluation calls it lost:
 * found with any number of threads.
 */
static void test_shogi_mates(void **state)
{
    (void)state;
    static const char *const mates[] = {
        "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1",
        "3sks3/9/4S4/9/9/B8/9/9/4K4 b S2rb4g4n4l18p 1",
    };
    ply_rules rules;
    test_make_rules(&rules, "shogi", NULL);
    for (size_t i = 0; i < sizeof mates / sizeof mates[0]; i++)
        for (unsigned threads = 1; threads <= 2; threads++) {
            ply_state s;
            ply_variation best;
            test_make_state(&s, &rules, mates[i]);
            run_search(&s, (ply_search_options){.memory_mb = 1, .threads = threads},
                       (ply_search_limits){.depth = 6}, &best);
            assert_int_equal(best.score, PLY_SCORE_WIN - 3);
            ply_state_free(&s);
        }
}

/* On one thread, the same input gives the same nodes and PV; every move of the PV is legal. */
static void test_deterministic(void **state)
{
    (void)state;
    for (size_t g = 0; g < ply_game_count(); g++)
        for (int kind = PLY_SEARCH_ALPHABETA; kind < PLY_SEARCH_KINDS; kind++) {
            ply_rules rules;
            ply_state s;
            test_make_rules(&rules, ply_game_at(g)->id, NULL);
            test_make_state(&s, &rules, NULL);
            ply_search_options options = {.kind = (ply_search_kind)kind, .memory_mb = 2, .seed = 3};
            ply_search_limits limits = {.nodes = kind != PLY_SEARCH_ALPHABETA ? 30 : 500};
            ply_variation first, second;
            ply_search_report a = run_search(&s, options, limits, &first);
            ply_search_report b = run_search(&s, options, limits, &second);
            assert_true(a.nodes == b.nodes && a.depth == b.depth);
            assert_true(first.score == second.score && first.length == second.length);
            assert_memory_equal(first.moves, second.moves, first.length * sizeof(ply_move));
            for (uint32_t i = 0; i < first.length; i++) {
                size_t count = ply_game_count_moves(&rules, s.position);
                bool legal = false;
                for (size_t k = 0; k < count && !legal; k++)
                    legal = ply_game_nth_move(&rules, s.position, k) == first.moves[i];
                assert_true(legal);
                assert_int_equal(ply_state_play(&s, first.moves[i]), PLY_OK);
            }
            ply_state_free(&s);
        }
}

static void test_multipv_and_only(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&s, &rules, NULL);
    for (int kind = PLY_SEARCH_ALPHABETA; kind < PLY_SEARCH_KINDS; kind++) {
        ply_search_options options = {.kind = (ply_search_kind)kind};
        ply_searcher *searcher = ply_searcher_new(&rules, &options);
        ply_search_report report;
        ply_search_limits limits = {.nodes = 4000, .multipv = 5};
        assert_int_equal(ply_searcher_run(searcher, &s, &limits, NULL, NULL, &report), PLY_OK);
        assert_int_equal(report.pv_count, 5);
        for (size_t i = 0; i < 5; i++)
            for (size_t k = 0; k < i; k++)
                assert_true(report.pv[i].moves[0] != report.pv[k].moves[0]);
        if (kind == PLY_SEARCH_ALPHABETA)
            for (size_t i = 1; i < 5; i++)
                assert_true(report.pv[i - 1].score >= report.pv[i].score);
        ply_move only[2] = {ply_game_nth_move(&rules, s.position, 5),
                            ply_game_nth_move(&rules, s.position, 9)};
        limits.only = only;
        limits.only_count = 2;
        assert_int_equal(ply_searcher_run(searcher, &s, &limits, NULL, NULL, &report), PLY_OK);
        assert_int_equal(report.pv_count, 2);
        assert_true(report.pv[0].moves[0] == only[0] || report.pv[0].moves[0] == only[1]);
        only[0] = only[1] = 12345678;
        assert_int_equal(ply_searcher_run(searcher, &s, &limits, NULL, NULL, &report),
                         PLY_UNSUPPORTED);
        ply_searcher_free(searcher);
    }
    ply_state_free(&s);
}

/* If the first iteration is stopped, the variations found by then are the best ones. */
static void test_multipv_of_unfinished_iteration(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state game;
    ply_search_report report;
    test_make_rules(&rules, "gomoku", NULL);
    assert_int_equal(ply_state_init(&game, &rules), PLY_OK);
    assert_int_equal(ply_state_play_text(&game, "h8 h9 i8 g8 i7 i9 j6 g9", 23, NULL), PLY_OK);
    ply_search_options options = {.kind = PLY_SEARCH_ALPHABETA, .memory_mb = 4};
    ply_searcher *searcher = ply_searcher_new(&rules, &options);
    assert_non_null(searcher);
    ply_search_limits all = {.depth = 1, .multipv = 64}, some = {.depth = 1, .multipv = 64};
    assert_int_equal(ply_searcher_run(searcher, &game, &all, NULL, NULL, &report), PLY_OK);
    assert_int_equal(report.pv_count, 64);
    int32_t scores[64];
    for (size_t i = 0; i < 64; i++)
        scores[i] = report.pv[i].score;
    some.nodes = report.nodes / 3;
    ply_searcher_clear(searcher);
    assert_int_equal(ply_searcher_run(searcher, &game, &some, NULL, NULL, &report), PLY_OK);
    assert_in_range(report.pv_count, 2, 63);
    for (size_t i = 0; i < report.pv_count; i++)
        assert_int_equal(report.pv[i].score, scores[i]);
    ply_searcher_free(searcher);
    ply_state_free(&game);
}

/* All algorithms find the capture that ends the game, and MCTS proves it. */
static void test_obvious_win(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&s, &rules, "6/6/6/6/6/wb4 w");
    for (int kind = PLY_SEARCH_ALPHABETA; kind < PLY_SEARCH_KINDS; kind++) {
        ply_variation best;
        run_search(&s, (ply_search_options){.kind = (ply_search_kind)kind, .threads = 2},
                   (ply_search_limits){.nodes = 2000, .depth = 5}, &best);
        char name[PLY_MOVE_TEXT];
        ply_text text = ply_text_fixed(name, sizeof name);
        rules.game->format_move(&rules, s.position, best.moves[0], &text);
        assert_string_equal(name, "a1b1");
        assert_true(best.score >= PLY_SCORE_FORCED);
    }
    ply_state_free(&s);
    test_make_state(&s, &rules, "b5/6/6/6/6/5w w");
    ply_search_options options = {0};
    ply_search_limits limits = {.depth = 1};
    ply_search_report report;
    ply_searcher *searcher = ply_searcher_new(&rules, &options);
    assert_int_equal(ply_searcher_run(searcher, &s, &limits, NULL, NULL, &report), PLY_UNSUPPORTED);
    ply_searcher_free(searcher);
    ply_state_free(&s);
}

typedef struct stopper {
    ply_searcher *searcher;
    bool ponderhit; /* instead of a stop */
} stopper;

static void *stop_later(void *argument)
{
    stopper *s = argument;
    nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
    if (s->ponderhit)
        ply_searcher_ponderhit(s->searcher);
    else
        ply_searcher_stop(s->searcher);
    return NULL;
}

/* Without a limit, or while pondering, the search waits for a stop or a ponderhit. */
static void test_stop_and_ponder(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state s;
    test_make_rules(&rules, "neighbours", NULL);
    /* In the second position the result is known at once; the answer must still wait. */
    static const char *const positions[] = {NULL, "6/6/6/6/6/wb4 w"};
    for (int p = 0; p < 2; p++)
        for (int kind = PLY_SEARCH_ALPHABETA; kind < PLY_SEARCH_KINDS; kind++)
            for (int ponder = 0; ponder <= 1; ponder++) {
                test_make_state(&s, &rules, positions[p]);
                ply_search_options options = {
                    .kind = (ply_search_kind)kind, .threads = 2, .memory_mb = 4};
                ply_searcher *searcher = ply_searcher_new(&rules, &options);
                stopper stop = {searcher, ponder != 0};
                ply_search_limits limits = {0};
                if (ponder) {
                    limits.ponder = true;
                    limits.millis = 5;
                }
                pthread_t thread;
                uint64_t start = ply_clock_nanos();
                assert_int_equal(pthread_create(&thread, NULL, stop_later, &stop), 0);
                ply_search_report report;
                assert_int_equal(ply_searcher_run(searcher, &s, &limits, NULL, NULL, &report),
                                 PLY_OK);
                assert_true(ply_clock_seconds_since(start) >= 0.03);
                pthread_join(thread, NULL);
                ply_searcher_free(searcher);
                ply_state_free(&s);
            }
}

typedef struct work_stopper {
    ply_searcher *searcher;
    double cpu_at_stop;
} cpu_stopper;

static void *stop_and_measure(void *argument)
{
    cpu_stopper *s = argument;
    nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
    ply_searcher_stop(s->searcher);
    s->cpu_at_stop = test_cpu_seconds();
    return NULL;
}

/* How long a search runs on after its limit, or after a stop if millis is 0, in seconds. */
static double lateness(const ply_state *s, int kind, uint64_t millis)
{
    ply_search_options options = {.kind = (ply_search_kind)kind, .memory_mb = 16, .seed = 1};
    ply_searcher *searcher = ply_searcher_new(s->rules, &options);
    assert_non_null(searcher);
    cpu_stopper stop = {.searcher = searcher};
    ply_search_limits limits = {.millis = millis};
    ply_search_report report;
    pthread_t thread;
    double begin = test_cpu_seconds(), late;
    uint64_t start = ply_clock_nanos();
    if (!millis)
        assert_int_equal(pthread_create(&thread, NULL, stop_and_measure, &stop), 0);
    assert_int_equal(ply_searcher_run(searcher, s, &limits, NULL, NULL, &report), PLY_OK);
    double seconds = ply_clock_seconds_since(start), end = test_cpu_seconds();
    if (millis) {
        late = fmin(seconds, end - begin) - (double)millis * 1e-3;
    } else {
        pthread_join(thread, NULL);
        late = end - stop.cpu_at_stop;
    }
    ply_searcher_free(searcher);
    return late;
}

/* Sanitizers slow everything down several times, the thread sanitizer twenty times. */
#if defined(__SANITIZE_THREAD__)
static const double late_limit = 0.300;
#elif defined(__SANITIZE_ADDRESS__)
static const double late_limit = 0.100;
#else
static const double late_limit = 0.010;
#endif

/*
 * In every game, at the start and in the middle, a search returns within ten milliseconds of its
 * limit or of a stop.
 */
static void test_stops_in_time(void **state)
{
    (void)state;
    for (size_t g = 0; g < ply_game_count(); g++) {
        ply_rules rules;
        ply_state s;
        ply_rng rng = ply_rng_make(9, g);
        test_make_rules(&rules, ply_game_at(g)->id, NULL);
        test_make_state(&s, &rules, NULL);
        for (int middle = 0; middle <= 1; middle++) {
            for (int kind = PLY_SEARCH_ALPHABETA; kind < PLY_SEARCH_KINDS; kind++)
                for (int by_stop = 0; by_stop <= 1; by_stop++) {
                    double best = 1;
                    for (int attempt = 0; attempt < 3 && best > late_limit; attempt++)
                        best = fmin(best, lateness(&s, kind, by_stop ? 0 : 40));
                    if (best > late_limit)
                        fail_msg("%s, %s: %.1f ms late", rules.game->id,
                                 ply_search_kind_name((ply_search_kind)kind), best * 1e3);
                }
            for (int ply = 0; ply < 24; ply++) {
                size_t count = ply_game_count_moves(&rules, s.position);
                ply_move move =
                    ply_game_nth_move(&rules, s.position, ply_rng_below(&rng, (uint32_t)count));
                assert_int_equal(ply_state_play(&s, move), PLY_OK);
                if (ply_state_outcome(&s).result != PLY_ONGOING) {
                    ply_state_undo(&s);
                    break;
                }
            }
        }
        ply_state_free(&s);
    }
}

/* A probe finds what was stored; forced scores are relative to the position. */
static void test_transposition_table(void **state)
{
    (void)state;
    transposition_table table;
    assert_true(ply_tt_init(&table, 1));
    tt_entry in = {.score = PLY_SCORE_WIN - 9,
                   .move_number = 17,
                   .depth = 6,
                   .bound = TT_EXACT,
                   .eval = -1234,
                   .pv = true};
    tt_entry out;
    assert_false(ply_tt_probe(&table, 42, 0, &out));
    ply_tt_store(&table, 42, 4, &in); /* nine plies from the root, five from here */
    assert_true(ply_tt_probe(&table, 42, 2, &out));
    assert_int_equal(out.score, PLY_SCORE_WIN - 7);
    assert_int_equal(out.move_number, 17);
    assert_int_equal(out.depth, 6);
    assert_int_equal(out.bound, TT_EXACT);
    assert_int_equal(out.eval, -1234);
    assert_true(out.pv);
    in = (tt_entry){.score = -250,
                    .move_number = TT_NO_MOVE,
                    .depth = 9,
                    .bound = TT_UPPER_BOUND,
                    .eval = TT_NO_EVAL};
    ply_tt_store(&table, 42, 0, &in);
    assert_true(ply_tt_probe(&table, 42, 0, &out));
    assert_int_equal(out.score, -250);
    assert_int_equal(out.move_number, 17); /* a bound without a move keeps the old one */
    assert_int_equal(out.eval, TT_NO_EVAL);
    assert_false(out.pv);
    /* A torn slot matches no key. */
    for (uint64_t i = 0; i < table.clusters * 4; i++)
        if (table.slots[i].data)
            table.slots[i].data ^= 1u << 20;
    assert_false(ply_tt_probe(&table, 42, 0, &out));
    /* Far more positions than slots: whatever is found is what was stored. */
    ply_rng rng = ply_rng_make(5, 0);
    for (int i = 0; i < 300000; i++) {
        uint64_t key = ply_rng_next(&rng);
        in = (tt_entry){.score = (int32_t)(key >> 50),
                        .move_number = (uint32_t)(key & 0xFFF),
                        .depth = (int)(key >> 20 & 31),
                        .bound = TT_LOWER_BOUND,
                        .eval = (int32_t)(key >> 33 & 0xFFFF) - TT_EVAL_LIMIT - 1};
        ply_tt_store(&table, key, 0, &in);
        if (ply_tt_probe(&table, key, 0, &out))
            assert_true(out.score == in.score && out.move_number == in.move_number &&
                        out.eval == (in.eval < -TT_EVAL_LIMIT ? TT_NO_EVAL : in.eval));
    }
    assert_true(ply_tt_hashfull(&table) > 900);
    ply_tt_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forced_results),
        cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_margins_of_games),
        cmocka_unit_test(test_shogi_mates),
        cmocka_unit_test(test_multipv_and_only),
        cmocka_unit_test(test_multipv_of_unfinished_iteration),
        cmocka_unit_test(test_obvious_win),
        cmocka_unit_test(test_stop_and_ponder),
        cmocka_unit_test(test_transposition_table),
        cmocka_unit_test(test_stops_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
