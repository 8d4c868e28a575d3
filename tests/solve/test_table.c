/* SPDX-License-Identifier: MIT */
/*
 * test_table.c - the solver's table: what it says about a position, how it grows, and what it evicts
 * when it may not grow.
 */
#include "core/hash.h"
#include "solve/checkpoint.h"
#include "solve/resources.h"
#include "solve_support.h"

enum { SMALL_BYTES = 64 << 10, LARGE_BYTES = 8 << 20 };

static uint64_t key_of(uint64_t i)
{
    return ply_mix64(i) | 1;
}

static dfpn_table make_table(size_t bytes, bool shared)
{
    dfpn_table table;
    assert_true(ply_dfpn_table_init(&table, bytes, shared));
    assert_true(ply_dfpn_table_reset(&table));
    return table;
}

static dfpn_found probe(const dfpn_table *table, uint64_t key, uint64_t resources, uint16_t plies)
{
    dfpn_found found;
    ply_dfpn_table_probe(table, key, resources, plies, &found);
    return found;
}

static void check_won(dfpn_found found, uint16_t plies, uint64_t bound)
{
    assert_int_equal(found.proof, 0);
    assert_int_equal(found.disproof, NUMBER_INF);
    assert_int_equal(found.plies, plies);
    assert_int_equal(found.bound, bound);
    assert_true(found.exact);
}

static void check_not_won(dfpn_found found, uint16_t plies, uint64_t bound)
{
    assert_int_equal(found.proof, NUMBER_INF);
    assert_int_equal(found.disproof, 0);
    assert_int_equal(found.plies, plies);
    assert_int_equal(found.bound, bound);
    assert_true(found.exact);
}

static void check_numbers(dfpn_found found, uint32_t proof, uint32_t disproof, bool exact)
{
    assert_int_equal(found.proof, proof);
    assert_int_equal(found.disproof, disproof);
    assert_int_equal(found.exact, exact);
}

/* Two and three pieces of one kind, and two of another. */
enum { TWO = 2, THREE = 3, OTHER = 2 << 8 };

static void test_numbers(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        dfpn_table table = make_table(LARGE_BYTES, shared);
        check_numbers(probe(&table, 7, TWO, 9), 0, 0, false);
        assert_int_equal(probe(&table, 7, TWO, 9).depth, UINT16_MAX);
        ply_dfpn_table_store(&table, 7, TWO, 5, 11, 20, 100, false);
        dfpn_found found = probe(&table, 7, TWO, 9);
        check_numbers(found, 5, 11, true);
        assert_int_equal(found.depth, 20);
        assert_false(found.path_dependent);
        /* With more resources it is no harder to win, with fewer no easier. */
        check_numbers(probe(&table, 7, THREE, 9), 0, 11, false);
        check_numbers(probe(&table, 7, 1, 9), 5, 0, false);
        check_numbers(probe(&table, 7, OTHER, 9), 0, 0, false);
        check_numbers(probe(&table, 8, TWO, 9), 0, 0, false);
        /* The smallest depth counts. */
        ply_dfpn_table_store(&table, 7, TWO, 6, 10, 30, 100, false);
        found = probe(&table, 7, TWO, 9);
        check_numbers(found, 6, 10, true);
        assert_int_equal(found.depth, 20);
        ply_dfpn_table_store(&table, 7, TWO, 6, 10, 12, 100, true);
        ply_dfpn_table_store(&table, 7, TWO, 6, 10, 13, 100, false);
        found = probe(&table, 7, TWO, 9);
        assert_int_equal(found.depth, 12);
        assert_true(found.path_dependent);
        assert_int_equal(table.count, 1);
        ply_dfpn_table_free(&table);
    }
}

