/* SPDX-License-Identifier: MIT */
/*
 * estimate.h - predicts what a tablebase build will need, before it is started.
 *
 * The numbers of moves come from a random sample of the positions of each slice, and the time from
 * measuring the same work on this machine: listing moves, touching memory at random, compressing.
 * It is an estimate for ranks like this machine, with one thread each, and messages that arrive
 * while the next ones are computed.
 */
#ifndef PLY_CLUSTER_ESTIMATE_H
#define PLY_CLUSTER_ESTIMATE_H

#include <plyverse/tablebase.h>

typedef struct cluster_estimate {
    uint64_t slots;        /* of all slices */
    uint64_t memory_bytes; /* of a rank, in the largest slice */
    uint64_t file_bytes;   /* of the finished files */
    uint64_t part_bytes;   /* of the largest checkpoints, two generations */
    uint64_t sent_bytes;   /* by all ranks together */
    double seconds;
    char largest[40]; /* the class that needs the most memory */
} cluster_estimate;

/* Estimates a build from nothing on `ranks` ranks. Touches no files. */
ply_status cluster_estimate_build(const ply_rules *rules, const ply_tablebase_job *job,
                                  unsigned ranks, cluster_estimate *estimate, ply_error *error);

#endif
