/* SPDX-License-Identifier: MIT */
/*
 * progress.h - the job's side of a ply_progress.
 *
 * The fields of the public struct are plain integers, so that C++ programs can include the header.
 * While a job runs, every layer accesses them through the helpers below, which treat them as C11
 * atomics. All accesses are relaxed: the counters order no other memory.
 */
#ifndef PLY_CORE_PROGRESS_H
#define PLY_CORE_PROGRESS_H

#include <plyverse/progress.h>
#include <stdatomic.h>
#include <stdbool.h>

_Static_assert(sizeof(_Atomic uint64_t) == sizeof(uint64_t), "a counter can be accessed as atomic");
_Static_assert(_Alignof(_Atomic uint64_t) == _Alignof(uint64_t), "and is aligned for it");

static inline _Atomic uint64_t *ply_progress_atomic(const uint64_t *counter)
{
    return (_Atomic uint64_t *)(uintptr_t)counter;
}

static inline uint64_t ply_progress_get(const uint64_t *counter)
{
    return atomic_load_explicit(ply_progress_atomic(counter), memory_order_relaxed);
}

static inline void ply_progress_set(uint64_t *counter, uint64_t value)
{
    atomic_store_explicit(ply_progress_atomic(counter), value, memory_order_relaxed);
}

static inline void ply_progress_add(uint64_t *counter, uint64_t amount)
{
    atomic_fetch_add_explicit(ply_progress_atomic(counter), amount, memory_order_relaxed);
}

/* Whether the job has been asked to stop. */
static inline bool ply_progress_stopped(const ply_progress *progress)
{
    return ply_progress_get(&progress->stop) != 0;
}

#endif
