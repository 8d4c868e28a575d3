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

/* Whether two files have the same bytes. */
static bool same_files(const char *dir, const char *other, const char *class_name)
{
    char command[256];
    snprintf(command, sizeof command, "cmp %s/neighbours/slide/%s.plt %s/neighbours/slide/%s.plt",
             dir, class_name, other, class_name);
    return system(command) == 0;
}

static void test_files(void **state)
{
    (void)state;
    ply_rules rules;
    ply_error error;
    test_make_rules(&rules, "neighbours", "slide");
    if (!ply_tablebase_available(&rules))
        skip();
    char dir[] = "/tmp/plyverse-cuda-XXXXXX", other[] = "/tmp/plyverse-cuda-XXXXXX", command[64];
    assert_non_null(mkdtemp(dir));
    assert_non_null(mkdtemp(other));
    ply_tablebase_job job = {.dir = dir, .up_to = "2v3"};
    assert_int_equal(ply_tablebase_build(&rules, &job, &error), PLY_OK);
    job.dir = other;
    job.device = PLY_TABLEBASE_CUDA;
    if (ply_tablebase_build(&rules, &job, &error) != PLY_OK)
        fail_msg("%s", error.message);
    assert_int_equal(ply_tablebase_verify(&rules, &job, &error), PLY_OK);
    static const char *const names[] = {"1v1", "1v2", "2v1", "1v3", "3v1", "2v2", "2v3", "3v2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(same_files(dir, other, names[i]));
    snprintf(command, sizeof command, "rm -r %s %s", dir, other);
    assert_int_equal(system(command), 0);
    test_make_rules(&rules, "checkers", "english");
    job.up_to = "2";
    assert_non_null(mkdtemp(strcpy(other, "/tmp/plyverse-cuda-XXXXXX")));
    assert_int_equal(ply_tablebase_build(&rules, &job, &error), PLY_UNSUPPORTED);
    assert_string_equal(error.message, "cuda: no tablebases of checkers on devices");
    snprintf(command, sizeof command, "rm -r %s", other);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slide),
        cmocka_unit_test(test_jump),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
