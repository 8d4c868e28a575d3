/* SPDX-License-Identifier: MIT */
/* test_child.c - what the general solver knows of a move before it searches the position after it. */
#include "solve/dfpn.h"
#include "solve/dfpn_child.h"
#include "solve/resources.h"
#include "solve_support.h"

/* A solver for a position; the caller frees both. */
static dfpn *open_solver(ply_rules *rules, ply_state *state, const char *game, const char *goal,
                         const char *position, int attacker)
{
    ply_solve_options options = {.memory_mb = 16, .threads = 1};
    test_make_rules(rules, game, NULL);
    test_make_state(state, rules, position);
    dfpn *d = ply_dfpn_kind.open(rules, ply_goal_find(rules->game, goal), &options);
    assert_non_null(d);
    assert_int_equal(ply_game_copy(rules, d->position, state->position), PLY_OK);
    assert_true(ply_dfpn_table_reset(d->table));
    d->has_position = true;
    d->attacker = attacker;
    return d;
}

/* Evaluates a position as that of a child that was just reached. */
static dfpn_child evaluate(const char *game, const char *goal, const char *position, int attacker,
                           uint16_t plies)
{
    ply_rules rules;
    ply_state state;
    dfpn *d = open_solver(&rules, &state, game, goal, position, attacker);
    dfpn_child c = {.proof = 1, .disproof = 1};
    c.key = ply_dfpn_key(d, &c.resources);
    ply_dfpn_child_evaluate(d, DFPN_ROOT, &c, plies);
    assert_memory_equal(d->position, state.position, rules.position_bytes);
    /* An immediate win is in the table, too. */
    uint16_t known = ply_dfpn_known_win(d);
    assert_int_equal(known, c.proof == 0 && c.plies == 1 ? 1 : PLIES_NONE);
    ply_dfpn_kind.close(d);
    ply_state_free(&state);
    return c;
}

static void check_win(dfpn_child c, uint16_t plies)
{
    assert_int_equal(c.proof, 0);
    assert_int_equal(c.disproof, NUMBER_INF);
    assert_int_equal(c.plies, plies);
    assert_int_equal(c.dependency, NO_DEPENDENCY);
}

static void check_failure(dfpn_child c, uint16_t plies, uint64_t bound)
{
    assert_int_equal(c.proof, NUMBER_INF);
    assert_int_equal(c.disproof, 0);
    assert_int_equal(c.plies, plies);
    assert_int_equal(c.bound, bound);
    assert_int_equal(c.dependency, NO_DEPENDENCY);
}

#define MATE_IN_ONE "4k4/9/4P4/9/9/9/9/9/9 b G 1"
#define MATED "4k4/4G4/4P4/9/9/9/9/9/9 w - 1"
#define FOUR_DEFENCES "4k4/9/9/9/9/9/9/4R4/9 w - 1"
#define NO_MATE "4k4/9/9/9/9/9/9/9/9 b G 1"

static void test_mates(void **state)
{
    (void)state;
    check_win(evaluate("shogi", "mate", MATE_IN_ONE, 0, PLIES_ANY), 1);
    check_win(evaluate("shogi", "mate", MATE_IN_ONE, 0, 1), 1);
    check_win(evaluate("shogi", "mate", MATED, 0, PLIES_ANY), 0);
    check_win(evaluate("shogi", "mate", MATED, 0, 0), 0);
    /* No ply is left: a move would be needed. */
    check_failure(evaluate("shogi", "mate", MATE_IN_ONE, 0, 0), 0, RESOURCES_ANY);
    dfpn_child c = evaluate("shogi", "mate", FOUR_DEFENCES, 0, 0);
    check_failure(c, 0, c.resources);
    /* Open: every defence must be refuted. */
    c = evaluate("shogi", "mate", FOUR_DEFENCES, 0, 1);
    assert_int_equal(c.proof, 4);
    assert_int_equal(c.disproof, 1);
    c = evaluate("shogi", "mate", NO_MATE, 0, 1);
    assert_int_equal(c.proof, 1);
    assert_int_equal(c.disproof, 1);
}

