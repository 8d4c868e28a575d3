/* SPDX-License-Identifier: MIT */
/*
 * test_solve.c - verdicts compared with brute force, published counts and the checker.
 */
#include "solve_support.h"

static unsigned proofs_checked;

/* Solves a position, checks the proof, and compares with brute force up to `plies`. */
static ply_verdict solve_and_compare(ply_solver *solver, const ply_rules *rules,
                                     const ply_goal *goal, void *position, int plies, bool shortest)
{
    ply_solve_limits limits = {.nodes = 20000, .shortest = shortest};
    ply_solve_report report;
    assert_int_equal(ply_solver_run(solver, position, &limits, NULL, NULL, &report), PLY_OK);
    int attacker = rules->game->side(rules, position);
    char text[600];
    ply_text name = ply_text_fixed(text, sizeof text);
    rules->game->format(rules, position, &name);
    int length = plies > 0 ? brute_force(rules, goal, position, attacker, plies) : -1;
    if (report.verdict == PLY_VERDICT_UNKNOWN) {
        assert_non_null(report.stop_reason);
        return report.verdict;
    }
    if (length >= 0 && report.verdict != PLY_VERDICT_WIN)
        fail_msg("%s: a win in %d, the solver says no", text, length);
    if (report.verdict == PLY_VERDICT_WIN && (int)report.plies <= plies && length < 0)
        fail_msg("%s: no win in %d, the solver says %u", text, plies, report.plies);
    if (length >= 0 && (int)report.plies < length)
        fail_msg("%s: the shortest win is %d, the solver says %u", text, length, report.plies);
    if (length >= 0 && report.shortest && (int)report.plies != length)
        fail_msg("%s: the shortest win is %d, the solver says %u", text, length, report.plies);
    memory_file file = {0};
    ply_status status = ply_solver_prove(solver, memory_sink, &file);
    /* A "no" with a very long cycle is too deep to be written. */
    if (status == PLY_LIMIT && report.verdict == PLY_VERDICT_NO) {
        free(file.bytes);
        return report.verdict;
    }
    if (status != PLY_OK)
        fail_msg("%s: no proof: %s", text, ply_status_name(status));
    proofs_checked++;
    ply_proof_summary summary;
    ply_error error = {0};
    status = memory_check(rules->game, &file, 0, &summary, NULL, &error);
    if (status != PLY_OK)
        fail_msg("%s: proof rejected: %s", text, error.message);
    assert_int_equal(summary.verdict, report.verdict);
    assert_int_equal(summary.attacker, attacker);
    if (report.verdict == PLY_VERDICT_WIN)
        assert_true(summary.plies <= report.plies);
    free(file.bytes);
    return report.verdict;
}

static void compare_random_mates(bool symmetric, unsigned count, int plies, bool shortest,
                                 uint64_t seed)
{
    ply_rules rules;
    ply_state state;
    const ply_goal *goal = make_mate_goal(&rules, &state);
    ply_solver *solver = ply_solver_new(&rules, goal, NULL);
    assert_non_null(solver);
    ply_rng rng = ply_rng_make(seed, 0);
    unsigned verdicts[3] = {0};

    for (unsigned i = 0; i < count; i++) {
        random_mate_problem(&state, &rng, symmetric);
        verdicts[solve_and_compare(solver, &rules, goal, state.position, plies, shortest)]++;
    }
    /* The problems must be meaningful: both verdicts occur, and few are unknown. */
    assert_true(verdicts[PLY_VERDICT_WIN] > count / 20);
    assert_true(verdicts[PLY_VERDICT_NO] > count / 20);
    assert_true(verdicts[PLY_VERDICT_UNKNOWN] < count / 3);
    ply_solver_free(solver);
    ply_state_free(&state);
}

static void random_mates(void **unused)
{
    (void)unused;
    compare_random_mates(false, test_rounds(150, 2000), 3, true, 1);
    compare_random_mates(false, test_rounds(60, 400), 5, true, 2);
    compare_random_mates(false, test_rounds(100, 2000), 0, false, 3);
}

/* Symmetric positions, in which mirror images share their results; proofs name each image. */
static void symmetric_mates(void **unused)
{
    (void)unused;
    compare_random_mates(true, test_rounds(150, 2000), 3, true, 4);
    compare_random_mates(true, test_rounds(40, 400), 5, true, 5);
    compare_random_mates(true, test_rounds(100, 2000), 0, false, 6);
}

/*
 * A bare king and many pieces in hand: checks from a distance and interpositions of every kind,
 * whose proofs are simulated after one another.
 */
