/* SPDX-License-Identifier: MIT */
/*
 * clock.h - monotonic time, and CPU time.
 *
 * All waiting is done on the monotonic clock: the wall clock may be set back while a thread waits.
 */
#ifndef PLY_CORE_CLOCK_H
#define PLY_CORE_CLOCK_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* The time on a clock of the system. */
static inline uint64_t ply_clock_read(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t ply_clock_nanos(void)
{
    return ply_clock_read(CLOCK_MONOTONIC);
}

/*
 * The clock that counts the CPU time of the calling thread. While the thread lives, every thread
 * may read it. Monotonic time where the system has no such clock.
 */
static inline clockid_t ply_clock_of_thread(void)
{
    clockid_t clock;
    return pthread_getcpuclockid(pthread_self(), &clock) == 0 ? clock : CLOCK_MONOTONIC;
}

static inline double ply_clock_seconds_since(uint64_t start_nanos)
{
    return (double)(ply_clock_nanos() - start_nanos) * 1e-9;
}

/* A deadline on the monotonic clock, for ply_cond_init's conditions and sem_clockwait. */
static inline struct timespec ply_clock_deadline(uint64_t nanos_from_now)
{
    uint64_t at = ply_clock_nanos() + nanos_from_now;
    return (struct timespec){.tv_sec = (time_t)(at / 1000000000u),
                             .tv_nsec = (long)(at % 1000000000u)};
}

/* Initialises a condition variable whose timed waits use the monotonic clock. */
static inline int ply_cond_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    int failed = pthread_condattr_init(&attributes);
    if (failed)
        return failed;
    failed = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    if (!failed)
        failed = pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return failed;
}

#endif
