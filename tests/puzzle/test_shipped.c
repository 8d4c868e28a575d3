/* SPDX-License-Identifier: MIT */
/*
 * test_shipped.c - the puzzles of the web app: each is proved again and the proof checked, and the
 * short ones are solved by brute force, which must find the same length and no other first move.
 * The short tier takes a sample.
 */
#include "brute_force.h"
#include "core/text/json_read.h"

enum { SAMPLE = 4, PROOF_NODES = 200000, PROOF_MEMORY_MB = 1024 };

typedef struct puzzle {
    const char *game, *goal, *variant, *position, *solution;
    int plies, turns; /* the other one is 0 */
} puzzle;

static const char *const names[] = {"shogi",    "renju",      "gomoku",
                                    "checkers", "neighbours", "5dchess"};

static char *read_file(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/web/puzzles/%s.json", PLY_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return text;
}

static const char *member(const json_tree *tree, uint32_t node, const char *name)
{
    size_t length;
    return ply_json_tree_text(tree, ply_json_tree_member(tree, node, name), &length);
}

static puzzle read_puzzle(const json_tree *tree, uint32_t node)
{
    puzzle p = {.game = member(tree, node, "game"),
                .goal = member(tree, node, "goal"),
                .variant = member(tree, node, "variant"),
                .position = member(tree, node, "position"),
                .solution = member(tree, node, "solution")};
    uint64_t number;
    if (ply_json_tree_whole(tree, ply_json_tree_member(tree, node, "plies"), 1000, &number))
        p.plies = (int)number;
    if (ply_json_tree_whole(tree, ply_json_tree_member(tree, node, "turns"), 1000, &number))
        p.turns = (int)number;
    assert_true((p.plies > 0) != (p.turns > 0));
    return p;
}

/* Calls test with every puzzle for which it is meant, or with a sample of a few per file; the test
 * returns whether it was. */
static void each_puzzle(bool (*test)(const puzzle *p))
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *text = read_file(names[i]);
        ply_error error = {0};
        ply_cursor cursor = ply_cursor_make(text, strlen(text), &error);
        json_tree tree = {0};
        assert_int_equal(ply_json_tree_read(&tree, &cursor), PLY_OK);
        size_t count = 0, done = 0;
        for (uint32_t node = tree.nodes[1].child; node; node = tree.nodes[node].next)
            count++;
        assert_true(count > 0);
        /* The sample: every puzzle has the same chance, and every run takes the same ones. */
        ply_rng rng = ply_rng_make(22, i);
        uint32_t skip = test_is_long() ? 0 : ply_rng_below(&rng, (uint32_t)(count / 2));
        uint32_t step = test_is_long() ? 1 : (uint32_t)(count / 16 + 1);
        uint32_t at = 0;
        for (uint32_t node = tree.nodes[1].child; node; node = tree.nodes[node].next, at++)
            if (at >= skip && (at - skip) % step == 0 && (test_is_long() || done < SAMPLE)) {
                puzzle p = read_puzzle(&tree, node);
                done += test(&p);
            }
        assert_true(done > 0);
        print_message("%s: %zu of %zu\n", names[i], done, count);
        ply_json_tree_free(&tree);
        free(text);
    }
}

static void fail_puzzle(const puzzle *p, const char *what)
{
    fail_msg("%s: %s %s %s %s", what, p->game, p->variant, p->goal, p->position);
}

/* --- proofs ------------------------------------------------------------------------------------- */
static bool prove(const puzzle *p)
{
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, p->game, p->variant);
    test_make_state(&state, &rules, p->position);
    const ply_goal *goal = ply_goal_find(rules.game, p->goal);
    ply_solve_options options = {.memory_mb = PROOF_MEMORY_MB};
    ply_solver *solver = ply_solver_new(&rules, goal, &options);
    ply_solve_limits limits = {.nodes = PROOF_NODES, .shortest = p->turns > 0};
    ply_solve_report report;
    assert_non_null(solver);
    assert_int_equal(ply_solver_run(solver, state.position, &limits, NULL, NULL, &report), PLY_OK);
    if (report.verdict != PLY_VERDICT_WIN)
        fail_puzzle(p, "not solved");
    if (p->turns && (report.length != (uint32_t)p->turns || !report.shortest))
        fail_puzzle(p, "another number of turns");
    ply_proof_memory memory = {0};
    assert_int_equal(ply_solver_prove(solver, ply_proof_memory_sink, &memory), PLY_OK);
    ply_proof_source source = ply_proof_memory_source(&memory);
    ply_proof_summary summary;
    ply_error error = {0};
    if (ply_proof_check(rules.game, &source, 0, NULL, &summary, NULL, &error) != PLY_OK)
        fail_puzzle(p, error.message);
    assert_int_equal(summary.verdict, PLY_VERDICT_WIN);
    assert_int_equal(summary.attacker, ply_state_side(&state));
    assert_string_equal(summary.goal, p->goal);
    ply_free(memory.bytes);
    ply_solver_free(solver);
    ply_state_free(&state);
    return true;
}

