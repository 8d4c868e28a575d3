/* SPDX-License-Identifier: MIT */
/* test_file.c - replacing files: success, abort, failure, links, and what must not be replaced. */
#include "core/file.h"
#include "support/support.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 64 };

static char folder[PATH_ROOM];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/plyverse-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails if a test left a file behind */
}

static void path_of(const char *name, char path[2 * PATH_ROOM])
{
    snprintf(path, 2 * PATH_ROOM, "%s/%s", folder, name);
}

static void expect_content(const char *path, const char *content)
{
    char got[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(got, content);
}

static void replace(const char *path, const char *content, bool durable)
{
    ply_file_replacement r;
    assert_true(ply_file_replace_begin(&r, path));
    fputs(content, r.stream);
    assert_true(ply_file_replace_commit(&r, durable));
}

static void test_replace_and_abort(void **state)
{
    (void)state;
    char path[2 * PATH_ROOM], temporary[2 * PATH_ROOM];
    path_of("file", path);
    path_of("file.tmp", temporary);
    assert_true(ply_file_replace_possible(path));
    assert_int_not_equal(access(path, F_OK), 0);
    replace(path, "one", false);
    expect_content(path, "one");
    replace(path, "two", true);
    expect_content(path, "two");
    /* Until the commit, and after an abort, the old content is there. */
    ply_file_replacement r;
    assert_true(ply_file_replace_begin(&r, path));
    fputs("three", r.stream);
    fflush(r.stream);
    expect_content(path, "two");
    errno = EDOM;
    ply_file_replace_abort(&r);
    assert_int_equal(errno, EDOM);
    expect_content(path, "two");
    assert_int_not_equal(access(temporary, F_OK), 0);
    assert_true(ply_file_replace_possible(path));
    expect_content(path, "two");
    unlink(path);
}

/* A write error is reported by commit, and the old file stays. */
static void test_write_error(void **state)
{
    (void)state;
    char path[2 * PATH_ROOM];
    path_of("file", path);
    replace(path, "old", false);
    ply_file_replacement r;
    assert_true(ply_file_replace_begin(&r, path));
    assert_non_null(freopen("/dev/full", "w", r.stream));
    fputs("new", r.stream);
    assert_false(ply_file_replace_commit(&r, false));
    assert_int_equal(errno, ENOSPC);
    expect_content(path, "old");
    unlink(path);
}

static void test_link_is_followed(void **state)
{
    (void)state;
    char path[2 * PATH_ROOM], link[2 * PATH_ROOM];
    struct stat found;
    path_of("file", path);
    path_of("link", link);
    replace(path, "old", false);
    assert_int_equal(symlink("file", link), 0);
    replace(link, "new", false);
    expect_content(path, "new");
    assert_int_equal(lstat(link, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    unlink(path);
    /* A link to a file that does not exist yet is followed too, and so is a chain of them. */
    char chain[2 * PATH_ROOM];
    path_of("chain", chain);
    assert_int_equal(symlink("link", chain), 0);
    assert_true(ply_file_replace_possible(chain));
    replace(chain, "again", true);
    expect_content(path, "again");
    assert_int_equal(lstat(chain, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_int_equal(lstat(link, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    unlink(path);
    unlink(link);
    /* A circle leads nowhere. */
    ply_file_replacement r;
    assert_int_equal(symlink("chain", link), 0);
    assert_false(ply_file_replace_begin(&r, link));
    assert_int_equal(errno, ELOOP);
    unlink(chain);
    unlink(link);
}

/* A pipe, a device and a directory are never replaced. */
static void test_special_files(void **state)
{
    (void)state;
    char fifo[2 * PATH_ROOM];
    struct stat found;
    ply_file_replacement r;
    path_of("fifo", fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_true(ply_file_is_special(fifo));
    assert_true(ply_file_replace_possible(fifo));
    int reader = open(fifo, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    replace(fifo, "through", true);
    char got[16] = "";
    assert_int_equal(read(reader, got, sizeof got - 1), 7);
    assert_string_equal(got, "through");
    close(reader);
    assert_int_equal(lstat(fifo, &found), 0);
    assert_true(S_ISFIFO(found.st_mode));
    unlink(fifo);

    replace("/dev/null", "nothing", true);
    assert_true(ply_file_is_special("/dev/null"));
    assert_true(ply_file_is_special(folder));
    assert_false(ply_file_replace_begin(&r, folder));
    assert_int_equal(errno, EISDIR);
    assert_null(r.stream);
    path_of("no/such/folder", fifo);
    assert_false(ply_file_replace_begin(&r, fifo));
    assert_int_equal(errno, ENOENT);
    assert_false(ply_file_replace_possible(fifo));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replace_and_abort),
        cmocka_unit_test(test_write_error),
        cmocka_unit_test(test_link_is_followed),
        cmocka_unit_test(test_special_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
