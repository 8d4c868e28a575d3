/* progress.h - the walk's side of a ply_walk_meter: every field is touched atomically, in no order. */
#ifndef PLY_CORE_PROGRESS_H
#define PLY_CORE_PROGRESS_H

#include <plyverse/perft.h>

static inline void ply_meter_add(uint64_t *field, uint64_t amount)
{
    __atomic_fetch_add(field, amount, __ATOMIC_RELAXED);
}

static inline bool ply_meter_stopped(const ply_walk_meter *meter)
{
    return __atomic_load_n(&meter->stop, __ATOMIC_RELAXED) != 0;
}

#endif
