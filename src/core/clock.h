/* SPDX-License-Identifier: MIT */
/* clock.h - monotonic time. */
#ifndef PLY_CORE_CLOCK_H
#define PLY_CORE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t ply_clock_nanos(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline double ply_clock_seconds_since(uint64_t start_nanos)
{
    return (double)(ply_clock_nanos() - start_nanos) * 1e-9;
}

#endif
