/* SPDX-License-Identifier: MIT */
/*
 * rounds.h - what the ranks of a build agree on between the rounds of their work: whether any of
 * them wants to stop, has failed, or has a checkpoint due; and how many positions they have worked
 * on. They tell each other while the next round is computed.
 */
#ifndef PLY_CLUSTER_ROUNDS_H
#define PLY_CLUSTER_ROUNDS_H

#include "tablebase/build.h"
#include <mpi.h>

enum { CONTROL_STOP, CONTROL_FAILED, CONTROL_CHECKPOINT, CONTROL_POSITIONS, CONTROL_VALUES };

typedef struct rounds {
    build_timer *timer;
    ply_progress own;       /* this rank's share; the job's progress is the sum */
    ply_progress *progress; /* of the job, or NULL */
    uint64_t mine[CONTROL_VALUES], all[CONTROL_VALUES];
    MPI_Request request;
    bool stop, failed, checkpoint;
} rounds;

/* Makes the folder report this rank's progress to `own`. Undone by cluster_rounds_close. */
void cluster_rounds_open(rounds *r, tablebase_folder *folder, build_timer *timer);
void cluster_rounds_close(rounds *r, tablebase_folder *folder);
/* Collective, in pairs: tells the others, and hears from them. */
void cluster_rounds_tell(rounds *r, bool failed);
void cluster_rounds_hear(rounds *r);
/* Whether the ranks have agreed on something to do before the next round. */
static inline bool rounds_must_act(const rounds *r)
{
    return r->stop || r->failed || r->checkpoint;
}

#endif
