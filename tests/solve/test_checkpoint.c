/* SPDX-License-Identifier: MIT */
/*
 * test_checkpoint.c - runs that continue from a checkpoint reach the same verdicts as uninterrupted
 * ones, their proofs are accepted, and corrupt, truncated or foreign files are rejected.
 */
#include "solve_support.h"

enum { SLICE_NODES = 300, MAX_SLICES = 30, LARGE_PROOF_BYTES = 16384 };

static ply_status load(ply_solver *solver, const void *position, const ply_solve_limits *limits,
                       memory_file *file, ply_error *error)
{
    ply_proof_source source = {.read = memory_read, .context = file, .size = file->count};
    return ply_solver_load(solver, position, limits, &source, error);
}

/* Writes the proof of the solver's last run and has it checked; returns its length in bytes, or 0 if
 * it needs more memory than the solver has. */
static size_t try_proof(ply_solver *solver, const ply_rules *rules, const ply_solve_report *report)
{
    memory_file file = {0};
    ply_proof_summary summary;
    ply_error error = {0};
    ply_status status = ply_solver_prove(solver, memory_sink, &file);
    size_t bytes = 0;
    if (status != PLY_LIMIT) {
        assert_int_equal(status, PLY_OK);
        if (memory_check(rules->game, &file, 0, &summary, NULL, &error) != PLY_OK)
            fail_msg("proof rejected: %s", error.message);
        assert_int_equal(summary.verdict, report->verdict);
        /* Searching again may have found a shorter win. */
        assert_true(summary.plies <= report->plies);
        if (report->shortest)
            assert_int_equal(summary.plies, report->plies);
        bytes = file.count;
    }
    free(file.bytes);
    return bytes;
}

/* As above, with memory enough for every win. */
static void check_proof(ply_solver *solver, const ply_rules *rules, const ply_solve_report *report)
{
    /* A "no" with a very long cycle is too deep to be written. */
    if (try_proof(solver, rules, report) == 0)
        assert_int_equal(report->verdict, PLY_VERDICT_NO);
}

/*
 * Solves a problem a few nodes at a time: in_memory, with one solver that resumes; otherwise with a
 * new solver each time that has only the checkpoint.
 */
static ply_solve_report solve_in_slices(const ply_rules *rules, const ply_goal *goal,
                                        const void *position, const ply_solve_options *options,
                                        bool in_memory, int *slices)
{
    memory_file file = {0};
    ply_solve_limits limits = {.nodes = SLICE_NODES, .shortest = true, .resume = true};
    ply_solve_report report = {0};
    ply_solver *solver = ply_solver_new(rules, goal, options);
    assert_true(ply_solver_can_save(solver));
    for (*slices = 0; *slices < MAX_SLICES; ++*slices) {
        ply_error error = {0};
        if (*slices > 0 && !in_memory) {
            ply_solver_free(solver);
            solver = ply_solver_new(rules, goal, options);
            if (load(solver, position, &limits, &file, &error) != PLY_OK)
                fail_msg("rejected: %s", error.message);
        }
        assert_int_equal(ply_solver_run(solver, position, &limits, NULL, NULL, &report), PLY_OK);
        file.count = 0;
        bool finished = report.verdict == PLY_VERDICT_NO || report.shortest;
        if (finished)
            check_proof(solver, rules, &report);
        assert_int_equal(ply_solver_save(solver, memory_sink, &file), PLY_OK);
        if (finished)
            break;
    }
    ply_solver_free(solver);
    free(file.bytes);
    return report;
}

static void compare(unsigned threads, size_t memory_mb, uint64_t seed, int rounds)
{
    ply_rules rules;
    ply_state state;
    const ply_goal *goal = make_mate_goal(&rules, &state);
    ply_rng rng = ply_rng_make(seed, 1);
    int interrupted = 0;
    for (int i = 0; i < rounds; i++) {
        ply_solve_options options = {.memory_mb = memory_mb, .threads = threads};
        ply_solve_limits limits = {.nodes = SLICE_NODES * MAX_SLICES, .shortest = true};
        ply_solve_report whole;
        random_mate_problem(&state, &rng, i % 4 == 0);
        ply_solver *solver = ply_solver_new(&rules, goal, NULL);
        assert_int_equal(ply_solver_run(solver, state.position, &limits, NULL, NULL, &whole),
                         PLY_OK);
        ply_solver_free(solver);
        int slices;
        ply_solve_report sliced =
            solve_in_slices(&rules, goal, state.position, &options, i % 2, &slices);
        interrupted += slices > 2;
        if (whole.verdict == PLY_VERDICT_UNKNOWN || sliced.verdict == PLY_VERDICT_UNKNOWN)
            continue;
        assert_int_equal(sliced.verdict, whole.verdict);
        if (whole.shortest && sliced.shortest)
            assert_int_equal(sliced.plies, whole.plies);
    }
    ply_state_free(&state);
    assert_true(interrupted >= rounds / 50);
}

