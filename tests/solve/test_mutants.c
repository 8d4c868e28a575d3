/* SPDX-License-Identifier: MIT */
/*
 * test_mutants.c - proofs changed in ways that keep them well-formed.
 *
 * The checker must accept a mutant if and only if the definition in proof_tree.h does, and the
 * solver must agree with every claim that is accepted.
 */
#include "proof_mutator.h"

/* What the solver says about a position: solved once for many mutants. */
typedef struct known_claim {
    char *key; /* variant, goal and position */
    ply_solve_report report;
} known_claim;

/* One run of the test. */
typedef struct tally {
    ply_rng rng;
    unsigned mutants, accepted, moved; /* moved: accepted, about another position */
    char *reasons[100];                /* different ones, for which mutants were rejected */
    size_t reason_count;
    known_claim claims[20000];
    size_t claim_count;
} tally;

static const ply_solve_report *solve_claim(tally *t, const proof_header *header)
{
    ply_text key = ply_text_growing();
    ply_text_format(&key, "%s %s %s %s", header->game, header->variant, header->goal,
                    header->position);
    size_t i = 0;
    while (i < t->claim_count && strcmp(t->claims[i].key, ply_text_cstr(&key)) != 0)
        i++;
    if (i == t->claim_count) {
        ply_rules rules;
        ply_state state;
        test_make_rules(&rules, header->game, header->variant);
        test_make_state(&state, &rules, header->position);
        ply_solver *solver = ply_solver_new(&rules, ply_goal_find(rules.game, header->goal), NULL);
        ply_solve_limits limits = {.shortest = true};
        assert_true(t->claim_count < 20000);
        known_claim *claim = &t->claims[t->claim_count++];
        claim->key = strdup(ply_text_cstr(&key));
        assert_int_equal(
            ply_solver_run(solver, state.position, &limits, NULL, NULL, &claim->report), PLY_OK);
        ply_solver_free(solver);
        ply_state_free(&state);
    }
    ply_text_free(&key);
    return &t->claims[i].report;
}

static void count_reason(tally *t, const char *message)
{
    size_t length = (size_t)(strchr(message, '(') - message), i = 0;
    while (i < t->reason_count && strncmp(t->reasons[i], message, length) != 0)
        i++;
    if (i == t->reason_count && i < 100)
        t->reasons[t->reason_count++] = strdup(message);
}

static bool has_winning_sets(proof_tree *tree)
{
    size_t first = 0;
    return nth_of_kind(tree->root, NODE_WINNING_SETS, &first) != NULL;
}

static void check_mutant(const memory_file *proof, const ply_rules *rules, tally *t)
{
    proof_tree tree;
    ply_state state;
    memory_file file = {0};
    ply_proof_summary summary;
    ply_error error = {0};
    tree_read(&tree, proof);
    test_make_state(&state, rules, NULL);
    const char *position = tree.header.position;
    do {
        mutate(&tree, &state, &t->rng);
        tree_write(&tree, &file);
    } while (file.count == proof->count && memcmp(file.bytes, proof->bytes, file.count) == 0);
    ply_status status = memory_check(rules->game, &file, 1000000, &summary, NULL, &error);
    if (status != PLY_LIMIT && !has_winning_sets(&tree) &&
        tree_holds(&tree, &state) != (status == PLY_OK))
        fail_msg("mutant %u: the checker says %s, the definition the opposite", t->mutants,
                 status == PLY_OK ? "yes" : error.message);
    t->mutants++;
    if (status == PLY_OK) {
        const ply_solve_report *report = solve_claim(t, &tree.header);
        assert_int_equal(summary.verdict, report->verdict);
        assert_true(report->plies <= summary.plies);
        t->accepted++;
        t->moved += strcmp(position, tree.header.position) != 0;
    } else
        count_reason(t, error.message);
    ply_state_free(&state);
    tree_free(&tree);
    free(file.bytes);
}

/* Proves a position and checks mutants of the proof. Returns false if the solver needs too long or
 * the proof is large or has fewer labels than wanted. */
