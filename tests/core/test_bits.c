/* SPDX-License-Identifier: MIT */
/* test_bits.c - bit operations against their definitions, instructions against portable code. */
#include "core/bits.h"
#include "support/support.h"

#if defined(__x86_64__)
#include <immintrin.h>
__attribute__((target("bmi2"))) static uint64_t machine_pext(uint64_t x, uint64_t mask)
{
    return _pext_u64(x, mask);
}
__attribute__((target("bmi2"))) static uint64_t machine_pdep(uint64_t x, uint64_t mask)
{
    return _pdep_u64(x, mask);
}
#endif

static void test_pext_pdep_definition(void **state)
{
    (void)state;
    assert_int_equal(ply_pext_portable(0xABCD, 0x0FF0), 0xBC);
    assert_int_equal(ply_pdep_portable(0xBC, 0x0FF0), 0x0BC0);
    assert_true(ply_pext_portable(~(uint64_t)0, ~(uint64_t)0) == ~(uint64_t)0);
    assert_int_equal(ply_pext_portable(~(uint64_t)0, 0), 0);
    ply_rng rng = ply_rng_make(1, 0);
    for (int i = 0; i < 20000; i++) {
        uint64_t x = ply_rng_next(&rng), mask = ply_rng_next(&rng) & ply_rng_next(&rng);
        uint64_t packed = ply_pext_portable(x, mask);
        /* Extracting and depositing again keeps exactly the bits selected by the mask. */
        assert_true(ply_pdep_portable(packed, mask) == (x & mask));
        assert_int_equal(ply_popcount(packed), ply_popcount(x & mask));
        assert_true(ply_pext(x, mask) == packed);
        assert_true(ply_pdep(x, mask) == ply_pdep_portable(x, mask));
#if defined(__x86_64__)
        if (__builtin_cpu_supports("bmi2")) {
            assert_true(machine_pext(x, mask) == packed);
            assert_true(machine_pdep(x, mask) == ply_pdep_portable(x, mask));
        }
#endif
    }
}

static void test_nth_bit(void **state)
{
    (void)state;
    ply_rng rng = ply_rng_make(2, 0);
    for (int i = 0; i < 5000; i++) {
        uint64_t x = ply_rng_next(&rng);
        int k = 0;
        for (int b = 0; b < 64; b++)
            if (x >> b & 1)
                assert_int_equal(ply_nth_bit(x, k++), b);
        assert_int_equal(k, ply_popcount(x));
        assert_int_equal(ply_lowest(x), ply_nth_bit(x, 0));
        assert_int_equal(ply_highest(x), ply_nth_bit(x, k - 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pext_pdep_definition),
        cmocka_unit_test(test_nth_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
