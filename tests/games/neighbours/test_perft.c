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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slide),
        cmocka_unit_test(test_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
