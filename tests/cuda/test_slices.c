/* SPDX-License-Identifier: MIT */
/* test_slices.c - tablebases built and verified by kernels that run on the host, against those of the
 * library. */
#include "support/endings.h"
#include "support/support.h"
#include "tablebase/file.h"
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
    if (ply_tablebase_verify(&rules, &job, &error) != PLY_OK)
        fail_msg("%s", error.message);
    snprintf(command, sizeof command, "diff -r %s %s && ls %s/*/* | grep -q plt && rm -r %s %s",
             dir, other, dir, dir, other);
    assert_int_equal(system(command), 0);
}

/* The values of a file, one of them changed. */
typedef struct altered_values {
    const uint8_t *values;
    uint64_t at;
} altered_values;

static void altered_source(void *context, uint64_t first, size_t count, uint16_t *out)
{
    const altered_values *a = context;
    for (size_t i = 0; i < count; i++)
        out[i] = (uint16_t)(a->values[first + i] + 2 * (first + i == a->at));
}

/* Writes the file of a class anew: value number `at` is wrong, all checksums are right. */
static void alter_value(const char *path, const tablebase_header *header, const uint8_t *values,
                        uint64_t at)
{
    altered_values altered = {values, at};
    ply_workers *workers = ply_workers_start(1);
    assert_int_equal(
        ply_tablebase_file_write(path, header, altered_source, &altered, workers, 1, NULL, NULL),
        PLY_OK);
    ply_workers_stop(workers);
}

/* On the device, verification finds the same wrong value as on the host. */
static void find_wrong_values(const char *game, const char *up_to, const char *file_name)
{
    ply_rules rules;
    ply_error error[2];
    char dir[200], path[300];
    test_make_rules(&rules, game, NULL);
    if (!ply_tablebase_available(&rules))
        skip();
    test_folder_make(dir, sizeof dir);
    test_build(&rules, dir, up_to, 1, 0);
    snprintf(path, sizeof path, "%s/%s", dir, file_name);
    tablebase_file file;
    assert_int_equal(ply_tablebase_file_open(&file, path, NULL), PLY_OK);
    tablebase_header header = file.header;
    assert_int_equal(header.value_bytes, 1);
    uint8_t *values = malloc((size_t)header.slots);
    tablebase_unpacker *unpacker = ply_tablebase_unpacker_new();
    assert_int_equal(
        ply_tablebase_file_range(&file, unpacker, 0, (size_t)header.slots, values, path, NULL),
        PLY_OK);
    ply_tablebase_unpacker_free(unpacker);
    ply_tablebase_file_close(&file);
    for (uint64_t at = 3; at < header.slots; at += header.slots / 4) {
        alter_value(path, &header, values, at);
        ply_tablebase_job job = {.dir = dir, .up_to = up_to};
        assert_int_equal(ply_tablebase_verify(&rules, &job, &error[0]), PLY_BAD_POSITION);
        job.device = PLY_DEVICE_CUDA;
        assert_int_equal(ply_tablebase_verify(&rules, &job, &error[1]), PLY_BAD_POSITION);
        assert_non_null(strstr(error[1].message, "does not follow from its moves"));
        assert_string_equal(error[0].message, error[1].message);
    }
    header.wins++;
    alter_value(path, &header, values, UINT64_MAX);
    ply_tablebase_job job = {.dir = dir, .up_to = up_to, .device = PLY_DEVICE_CUDA};
    assert_int_equal(ply_tablebase_verify(&rules, &job, &error[0]), PLY_BAD_POSITION);
    assert_non_null(strstr(error[0].message, "the counts in the header do not match"));
    free(values);
    test_folder_remove(dir);
}

static void test_wrong_values(void **state)
{
    (void)state;
    find_wrong_values("neighbours", "2v2", "neighbours/slide/2v1.plt");
    find_wrong_values("checkers", "3", "checkers/english/1m1kv1m0k.plt");
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
        cmocka_unit_test(test_wrong_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