static void test_slices(void **state)
{
    (void)state;
    compare(1, 16, 31, (int)test_rounds(200, 4000));
}

/* The table is too small for the checkpoint. */
static void test_little_memory(void **state)
{
    (void)state;
    compare(1, 1, 32, (int)test_rounds(100, 2000));
}

static void test_threads(void **state)
{
    (void)state;
    compare(3, 64, 33, (int)test_rounds(50, 500));
}

/* A checkpoint written in the middle of a long problem. */
static memory_file make_checkpoint(const ply_rules *rules, const ply_goal *goal,
                                   const void *position, const ply_solve_limits *limits)
{
    memory_file file = {0};
    ply_solve_report report;
    ply_solver *solver = ply_solver_new(rules, goal, NULL);
    assert_int_equal(ply_solver_save(solver, memory_sink, &file), PLY_UNSUPPORTED);
    assert_int_equal(ply_solver_run(solver, position, limits, NULL, NULL, &report), PLY_OK);
    assert_int_equal(report.verdict, PLY_VERDICT_UNKNOWN);
    assert_int_equal(ply_solver_save(solver, memory_sink, &file), PLY_OK);
    ply_solver_free(solver);
    return file;
}

/* A naked king that takes some hundred thousand nodes. */
static const ply_goal *make_long_problem(ply_rules *rules, ply_state *state)
{
    static const char text[] = "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1";
    const ply_goal *goal = make_mate_goal(rules, state);
    assert_int_equal(ply_state_parse(state, text, strlen(text), NULL), PLY_OK);
    return goal;
}

/* Checks that loading fails with an error that contains `why` and a location. */
static void check_rejected(ply_solver *solver, const void *position, const ply_solve_limits *limits,
                           memory_file *file, const char *why)
{
    ply_error error = {0};
    assert_int_equal(load(solver, position, limits, file, &error), PLY_IO);
    if (!strstr(error.message, why) || !strstr(error.message, "at byte "))
        fail_msg("'%s' lacks '%s' or the location", error.message, why);
}

/* Swaps the first two blocks together with their checksums. */
static void swap_blocks(memory_file *file)
{
    enum { BLOCK_BYTES = 4096 * 32 + 8 };
    size_t text_bytes = file->bytes[8] | (size_t)file->bytes[9] << 8;
    size_t at = 8 * (5 + (text_bytes + 7) / 8 + 1);
    assert_true(file->count >= at + 2 * BLOCK_BYTES);
    for (size_t i = at; i < at + BLOCK_BYTES; i++) {
        unsigned char byte = file->bytes[i];
        file->bytes[i] = file->bytes[i + BLOCK_BYTES];
        file->bytes[i + BLOCK_BYTES] = byte;
    }
}

