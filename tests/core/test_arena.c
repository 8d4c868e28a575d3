/* SPDX-License-Identifier: MIT */
/* test_arena.c - arenas and pools: alignment, limits, reuse. */
#include "core/arena.h"
#include "support/support.h"
#include <string.h>

static void test_arena(void **state)
{
    (void)state;
    ply_arena arena;
    ply_arena_init(&arena, 0);
    unsigned char *last = NULL;
    for (size_t size = 0; size < 3000; size += 7) {
        unsigned char *bytes = ply_arena_take(&arena, size);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % 64, 0);
        memset(bytes, 0xAB, size);
        assert_true(bytes != last);
        last = bytes;
    }
    assert_non_null(ply_arena_take(&arena, 1 << 20)); /* larger than a block */
    assert_true(arena.total > 1 << 20);
    ply_arena_free(&arena);
    assert_int_equal(arena.total, 0);
    assert_null(ply_arena_take(&arena, SIZE_MAX));
    ply_arena_free(&arena);
}

static void test_arena_limit(void **state)
{
    (void)state;
    ply_arena arena;
    ply_arena_init(&arena, 1 << 17);
    size_t taken = 0;
    while (ply_arena_take(&arena, 1024))
        taken += 1024;
    assert_true(taken >= 1 << 16 && taken <= 1 << 17 && arena.total <= 1 << 17);
    ply_arena_free(&arena);
}

/* Objects are reused last in, first out, so a series of allocations can be undone and redone. */
static void test_pool(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static void *objects[COUNT];
    ply_pool pool;
    ply_pool_init(&pool, 72, 0);
    for (int i = 0; i < COUNT; i++) {
        objects[i] = ply_pool_take(&pool);
        memset(objects[i], i & 0xFF, 72);
    }
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(((unsigned char *)objects[i])[71], i & 0xFF);
    assert_int_equal(pool.in_use, COUNT);
    size_t held = pool.arena.total;
    for (int round = 0; round < 3; round++) {
        for (int i = COUNT - 1; i >= 0; i--)
            ply_pool_give(&pool, objects[i]);
        assert_int_equal(pool.in_use, 0);
        for (int i = 0; i < COUNT; i++)
            assert_ptr_equal(ply_pool_take(&pool), objects[i]);
    }
    assert_int_equal(pool.arena.total, held);
    ply_pool_free(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_arena_limit),
        cmocka_unit_test(test_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
