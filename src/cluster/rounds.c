/* SPDX-License-Identifier: MIT */
/* rounds.c - see rounds.h. */
#include "cluster/rounds.h"
#include "cluster/cluster.h"
#include "tablebase/checkpoint.h"

void cluster_rounds_open(rounds *r, tablebase_folder *folder, size_t class_index,
                         build_timer *timer)
{
    *r = (rounds){
        .folder = folder, .class_index = class_index, .timer = timer, .progress = folder->progress};
    folder->progress = &r->own;
}

void cluster_rounds_close(rounds *r)
{
    r->folder->progress = r->progress;
}

/* --- what the ranks tell each other ----------------------------------------------------------- */
static void tell(rounds *r, bool failed)
{
    r->mine[CONTROL_STOP] = r->progress && ply_progress_stopped(r->progress);
    r->mine[CONTROL_FAILED] = failed;
    r->mine[CONTROL_CHECKPOINT] = cluster_rank() == 0 && ply_tablebase_timer_due(r->timer);
    r->mine[CONTROL_POSITIONS] = r->own.units;
    r->own.units = 0;
    MPI_Iallreduce(r->mine, r->all, CONTROL_VALUES, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD,
                   &r->request);
}

static void hear(rounds *r)
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

/* Whether the ranks have agreed on something to do before the next round. */
static bool must_act(const rounds *r)
{
    return r->stop || r->failed || r->checkpoint;
}

/* --- acting on it ----------------------------------------------------------------------------- */
static ply_status save(rounds *r, const round_steps *steps, void *context, ply_error *error)
{
    ply_status status = cluster_agree(steps->save(context, r->generation, error), error);
    r->generation = !r->generation;
    ply_tablebase_timer_reset(r->timer);
    if (status == PLY_OK && cluster_rank() == 0) /* older ones, by another number of ranks */
        ply_tablebase_checkpoint_remove(r->folder, r->class_index, cluster_ranks());
    return status;
}

/* All messages must have been applied. */
static ply_status act(rounds *r, const round_steps *steps, void *context, ply_error *error)
{
    if (r->failed)
        return cluster_agree(steps->status(context, error), error);
    ply_status status = steps->save ? save(r, steps, context, error) : PLY_OK;
    if (status == PLY_OK && r->stop)
        return ply_error_set(error, PLY_STOPPED, "stopped");
    return status;
}

static void collect(const round_steps *steps, void *context)
{
    if (steps->collect)
        steps->collect(context);
}

ply_status cluster_rounds_run(rounds *r, const round_steps *steps, void *context, ply_error *error)
{
    ply_status status = PLY_OK;
    bool pending = false; /* one round is under way, and so is what the ranks tell each other */
    while (status == PLY_OK && steps->compute(context)) {
        if (pending) {
            collect(steps, context);
            hear(r);
        }
        bool acts = pending && must_act(r);
        if (acts) {
            collect(steps, context);
            status = act(r, steps, context, error);
        } else {
            tell(r, steps->status(context, NULL) != PLY_OK);
        }
        pending = !acts;
    }
    if (pending) {
        collect(steps, context);
        hear(r);
        if (must_act(r))
            status = act(r, steps, context, error);
    }
    return status;
}