static bool check_mutants(const ply_rules *rules, const char *goal, const void *position,
                          uint64_t nodes, uint64_t labels, unsigned mutants, tally *t)
{
    ply_solver *solver = ply_solver_new(rules, ply_goal_find(rules->game, goal), NULL);
    ply_solve_limits limits = {.nodes = nodes};
    ply_solve_report report;
    memory_file proof = {0};
    assert_int_equal(ply_solver_run(solver, position, &limits, NULL, NULL, &report), PLY_OK);
    bool suitable = report.verdict != PLY_VERDICT_UNKNOWN &&
                    ply_solver_prove(solver, memory_sink, &proof) == PLY_OK &&
                    proof.count < 16000 &&
                    ply_get64(proof.bytes + proof.count - TAIL_BYTES) >= labels;
    for (unsigned i = 0; i < mutants && suitable; i++)
        check_mutant(&proof, rules, t);
    ply_solver_free(solver);
    free(proof.bytes);
    return suitable;
}

static void chosen_problems(tally *t, unsigned mutants)
{
    static const struct {
        const char *game, *variant, *goal, *text;
    } problems[] = {
        {"shogi", NULL, "mate", "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1"},
        {"shogi", NULL, "mate", "n+B1sS4/1R1g5/1Ls6/2k6/2n6/3L5/R8/9/9 b B2P3gs2n2l16p 1"},
        {"shogi", NULL, "mate", "4k4/9/4G4/9/9/9/9/9/9 b P2r2b3g4s4n4l17p 1"},
        {"gomoku", "freestyle:width=6,height=5", "win", NULL},
        {"checkers", NULL, "win", "W:WK9,K10:BK3"},
        {"checkers", NULL, "win", "W:WK14,K15:B1,5"},
        {"5dchess", NULL, "mate", "[7k/5Q2/8/6K1/8/8/8/8:0:1:w]"},
        {"5dchess", NULL, "mate", "[4k/K4/D4/Sr3/5:0:1:w]"},
    };
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
        ply_rules rules;
        ply_state state;
        test_make_rules(&rules, problems[i].game, problems[i].variant);
        test_make_state(&state, &rules, problems[i].text);
        assert_true(
            check_mutants(&rules, problems[i].goal, state.position, 1000000, 0, mutants, t));
        ply_state_free(&state);
    }
}

/* Shogi mates and positions without one, most of which need labels. */
static void random_mates(tally *t, unsigned count, unsigned mutants)
{
    ply_rules rules;
    ply_state state;
    const ply_goal *goal = make_mate_goal(&rules, &state);
    for (unsigned found = 0; found < count;) {
        random_mate_problem(&state, &t->rng, false);
        found +=
            check_mutants(&rules, goal->id, state.position, 5000, found % 4 ? 2 : 0, mutants, t);
    }
    ply_state_free(&state);
}

/* Two against two stones of Neighbours, where play runs in cycles. */
static void random_neighbours(tally *t, unsigned count, unsigned mutants)
{
    ply_rules rules;
    test_make_rules(&rules, "neighbours", NULL);
    void *position = malloc(rules.position_bytes);
    assert_non_null(position);
    for (unsigned found = 0; found < count;) {
        size_t class_index = 2 * 7 + 2;
        uint64_t number = ply_rng_next(&t->rng) % rules.indexing->class_size(&rules, class_index);
        assert_int_equal(rules.indexing->unrank(&rules, class_index, number, position), PLY_OK);
        found += check_mutants(&rules, "win", position, 5000, 1, mutants, t);
    }
    free(position);
}

static void mutants(void **unused)
{
    (void)unused;
    tally *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->rng = ply_rng_make(20, 0);
    unsigned unit = test_rounds(125, 2500); /* mutants of one proof; there are 40 */
    chosen_problems(t, unit);
    random_mates(t, 24, unit);
    random_neighbours(t, 8, unit);
    printf("%u mutants, %u accepted, %u of them about another position, %zu reasons\n", t->mutants,
           t->accepted, t->moved, t->reason_count);
    assert_true(t->accepted > t->mutants / 50);
    assert_true(t->moved > t->mutants / 200);
    assert_true(t->reason_count >= 20);
    for (size_t i = 0; i < t->reason_count; i++)
        free(t->reasons[i]);
    for (size_t i = 0; i < t->claim_count; i++)
        free(t->claims[i].key);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
