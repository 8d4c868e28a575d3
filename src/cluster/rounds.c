/* SPDX-License-Identifier: MIT */
/* rounds.c - see rounds.h. */
#include "cluster/rounds.h"
#include "cluster/cluster.h"

void cluster_rounds_open(rounds *r, tablebase_folder *folder, build_timer *timer)
{
    *r = (rounds){.timer = timer, .progress = folder->progress};
    folder->progress = &r->own;
}

void cluster_rounds_close(rounds *r, tablebase_folder *folder)
{
    folder->progress = r->progress;
}

void cluster_rounds_tell(rounds *r, bool failed)
{
    r->mine[CONTROL_STOP] = r->progress && ply_progress_stopped(r->progress);
    r->mine[CONTROL_FAILED] = failed;
    r->mine[CONTROL_CHECKPOINT] = cluster_rank() == 0 && ply_tablebase_timer_due(r->timer);
    r->mine[CONTROL_POSITIONS] = r->own.units;
    r->own.units = 0;
    MPI_Iallreduce(r->mine, r->all, CONTROL_VALUES, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD,
                   &r->request);
}

void cluster_rounds_hear(rounds *r)
{
    MPI_Wait(&r->request, MPI_STATUS_IGNORE);
    r->stop = r->all[CONTROL_STOP] > 0;
    r->failed = r->all[CONTROL_FAILED] > 0;
    r->checkpoint = r->all[CONTROL_CHECKPOINT] > 0;
    if (r->progress) {
        ply_progress_add(&r->progress->units, r->all[CONTROL_POSITIONS]);
        ply_progress_add(&r->progress->parts_done, r->all[CONTROL_POSITIONS]);
    }
}
