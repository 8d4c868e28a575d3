/* SPDX-License-Identifier: MIT */
/* test_index.c - symmetries, numbers of positions, and predecessors against forward moves. */
#include "games/neighbours/neighbours.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

static void test_mirrors(void **state)
{
    (void)state;
    ply_rng rng = ply_rng_make(3, 0);
    for (int i = 0; i < 5000; i++) {
        uint64_t board = ply_rng_next(&rng) & NEIGHBOURS_BOARD;
        uint64_t flipped = neighbours_flip_rows(board), mirrored = neighbours_mirror_files(board);
        for (int square = 0; square < NEIGHBOURS_SQUARES; square++) {
            int row = square / 6, file = square % 6;
            assert_int_equal(neighbours_get(flipped, (5 - row) * 6 + file),
                             neighbours_get(board, square));
            assert_int_equal(neighbours_get(mirrored, row * 6 + 5 - file),
                             neighbours_get(board, square));
        }
        assert_true(flipped <= NEIGHBOURS_BOARD && mirrored <= NEIGHBOURS_BOARD);
    }
}

/* The four images of a position have one base state, which has White to play. */
static void test_base_state(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "neighbours", NULL);
    ply_rng rng = ply_rng_make(4, 0);
    for (int i = 0; i < 2000; i++) {
        neighbours_position p, image, base, other;
        size_t class_index = 8 + ply_rng_below(&rng, 40);
        uint64_t size = neighbours_class_size(&rules, class_index);
        assert_int_equal(neighbours_unrank(&rules, class_index, ply_rng_next(&rng) % size, &p),
                         PLY_OK);
        neighbours_canonical(&rules, &p, &base);
        assert_int_equal(base.side, 0);
        assert_true(base.current <= neighbours_mirror_files(base.current));
        for (uint32_t k = 0; k < 4; k++) {
            neighbours_image(&rules, &p, k, &image);
            neighbours_canonical(&rules, &image, &other);
            assert_memory_equal(&base, &other, sizeof base);
            assert_true(neighbours_perft(&rules, &image, 3, 0) ==
                        neighbours_perft(&rules, &p, 3, 0));
        }
    }
}

/* Class sizes are products of binomials, and positions are numbered without gaps. */
static void test_rank(void **state)
{
    (void)state;
    ply_rules rules;
    test_make_rules(&rules, "neighbours", NULL);
    char name[16];
    ply_text text = ply_text_fixed(name, sizeof name);
    neighbours_class_name(&rules, 2 * 7 + 3, &text);
    assert_string_equal(name, "2v3");
    assert_true(neighbours_class_size(&rules, 1 * 7 + 1) == 36 * 35);
    assert_true(neighbours_class_size(&rules, 2 * 7 + 2) == 353430);
    assert_true(neighbours_class_size(&rules, 6 * 7 + 6) == 1947792ull * 593775ull);
    for (size_t class_index = 0; class_index < neighbours_class_count(&rules); class_index++) {
        uint64_t size = neighbours_class_size(&rules, class_index);
        uint64_t step = size < 400000 ? 1 : size / 1000;
        for (uint64_t number = 0; number < size; number += step) {
            neighbours_position p;
            size_t same_class;
            uint64_t same_number;
            assert_int_equal(neighbours_unrank(&rules, class_index, number, &p), PLY_OK);
            assert_true((p.current & p.next) == 0);
            neighbours_rank(&rules, &p, &same_class, &same_number);
            assert_true(same_class == class_index && same_number == number);
        }
        neighbours_position p;
        assert_int_equal(neighbours_unrank(&rules, class_index, size, &p), PLY_LIMIT);
    }
}

/*
 * Over whole classes: the number of predecessors of a position equals the number of positions with
 * a move to it, counted by playing every move of every position.
 */
static void check_predecessors(const char *variant, int own, int enemy)
{
    ply_rules rules;
    test_make_rules(&rules, "neighbours", variant);
    size_t target = (size_t)(own * 7 + enemy);
    uint64_t size = neighbours_class_size(&rules, target);
    uint32_t *forward = calloc(size, sizeof *forward);
    neighbours_position *before = malloc(rules.max_predecessors * sizeof *before);
    /* The player who moved had `enemy` pieces; the opponent had `own` pieces or one more. */
    for (int captured = 0; captured <= (own < 6); captured++) {
        size_t source = (size_t)(enemy * 7 + own + captured);
        for (uint64_t number = 0; number < neighbours_class_size(&rules, source); number++) {
            neighbours_position p, undo;
            ply_move moves[NEIGHBOURS_MAX_MOVES];
            neighbours_unrank(&rules, source, number, &p);
            size_t count = neighbours_moves(&rules, &p, moves);
            for (size_t i = 0; i < count; i++) {
                size_t class_index;
                uint64_t reached;
                neighbours_play(&rules, &p, moves[i], &undo);
                neighbours_rank(&rules, &p, &class_index, &reached);
                if (class_index == target)
                    forward[reached]++;
                neighbours_undo(&rules, &p, moves[i], &undo);
            }
        }
    }
    for (uint64_t number = 0; number < size; number++) {
        neighbours_position p;
        neighbours_unrank(&rules, target, number, &p);
        size_t count = neighbours_predecessors(&rules, &p, before);
        assert_true(count <= rules.max_predecessors);
        assert_int_equal(count, forward[number]);
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < i; k++)
                assert_memory_not_equal(&before[i], &before[k], sizeof before[i]);
    }
    free(before);
    free(forward);
}

static void test_predecessors(void **state)
{
    (void)state;
    check_predecessors("slide", 1, 1);
    check_predecessors("slide", 1, 2);
    check_predecessors("slide", 2, 1);
    check_predecessors("jump", 1, 2);
    check_predecessors("jump", 2, 1);
    if (test_is_long())
        check_predecessors("slide", 2, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mirrors),
        cmocka_unit_test(test_base_state),
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_predecessors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
