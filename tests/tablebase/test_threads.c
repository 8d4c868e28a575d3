/* SPDX-License-Identifier: MIT */
/*
 * test_threads.c - builds do not depend on threads, memory, or interruptions; several threads ask
 * one set of tables.
 */
#include "core/hash.h"
#include "tablebase/endings.h"
#include <dirent.h>
#include <limits.h>
#include <pthread.h>

/* A number that changes with any byte or name of the files in a folder. */
static uint64_t folder_sum(const char *dir, const char *below, size_t *files)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", dir, below);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    uint64_t total = 0;
    *files = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        uint64_t sum = 0;
        for (const char *c = entry->d_name; *c; c++)
            sum = ply_mix64(sum + (unsigned char)*c);
        char file_path[900];
        snprintf(file_path, sizeof file_path, "%s/%s", path, entry->d_name);
        FILE *file = fopen(file_path, "rb");
        assert_non_null(file);
        for (int c; (c = getc(file)) != EOF;)
            sum = ply_mix64(sum + 256 + (unsigned)c);
        fclose(file);
        total += sum;
        ++*files;
    }
    closedir(folder);
    return total;
}

typedef struct stopper {
    ply_progress progress;
    uint64_t after; /* positions */
    bool done;
} stopper;

/* Asks the build to stop once it has done so many positions. */
static void *stop_later(void *context)
{
    stopper *s = context;
    while (!__atomic_load_n(&s->done, __ATOMIC_RELAXED) &&
           ply_progress_read(&s->progress).units < s->after)
        sched_yield();
    ply_progress_stop(&s->progress);
    return NULL;
}

static ply_status build_a_while(const ply_rules *rules, ply_tablebase_job *job, uint64_t after)
{
    stopper s = {.after = after};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_later, &s), 0);
    job->progress = &s.progress;
    ply_error error = {0};
    ply_status status = ply_tablebase_build(rules, job, &error);
    __atomic_store_n(&s.done, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    if (status != PLY_OK)
        assert_int_equal(status, PLY_STOPPED);
    return status;
}

static void test_same_bytes(void **state)
{
    (void)state;
    static const char *const games[][3] = {{"neighbours", "slide", "3v1"},
                                           {"checkers", "english", "3"}};
    for (int g = 0; g < 2; g++) {
        ply_rules rules;
        char plain[200], other[200], below[100];
        size_t files, files_there;
        test_make_rules(&rules, games[g][0], games[g][1]);
        snprintf(below, sizeof below, "%s/%s", games[g][0], games[g][1]);
        test_folder_make(plain, sizeof plain);
        test_build(&rules, plain, games[g][2], 1, 0);
        uint64_t sum = folder_sum(plain, below, &files);
        assert_int_equal(files, g == 0 ? 5 : 16);

        /* On three threads; and in a mebibyte, where most of the work is in files. */
        for (size_t memory = 0; memory < 2; memory++) {
            test_folder_make(other, sizeof other);
            test_build(&rules, other, games[g][2], 3, memory);
            assert_true(folder_sum(other, below, &files_there) == sum);
            assert_int_equal(files_there, files);
            test_folder_remove(other);
        }

        /* Stopped over and over, a little later each time. */
        test_folder_make(other, sizeof other);
        ply_tablebase_job job = {.dir = other, .up_to = games[g][2], .threads = 2};
        int rounds = 0;
        for (uint64_t after = 1; build_a_while(&rules, &job, after) == PLY_STOPPED; rounds++)
            after = 1 + after * 5 / 4;
        assert_true(rounds > 2);
        assert_true(folder_sum(other, below, &files_there) == sum);
        assert_int_equal(files_there, files);
        test_folder_remove(other);
        test_folder_remove(plain);
    }
}

/* A checkpoint that is damaged is refused, not used. */
static void test_damaged_checkpoint(void **state)
{
    (void)state;
    ply_rules rules;
    char dir[200], path[300];
    test_make_rules(&rules, "neighbours", "slide");
    test_folder_make(dir, sizeof dir);
    ply_tablebase_job job = {.dir = dir, .up_to = "1v1", .threads = 1};
    ply_progress stopped = {.stop = 1};
    job.progress = &stopped;
    assert_int_equal(ply_tablebase_build(&rules, &job, NULL), PLY_STOPPED);
    snprintf(path, sizeof path, "%s/neighbours/slide/1v1.part", dir);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, 520, SEEK_SET);
    int c = getc(file);
    fseek(file, 520, SEEK_SET);
    putc(c ^ 4, file);
    fclose(file);
    ply_error error = {0};
    job.progress = NULL;
    assert_int_equal(ply_tablebase_build(&rules, &job, &error), PLY_IO);
    assert_non_null(strstr(error.message, "1v1.part: the sum of block 0 is wrong"));
    remove(path);
    assert_int_equal(ply_tablebase_build(&rules, &job, &error), PLY_OK);
    /* One that is left over from a build killed at its very end goes away. */
    file = fopen(path, "wb");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(ply_tablebase_build(&rules, &job, &error), PLY_OK);
    assert_null(fopen(path, "rb"));
    test_folder_remove(dir);
}

/* --- asking from several threads ------------------------------------------------------------ */
typedef struct asker {
    ply_tablebase *tables;
    const endings *e;
    unsigned seed;
    uint64_t wrong;
} asker;

static void *ask(void *context)
{
    asker *a = context;
    ply_rng rng = ply_rng_make(5, a->seed);
    char position[256];
    for (int i = 0; i < 20000; i++) {
        uint64_t n = ply_rng_next(&rng) % a->e->total;
        ply_tablebase_value value = {PLY_TABLEBASE_DRAW, 0};
        size_t class_index = a->e->class_of[n];
        a->e->rules.indexing->unrank(&a->e->rules, class_index, n - a->e->first[class_index],
                                     position);
        int plies = ply_tablebase_probe(a->tables, position, &value) ? value.plies : -2;
        if (value.result == PLY_TABLEBASE_DRAW && plies == 0)
            plies = -1;
        a->wrong += plies != a->e->plies[n];
    }
    return NULL;
}

static bool three_pieces(unsigned own, unsigned other, unsigned limit)
{
    return own + other <= limit;
}

static void test_probing(void **state)
{
    (void)state;
    char dir[200];
    endings e;
    endings_solve(&e, "checkers", "english", three_pieces, 3);
    test_folder_make(dir, sizeof dir);
    test_build(&e.rules, dir, "3", 1, 0);
    asker askers[3];
    pthread_t threads[3];
    ply_tablebase *tables;
    assert_int_equal(ply_tablebase_open(&e.rules, dir, 1, &tables, NULL), PLY_OK);
    for (unsigned i = 0; i < 3; i++) {
        askers[i] = (asker){.tables = tables, .e = &e, .seed = i};
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(askers[i].wrong, 0);
    }
    ply_tablebase_close(tables);
    endings_free(&e);
    test_folder_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bytes),
                                       cmocka_unit_test(test_damaged_checkpoint),
                                       cmocka_unit_test(test_probing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
