/* SPDX-License-Identifier: MIT */
/* test_workers.c - every item is processed exactly once, in every run of a pool. */
#include "core/workers.h"
#include "support/support.h"
#include <stdatomic.h>
#include <time.h>

enum { ITEMS = 1000 };

typedef struct tally {
    atomic_uint done[ITEMS];
    unsigned size;
    atomic_uint outside; /* calls with a worker number beyond the pool's size */
} tally;

static void work(void *context, size_t item, unsigned worker)
{
    tally *t = context;
    atomic_fetch_add_explicit(&t->done[item], 1, memory_order_relaxed);
    if (worker >= t->size)
        atomic_fetch_add_explicit(&t->outside, 1, memory_order_relaxed);
}

static void test_pools(void **state)
{
    (void)state;
    for (unsigned size = 0; size <= 5; size++) {
        ply_workers *pool = ply_workers_start(size);
        assert_non_null(pool);
        assert_int_equal(ply_workers_size(pool), size ? size : 1);
        for (size_t count = 0; count <= ITEMS; count += 250) {
            tally t = {.size = ply_workers_size(pool)};
            ply_workers_run(pool, count, work, &t);
            for (size_t i = 0; i < ITEMS; i++)
                assert_int_equal(t.done[i], i < count);
            assert_int_equal(t.outside, 0);
        }
        tally each = {.size = ply_workers_size(pool)};
        ply_workers_run_all(pool, work, &each);
        for (size_t i = 0; i < ITEMS; i++)
            assert_int_equal(each.done[i], i < each.size);
        for (int round = 0; round < 1000; round++) {
            tally some = {.size = ply_workers_size(pool)};
            ply_workers_run_some(pool, work, &some);
            assert_int_equal(some.done[0], 1);
            for (size_t i = 1; i < ITEMS; i++)
                assert_true(some.done[i] <= (i < some.size));
        }
        ply_workers_stop(pool);
    }
    ply_workers_stop(NULL);
}

/* Runs of all kinds in turn, some right after each other, some when the threads have gone to sleep. */
static void test_mixed_runs(void **state)
{
    (void)state;
    for (unsigned size = 2; size <= 4; size++) {
        ply_workers *pool = ply_workers_start(size);
        assert_non_null(pool);
        for (int round = 0; round < 600; round++) {
            tally t = {.size = size};
            size_t count = (size_t)(round % 7);
            if (round % 50 == 0)
                nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
            if (round % 3 == 0)
                ply_workers_run(pool, count, work, &t);
            else if (round % 3 == 1)
                ply_workers_run_all(pool, work, &t);
            else
                ply_workers_run_some(pool, work, &t);
            size_t must = round % 3 == 0 ? count : round % 3 == 1 ? size : 1;
            size_t may = round % 3 == 2 ? size : must;
            for (size_t i = 0; i < ITEMS; i++)
                assert_in_range(t.done[i], i < must, i < may);
            assert_int_equal(t.outside, 0);
        }
        ply_workers_stop(pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pools),
                                       cmocka_unit_test(test_mixed_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
