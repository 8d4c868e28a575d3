/* SPDX-License-Identifier: MIT */
/*
 * test_file.c - the file format: files round-trip, and truncated, altered or foreign files are
 * rejected.
 */
#include "support/endings.h"
#include "tablebase/file.h"
#include <errno.h>
#include <unistd.h>

typedef struct sample {
    uint64_t count;
    unsigned limit; /* values are below it */
} sample;

static uint16_t sample_value(const sample *s, uint64_t i)
{
    return (uint16_t)((i * 2654435761u >> 7) % s->limit);
}

static void sample_source(void *context, uint64_t first, size_t count, uint16_t *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = sample_value(context, first + i);
}

static void write_sample(const char *path, sample *s)
{
    tablebase_header header = {.kind = TABLEBASE_FINISHED,
                               .value_bytes = s->limit > 256 ? 2 : 1,
                               .slots = s->count,
                               .wins = 1,
                               .losses = 2,
                               .draws = 3,
                               .longest = 4,
                               .longest_slot = s->count - 1,
                               .phase = 5,
                               .progress = 6,
                               .game = "neighbours",
                               .class_name = "1v1",
                               .rules = "slide"};
    ply_workers *workers = ply_workers_start(2);
    ply_error error = {0};
    if (ply_tablebase_file_write(path, &header, sample_source, s, workers, 3, NULL, &error) !=
        PLY_OK)
        fail_msg("%s", error.message);
    ply_workers_stop(workers);
}

static unsigned char *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void write_whole(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Whether a file can be read to the end. */
static bool reads(const unsigned char *bytes, size_t size, ply_error *error)
{
    tablebase_file file;
    *error = (ply_error){0};
    if (ply_tablebase_file_read(&file, bytes, size, "FILE", error) != PLY_OK)
        return false;
    tablebase_unpacker *unpacker = ply_tablebase_unpacker_new();
    uint16_t values[TABLEBASE_BLOCK_VALUES];
    bool good = true;
    for (uint64_t i = 0; i < file.block_count && good; i++)
        good = ply_tablebase_file_block(&file, unpacker, i, values, "FILE", error) == PLY_OK;
    ply_tablebase_unpacker_free(unpacker);
    return good;
}

static void test_round_trip(void **state)
{
    (void)state;
    static const sample samples[] = {
        {1, 7}, {TABLEBASE_BLOCK_VALUES, 200}, {100000, 256}, {70000, 511}};
    char dir[200], path[256];
    test_folder_make(dir, sizeof dir);
    snprintf(path, sizeof path, "%s/x.plt", dir);
    for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
        sample s = samples[k];
        write_sample(path, &s);
        tablebase_file file;
        ply_error error = {0};
        assert_int_equal(ply_tablebase_file_open(&file, path, &error), PLY_OK);
        assert_int_equal(file.header.slots, s.count);
        assert_int_equal(file.header.wins, 1);
        assert_int_equal(file.header.losses, 2);
        assert_int_equal(file.header.draws, 3);
        assert_int_equal(file.header.longest, 4);
        assert_int_equal(file.header.longest_slot, s.count - 1);
        assert_int_equal(file.header.phase, 5);
        assert_int_equal(file.header.progress, 6);
        assert_string_equal(file.header.game, "neighbours");
        assert_string_equal(file.header.class_name, "1v1");
        assert_string_equal(file.header.rules, "slide");
        tablebase_unpacker *unpacker = ply_tablebase_unpacker_new();
        for (uint64_t b = 0; b < file.block_count; b++) {
            uint16_t wide[TABLEBASE_BLOCK_VALUES];
            uint8_t narrow[2 * TABLEBASE_BLOCK_VALUES];
            bool two = file.header.value_bytes == 2;
            assert_int_equal(two, s.limit > 256);
            assert_int_equal(ply_tablebase_file_block(&file, unpacker, b,
                                                      two ? (void *)wide : narrow, path, &error),
                             PLY_OK);
            for (size_t i = 0; i < tablebase_block_count(&file, b); i++)
                assert_int_equal(two ? wide[i] : narrow[i],
                                 sample_value(&s, b * TABLEBASE_BLOCK_VALUES + i));
        }
        ply_tablebase_unpacker_free(unpacker);
        ply_tablebase_file_close(&file);
        snprintf(path, sizeof path, "%s/x.plt.tmp", dir);
        assert_int_not_equal(access(path, F_OK), 0);
        snprintf(path, sizeof path, "%s/x.plt", dir);
    }
    test_folder_remove(dir);
}