static void test_corrupt(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state problem;
    const ply_goal *goal = make_long_problem(&rules, &problem);
    ply_solve_limits limits = {.nodes = 20000, .resume = true};
    memory_file file = make_checkpoint(&rules, goal, problem.position, &limits);
    ply_solver *solver = ply_solver_new(&rules, goal, NULL);
    ply_rng rng = ply_rng_make(34, 1);
    ply_error error = {0};
    size_t count = file.count;
    int rounds = (int)test_rounds(1000, 20000);
    for (int i = 0; i < rounds; i++) {
        size_t at = ply_rng_below(&rng, (uint32_t)(i % 4 == 0 ? 200 : count));
        unsigned char old = file.bytes[at];
        file.bytes[at] ^= (unsigned char)(1 + ply_rng_below(&rng, 255));
        check_rejected(solver, problem.position, &limits, &file, "");
        file.bytes[at] = old;
        file.count = at; /* truncated */
        check_rejected(solver, problem.position, &limits, &file, "");
        file.count = count;
    }
    swap_blocks(&file);
    check_rejected(solver, problem.position, &limits, &file, "wrong checksum");
    swap_blocks(&file);
    unsigned char zeros[8] = {0};
    memory_sink(&file, zeros, sizeof zeros);
    check_rejected(solver, problem.position, &limits, &file, "wrong file length");
    file.count = count;
    /* The solver still works, and the intact file is accepted. */
    ply_solve_report fresh, again;
    assert_int_equal(ply_solver_run(solver, problem.position, &limits, NULL, NULL, &fresh), PLY_OK);
    assert_int_equal(load(solver, problem.position, &limits, &file, &error), PLY_OK);
    assert_int_equal(ply_solver_run(solver, problem.position, &limits, NULL, NULL, &again), PLY_OK);
    memory_file more = {0};
    assert_int_equal(ply_solver_save(solver, memory_sink, &more), PLY_OK);
    assert_true(more.count > file.count + file.count / 2);
    /* Without resume, or with another problem, everything is forgotten. */
    ply_solve_limits fresh_start = {.nodes = limits.nodes};
    assert_int_equal(ply_solver_run(solver, problem.position, &fresh_start, NULL, NULL, &again),
                     PLY_OK);
    more.count = 0;
    assert_int_equal(ply_solver_save(solver, memory_sink, &more), PLY_OK);
    assert_int_equal(more.count, file.count);
    assert_int_equal(load(solver, problem.position, &limits, &file, &error), PLY_OK);
    static const char mate[] = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1";
    ply_state other;
    test_make_state(&other, &rules, mate);
    assert_int_equal(ply_solver_run(solver, other.position, &limits, NULL, NULL, &again), PLY_OK);
    assert_int_equal(again.verdict, PLY_VERDICT_WIN);
    more.count = 0;
    assert_int_equal(ply_solver_save(solver, memory_sink, &more), PLY_OK);
    assert_true(more.count < file.count);
    /* Another position. With ignore_futile a plain checkpoint is accepted, but not vice versa. */
    check_rejected(solver, other.position, &limits, &file, "another problem");
    ply_solve_limits composed = {.nodes = limits.nodes, .ignore_futile = true, .resume = true};
    assert_int_equal(load(solver, problem.position, &composed, &file, &error), PLY_OK);
    assert_int_equal(ply_solver_run(solver, problem.position, &composed, NULL, NULL, &again),
                     PLY_OK);
    more.count = 0;
    assert_int_equal(ply_solver_save(solver, memory_sink, &more), PLY_OK);
    assert_true(more.count > file.count + file.count / 2);
    check_rejected(solver, problem.position, &limits, &more, "another problem");
    ply_state_free(&other);
    ply_state_free(&problem);
    ply_solver_free(solver);
    free(file.bytes);
    free(more.bytes);
}

/*
 * Most of a win is evicted. What is searched again for the proof must win in the length announced:
 * a longer win might lead back to an earlier position.
 */
static void test_proof_after_eviction(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state problem;
    const ply_goal *goal = make_long_problem(&rules, &problem);
    ply_solve_options options = {.memory_mb = 256};
    ply_solve_limits limits = {.resume = true};
    ply_solve_report whole, report;
    ply_error error = {0};
    memory_file file = {0};
    ply_solver *solver = ply_solver_new(&rules, goal, &options);
    assert_int_equal(ply_solver_run(solver, problem.position, &limits, NULL, NULL, &whole), PLY_OK);
    assert_int_equal(whole.verdict, PLY_VERDICT_WIN);
    assert_int_equal(ply_solver_save(solver, memory_sink, &file), PLY_OK);
    ply_solver_free(solver);
    static const size_t sizes[] = {12, 16, 24};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        options.memory_mb = sizes[i];
        solver = ply_solver_new(&rules, goal, &options);
        assert_int_equal(load(solver, problem.position, &limits, &file, &error), PLY_OK);
        assert_int_equal(ply_solver_run(solver, problem.position, &limits, NULL, NULL, &report),
                         PLY_OK);
        assert_int_equal(report.plies, whole.plies);
        check_proof(solver, &rules, &report);
        ply_solver_free(solver);
    }
    ply_state_free(&problem);
    free(file.bytes);
}

