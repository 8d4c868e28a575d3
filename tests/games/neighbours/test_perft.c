/* SPDX-License-Identifier: MIT */
/* test_perft.c - published perft numbers of both variants. */
#include "support/support.h"

static void check_depths(const char *variant, const uint64_t *expected, size_t depths)
{
    for (size_t d = 0; d < depths; d++)
        assert_true(test_perft("neighbours", variant, NULL, (int)d + 1, 0) == expected[d]);
}

static void test_slide(void **state)
{
    (void)state;
    static const uint64_t expected[] = {14, 196, 2874, 43630, 703822, 11238798, 182248878};
    check_depths("slide", expected, sizeof expected / sizeof expected[0]);
}

static void test_jump(void **state)
{
    (void)state;
    static const uint64_t expected[] = {14, 196, 3070, 49752, 889576};
    check_depths("jump", expected, sizeof expected / sizeof expected[0]);
}

/* Leaves boards on the stack below, as earlier calls may. */
static __attribute__((noinline)) uint64_t leave_boards(uint64_t board)
{
    volatile uint64_t stack[1 << 14];
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof stack / sizeof stack[0]; i++)
        stack[i] = board;
    for (size_t i = 0; i < sizeof stack / sizeof stack[0]; i++)
        sum += stack[i];
    return sum;
}

/* What memory held before does not matter. */
static void test_no_stale_memory(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state game;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&game, &rules, NULL);
    for (int row = 0; row < 6; row++)
        for (int depth = 1; depth <= 4; depth++) {
            static const uint64_t expected[] = {14, 196, 2874, 43630};
            assert_true(leave_boards(UINT64_C(0x3F) << 6 * row) > 0);
            assert_true(rules.counting->perft(&rules, game.position, depth, 0) ==
                        expected[depth - 1]);
        }
    ply_state_free(&game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slide),
        cmocka_unit_test(test_jump),
        cmocka_unit_test(test_no_stale_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
