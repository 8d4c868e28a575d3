/* SPDX-License-Identifier: MIT */
/* test_isa.c - selecting an instruction set. */
#include "core/isa.h"
#include "support/support.h"

static void test_names(void **state)
{
    (void)state;
    for (int level = 0; level <= 5; level++) {
        const char *name = ply_isa_name(level);
        if (name)
            assert_int_equal(ply_isa_find(name), level);
    }
    assert_string_equal(ply_isa_name(PLY_ISA_PLAIN), "plain");
    assert_null(ply_isa_name(2));
    assert_int_equal(ply_isa_find("v2"), 0);
    assert_int_equal(ply_isa_find(""), 0);
}

static void test_use(void **state)
{
    (void)state;
    int best = ply_isa_best(), before = ply_isa_level();
    assert_true(before <= best);
    assert_true(ply_isa_use(PLY_ISA_PLAIN));
    assert_int_equal(ply_isa_level(), PLY_ISA_PLAIN);
    assert_int_equal(ply_isa_level_for_pext(), PLY_ISA_PLAIN);
    /* What the machine does not have, or nobody has, is refused and changes nothing. */
    assert_false(ply_isa_use(0));
    assert_false(ply_isa_use(2));
    assert_false(ply_isa_use(5));
    if (best < PLY_ISA_V4)
        assert_false(ply_isa_use(PLY_ISA_V4));
    assert_int_equal(ply_isa_level(), PLY_ISA_PLAIN);
    assert_true(ply_isa_use(best));
    assert_int_equal(ply_isa_level(), best);
    int pext = ply_isa_level_for_pext();
    assert_true(pext == best || pext == PLY_ISA_PLAIN);
    assert_true(ply_isa_use(before));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_use)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
