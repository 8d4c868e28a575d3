/* SPDX-License-Identifier: MIT */
/* test_workers.c - every piece is done once, by somebody of the team, however often it runs. */
#include "core/workers.h"
#include "support/support.h"
#include <string.h>

enum { PIECES = 1000 };

typedef struct tally {
    uint32_t done[PIECES];
    unsigned size;
    uint32_t outside; /* workers with a number the team does not have */
} tally;

static void work(void *context, size_t piece, unsigned worker)
{
    tally *t = context;
    __atomic_fetch_add(&t->done[piece], 1, __ATOMIC_RELAXED);
    if (worker >= t->size)
        __atomic_fetch_add(&t->outside, 1, __ATOMIC_RELAXED);
}

static void test_teams(void **state)
{
    (void)state;
    for (unsigned size = 0; size <= 5; size++) {
        ply_workers *team = ply_workers_start(size);
        assert_non_null(team);
        assert_int_equal(ply_workers_size(team), size ? size : 1);
        for (size_t count = 0; count <= PIECES; count += 250) {
            tally t = {.size = ply_workers_size(team)};
            ply_workers_run(team, count, work, &t);
            for (size_t i = 0; i < PIECES; i++)
                assert_int_equal(t.done[i], i < count);
            assert_int_equal(t.outside, 0);
        }
        tally each = {.size = ply_workers_size(team)};
        ply_workers_run_all(team, work, &each);
        for (size_t i = 0; i < PIECES; i++)
            assert_int_equal(each.done[i], i < each.size);
        ply_workers_stop(team);
    }
    ply_workers_stop(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_teams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
