/* SPDX-License-Identifier: MIT */
/* test_perft.c - perft on the emulated device: published counts, and the counts of the host. */
#include "support/support.h"
#include <plyverse/perft.h>
#include <stdlib.h>
#include <string.h>

static uint64_t count(const char *game, const char *variant, const char *position, int depth,
                      size_t device_mb)
{
    ply_rules rules;
    ply_state state;
    ply_error error = {0};
    uint64_t nodes = 0, expected = 0;
    size_t moves = 0, expected_moves = 0;
    assert_int_equal(ply_rules_make(&rules, ply_game_find(game), variant, &error), PLY_OK);
    assert_int_equal(ply_state_init(&state, &rules), PLY_OK);
    if (position)
        assert_int_equal(ply_state_parse(&state, position, strlen(position), &error), PLY_OK);
    ply_perft_entry *divide = malloc(rules.max_moves * sizeof *divide);
    ply_perft_entry *expected_divide = malloc(rules.max_moves * sizeof *divide);
    ply_perft_options o = {.device = PLY_DEVICE_CUDA, .device_mb = device_mb, .error = &error};
    if (ply_perft(&state, depth, &o, &nodes, divide, &moves) != PLY_OK)
        fail_msg("%s: %s", game, error.message);
    assert_int_equal(ply_perft(&state, depth, NULL, &expected, expected_divide, &expected_moves),
                     PLY_OK);
    assert_int_equal(nodes, expected);
    assert_int_equal(moves, expected_moves);
    for (size_t i = 0; i < moves; i++) {
        assert_int_equal(divide[i].move, expected_divide[i].move);
        assert_int_equal(divide[i].nodes, expected_divide[i].nodes);
    }
    free(divide);
    free(expected_divide);
    ply_state_free(&state);
    return nodes;
}

static void test_published(void **state)
{
    (void)state;
    assert_int_equal(count("shogi", "", NULL, 1, 0), 30);
    assert_int_equal(count("shogi", "", NULL, 3, 0), 25470);
    assert_int_equal(count("shogi", "", NULL, 4, 1), 719731); /* in chunks: 1 MiB */
    assert_int_equal(count("checkers", "", NULL, 7, 1), 179740);
}

static void test_like_the_host(void **state)
{
    (void)state;
    count("neighbours", "slide", NULL, 4, 1);
    count("neighbours", "jump", NULL, 4, 0);
    count("checkers", "russian", NULL, 6, 1);
    count("checkers", "italian", "W:WK3,K28,K30:B11,12,19,20,K25", 4, 0);
    count("gomoku", "freestyle:width=5,height=5,row=3", NULL, 4, 1);
    count("gomoku", "renju:width=7,height=7", NULL, 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_like_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
