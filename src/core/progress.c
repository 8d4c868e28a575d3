/* SPDX-License-Identifier: MIT */
/* progress.c - the watcher's side of a ply_progress. */
#include "core/progress.h"

ply_progress ply_progress_read(const ply_progress *progress)
{
    if (!progress)
        return (ply_progress){0};
    return (ply_progress){
        .units = ply_progress_get(&progress->units),
        .parts_done = ply_progress_get(&progress->parts_done),
        .parts_total = ply_progress_get(&progress->parts_total),
        .stop = ply_progress_get(&progress->stop),
    };
}

void ply_progress_stop(ply_progress *progress)
{
    if (progress)
        ply_progress_set(&progress->stop, 1);
}
