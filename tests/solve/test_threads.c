/* SPDX-License-Identifier: MIT */
/*
 * test_threads.c - the general solver with several threads gives the same verdicts and shortest
 * lengths as with one, its proofs are accepted, and a single thread is deterministic.
 */
#include "solve/dfpn.h"
#include "solve/dfpn_threads.h"
#include "solve_support.h"

enum { SOLVERS = 3, NODES = 30000 };
static const unsigned thread_counts[SOLVERS] = {1, 2, 5};

typedef struct solution {
    ply_verdict verdict;
    uint32_t plies;
    bool shortest;
    uint64_t nodes;
} solution;

/* Solves a position and checks the proof. has_room: nothing is evicted from the table. */
static solution solve(ply_solver *solver, const ply_rules *rules, const void *position,
                      uint64_t nodes, bool has_room)
{
    ply_solve_limits limits = {.nodes = nodes, .shortest = true};
    ply_solve_report report;
    assert_int_equal(ply_solver_run(solver, position, &limits, NULL, NULL, &report), PLY_OK);
    solution a = {report.verdict, report.plies, report.shortest, report.nodes};
    if (a.verdict == PLY_VERDICT_UNKNOWN) {
        assert_non_null(report.stop_reason);
        return a;
    }
    memory_file file = {0};
    ply_status status = ply_solver_prove(solver, memory_sink, &file);
    /* A "no" with a very long cycle is too deep to be written. */
    if (status != PLY_LIMIT || a.verdict != PLY_VERDICT_NO) {
        ply_proof_summary summary;
        ply_error error = {0};
        assert_int_equal(status, PLY_OK);
        status = memory_check(rules->game, &file, 0, &summary, NULL, &error);
        if (status != PLY_OK)
            fail_msg("proof rejected: %s", error.message);
        assert_int_equal(summary.verdict, a.verdict);
        /* What was evicted is searched again for the proof, which may find a longer win. */
        if (a.verdict == PLY_VERDICT_WIN && has_room)
            assert_true(summary.plies <= a.plies);
    }
    free(file.bytes);
    return a;
}

typedef struct solvers {
    ply_rules rules;
    ply_solver *solvers[SOLVERS];
    unsigned decided[3], compared;
} solvers;

static void solvers_make(solvers *t, const char *game, const char *variant, size_t memory_mb)
{
    *t = (solvers){0};
    test_make_rules(&t->rules, game, variant);
    const ply_goal *goal = ply_goal_find(t->rules.game, NULL);
    for (int i = 0; i < SOLVERS; i++) {
        ply_solve_options options = {.memory_mb = memory_mb, .threads = thread_counts[i]};
        t->solvers[i] = ply_solver_new(&t->rules, goal, &options);
        assert_non_null(t->solvers[i]);
    }
}

static void solvers_free(solvers *t)
{
    for (int i = 0; i < SOLVERS; i++)
        ply_solver_free(t->solvers[i]);
}

static void solvers_compare(solvers *t, const void *position)
{
    solution first = solve(t->solvers[0], &t->rules, position, NODES, true);
    for (int i = 1; i < SOLVERS; i++) {
        solution other = solve(t->solvers[i], &t->rules, position, NODES, true);
        if (first.verdict == PLY_VERDICT_UNKNOWN || other.verdict == PLY_VERDICT_UNKNOWN)
            continue;
        assert_int_equal(other.verdict, first.verdict);
        if (first.shortest && other.shortest)
            assert_int_equal(other.plies, first.plies);
        t->compared++;
    }
    solution again = solve(t->solvers[0], &t->rules, position, NODES, true);
    assert_int_equal(again.nodes, first.nodes);
    assert_int_equal(again.verdict, first.verdict);
    assert_int_equal(again.plies, first.plies);
    t->decided[first.verdict]++;
}

static void mates(void **unused)
{
    (void)unused;
    unsigned count = test_rounds(50, 1000);
    solvers t;
    solvers_make(&t, "shogi", NULL, 0);
    ply_state state;
    test_make_state(&state, &t.rules, NULL);
    ply_rng rng = ply_rng_make(21, 0);
    for (unsigned i = 0; i < count; i++) {
        random_mate_problem(&state, &rng, i % 4 == 0);
        solvers_compare(&t, state.position);
    }
    assert_true(t.decided[PLY_VERDICT_WIN] > count / 20);
    assert_true(t.decided[PLY_VERDICT_NO] > count / 20);
    assert_true(t.compared > count);
    ply_state_free(&state);
    solvers_free(&t);
}

