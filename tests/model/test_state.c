/* SPDX-License-Identifier: MIT */
/* test_state.c - states survive failed calls, copies are independent, results have names. */
#include "support/support.h"
#include <string.h>

static void format(const ply_state *state, char *out, size_t capacity)
{
    ply_text text = ply_text_fixed(out, capacity);
    state->rules->game->format(state->rules, state->position, &text);
    assert_true(ply_text_complete(&text));
}

static void check_position(const ply_state *state, const char *expected)
{
    char text[256];
    format(state, text, sizeof text);
    assert_string_equal(text, expected);
}

static void make_state(ply_rules *rules, ply_state *state)
{
    test_make_rules(rules, "neighbours", NULL);
    test_make_state(state, rules, NULL);
    assert_int_equal(ply_state_play_text(state, "a1a2, a6a5", 10, NULL), PLY_OK);
    assert_int_equal(state->plies, 2);
}

static void test_failures_change_nothing(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state;
    ply_error error = {0};
    make_state(&rules, &state);
    char before[256];
    format(&state, before, sizeof before);
    /* The second move is illegal: the first is taken back. */
    static const char moves[] = "b1b3 a1a2";
    assert_int_not_equal(ply_state_play_text(&state, moves, strlen(moves), &error), PLY_OK);
    assert_int_equal(error.column, 6);
    assert_int_equal(state.plies, 2);
    check_position(&state, before);
    static const char position[] = "bbbbbb/6/6/6/6/wwwwww w extra";
    assert_int_equal(ply_state_parse(&state, position, strlen(position), &error), PLY_BAD_TEXT);
    assert_int_equal(error.offset, strlen(position) - strlen("extra"));
    assert_int_equal(state.plies, 2);
    check_position(&state, before);
    ply_state_free(&state);
}

static void test_copy_and_undo(void **unused)
{
    (void)unused;
    ply_rules rules;
    ply_state state, copy;
    make_state(&rules, &state);
    char before[256], start[256];
    format(&state, before, sizeof before);
    assert_int_equal(ply_state_copy(&copy, &state), PLY_OK);
    assert_true(ply_state_undo(&state) && ply_state_undo(&state));
    assert_false(ply_state_undo(&state));
    format(&state, start, sizeof start);
    check_position(&copy, before);
    /* The copy has its own undo stack. */
    assert_true(ply_state_undo(&copy) && ply_state_undo(&copy));
    check_position(&copy, start);
    assert_int_equal(ply_state_play_text(&copy, "b1b3", 4, NULL), PLY_OK);
    assert_int_equal(ply_state_restart(&copy), PLY_OK);
    assert_int_equal(copy.plies, 0);
    check_position(&copy, start);
    ply_state_free(&copy);
    ply_state_free(&state);
}

static void test_results(void **unused)
{
    (void)unused;
    static const struct {
        ply_result result;
        const char *name, *score;
    } results[] = {{PLY_ONGOING, "ongoing", "*"},
                   {PLY_FIRST_WINS, "first", "1-0"},
                   {PLY_SECOND_WINS, "second", "0-1"},
                   {PLY_DRAW, "draw", "1/2-1/2"}};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        ply_result result = PLY_ONGOING;
        const char *name = results[i].name, *score = results[i].score;
        assert_string_equal(ply_result_name(results[i].result), name);
        assert_string_equal(ply_result_score(results[i].result), score);
        assert_true(ply_result_from_name(name, strlen(name), &result));
        assert_int_equal(result, results[i].result);
        result = PLY_ONGOING;
        assert_true(ply_result_from_score(score, strlen(score), &result));
        assert_int_equal(result, results[i].result);
        assert_false(ply_result_from_name(score, strlen(score), &result));
        assert_false(ply_result_from_score(score, strlen(score) - 1, &result));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failures_change_nothing),
        cmocka_unit_test(test_copy_and_undo),
        cmocka_unit_test(test_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
