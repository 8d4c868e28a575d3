/* SPDX-License-Identifier: MIT */
/*
 * cluster.h - one job on many processes, started by mpirun (or srun).
 *
 * Every process, a rank, runs the same command with the same arguments. Ranks share a folder for
 * files. The functions marked collective must be called by all ranks in the same order. Only the
 * main thread calls anything here.
 */
#ifndef PLY_CLUSTER_CLUSTER_H
#define PLY_CLUSTER_CLUSTER_H

#include <plyverse/progress.h>
#include <plyverse/tablebase.h>

/* Whether the environment says that this process is one of several started together. */
bool cluster_requested(void);
/* Joins the other ranks; collective. PLY_UNSUPPORTED in a program built without MPI. */
ply_status cluster_open(ply_error *error);
/* Leaves in good order; collective. A no-op if the cluster is not open. */
void cluster_close(void);
/* This process's number and the number of processes; 0 of 1 if the cluster is not open. */
unsigned cluster_rank(void);
unsigned cluster_ranks(void);

/*
 * Collective: makes the failure of any rank the failure of all. Returns the status of the first
 * rank that failed, with its message in error, or PLY_OK.
 */
ply_status cluster_agree(ply_status status, ply_error *error);
/* Collective: every element becomes the sum, or the maximum, over all ranks. */
void cluster_sum(uint64_t *values, size_t count);
void cluster_maximum(uint64_t *values, size_t count);
/* Collective: rank 0's bytes replace those of the others. */
void cluster_broadcast(void *bytes, size_t count);

/* --- numbered tasks -------------------------------------------------------------------------- */
/*
 * Deals out the numbers 0, 1, 2, ... to whichever rank asks next. The counter lives on rank 0 and
 * is read and advanced by one-sided operations, so rank 0 computes like all others.
 */
typedef struct cluster_counter cluster_counter;
/* Collective. NULL when out of memory. */
cluster_counter *cluster_counter_open(void);
/* Takes the next `count` numbers; returns the first. */
uint64_t cluster_counter_take(cluster_counter *counter, uint64_t count);
/* Collective. */
void cluster_counter_close(cluster_counter *counter);
/* Lets messages of other ranks make progress; to be called every few milliseconds. */
void cluster_poll(void);

/* --- endgame tablebases ---------------------------------------------------------------------- */
/* What a distributed build moved and needed; of all ranks unless stated. */
typedef struct cluster_build_report {
    uint64_t slices, passes, updates; /* updates of cells of other ranks */
    uint64_t update_bytes;            /* sent for them; 4 bytes each without packing */
    uint64_t lookups, lookup_bytes;   /* of values held by other ranks */
    uint64_t memory_kb;               /* the largest peak of a rank */
} cluster_build_report;

/*
 * Collective: ply_tablebase_build on all ranks together. job->threads and memory_mb are per rank.
 * The files are the same as those of one process.
 */
ply_status cluster_tablebase_build(const ply_rules *rules, const ply_tablebase_job *job,
                                   cluster_build_report *report, ply_error *error);

#endif