static void naked_kings(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    const ply_goal *goal = make_mate_goal(&rules, &state);
    ply_solver *solver = ply_solver_new(&rules, goal, NULL);
    assert_non_null(solver);
    ply_rng rng = ply_rng_make(9, 0);
    unsigned wins = 0, count = test_rounds(40, 400);
    for (unsigned i = 0; i < count; i++) {
        int file = (int)ply_rng_below(&rng, 9), rank = (int)ply_rng_below(&rng, 9);
        unsigned rooks = 1 + ply_rng_below(&rng, 2), bishops = 1 + ply_rng_below(&rng, 2);
        unsigned golds = 2 + ply_rng_below(&rng, 3), silvers = 2 + ply_rng_below(&rng, 3);
        ply_text sfen = ply_text_growing();
        for (int y = 0; y < 9; y++) {
            ply_text_string(&sfen, y ? "/" : "");
            if (y != rank || file > 0)
                ply_text_format(&sfen, "%d", y == rank ? file : 9);
            ply_text_string(&sfen, y == rank ? "k" : "");
            if (y == rank && file < 8)
                ply_text_format(&sfen, "%d", 8 - file);
        }
        ply_text_format(&sfen, " b %uR%uB%uG%uSNLP", rooks, bishops, golds, silvers);
        const struct {
            unsigned left;
            char letter;
        } rest[] = {{2 - rooks, 'r'}, {2 - bishops, 'b'}, {4 - golds, 'g'}, {4 - silvers, 's'}};
        for (size_t k = 0; k < 4; k++)
            if (rest[k].left)
                ply_text_format(&sfen, "%u%c", rest[k].left, rest[k].letter);
        ply_text_string(&sfen, "3n3l17p 1");
        ply_error error = {0};
        if (ply_state_parse(&state, ply_text_cstr(&sfen), sfen.length, &error) != PLY_OK)
            fail_msg("%s: %s", ply_text_cstr(&sfen), error.message);
        ply_text_free(&sfen);
        wins += solve_and_compare(solver, &rules, goal, state.position, 0, i % 4 == 0) ==
                PLY_VERDICT_WIN;
    }
    assert_true(wins > count / 4);
    ply_solver_free(solver);
    ply_state_free(&state);
}

/* Mirrors the board of a SFEN. */
static void sfen_mirror(const char *sfen, char *out)
{
    size_t board = strcspn(sfen, " "), row = 0;
    strcpy(out, sfen);
    while (row < board) {
        size_t length = strcspn(sfen + row, "/ "), to = row + length;
        for (size_t i = row; i < row + length;) {
            size_t piece = sfen[i] == '+' ? 2 : 1;
            to -= piece;
            memcpy(out + to, sfen + i, piece);
            i += piece;
        }
        row += length + 1;
    }
}

/* mirror_key is the key of the mirrored position. */
static void mirror_keys(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    const ply_goal *goal = make_mate_goal(&rules, &state);
    ply_rng rng = ply_rng_make(8, 0);
    for (unsigned i = 0; i < 400; i++) {
        bool symmetric = i % 4 == 0;
        random_mate_problem(&state, &rng, symmetric);
        uint64_t resources, mirrored_resources;
        uint64_t key = goal->dominance_key(&rules, state.position, 0, &resources);
        uint64_t image = goal->mirror_key(&rules, state.position);
        assert_true(!symmetric || key == image);
        char text[300], mirrored[300];
        ply_text out = ply_text_fixed(text, sizeof text);
        rules.game->format(&rules, state.position, &out);
        sfen_mirror(text, mirrored);
        assert_int_equal(ply_state_parse(&state, mirrored, strlen(mirrored), NULL), PLY_OK);
        assert_true(goal->dominance_key(&rules, state.position, 0, &mirrored_resources) == image);
        assert_true(goal->mirror_key(&rules, state.position) == key);
        assert_true(resources == mirrored_resources);
    }
    ply_state_free(&state);
}

/* Counts the wins among all positions of a class; the numbers are published. */
static void count_neighbours(unsigned own, unsigned enemy, uint64_t wins)
{
    ply_rules rules;
    test_make_rules(&rules, "neighbours", NULL);
    const ply_goal *goal = ply_goal_find(rules.game, "win");
    ply_solver *solver = ply_solver_new(&rules, goal, NULL);
    void *position = malloc(rules.position_bytes);
    assert_true(solver && position);
    uint64_t found = 0;
    size_t class_index = own * 7 + enemy;
    uint64_t size = rules.indexing->class_size(&rules, class_index);
    for (uint64_t i = 0; i < size; i++) {
        assert_int_equal(rules.indexing->unrank(&rules, class_index, i, position), PLY_OK);
        ply_solve_report report;
        assert_int_equal(ply_solver_run(solver, position, NULL, NULL, NULL, &report), PLY_OK);
        assert_int_not_equal(report.verdict, PLY_VERDICT_UNKNOWN);
        found += report.verdict == PLY_VERDICT_WIN;
    }
    assert_int_equal(found, wins);
    free(position);
    ply_solver_free(solver);
}

