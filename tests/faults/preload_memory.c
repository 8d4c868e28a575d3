/* SPDX-License-Identifier: MIT */
/*
 * preload_memory.c - a library to preload into the command: an allocation fails.
 *
 *     PLY_FAULT_ALLOCATION=N   the N-th one, counted from the start of main
 *     PLY_FAULT_COUNTER=FILE   instead, FILE holds a 64-bit number N, which another process may
 *                              change at any time: every allocation takes 1 from it until it is 0,
 *                              and the one that makes it 0 fails
 *     PLY_FAULT_LOG=FILE       is created when it does
 *
 * Not for builds with sanitizers, which have allocators of their own.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The allocator of the C library, by its other name. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_ulong own_counter,
    *counter = &own_counter; /* allocations before the one that fails */
static atomic_bool started;

/* --- the start of main ------------------------------------------------------------------------ */
typedef int main_function(int count, char **arguments, char **environment);
typedef int start_function(main_function *main, int count, char **arguments, void (*init)(void),
                           void (*fini)(void), void (*loader_fini)(void), void *stack_end);

static main_function *real_main;

static void set_counter(void)
{
    const char *wanted = getenv("PLY_FAULT_ALLOCATION"), *path = getenv("PLY_FAULT_COUNTER");
    if (wanted)
        atomic_store(&own_counter, strtoul(wanted, NULL, 10));
    if (!path)
        return;
    int file = open(path, O_RDWR);
    void *shared = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file < 0 || shared == MAP_FAILED)
        abort();
    counter = shared;
    close(file);
}

static int start(int count, char **arguments, char **environment)
{
    set_counter();
    atomic_store(&started, true);
    int status = real_main(count, arguments, environment);
    atomic_store(&started, false);
    return status;
}

int __libc_start_main(main_function *main, int count, char **arguments, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
    start_function *real;
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return real(start, count, arguments, init, fini, loader_fini, stack_end);
}

/* --- allocations ------------------------------------------------------------------------------ */
/* Whether this allocation is to fail. */
static bool fails(void)
{
    const char *log = getenv("PLY_FAULT_LOG");
    unsigned long left = atomic_load(counter);
    if (!atomic_load(&started))
        return false;
    do {
        if (left == 0)
            return false;
    } while (!atomic_compare_exchange_weak(counter, &left, left - 1));
    if (left > 1)
        return false;
    if (log)
        syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT, 0600));
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    void *memory = fails() ? NULL : __libc_memalign(alignment, bytes);
    if (!memory)
        return ENOMEM;
    *out = memory;
    return 0;
}
