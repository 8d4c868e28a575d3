/* SPDX-License-Identifier: MIT */
/* clock.h - monotonic time, and CPU time. */
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

#endif
