/* SPDX-License-Identifier: MIT */
/* test_rng.c - the generators against published outputs; streams, bounds and Zobrist keys. */
#include "core/hash.h"
#include "support/support.h"
#include <stdlib.h>

/* First outputs of SplitMix64 from seed 1234567, as the Rosetta Code task lists them. */
static void test_splitmix(void **state)
{
    (void)state;
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u,
                                        9817491932198370423u, 4593380528125082431u,
                                        16408922859458223821u};
    uint64_t s = 1234567;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_true(ply_splitmix64(&s) == expected[i]);
}

/* First outputs of xoshiro256** from the state 1, 2, 3, 4, as the authors' code gives them. */
static void test_xoshiro(void **state)
{
    (void)state;
    static const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240u};
    ply_rng rng = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_true(ply_rng_next(&rng) == expected[i]);
}

static void test_streams(void **state)
{
    (void)state;
    ply_rng a = ply_rng_make(5, 3), b = ply_rng_make(5, 3), c = ply_rng_make(5, 4);
    uint64_t first = ply_rng_next(&a);
    assert_true(first == ply_rng_next(&b));
    assert_true(first != ply_rng_next(&c));
}

/* Numbers stay below their bound and are uniformly distributed. */
static void test_below(void **state)
{
    (void)state;
    ply_rng rng = ply_rng_make(6, 0);
    for (uint32_t bound = 1; bound <= 20; bound++) {
        uint32_t counts[20] = {0};
        for (int i = 0; i < 20000; i++) {
            uint32_t value = ply_rng_below(&rng, bound);
            assert_true(value < bound);
            counts[value]++;
        }
        double expected = 20000.0 / bound, chi = 0;
        for (uint32_t v = 0; v < bound; v++)
            chi += (counts[v] - expected) * (counts[v] - expected) / expected;
        assert_true(chi < 50); /* 19 degrees of freedom: less than one in ten thousand exceeds 50 */
    }
    for (int i = 0; i < 1000; i++)
        assert_true(ply_rng_below(&rng, UINT32_MAX) < UINT32_MAX);
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void test_zobrist_keys_differ(void **state)
{
    (void)state;
    enum { EACH = 20000, TABLES = 5 };
    uint64_t *keys = malloc(EACH * TABLES * sizeof *keys);
    for (uint32_t t = 0; t < TABLES; t++)
        for (uint32_t i = 0; i < EACH; i++)
            keys[t * EACH + i] = ply_zobrist_key(t + 1, i);
    qsort(keys, EACH * TABLES, sizeof *keys, compare_keys);
    for (size_t i = 1; i < EACH * TABLES; i++)
        assert_true(keys[i - 1] != keys[i]);
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splitmix),
        cmocka_unit_test(test_xoshiro),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_below),
        cmocka_unit_test(test_zobrist_keys_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
