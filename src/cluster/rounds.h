/* SPDX-License-Identifier: MIT */
/*
 * rounds.h - the rounds in which the ranks of a build go through a slice together.
 *
 * The messages of a round travel while the next one is computed. So does what the ranks tell each
 * other after each round: whether any of them wants to stop, has failed, or has a checkpoint due, and
 * how many positions it has worked on. They act on it when all messages have been applied:
 *
 *     compute 0, tell 0, compute 1, collect 0, hear 0, tell 1, ..., collect last, hear last
 */
#ifndef PLY_CLUSTER_ROUNDS_H
#define PLY_CLUSTER_ROUNDS_H

#include "tablebase/build.h"
#include <mpi.h>

enum { CONTROL_STOP, CONTROL_FAILED, CONTROL_CHECKPOINT, CONTROL_POSITIONS, CONTROL_VALUES };

typedef struct rounds {
    tablebase_folder *folder;
    size_t class_index; /* the first of the slice */
    build_timer *timer;
    unsigned generation;    /* of the next checkpoint */
    ply_progress own;       /* this rank's share; the job's progress is the sum */
    ply_progress *progress; /* of the job, or NULL */
    uint64_t mine[CONTROL_VALUES], all[CONTROL_VALUES];
    MPI_Request request;
    bool stop, failed, checkpoint;
} rounds;

/* What a rank does; the context is that of cluster_rounds_run. */
typedef struct round_steps {
    /* Computes the next round and posts its messages. False if none is left. */
    bool (*compute)(void *context);
    /* Applies the messages of the oldest round that was not collected. NULL: there are none. */
    void (*collect)(void *context);
    /* Why this rank cannot go on, or PLY_OK. The error may be NULL. */
    ply_status (*status)(void *context, ply_error *error);
    /* Writes a checkpoint. NULL: the one before these rounds still serves. */
    ply_status (*save)(void *context, unsigned generation, ply_error *error);
} round_steps;

/* Makes the folder report this rank's progress to `own`. Undone by cluster_rounds_close. */
void cluster_rounds_open(rounds *r, tablebase_folder *folder, size_t class_index,
                         build_timer *timer);
void cluster_rounds_close(rounds *r);
/* Collective: goes through all rounds. Checkpoints and failures are those of all ranks. */
ply_status cluster_rounds_run(rounds *r, const round_steps *steps, void *context, ply_error *error);

#endif
