/* SPDX-License-Identifier: MIT */
/*
 * test_threads.c - builds do not depend on threads, memory or interruptions; probing from several
 * threads.
 */
#include "core/hash.h"
#include "support/endings.h"
#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

/* A checksum over the names and contents of the files in a folder. */
static uint64_t folder_checksum(const char *dir, const char *below, size_t *files)
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
    atomic_bool done;
} stopper;

/* Stops the build once it has processed `after` positions. */
static void *stop_later(void *context)
{
    stopper *s = context;
    while (!atomic_load_explicit(&s->done, memory_order_relaxed) &&
           ply_progress_read(&s->progress).units < s->after)
        sched_yield();
    ply_progress_stop(&s->progress);
    return NULL;
}

static ply_status build_until(const ply_rules *rules, ply_tablebase_job *job, uint64_t after)
{
    stopper s = {.after = after};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_later, &s), 0);
    job->progress = &s.progress;
    ply_error error = {0};
    ply_status status = ply_tablebase_build(rules, job, &error);
    atomic_store_explicit(&s.done, true, memory_order_relaxed);
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
        uint64_t sum = folder_checksum(plain, below, &files);
        assert_int_equal(files, g == 0 ? 5 : 16);

        /* On three threads without a limit, then in 1 MiB, where most of the work is in files. */
        for (size_t memory = 0; memory < 2; memory++) {
            test_folder_make(other, sizeof other);
            test_build(&rules, other, games[g][2], 3, memory);
            assert_true(folder_checksum(other, below, &files_there) == sum);
            assert_int_equal(files_there, files);
            test_folder_remove(other);
        }

        /* Stopped again and again, a little later each time; tried until three stops came before the
         * build was done, because the thread that stops it may be late on a busy machine. */
        int rounds = 0;
        for (int tries = 0; rounds < 3 && tries < 1000; tries++) {
            test_folder_make(other, sizeof other);
            ply_tablebase_job job = {.dir = other, .up_to = games[g][2], .threads = 2};
            rounds = 0;
            for (uint64_t after = 1; build_until(&rules, &job, after) == PLY_STOPPED; rounds++)
                after = 1 + after * 5 / 4;
            assert_true(folder_checksum(other, below, &files_there) == sum);
            assert_int_equal(files_there, files);
            test_folder_remove(other);
        }
        assert_true(rounds > 2);
        test_folder_remove(plain);
    }
}

/* A damaged checkpoint is rejected. */
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
    assert_non_null(strstr(error.message, "1v1.part: the checksum of block 0 is wrong"));
    remove(path);
    assert_int_equal(ply_tablebase_build(&rules, &job, &error), PLY_OK);
    /* One left behind by a build that was killed at the very end is removed. */
    file = fopen(path, "wb");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(ply_tablebase_build(&rules, &job, &error), PLY_OK);
    assert_null(fopen(path, "rb"));
    test_folder_remove(dir);
}

/* --- probing from several threads ----------------------------------------------------------- */
typedef struct prober {
    ply_tablebase *tablebase;
    const endings *e;
    unsigned seed;
    uint64_t wrong;
} prober;

static void *probe_randomly(void *context)
{
    prober *a = context;
    ply_rng rng = ply_rng_make(5, a->seed);
    char position[256];
    for (int i = 0; i < 20000; i++) {
        uint64_t n = ply_rng_next(&rng) % a->e->total;
        ply_tablebase_value value = {PLY_TABLEBASE_DRAW, 0};
        size_t class_index = a->e->class_of[n];
        a->e->rules.indexing->unrank(&a->e->rules, class_index, n - a->e->first[class_index],
                                     position);
        int plies = ply_tablebase_probe(a->tablebase, position, &value) ? value.plies : -2;
        if (value.result == PLY_TABLEBASE_DRAW && plies == 0)
            plies = -1;
        a->wrong += plies != a->e->plies[n];
    }
    return NULL;
}

static bool within_limit(unsigned own, unsigned other, unsigned limit)
{
    return own + other <= limit;
}

static void test_probing(void **state)
{
    (void)state;
    char dir[200];
    endings e;
    endings_solve(&e, "checkers", "english", within_limit, 3);
    test_folder_make(dir, sizeof dir);
    test_build(&e.rules, dir, "3", 1, 0);
    prober probers[3];
    pthread_t threads[3];
    ply_tablebase *tablebase;
    assert_int_equal(ply_tablebase_open(&e.rules, dir, 1, &tablebase, NULL), PLY_OK);
    for (unsigned i = 0; i < 3; i++) {
        probers[i] = (prober){.tablebase = tablebase, .e = &e, .seed = i};
        assert_int_equal(pthread_create(&threads[i], NULL, probe_randomly, &probers[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(probers[i].wrong, 0);
    }
    ply_tablebase_close(tablebase);
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