/* A file is rejected whichever of its bytes is altered. */
static void test_altered(void **state)
{
    (void)state;
    char dir[200], path[256];
    test_folder_make(dir, sizeof dir);
    snprintf(path, sizeof path, "%s/x.plt", dir);
    sample s = {TABLEBASE_BLOCK_VALUES + 300, 3};
    write_sample(path, &s);
    size_t size;
    unsigned char *bytes = read_whole(path, &size);
    ply_error error;
    assert_true(reads(bytes, size, &error));
    size_t step = test_is_long() ? 1 : 7;
    for (size_t i = 0; i < size; i += i < TABLEBASE_HEADER_BYTES || i + 60 > size ? 1 : step)
        for (int k = 0; k < 3; k++) {
            static const unsigned char changes[] = {1, 0x80, 0xFF};
            bytes[i] ^= changes[k];
            assert_false(reads(bytes, size, &error));
            assert_int_equal(error.status, PLY_IO);
            assert_memory_equal(error.message, "FILE: ", 6);
            bytes[i] ^= changes[k];
        }
    /* A heap copy of exactly that size lets sanitizers catch reads past the end. */
    for (size_t cut = 0; cut < size; cut += cut < TABLEBASE_HEADER_BYTES + 32 ? 1 : step * 5) {
        unsigned char *copy = malloc(cut ? cut : 1);
        memcpy(copy, bytes, cut);
        assert_false(reads(copy, cut, &error));
        assert_int_equal(error.status, PLY_IO);
        free(copy);
    }
    unsigned char *longer = malloc(size + 1);
    memcpy(longer, bytes, size);
    longer[size] = 0;
    assert_false(reads(longer, size + 1, &error));
    assert_non_null(strstr(error.message, "its header says"));
    free(longer);
    free(bytes);
    test_folder_remove(dir);
}

static void expect_rejection(const ply_rules *rules, const char *dir, const char *words)
{
    ply_tablebase *tablebase;
    ply_error error = {0};
    assert_int_equal(ply_tablebase_open(rules, dir, 0, &tablebase, &error), PLY_IO);
    assert_null(tablebase);
    if (!strstr(error.message, words))
        fail_msg("'%s' does not say '%s'", error.message, words);
}

/* Which files a folder may contain, and how others are rejected. */
static void test_folder(void **state)
{
    (void)state;
    ply_rules rules;
    char dir[200], one[300], other[300], checkpoint[300];
    test_make_rules(&rules, "neighbours", "slide");
    test_folder_make(dir, sizeof dir);
    ply_tablebase *tablebase;
    assert_int_equal(ply_tablebase_open(&rules, dir, 0, &tablebase, NULL), PLY_OK);
    assert_int_equal(ply_tablebase_count(tablebase), 0);
    ply_tablebase_close(tablebase);
    test_build(&rules, dir, "2v1", 1, 0);
    snprintf(one, sizeof one, "%s/neighbours/slide/1v1.plt", dir);
    snprintf(other, sizeof other, "%s/neighbours/slide/2v1.plt", dir);
    size_t size, other_size;
    unsigned char *bytes = read_whole(one, &size), *foreign = read_whole(other, &other_size);

    write_whole(one, "PLYTAB", 6);
    expect_rejection(&rules, dir, "not a Plyverse tablebase file");
    write_whole(one, "", 0);
    expect_rejection(&rules, dir, "not a Plyverse tablebase file");
    write_whole(one, bytes, 100);
    expect_rejection(&rules, dir, "truncated within the header");
    write_whole(one, bytes, size - 1);
    expect_rejection(&rules, dir, "its header says");
    write_whole(one, foreign, other_size);
    expect_rejection(&rules, dir, "a file for neighbours slide 2v1, not for neighbours slide 1v1");
    bytes[8] = 9;
    write_whole(one, bytes, size);
    expect_rejection(&rules, dir, "format version 9");
    bytes[8] = 1;
    bytes[100] ^= 1;
    write_whole(one, bytes, size);
    expect_rejection(&rules, dir, "the header's checksum is wrong");
    bytes[100] ^= 1;
    bytes[size - 3] ^= 1;
    write_whole(one, bytes, size);
    expect_rejection(&rules, dir, "the index's checksum is wrong");
    bytes[size - 3] ^= 1;
    snprintf(checkpoint, sizeof checkpoint, "%s/neighbours/slide/7v1.plt", dir);
    write_whole(one, bytes, size);
    write_whole(checkpoint, bytes, size);
    expect_rejection(&rules, dir, "not named after a class");
    remove(checkpoint);

    /* A block is checked only when it is probed. */
    bytes[520] ^= 1;
    write_whole(one, bytes, size);
    assert_int_equal(ply_tablebase_open(&rules, dir, 0, &tablebase, NULL), PLY_OK);
    ply_state s;
    ply_tablebase_value value;
    ply_error error = {0};
    test_make_state(&s, &rules, "6/6/6/6/6/wb4 w");
    assert_false(ply_tablebase_error(tablebase, &error));
    assert_false(ply_tablebase_probe(tablebase, s.position, &value));
    assert_true(ply_tablebase_error(tablebase, &error));
    assert_string_equal(error.message, "1v1: the checksum of block 0 is wrong");
    ply_tablebase_close(tablebase);
    ply_state_free(&s);
    ply_tablebase_job job = {.dir = dir, .up_to = "2v1"};
    assert_int_equal(ply_tablebase_verify(&rules, &job, &error), PLY_IO);
    assert_non_null(strstr(error.message, "the checksum of block 0 is wrong"));
    free(bytes);
    free(foreign);
    test_folder_remove(dir);
}

