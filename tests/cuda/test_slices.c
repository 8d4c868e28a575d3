/* SPDX-License-Identifier: MIT */
/* test_slices.c - tablebases built by kernels that run on the host, against those of the library. */
#include "support/support.h"
#include <plyverse/tablebase.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Builds the same tablebases with and without a device, and compares the folders. */
static void compare_builds(const char *game, const char *variant, const char *up_to)
{
    ply_rules rules;
    ply_error error;
    test_make_rules(&rules, game, variant);
    if (!ply_tablebase_available(&rules))
        skip();
    char dir[] = "/tmp/plyverse-cuda-XXXXXX", other[] = "/tmp/plyverse-cuda-XXXXXX", command[256];
    assert_non_null(mkdtemp(dir));
    assert_non_null(mkdtemp(other));
    ply_tablebase_job job = {.dir = dir, .up_to = up_to};
    assert_int_equal(ply_tablebase_build(&rules, &job, &error), PLY_OK);
    job.dir = other;
    job.device = PLY_DEVICE_CUDA;
    if (ply_tablebase_build(&rules, &job, &error) != PLY_OK)
        fail_msg("%s", error.message);
    assert_int_equal(ply_tablebase_verify(&rules, &job, &error), PLY_OK);
    snprintf(command, sizeof command, "diff -r %s %s && ls %s/*/* | grep -q plt && rm -r %s %s",
             dir, other, dir, dir, other);
    assert_int_equal(system(command), 0);
}

static void test_neighbours(void **state)
{
    (void)state;
    compare_builds("neighbours", "slide", "2v3");
    compare_builds("neighbours", "jump", "2v2");
}

static void test_checkers(void **state)
{
    (void)state;
    compare_builds("checkers", "english", "3");
    compare_builds("checkers", "russian", "3");
    compare_builds("checkers", "italian", "3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_checkers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