/* The goal itself is reached or missed. */
static void test_values(void **state)
{
    (void)state;
    dfpn_child c = evaluate("checkers", "win", "B:W18:B", 1, PLIES_ANY);
    check_win(c, 0);
    assert_int_equal(c.bound, 0); /* the game has no resources */
    check_win(evaluate("checkers", "win", "B:W18:B", 1, 0), 0);
    check_failure(evaluate("checkers", "win", "B:W18:B", 0, PLIES_ANY), PLIES_ANY, RESOURCES_ANY);
    check_failure(evaluate("checkers", "win", "W:W18:B1", 1, 0), 0, RESOURCES_ANY);
}

/* What the table has is taken over; numbers that it has count if they are larger. */
static void test_numbers(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state position;
    dfpn *d = open_solver(&rules, &position, "checkers", "win", "B:W32:B1", 0);
    dfpn_found found = {.proof = 7, .disproof = 3};
    dfpn_child c = {.proof = 5, .disproof = 5};
    ply_dfpn_child_estimate(d, &c, &found);
    assert_int_equal(c.proof, 7);
    assert_int_equal(c.disproof, 5);
    found = (dfpn_found){.proof = 4, .disproof = 9};
    ply_dfpn_child_estimate(d, &c, &found);
    assert_int_equal(c.proof, 7);
    assert_int_equal(c.disproof, 9);
    c = (dfpn_child){.proof = 0, .disproof = NUMBER_INF};
    ply_dfpn_child_estimate(d, &c, &found);
    assert_int_equal(c.proof, 0);
    found = (dfpn_found){.proof = 2, .disproof = 2};
    assert_false(ply_dfpn_child_take_result(&c, &found));
    found = (dfpn_found){.proof = 0, .disproof = NUMBER_INF, .plies = 5, .bound = 3};
    assert_true(ply_dfpn_child_take_result(&c, &found));
    check_win(c, 5);
    assert_int_equal(c.bound, 3);
    found = (dfpn_found){.proof = NUMBER_INF, .plies = 6, .bound = 4};
    assert_true(ply_dfpn_child_take_result(&c, &found));
    check_failure(c, 6, 4);
    ply_dfpn_kind.close(d);
    ply_state_free(&position);
}

/* A delayed move is evaluated when its turn comes; the position stays as it was. */
static void test_activation(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state position;
    dfpn *d = open_solver(&rules, &position, "shogi", "mate", MATE_IN_ONE, 0);
    ply_error error = {0};
    ply_cursor cursor = ply_cursor_make("G*5b", 4, &error);
    dfpn_child c = {.delayed = true, .proof = 1, .disproof = 1};
    assert_int_equal(rules.game->parse_move(&rules, position.position, &cursor, &c.move), PLY_OK);
    assert_true(ply_dfpn_child_activate(d, DFPN_ROOT, &c, 0));
    check_win(c, 0);
    assert_false(c.delayed);
    assert_memory_equal(d->position, position.position, rules.position_bytes);
    assert_true(ply_dfpn_child_play(d, DFPN_ROOT, &c));
    uint64_t resources;
    assert_int_equal(c.key, ply_dfpn_key(d, &resources));
    assert_int_equal(c.resources, resources);
    ply_dfpn_undo(d, DFPN_ROOT, c.move);
    assert_memory_equal(d->position, position.position, rules.position_bytes);
    ply_dfpn_kind.close(d);
    ply_state_free(&position);
}

/* Seven eighths of the memory are for the table. */
static void test_memory(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "shogi", NULL);
    for (size_t mb = 128; mb <= 256; mb *= 2) {
        ply_solve_options options = {.memory_mb = mb, .threads = 1};
        dfpn *d = ply_dfpn_kind.open(&rules, ply_goal_find(rules.game, "mate"), &options);
        assert_non_null(d);
        assert_true(ply_dfpn_table_reset(d->table));
        ply_dfpn_table_store_path_failure(d->table, 1, 1, 1);
        (void)ply_dfpn_table_reserve(d->table, UINT64_MAX);
        size_t bytes = ply_dfpn_table_bytes(d->table), share = (mb << 20) / 8;
        assert_true(bytes <= 7 * share);
        assert_true(bytes > 6 * share);
        ply_dfpn_kind.close(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mates),   cmocka_unit_test(test_values),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_activation),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