static void test_results(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        dfpn_table table = make_table(LARGE_BYTES, shared);
        ply_dfpn_table_store(&table, 7, THREE, 5, 11, 20, 100, false);
        ply_dfpn_table_store_win(&table, 7, TWO, 9, 20, 100);
        check_won(probe(&table, 7, TWO, PLIES_ANY), 9, TWO);
        check_won(probe(&table, 7, THREE, PLIES_ANY), 9, TWO);
        check_won(probe(&table, 7, THREE, 9), 9, TWO);
        check_numbers(probe(&table, 7, 1, PLIES_ANY), 0, 0, false);
        /* Whether there is a shorter win is open, and the numbers from before are gone. */
        check_numbers(probe(&table, 7, THREE, 8), 0, 0, false);
        /* The shortest win counts. */
        ply_dfpn_table_store_win(&table, 7, TWO, 11, 20, 100);
        ply_dfpn_table_store_win(&table, 7, THREE, 5, 20, 100);
        check_won(probe(&table, 7, TWO, PLIES_ANY), 9, TWO);
        check_won(probe(&table, 7, THREE, PLIES_ANY), 5, THREE);
        /* No win in four plies, nor with fewer resources; a longer or stronger one is open. */
        ply_dfpn_table_store_no_win(&table, 7, THREE, 4, 20, 100);
        check_not_won(probe(&table, 7, THREE, 4), 4, THREE);
        check_not_won(probe(&table, 7, TWO, 4), 4, THREE);
        check_not_won(probe(&table, 7, TWO, 3), 4, THREE);
        check_numbers(probe(&table, 7, 4, 4), 0, 0, false);
        check_won(probe(&table, 7, THREE, 5), 5, THREE);
        ply_dfpn_table_store_no_win(&table, 7, THREE, 2, 20, 100);
        check_not_won(probe(&table, 7, THREE, 4), 4, THREE);
        /* Never. */
        ply_dfpn_table_store_no_win(&table, 8, TWO, PLIES_ANY, 20, 100);
        check_not_won(probe(&table, 8, TWO, PLIES_ANY), PLIES_ANY, TWO);
        ply_dfpn_table_free(&table);
    }
}

/* A table that may grow forgets nothing, and lists every entry once. */
static void test_growth(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    dfpn_table table = make_table(LARGE_BYTES, false);
    for (uint64_t i = 0; i < COUNT; i++)
        ply_dfpn_table_store(&table, key_of(i), i % 5, (uint32_t)i + 1, 2, 1, 1, false);
    assert_int_equal(table.count, COUNT);
    assert_true(ply_dfpn_table_is_large(&table));
    assert_true(ply_dfpn_table_bytes(&table) <= LARGE_BYTES);
    for (uint64_t i = 0; i < COUNT; i++)
        check_numbers(probe(&table, key_of(i), i % 5, 9), (uint32_t)i + 1, 2, true);
    size_t slot = 0, listed = 0;
    uint64_t sum = 0;
    for (const dfpn_entry *e; (e = ply_dfpn_table_next(&table, &slot)) != NULL; listed++)
        sum += e->proof;
    assert_int_equal(listed, COUNT);
    assert_int_equal(sum, (uint64_t)COUNT * (COUNT + 1) / 2);
    assert_true(ply_dfpn_table_reset(&table));
    assert_int_equal(table.count, 0);
    assert_false(ply_dfpn_table_is_large(&table));
    slot = 0;
    assert_null(ply_dfpn_table_next(&table, &slot));
    ply_dfpn_table_free(&table);
}

/* A table uses the memory it was given; a large one leaves a mebibyte, which it needs while it grows. */
static void test_size(void **state)
{
    (void)state;
    for (size_t bytes = 1 << 20; bytes <= LARGE_BYTES; bytes *= 2) {
        dfpn_table table = make_table(bytes, false);
        ply_dfpn_table_store_path_failure(&table, 1, 1, 1);
        size_t room = ply_dfpn_table_reserve(&table, UINT64_MAX);
        assert_true(ply_dfpn_table_bytes(&table) <= bytes);
        size_t spare = bytes - ply_dfpn_table_bytes(&table);
        assert_true(bytes > 4 << 20 ? spare >= 1 << 20 : spare < 1 << 15);
        assert_true(spare < (1 << 20) + (1 << 15));
        assert_true(room * sizeof(dfpn_entry) > bytes / 2);
        assert_false(ply_dfpn_table_is_full(&table));
        ply_dfpn_table_free(&table);
    }
}

