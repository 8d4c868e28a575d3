/* SPDX-License-Identifier: MIT */
/* test_try.c - judging a single move: mate problems, known and random, against brute force. */
#include "solve_support.h"

enum { PLIES = 2 }; /* that brute force looks ahead after the move */

/* Whether it is a legal move of the position. */
static bool is_legal(const ply_rules *rules, const void *position, ply_move move)
{
    ply_move *moves = malloc(rules->max_moves * sizeof *moves);
    assert_non_null(moves);
    size_t count = rules->game->moves(rules, position, moves);
    bool found = false;
    for (size_t i = 0; i < count; i++)
        found = found || moves[i] == move;
    free(moves);
    return found;
}

/* Tries one move of the attacker; returns the length of the win that brute force finds, or -1. */
static int check_move(ply_solver *solver, const ply_goal *goal, ply_state *state, ply_move move)
{
    const ply_rules *rules = state->rules;
    ply_solve_limits limits = {.nodes = 20000, .shortest = true};
    ply_solve_try result;
    int attacker = ply_state_side(state);
    assert_int_equal(ply_solver_try(solver, state, move, &limits, &result), PLY_OK);
    bool allowed = goal->allows(rules, state->position, move, NULL);
    assert_int_equal(result.allowed, allowed);
    if (!allowed) {
        assert_int_equal(result.verdict, PLY_VERDICT_NO);
        return -1;
    }
    assert_int_equal(ply_state_play(state, move), PLY_OK);
    int length = brute_force(rules, goal, state->position, attacker, PLIES);
    if (length >= 0) {
        assert_int_equal(result.verdict, PLY_VERDICT_WIN);
        assert_int_equal(result.plies, length + 1);
    } else if (result.verdict == PLY_VERDICT_WIN) {
        assert_true(result.plies > PLIES + 1);
    }
    /* The reply is the longest defence, or one after which there is no win. */
    if (result.verdict != PLY_VERDICT_UNKNOWN)
        assert_int_equal(result.reply_length, length == 0 ? 0 : 1);
    if (result.reply_length)
        assert_true(is_legal(rules, state->position, result.reply[0]));
    ply_state_undo(state);
    return length;
}

typedef struct counts {
    unsigned mates, longer;
} counts;

/* Tries all moves of a position. */
static void check_moves(ply_solver *solver, const ply_goal *goal, ply_state *problem, counts *wins)
{
    const ply_rules *rules = problem->rules;
    ply_move *moves = malloc(rules->max_moves * sizeof *moves);
    assert_non_null(moves);
    size_t count = rules->game->moves(rules, problem->position, moves);
    for (size_t k = 0; k < count; k++) {
        int length = check_move(solver, goal, problem, moves[k]);
        wins->mates += length == 0;
        wins->longer += length > 0;
    }
    free(moves);
}

static void test_all_moves(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state problem, known;
    const ply_goal *goal = make_mate_goal(&rules, &problem);
    ply_rng rng = ply_rng_make(72, 1);
    ply_solve_options options = {.memory_mb = 16};
    ply_solver *solver = ply_solver_new(&rules, goal, &options);
    assert_non_null(solver);
    counts wins = {0};
    test_make_state(&known, &rules, "4k4/9/4P4/9/9/9/9/9/9 b G 1");
    check_moves(solver, goal, &known, &wins);
    assert_true(wins.mates >= 1);
    ply_state_free(&known);
    test_make_state(&known, &rules, "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1");
    check_moves(solver, goal, &known, &wins);
    assert_true(wins.longer >= 1);
    ply_state_free(&known);
    for (unsigned i = 0, rounds = test_rounds(20, 200); i < rounds; i++) {
        random_mate_problem(&problem, &rng, false);
        check_moves(solver, goal, &problem, &wins);
    }
    ply_solver_free(solver);
    ply_state_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