static void neighbours_counts(void **unused)
{
    (void)unused;
    count_neighbours(1, 1, 220);
    if (test_is_long()) {
        count_neighbours(1, 2, 6164);
        count_neighbours(2, 1, 9372);
    }
}

/* Random positions with few pieces: brute force to a few plies, every proof checked. */
static void small_games(void **unused)
{
    (void)unused;
    static const struct {
        const char *game, *variant;
        unsigned count;
        int plies;
    } kinds[] = {{"neighbours", NULL, 40, 5},
                 {"neighbours", "jump", 40, 5},
                 {"checkers", NULL, 30, 5},
                 {"checkers", "russian", 20, 3}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        ply_rules rules;
        test_make_rules(&rules, kinds[k].game, kinds[k].variant);
        const ply_goal *goal = ply_goal_find(rules.game, "win");
        ply_solve_options options = {.memory_mb = 512};
        ply_solver *solver = ply_solver_new(&rules, goal, &options);
        void *position = malloc(rules.position_bytes);
        assert_true(solver && position);
        ply_rng rng = ply_rng_make(7, k);
        size_t classes = rules.indexing->class_count ? rules.indexing->class_count(&rules) : 0;
        assert_true(classes > 0);
        unsigned checked_before = proofs_checked, decided = 0, tried = 0,
                 count = test_rounds(kinds[k].count, 10 * kinds[k].count);
        while (tried < count) {
            size_t class_index = ply_rng_below(&rng, (uint32_t)classes);
            uint64_t size = rules.indexing->class_size(&rules, class_index);
            if (size == 0 || size > 400000)
                continue;
            if (rules.indexing->unrank(&rules, class_index, ply_rng_next(&rng) % size, position) !=
                PLY_OK)
                continue;
            tried++;
            decided += solve_and_compare(solver, &rules, goal, position, kinds[k].plies, true) !=
                       PLY_VERDICT_UNKNOWN;
        }
        assert_true(decided > count / 2);
        assert_true(proofs_checked - checked_before > count / 4);
        free(position);
        ply_solver_free(solver);
    }
}

/* A draw by counted moves does not change a position's value. */
static void counters_do_not_matter(void **unused)
{
    (void)unused;
    static const char *const moves[] = {"1-6", "32-27", "6-1", "27-32"};
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, "checkers", NULL);
    test_make_state(&state, &rules, "B:WK32:BK1");
    const ply_goal *goal = ply_goal_find(rules.game, "win");
    for (int i = 0; i < 80; i++) {
        unsigned char undo[256];
        ply_move move;
        ply_cursor cursor = ply_cursor_make(moves[i % 4], strlen(moves[i % 4]), NULL);
        assert_int_equal(rules.game->parse_move(&rules, state.position, &cursor, &move), PLY_OK);
        assert_int_equal(rules.game->play(&rules, state.position, move, undo), PLY_OK);
        assert_int_equal(goal->value(&rules, state.position, 0), PLY_GOAL_OPEN);
    }
    assert_int_equal(rules.game->outcome(&rules, state.position, NULL, 0).result, PLY_DRAW);
    ply_state_free(&state);
}

/*
 * A problem that fills 100 MB is solved in a tenth of that, without losing its way: when the table
 * evicted wins like any other entry, it took more than ten million nodes.
 */
static void little_memory(void **unused)
{
    (void)unused;
    static const char text[] = "9/9/4bPP1P/3B5/7k1/9/9/9/9 b 4G2S3P2r2s4n4l12p 1";
    ply_rules rules;
    ply_state state;
    const ply_goal *goal = make_mate_goal(&rules, &state);
    assert_int_equal(ply_state_parse(&state, text, strlen(text), NULL), PLY_OK);
    ply_solve_options options = {.memory_mb = 16};
    ply_solve_limits limits = {.nodes = test_is_long() ? 6000000 : 100000};
    ply_solve_report report;
    ply_solver *solver = ply_solver_new(&rules, goal, &options);
    assert_int_equal(ply_solver_run(solver, state.position, &limits, NULL, NULL, &report), PLY_OK);
    assert_true(report.memory_bytes <= (size_t)16 << 20);
    if (test_is_long())
        assert_int_equal(report.verdict, PLY_VERDICT_WIN);
    ply_solver_free(solver);
    ply_state_free(&state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_do_not_matter),
        cmocka_unit_test(random_mates),
        cmocka_unit_test(naked_kings),
        cmocka_unit_test(mirror_keys),
        cmocka_unit_test(symmetric_mates),
        cmocka_unit_test(neighbours_counts),
        cmocka_unit_test(small_games),
        cmocka_unit_test(little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