/* When the table is full, the half on which the least work was spent goes. Wins count for more. */
static void test_eviction(void **state)
{
    (void)state;
    dfpn_table table = make_table(SMALL_BYTES, false);
    size_t room = ply_dfpn_table_reserve(&table, UINT64_MAX), dear = room / 10 * 4;
    for (uint64_t i = 0; i < room; i++) {
        uint64_t work = i < dear ? 1000 : 1 + i % 7;
        if (i % 10 == 9)
            ply_dfpn_table_store_win(&table, key_of(i), 0, 9, 1, 100);
        else
            ply_dfpn_table_store(&table, key_of(i), 0, 3, 4, 1, work, false);
    }
    assert_true(ply_dfpn_table_is_full(&table));
    size_t before = table.count;
    ply_dfpn_table_make_room(&table);
    assert_false(ply_dfpn_table_is_full(&table));
    assert_int_equal(table.count, before - before / 2);
    assert_true(ply_dfpn_table_bytes(&table) <= SMALL_BYTES);
    for (uint64_t i = 0; i < dear; i++)
        assert_true(probe(&table, key_of(i), 0, PLIES_ANY).exact);
    for (uint64_t i = 9; i < room; i += 10)
        check_won(probe(&table, key_of(i), 0, PLIES_ANY), 9, 0);
    /* What stays has aged by half a doubling, except for wins. */
    size_t slot = 0;
    for (const dfpn_entry *e; (e = ply_dfpn_table_next(&table, &slot)) != NULL;)
        if (e->won_in != PLIES_NONE || e->work > 7)
            assert_int_equal(e->work,
                             e->won_in != PLIES_NONE ? 8 * 6 - 16 + 4 : 9 * 8 - 16 + 7 - 4);
    ply_dfpn_table_free(&table);
}

/* The work of all entries after several evictions, each of which halves their number. */
static void check_aging(uint64_t work, const unsigned expected[4])
{
    dfpn_table table = make_table(SMALL_BYTES, false);
    size_t count = ply_dfpn_table_reserve(&table, UINT64_MAX);
    for (uint64_t i = 0; i < count; i++)
        ply_dfpn_table_store(&table, key_of(i), 0, 3, 4, 1, work, false);
    for (int k = 0; k < 4; k++) {
        size_t slot = 0, listed = 0;
        for (const dfpn_entry *e; (e = ply_dfpn_table_next(&table, &slot)) != NULL; listed++)
            assert_int_equal(e->work, expected[k]);
        assert_int_equal(listed, count);
        assert_int_equal(table.count, count);
        ply_dfpn_table_make_room(&table);
        count -= count / 2;
    }
    ply_dfpn_table_free(&table);
}

static void test_aging(void **state)
{
    (void)state;
    check_aging(7, (const unsigned[]){7, 3, 1, 0});
    check_aging(4, (const unsigned[]){4, 2, 1, 0});
    check_aging(16, (const unsigned[]){16, 12, 8, 4});
}

static dfpn_entry entry_of(uint32_t i)
{
    return (dfpn_entry){.key = key_of(i),
                        .resources = i % 3,
                        .proof = i + 1,
                        .disproof = NUMBER_INF - i,
                        .won_in = (uint16_t)(i % 4 ? 1 + 2 * (i % 50) : PLIES_NONE),
                        .not_won_in = (uint16_t)(i % 5 ? i % 60 : PLIES_ANY + 1),
                        .depth = (uint16_t)(i % 4000),
                        .work = (uint16_t)(i % WORK_CODES)};
}

/* Reads a checkpoint of entry_of(0) to entry_of(count - 1). */
static void check_checkpoint(memory_file *file, const checkpoint_problem *problem,
                             const checkpoint_problem *plain, uint32_t count)
{
    dfpn_table table = make_table(LARGE_BYTES, false);
    ply_proof_source source = {.read = memory_read, .context = file, .size = file->count};
    ply_error error = {0};
    if (ply_checkpoint_read(&table, problem, plain, &source, &error) != PLY_OK)
        fail_msg("%s", error.message);
    size_t slot = 0, listed = 0;
    for (const dfpn_entry *e; (e = ply_dfpn_table_next(&table, &slot)) != NULL; listed++) {
        dfpn_entry expected = entry_of(e->proof - 1);
        /* Where other plies count, that there is no win of some length means nothing. */
        if (problem != plain && expected.not_won_in != PLIES_ANY + 1)
            expected.not_won_in = 0;
        assert_memory_equal(e, &expected, sizeof expected);
    }
    assert_int_equal(listed, count);
    ply_dfpn_table_free(&table);
}

