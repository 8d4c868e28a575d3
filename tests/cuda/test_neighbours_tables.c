/* SPDX-License-Identifier: MIT */
/*
 * test_neighbours_tables.c - the two-bit tables of Neighbours, by kernels that run on the host,
 * against the values of the library's own tablebases.
 */
#include "cuda/neighbours_tables.h"
#include "support/support.h"
#include <plyverse/tablebase.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fixture {
    ply_cuda *cuda;
    neighbours_solver *solver;
    neighbours_numbering *numbering;
    ply_rules rules;
} fixture;

static void open_fixture(fixture *f, const char *variant, int own, int enemy)
{
    ply_error error;
    test_make_rules(&f->rules, "neighbours", variant);
    int path_rule = f->rules.option[NEIGHBOURS_OPTION_PATH];
    if (ply_cuda_open(&f->cuda, 0, NULL, &error) != PLY_OK ||
        neighbours_solver_open(&f->solver, f->cuda, path_rule, own, enemy, &error) != PLY_OK)
        fail_msg("%s", error.message);
    f->numbering = neighbours_numbering_open(path_rule);
    for (int k = 0; k < NEIGHBOURS_COUNTS; k++)
        assert_int_equal(neighbours_numbering_prepare(f->numbering, k <= enemy ? k : 0), PLY_OK);
    int a, b;
    for (size_t i = 0; neighbours_solver_slice(f->solver, i, &a, &b); i++)
        if (neighbours_solver_solve(f->solver, a, b, NULL, NULL, &error) != PLY_OK ||
            neighbours_solver_verify(f->solver, a, b, &error) != PLY_OK)
            fail_msg("%dv%d: %s", a, b, error.message);
}

static void close_fixture(fixture *f)
{
    neighbours_solver_close(f->solver);
    ply_cuda_close(f->cuda);
    neighbours_numbering_close(f->numbering);
}

/* Compares every column of every row with the tablebase. */
static void compare_class(fixture *f, ply_tablebase *tables, int own, int enemy)
{
    neighbours_planes p = neighbours_solver_planes(f->solver, own, enemy);
    size_t words = (size_t)p.rows * 2 * p.stride;
    uint32_t *copy = malloc(words * sizeof *copy);
    ply_error error;
    assert_int_equal(neighbours_solver_read(f->solver, own, enemy, 0, words, copy, &error), PLY_OK);
    p.words = copy;
    for (uint32_t row = 0; row < p.rows; row++)
        for (uint32_t column = 0; column < p.columns; column++) {
            neighbours_boards b = {.current =
                                       f->numbering->representative[own][row] & NEIGHBOURS_BOARD};
            b.next = numbering_enemy_set(f->numbering, b.current, enemy, column);
            neighbours_position position;
            ply_tablebase_value value;
            assert_int_equal(neighbours_position_make(&f->rules, &position, b), PLY_OK);
            assert_true(ply_tablebase_probe(tables, &position, &value));
            static const int expected[] = {[PLY_TABLEBASE_DRAW] = VALUE_DRAW,
                                           [PLY_TABLEBASE_WIN] = VALUE_WIN,
                                           [PLY_TABLEBASE_LOSS] = VALUE_LOSS};
            if (planes_value(&p, row, column) != expected[value.result])
                fail_msg("%dv%d row %u column %u", own, enemy, row, column);
        }
    free(copy);
}

/* Labels of a list with every position of a class and its eight images, and of what has none. */
static void check_labels(fixture *f, int own, int enemy)
{
    static const uint8_t expected[] = {
        [VALUE_DRAW] = LABEL_DRAW, [VALUE_WIN] = LABEL_WIN, [VALUE_LOSS] = LABEL_LOSS};
    neighbours_planes p = neighbours_solver_planes(f->solver, own, enemy);
    size_t count = (size_t)p.rows * p.columns;
    neighbours_pair *list = malloc(count * sizeof *list);
    uint8_t *labels = malloc(count);
    ply_error error;
    for (size_t i = 0; i < count; i++) {
        uint64_t set = f->numbering->representative[own][i / p.columns] & NEIGHBOURS_BOARD;
        uint64_t other = numbering_enemy_set(f->numbering, set, enemy, (uint32_t)(i % p.columns));
        unsigned image = (unsigned)i % NEIGHBOURS_IMAGES;
        list[i].own = numbering_image(f->numbering, image, set);
        list[i].enemy = numbering_image(f->numbering, image, other);
    }
    assert_int_equal(neighbours_solver_label(f->solver, list, count, labels, &error), PLY_OK);
    for (size_t i = 0; i < count; i++) {
        int value;
        assert_int_equal(neighbours_solver_value(f->solver, list[i], &value, &error), PLY_OK);
        assert_int_equal(labels[i], expected[value]);
    }
    const neighbours_pair unknown[] = {{0, 1},          {1, 0},     {3, 1},
                                       {1ull << 36, 1}, {~0ull, 0}, {0x3f, 0xfc0}};
    assert_int_equal(neighbours_solver_label(f->solver, unknown, 6, labels, &error), PLY_OK);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(labels[i], LABEL_UNKNOWN);
    assert_int_equal(neighbours_solver_label(f->solver, NULL, 0, labels, &error), PLY_OK);
    free(labels);
    free(list);
}

static void compare_variant(const char *variant, int own, int enemy)
{
    fixture f;
    ply_error error;
    test_make_rules(&f.rules, "neighbours", variant);
    if (!ply_tablebase_available(&f.rules))
        skip();
    char dir[] = "/tmp/plyverse-cuda-XXXXXX", up_to[8], command[64];
    assert_non_null(mkdtemp(dir));
    open_fixture(&f, variant, own, enemy);
    snprintf(up_to, sizeof up_to, "%dv%d", own, enemy);
    ply_tablebase_job job = {.dir = dir, .up_to = up_to};
    assert_int_equal(ply_tablebase_build(&f.rules, &job, &error), PLY_OK);
    ply_tablebase *tables;
    ply_tablebase_info *list;
    size_t count;
    assert_int_equal(ply_tablebase_open(&f.rules, dir, 0, &tables, &error), PLY_OK);
    assert_int_equal(ply_tablebase_list(&f.rules, dir, &list, &count, &error), PLY_OK);
    for (size_t i = 0; i < count; i++) {
        int a = list[i].name[0] - '0', b = list[i].name[2] - '0';
        const neighbours_class_report *r = neighbours_solver_report(f.solver, a, b);
        assert_non_null(r);
        assert_int_equal(r->values[VALUE_WIN], list[i].wins);
        assert_int_equal(r->values[VALUE_LOSS], list[i].losses);
        assert_int_equal(r->values[VALUE_DRAW], list[i].draws);
        assert_true(r->verified && r->longest <= list[i].longest);
        compare_class(&f, tables, a, b);
    }
    check_labels(&f, own, enemy);
    free(list);
    ply_tablebase_close(tables);
    snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0);
    close_fixture(&f);
}

static void test_slide(void **state)
{
    (void)state;
    compare_variant("slide", 2, 3);
}

static void test_jump(void **state)
{
    (void)state;
    compare_variant("jump", 2, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slide),
        cmocka_unit_test(test_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