/* The values of a valid file, one of them changed. */
typedef struct altered_values {
    const unsigned char *values;
    uint64_t at;
} altered_values;

static void altered_source(void *context, uint64_t first, size_t count, uint16_t *out)
{
    const altered_values *l = context;
    for (size_t i = 0; i < count; i++)
        out[i] = (uint16_t)(l->values[first + i] + 2 * (first + i == l->at));
}

/* Verification finds a wrong value in a file whose checksums are right. */
static void test_verify_finds_wrong_values(void **state)
{
    (void)state;
    ply_rules rules;
    char dir[200], path[300];
    test_make_rules(&rules, "neighbours", "slide");
    test_folder_make(dir, sizeof dir);
    test_build(&rules, dir, "2v2", 1, 0);
    snprintf(path, sizeof path, "%s/neighbours/slide/2v1.plt", dir);
    size_t size;
    unsigned char *bytes = read_whole(path, &size);
    tablebase_file file;
    assert_int_equal(ply_tablebase_file_read(&file, bytes, size, path, NULL), PLY_OK);
    tablebase_unpacker *unpacker = ply_tablebase_unpacker_new();
    unsigned char values[2 * TABLEBASE_BLOCK_VALUES];
    assert_int_equal(file.block_count, 1);
    assert_int_equal(ply_tablebase_file_block(&file, unpacker, 0, values, path, NULL), PLY_OK);
    ply_tablebase_unpacker_free(unpacker);
    ply_workers *workers = ply_workers_start(1);
    ply_tablebase_job job = {.dir = dir, .up_to = "2v2"};
    ply_error error = {0};
    assert_int_equal(ply_tablebase_verify(&rules, &job, &error), PLY_OK);
    for (uint64_t at = 3; at < file.header.slots; at += file.header.slots / 7) {
        altered_values l = {values, at};
        assert_int_equal(ply_tablebase_file_write(path, &file.header, altered_source, &l, workers,
                                                  1, NULL, &error),
                         PLY_OK);
        assert_int_equal(ply_tablebase_verify(&rules, &job, &error), PLY_BAD_POSITION);
        assert_non_null(strstr(error.message, "does not follow from its moves"));
    }
    /* Correct values with a wrong count. */
    altered_values unaltered = {values, UINT64_MAX};
    tablebase_header header = file.header;
    header.draws++;
    assert_int_equal(ply_tablebase_file_write(path, &header, altered_source, &unaltered, workers, 1,
                                              NULL, &error),
                     PLY_OK);
    assert_int_equal(ply_tablebase_verify(&rules, &job, &error), PLY_BAD_POSITION);
    assert_non_null(strstr(error.message, "counts in the header"));
    ply_workers_stop(workers);
    free(bytes);
    test_folder_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_altered),
        cmocka_unit_test(test_folder), cmocka_unit_test(test_verify_finds_wrong_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
