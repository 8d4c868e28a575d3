/* SPDX-License-Identifier: MIT */
/* progress.c - the watcher's side of a ply_progress. */
#include <plyverse/progress.h>

ply_progress ply_progress_read(const ply_progress *progress)
{
    return (ply_progress){
        .units = __atomic_load_n(&progress->units, __ATOMIC_RELAXED),
        .parts_done = __atomic_load_n(&progress->parts_done, __ATOMIC_RELAXED),
        .parts_total = __atomic_load_n(&progress->parts_total, __ATOMIC_RELAXED),
        .stop = __atomic_load_n(&progress->stop, __ATOMIC_RELAXED),
    };
}

void ply_progress_stop(ply_progress *progress)
{
    __atomic_store_n(&progress->stop, 1, __ATOMIC_RELAXED);
}