/* A checkpoint has every entry as it is. */
static void test_checkpoints(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    dfpn_table table = make_table(LARGE_BYTES, false);
    assert_true(ply_dfpn_table_reserve(&table, COUNT) >= COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        dfpn_entry entry = entry_of(i);
        ply_dfpn_table_insert(&table, &entry);
    }
    checkpoint_problem plain = {.text = "plain", .text_bytes = 5, .key = 3, .resources = 4};
    checkpoint_problem composed = {.text = "composed", .text_bytes = 8, .key = 3, .resources = 4};
    memory_file file = {0};
    assert_int_equal(ply_checkpoint_write(&table, &plain, memory_sink, &file), PLY_OK);
    check_checkpoint(&file, &plain, &plain, COUNT);
    check_checkpoint(&file, &composed, &plain, COUNT);
    free(file.bytes);
    ply_dfpn_table_free(&table);
}

static void test_path_failures(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        dfpn_table table = make_table(LARGE_BYTES, shared);
        assert_int_equal(ply_dfpn_table_probe_path_failure(&table, 40, 1), 0);
        ply_dfpn_table_store_path_failure(&table, 40, 3, 9);
        assert_int_equal(ply_dfpn_table_probe_path_failure(&table, 40, 9), 3);
        assert_int_equal(ply_dfpn_table_probe_path_failure(&table, 40, 1), 3);
        assert_int_equal(ply_dfpn_table_probe_path_failure(&table, 40, 10), 0);
        assert_int_equal(ply_dfpn_table_probe_path_failure(&table, 42, 1), 0);
        /* Those of an earlier run do not count, however many runs there are. */
        for (int run = 0; run < (shared ? 3 : UINT16_MAX + 2); run++) {
            assert_true(ply_dfpn_table_reset(&table));
            assert_int_equal(ply_dfpn_table_probe_path_failure(&table, 40, 1), 0);
        }
        ply_dfpn_table_store_path_failure(&table, 40, 3, 9);
        assert_int_equal(ply_dfpn_table_probe_path_failure(&table, 40, 9), 3);
        /* As many as there is memory for; most of a thousand do not collide. */
        unsigned kept = 0;
        for (uint64_t i = 1; i <= 1000; i++)
            ply_dfpn_table_store_path_failure(&table, 2 * i, (uint32_t)i, 5);
        for (uint64_t i = 1; i <= 1000; i++)
            kept += ply_dfpn_table_probe_path_failure(&table, 2 * i, 5) == i;
        assert_true(kept > 950);
        ply_dfpn_table_free(&table);
        ply_dfpn_table_free(&table); /* which is harmless */
    }
}

/* Counts are compared one by one: random words against a plain loop. */
static void test_resources(void **state)
{
    (void)state;
    ply_rng rng = ply_rng_make(71, 1);
    int covered = 0;
    for (int round = 0; round < 20000; round++) {
        uint64_t a = 0, b = 0;
        bool covers = true;
        for (int i = 0; i < 8; i++) {
            uint64_t x = ply_rng_below(&rng, 4), y = ply_rng_below(&rng, round % 2 ? 2 : 4);
            x = x == 3 ? RESOURCE_ANY : x;
            a |= x << (8 * i);
            b |= y << (8 * i);
            covers = covers && x >= y;
            assert_int_equal(resource_at(a, i), x);
        }
        assert_int_equal(resources_cover(a, b), covers);
        covered += covers;
        assert_true(resources_cover(resources_max(a, b), a));
        assert_true(resources_cover(resources_max(a, b), b));
        assert_true(resources_cover(a, resources_min(a, b)));
        assert_true(resources_cover(b, resources_min(a, b)));
        assert_int_equal(resources_max(a, b) + resources_min(a, b), a + b);
        assert_int_equal(resources_before_move(a, b, b), a);
    }
    assert_true(covered > 100);
    /* A piece spent is needed before the move, one gained is not; any number stays any number. */
    assert_int_equal(resources_before_move(0x7F0302, 0x020202, 0x010103), 0x7F0401);
    assert_int_equal(resources_before_move(0x7F0300, 0x020202, 0x010103), 0x7F0400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_results),
        cmocka_unit_test(test_growth),      cmocka_unit_test(test_size),
        cmocka_unit_test(test_eviction),    cmocka_unit_test(test_aging),
        cmocka_unit_test(test_checkpoints), cmocka_unit_test(test_path_failures),
        cmocka_unit_test(test_resources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