static void test_every_puzzle_is_proved(void **unused)
{
    (void)unused;
    each_puzzle(prove);
}

/* --- brute force -------------------------------------------------------------------------------- */
static ply_move first_move(const ply_state *state, const puzzle *p)
{
    ply_move move;
    ply_error error = {0};
    if (ply_state_parse_move(state, p->solution, strcspn(p->solution, " "), &move, &error) !=
        PLY_OK)
        fail_puzzle(p, error.message);
    return move;
}

/* Whether a first move wins in at most `plies` plies. */
static bool move_wins(const brute *b, ply_move move, int plies)
{
    if (strcmp(b->goal, "vcf") == 0 || strcmp(b->goal, "vct") == 0)
        return brute_line_after(b, move, plies);
    return brute_after(b, move, plies);
}

/* The longest solutions for which brute force is affordable. */
static int affordable(const puzzle *p)
{
    if (strcmp(p->goal, "vct") == 0)
        return test_is_long() ? 5 : 0;
    if (strcmp(p->game, "shogi") == 0)
        return 5;
    if (strcmp(p->goal, "vcf") == 0)
        return 7;
    return test_is_long() ? 9 : 7;
}

static bool compare_plies(const puzzle *p, ply_state *state)
{
    if (p->plies > affordable(p))
        return false;
    ply_move refutations[BRUTE_PLIES] = {0};
    brute b = {state, p->goal, ply_state_side(state), calloc(BRUTE_MEMO, sizeof(brute_memo)),
               refutations};
    ply_move solution = first_move(state, p);
    ply_move *moves = malloc(state->rules->max_moves * sizeof *moves);
    assert_true(b.memo && moves);
    size_t count = brute_attacks(&b, moves);
    for (size_t i = 0; i < count; i++) {
        if (p->plies > 2 && move_wins(&b, moves[i], p->plies - 2))
            fail_puzzle(p, "a shorter win");
        if (move_wins(&b, moves[i], p->plies) != (moves[i] == solution))
            fail_puzzle(p, moves[i] == solution ? "no win" : "another first move");
    }
    free(moves);
    free(b.memo);
    return true;
}

/* Mates in one turn: exactly one turn, in whatever order its moves are played. */
static bool compare_turn(const puzzle *p, ply_state *state)
{
    if (p->turns != 1)
        return false;
    uint64_t mates[BRUTE_MATES];
    brute_turns t = {.room = 2 * BRUTE_TURN_NODES, .mates = mates};
    t.seen = calloc(t.room, sizeof *t.seen);
    assert_non_null(t.seen);
    brute b = {state, p->goal, ply_state_side(state), NULL, NULL};
    bool complete = brute_each_turn(&b, &t);
    free(t.seen);
    if (!complete)
        return false;
    if (t.mate_count != 1)
        fail_puzzle(p, t.mate_count ? "another turn" : "no mate");
    assert_int_equal(ply_state_play_text(state, p->solution, strlen(p->solution), NULL), PLY_OK);
    assert_true(ply_state_key(state) == mates[0]);
    assert_true(t.turns > 1);
    return true;
}

static bool compare(const puzzle *p)
{
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, p->game, p->variant);
    test_make_state(&state, &rules, p->position);
    bool done = p->turns ? compare_turn(p, &state) : compare_plies(p, &state);
    ply_state_free(&state);
    return done;
}

static void test_short_puzzles_agree_with_brute_force(void **unused)
{
    (void)unused;
    each_puzzle(compare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_puzzle_is_proved),
        cmocka_unit_test(test_short_puzzles_agree_with_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
