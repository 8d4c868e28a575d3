/* progress.c - the watcher's side of a ply_walk_meter. */
#include <plyverse/perft.h>

ply_walk_meter ply_walk_meter_read(const ply_walk_meter *meter)
{
    return (ply_walk_meter){
        .units = __atomic_load_n(&meter->units, __ATOMIC_RELAXED),
        .parts_done = __atomic_load_n(&meter->parts_done, __ATOMIC_RELAXED),
        .parts_total = __atomic_load_n(&meter->parts_total, __ATOMIC_RELAXED),
        .stop = __atomic_load_n(&meter->stop, __ATOMIC_RELAXED),
    };
}

void ply_walk_meter_stop(ply_walk_meter *meter)
{
    __atomic_store_n(&meter->stop, 1, __ATOMIC_RELAXED);
}
