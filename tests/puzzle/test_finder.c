/* SPDX-License-Identifier: MIT */
/* test_finder.c - finding puzzles in a game: what is found, once, and a search that is stopped. */
#include "puzzle/puzzle.h"
#include "support/support.h"
#include <string.h>

/* A mate in three plies, played to its end; the first move is the only one that mates. */
static const char position[] =
    "+P+R1g2bns/1L2ks2l/p3ppp1p/3pn4/B1g3Pp1/P4P1N1/3PP2PP/L1S2G1SR/2PGK2NL b 2P 81";
static const char moves[] = "8a6a 5b6a G*6b";

static ply_rules rules;

static void play_game(ply_state *state)
{
    assert_int_equal(ply_rules_make(&rules, ply_game_find("shogi"), NULL, NULL), PLY_OK);
    assert_int_equal(ply_state_init(state, &rules), PLY_OK);
    assert_int_equal(ply_state_parse(state, position, strlen(position), NULL), PLY_OK);
    assert_int_equal(ply_state_play_text(state, moves, strlen(moves), NULL), PLY_OK);
}

static ply_puzzle_finder *make_finder(void)
{
    ply_puzzle_spec spec = {.rules = &rules,
                            .goal = ply_goal_find(rules.game, "mate"),
                            .nodes = 5000,
                            .least = 3,
                            .most = 15,
                            .choices = 2,
                            .unique_line = true};
    ply_puzzle_finder *finder = ply_puzzle_finder_new(&spec);
    assert_non_null(finder);
    return finder;
}

static void test_each_position_is_found_once(void **context)
{
    (void)context;
    ply_state state, again;
    ply_puzzle puzzle;
    bool found;
    play_game(&state);
    assert_int_equal(ply_state_copy(&again, &state), PLY_OK);
    ply_puzzle_finder *finder = make_finder();
    assert_int_equal(ply_puzzle_find(finder, &state, &puzzle, &found), PLY_OK);
    assert_true(found);
    assert_string_equal(puzzle.position, position);
    assert_int_equal(puzzle.length, 3);
    assert_int_equal(ply_puzzle_find(finder, &again, &puzzle, &found), PLY_OK);
    assert_false(found);
    ply_puzzle_finder_free(finder);
    ply_state_free(&state);
    ply_state_free(&again);
}

static void test_stopping(void **context)
{
    (void)context;
    ply_state state;
    ply_puzzle puzzle;
    bool found = true;
    play_game(&state);
    ply_puzzle_finder *finder = make_finder();
    ply_puzzle_finder_stop(finder);
    assert_int_equal(ply_puzzle_find(finder, &state, &puzzle, &found), PLY_STOPPED);
    assert_false(found);
    assert_int_equal(ply_puzzle_find(finder, &state, &puzzle, &found), PLY_STOPPED);
    ply_puzzle_finder_free(finder);
    ply_state_free(&state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_position_is_found_once),
        cmocka_unit_test(test_stopping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
