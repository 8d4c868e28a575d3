/* SPDX-License-Identifier: MIT */
/*
 * preload.c - a library to preload into the command: makes system calls fail, or the wall clock lie.
 *
 *     PLY_FAULT_FOLDER=DIR   only calls on files in DIR are counted, failed and logged
 *     PLY_FAULT=CALL:N       the N-th CALL fails, and with CALL:N+ every later one too. CALL is
 *                            open, map, read, write, sync or rename, or any for the last three; a
 *                            failing write reports a full disk, a failing map too little memory,
 *                            the others an I/O error. Mappings without a file count as well
 *     PLY_FAULT_WHEN=FILE    nothing is counted before FILE exists
 *     PLY_FAULT_LOG=FILE     appends a line "CALL NAME" for every call that has returned success,
 *                            and "failed CALL" for every one that was made to fail
 *     PLY_FAULT_CLOCK=S      the wall clock is S seconds ahead of what waiting uses, as after it
 *                            was set back by S seconds
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static atomic_uint counted;

/* Writes the path behind a file descriptor. */
static void path_of(int file, char *path)
{
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    long length = syscall(SYS_readlink, link, path, PATH_BYTES - 1);
    path[length > 0 ? length : 0] = '\0';
}

static bool is_watched(const char *path)
{
    const char *folder = getenv("PLY_FAULT_FOLDER");
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static void write_log(const char *what, const char *which)
{
    const char *name = getenv("PLY_FAULT_LOG");
    if (!name)
        return;
    char line[PATH_BYTES + 20];
    int length = snprintf(line, sizeof line, "%s %s\n", what, which);
    int file = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file >= 0) {
        syscall(SYS_write, file, line, (size_t)length);
        syscall(SYS_close, file);
    }
}

/* Whether this call is to fail. */
static bool fails(const char *call, const char *path)
{
    const char *fault = getenv("PLY_FAULT");
    const char *when = getenv("PLY_FAULT_WHEN");
    if (!fault || !is_watched(path) || (when && syscall(SYS_access, when, F_OK) != 0))
        return false;
    size_t length = strcspn(fault, ":");
    bool any =
        strncmp(fault, "any:", 4) == 0 && strchr("wsr", call[0]) && strcmp(call, "read") != 0;
    if (!any && (strlen(call) != length || strncmp(fault, call, length) != 0))
        return false;
    char *end;
    unsigned long wanted = strtoul(fault + length + 1, &end, 10);
    unsigned now = atomic_fetch_add(&counted, 1) + 1;
    if (now != wanted && !(*end == '+' && now > wanted))
        return false;
    write_log("failed", call);
    errno = strcmp(call, "write") == 0 ? ENOSPC : strcmp(call, "map") == 0 ? ENOMEM : EIO;
    return true;
}

static void note(const char *call, const char *path)
{
    if (is_watched(path))
        write_log(call, strrchr(path, '/') + 1);
}

/* Makes a system call on a file, unless it is to fail. */
#define ON_FILE(call, file, ...)            \
    do {                                    \
        char path[PATH_BYTES];              \
        path_of(file, path);                \
        if (fails(call, path))              \
            return -1;                      \
        long result = syscall(__VA_ARGS__); \
        if (result >= 0)                    \
            note(call, path);               \
        return result;                      \
    } while (0)

ssize_t write(int file, const void *bytes, size_t count)
{
    ON_FILE("write", file, SYS_write, file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at)
{
    ON_FILE("write", file, SYS_pwrite64, file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off_t at)
{
    ON_FILE("write", file, SYS_pwrite64, file, bytes, count, at);
}

ssize_t read(int file, void *bytes, size_t count)
{
    ON_FILE("read", file, SYS_read, file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t at)
{
    ON_FILE("read", file, SYS_pread64, file, bytes, count, at);
}

ssize_t pread64(int file, void *bytes, size_t count, off_t at)
{
    ON_FILE("read", file, SYS_pread64, file, bytes, count, at);
}

static long sync_file(int file, long number)
{
    ON_FILE("sync", file, number, file);
}

int fsync(int file)
{
    return (int)sync_file(file, SYS_fsync);
}

int fdatasync(int file)
{
    return (int)sync_file(file, SYS_fdatasync);
}

int rename(const char *from, const char *to)
{
    if (fails("rename", to))
        return -1;
    int result = (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    if (result == 0)
        note("rename", to);
    return result;
}

static int open_file(int folder, const char *path, int flags, va_list arguments)
{
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    return fails("open", path) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int file = open_file(AT_FDCWD, path, flags, arguments);
    va_end(arguments);
    return file;
}

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int file = open_file(AT_FDCWD, path, flags, arguments);
    va_end(arguments);
    return file;
}

typedef FILE *open_stream(const char *path, const char *mode);

FILE *fopen(const char *path, const char *mode)
{
    open_stream *real;
    *(void **)&real = dlsym(RTLD_NEXT, "fopen");
    return fails("open", path) ? NULL : real(path, mode);
}

void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    char path[PATH_BYTES];
    if (file >= 0)
        path_of(file, path);
    else
        snprintf(path, sizeof path, "%s",
                 getenv("PLY_FAULT_FOLDER") ? getenv("PLY_FAULT_FOLDER") : "");
    if (fails("map", path))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
}

int posix_fallocate(int file, off_t offset, off_t bytes)
{
    char path[PATH_BYTES];
    path_of(file, path);
    if (fails("write", path))
        return ENOSPC;
    return syscall(SYS_fallocate, file, 0, offset, bytes) == 0 ? 0 : errno;
}

/* Streams call the kernel behind our back, so the file behind the stream is replaced by one on which
 * every call fails. */
static void replace_file(FILE *stream, const char *call, const char *replacement)
{
    char path[PATH_BYTES];
    path_of(fileno(stream), path);
    if (!fails(call, path))
        return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, replacement, O_RDWR, 0);
    if (file < 0)
        file = (int)syscall(SYS_openat, AT_FDCWD, replacement, O_RDONLY, 0);
    dup2(file, fileno(stream));
    syscall(SYS_close, file);
}

typedef size_t write_stream(const void *bytes, size_t size, size_t count, FILE *stream);
typedef size_t read_stream(void *bytes, size_t size, size_t count, FILE *stream);

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
    write_stream *real;
    *(void **)&real = dlsym(RTLD_NEXT, "fwrite");
    replace_file(stream, "write", "/dev/full");
    return real(bytes, size, count, stream);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *stream)
{
    read_stream *real;
    *(void **)&real = dlsym(RTLD_NEXT, "fread");
    replace_file(stream, "read", "/");
    return real(bytes, size, count, stream);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    const char *ahead = clock == CLOCK_REALTIME ? getenv("PLY_FAULT_CLOCK") : NULL;
    if (ahead)
        now->tv_sec += atol(ahead);
    return result;
}