/* Games in which positions repeat: almost every search meets cycles. */
static void cycles(void **unused)
{
    (void)unused;
    static const struct {
        const char *game, *variant;
    } kinds[] = {
        {"neighbours", NULL}, {"neighbours", "jump"}, {"checkers", NULL}, {"checkers", "russian"}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        solvers t;
        solvers_make(&t, kinds[k].game, kinds[k].variant, 0);
        unsigned count = test_rounds(12, 300);
        void *position = malloc(t.rules.position_bytes);
        assert_non_null(position);
        ply_rng rng = ply_rng_make(22, k);
        size_t classes = t.rules.indexing->class_count(&t.rules);
        for (unsigned tried = 0; tried < count;) {
            size_t class_index = ply_rng_below(&rng, (uint32_t)classes);
            uint64_t size = t.rules.indexing->class_size(&t.rules, class_index);
            if (size == 0 || size > 100000 ||
                t.rules.indexing->unrank(&t.rules, class_index, ply_rng_next(&rng) % size,
                                         position) != PLY_OK)
                continue;
            tried++;
            solvers_compare(&t, position);
        }
        assert_true(t.decided[PLY_VERDICT_NO] > count / 20);
        assert_true(t.compared > count / 2);
        free(position);
        solvers_free(&t);
    }
}

/* The table is far too small: entries are evicted again and again while all threads search. */
static void little_memory(void **unused)
{
    (void)unused;
    static const char text[] =
        "n+B1sS4/1R1g5/1Ls6/2k6/2n6/3L5/R8/9/9 b B2P3gs2n2l16p 1"; /* 21 plies */
    solvers t;
    solvers_make(&t, "shogi", NULL, 10);
    ply_state state;
    test_make_state(&state, &t.rules, text);
    for (int i = 0; i < SOLVERS; i++) {
        solution a = solve(t.solvers[i], &t.rules, state.position, 0, false);
        assert_int_equal(a.verdict, PLY_VERDICT_WIN);
        assert_true(a.shortest);
        assert_int_equal(a.plies, 21);
    }
    ply_state_free(&state);
    solvers_free(&t);
}

/* A limit ends all threads. */
static void limits_hold(void **unused)
{
    (void)unused;
    solvers t;
    solvers_make(&t, "shogi", NULL, 64);
    ply_state state;
    test_make_state(&state, &t.rules, "9/9/9/9/9/9/9/6k2/9 b 4G4SNL3P2r2b3n3l15p 1");
    for (int i = 0; i < SOLVERS; i++) {
        solution a = solve(t.solvers[i], &t.rules, state.position, 20000, true);
        assert_int_equal(a.verdict, PLY_VERDICT_UNKNOWN);
        assert_true(a.nodes >= 20000);
        if (i == 0)
            assert_true(a.nodes < 20000 + 2048);
    }
    ply_state_free(&state);
    solvers_free(&t);
}

/* All threads begin with the first one's problem. */
static void same_problem(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state problem;
    const ply_goal *goal = make_mate_goal(&rules, &problem);
    ply_solve_options options = {.memory_mb = 16, .threads = 3};
    for (int value = 0; value < 2; value++) {
        dfpn *first = ply_dfpn_kind.open(&rules, goal, &options);
        assert_non_null(first);
        assert_int_equal(ply_game_copy(&rules, first->position, problem.position), PLY_OK);
        first->has_position = true;
        first->attacker = value;
        first->symmetric = first->ignore_futile = value;
        for (int run = 0; run < 2; run++) {
            assert_int_equal(first->threads->size, 3);
            assert_int_equal(ply_dfpn_threads_start(first->threads), PLY_OK);
            for (unsigned i = 1; i < 3; i++) {
                dfpn *d = first->threads->solvers[i];
                assert_true(d->has_position);
                assert_memory_equal(d->position, problem.position, rules.position_bytes);
                assert_int_equal(d->attacker, value);
                assert_int_equal(d->symmetric, value);
                assert_int_equal(d->ignore_futile, value);
                assert_int_equal(d->nodes, 0);
                assert_false(d->met_futile || d->out_of_memory || d->stopping);
                d->nodes = 7; /* as after a run */
                d->met_futile = d->out_of_memory = d->stopping = true;
            }
        }
        ply_dfpn_kind.close(first);
    }
    ply_state_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_problem),  cmocka_unit_test(mates),       cmocka_unit_test(cycles),
        cmocka_unit_test(little_memory), cmocka_unit_test(limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
