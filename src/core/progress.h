/* SPDX-License-Identifier: MIT */
/* progress.h - the walk's side of a ply_progress: every field is touched atomically, in no order. */
#ifndef PLY_CORE_PROGRESS_H
#define PLY_CORE_PROGRESS_H

#include <plyverse/progress.h>
#include <stdbool.h>

static inline void ply_progress_add(uint64_t *field, uint64_t amount)
{
    __atomic_fetch_add(field, amount, __ATOMIC_RELAXED);
}

static inline void ply_progress_set(uint64_t *field, uint64_t value)
{
    __atomic_store_n(field, value, __ATOMIC_RELAXED);
}

static inline bool ply_progress_stopped(const ply_progress *progress)
{
    return __atomic_load_n(&progress->stop, __ATOMIC_RELAXED) != 0;
}

#endif