/* A proof that one MiB could not hold: with more memory it is accepted, and it is long. */
static void check_large_proof(const ply_rules *rules, const ply_goal *goal, const void *position)
{
    ply_solve_report report;
    ply_solver *solver = ply_solver_new(rules, goal, NULL);
    assert_int_equal(ply_solver_run(solver, position, NULL, NULL, NULL, &report), PLY_OK);
    assert_int_equal(report.verdict, PLY_VERDICT_WIN);
    assert_true(try_proof(solver, rules, &report) > LARGE_PROOF_BYTES);
    ply_solver_free(solver);
}

/*
 * A table of a few hundred entries: most of a win has to be found again for the variation and for the
 * proof, and again in the length announced. Only a proof with thousands of positions is too large.
 */
static void test_tiny_table(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state problem;
    const ply_goal *goal = make_mate_goal(&rules, &problem);
    ply_rng rng = ply_rng_make(35, 1);
    ply_solve_options options = {.memory_mb = 1};
    ply_solve_limits limits = {.nodes = 5000};
    int wins = 0, rounds = (int)test_rounds(300, 10000);
    for (int i = 0; i < rounds; i++) {
        ply_solve_report report;
        random_mate_problem(&problem, &rng, false);
        ply_solver *solver = ply_solver_new(&rules, goal, &options);
        assert_int_equal(ply_solver_run(solver, problem.position, &limits, NULL, NULL, &report),
                         PLY_OK);
        if (report.verdict == PLY_VERDICT_WIN && report.plies > 5) {
            assert_int_equal(report.pv_length % 2, 1);
            assert_true(report.pv_length <= report.plies);
            if (try_proof(solver, &rules, &report) == 0)
                check_large_proof(&rules, goal, problem.position);
            else
                wins++;
        }
        ply_solver_free(solver);
    }
    assert_true(wins > rounds / 100);
    ply_state_free(&problem);
}

/* That there is no win at all holds with ignore_futile as well, so it need not be found again. */
static void test_plain_refutations(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state problem;
    const ply_goal *goal = make_mate_goal(&rules, &problem);
    ply_rng rng = ply_rng_make(36, 1);
    ply_solve_limits limits = {.nodes = 2000, .resume = true};
    ply_solve_limits composed = {.nodes = 1, .ignore_futile = true, .resume = true};
    memory_file file = {0};
    int kept = 0;
    for (int i = 0; i < 60; i++) {
        ply_solve_report report, fresh, again;
        ply_error error = {0};
        random_mate_problem(&problem, &rng, false);
        ply_solver *solver = ply_solver_new(&rules, goal, NULL);
        assert_int_equal(ply_solver_run(solver, problem.position, &limits, NULL, NULL, &report),
                         PLY_OK);
        file.count = 0;
        assert_int_equal(ply_solver_save(solver, memory_sink, &file), PLY_OK);
        assert_int_equal(ply_solver_run(solver, problem.position, &composed, NULL, NULL, &fresh),
                         PLY_OK);
        if (report.verdict == PLY_VERDICT_NO && fresh.verdict == PLY_VERDICT_UNKNOWN) {
            assert_int_equal(load(solver, problem.position, &composed, &file, &error), PLY_OK);
            assert_int_equal(
                ply_solver_run(solver, problem.position, &composed, NULL, NULL, &again), PLY_OK);
            assert_int_equal(again.verdict, PLY_VERDICT_NO);
            kept++;
        }
        ply_solver_free(solver);
    }
    assert_true(kept > 0);
    ply_state_free(&problem);
    free(file.bytes);
}

/* A solver without checkpoints says so. */
static void test_unsupported(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state start;
    test_make_rules(&rules, "gomoku", NULL);
    test_make_state(&start, &rules, NULL);
    ply_solver *solver = ply_solver_new(&rules, ply_goal_find(rules.game, "vcf"), NULL);
    ply_error error = {0};
    memory_file file = {0};
    assert_false(ply_solver_can_save(solver));
    assert_int_equal(load(solver, start.position, NULL, &file, &error), PLY_UNSUPPORTED);
    assert_true(error.message[0]);
    ply_solver_free(solver);
    ply_state_free(&start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slices),
                                       cmocka_unit_test(test_little_memory),
                                       cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_corrupt),
                                       cmocka_unit_test(test_proof_after_eviction),
                                       cmocka_unit_test(test_tiny_table),
                                       cmocka_unit_test(test_plain_refutations),
                                       cmocka_unit_test(test_unsupported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
