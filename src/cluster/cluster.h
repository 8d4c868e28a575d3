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

#include "match/match.h"
#include <plyverse/parts.h>
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

/* --- shared work ----------------------------------------------------------------------------- */
/*
 * Deals out the numbers 0, 1, 2, ... to whichever rank asks next, and brings results to rank 0. The
 * counter lives on rank 0 and is read and advanced by one-sided operations, so rank 0 computes like
 * all others. Without a cluster, everything happens in this process.
 */
typedef struct cluster_farm cluster_farm;
/* Receives a result on rank 0. Calls do not overlap, but come from any thread. */
typedef void cluster_deliver(void *context, const void *bytes, size_t count);
/* Collective. NULL when out of memory or threads. */
cluster_farm *cluster_farm_open(cluster_deliver *deliver, void *context);
/* The next number. Safe from any thread. */
uint64_t cluster_farm_take(cluster_farm *farm);
/* Deals out no more numbers below 2^40, to any rank. Safe from any thread. */
void cluster_farm_end(cluster_farm *farm);
/* Sends a result, at least one byte, to rank 0. Safe from any thread. */
void cluster_farm_post(cluster_farm *farm, const void *bytes, size_t count);
/* Collective: returns when rank 0 has received everything. NULL is a no-op. */
void cluster_farm_close(cluster_farm *farm);

/* For farm.c alone; never from two threads at once. */
typedef struct cluster_counter cluster_counter;
cluster_counter *cluster_counter_open(void); /* collective */
uint64_t cluster_counter_take(cluster_counter *counter, uint64_t count);
void cluster_counter_close(cluster_counter *counter); /* collective */
void cluster_send_result(const void *bytes, size_t count);
/* Receives a result if one has arrived; grows *buffer as needed. False: none, or out of memory. */
bool cluster_receive_result(void **buffer, size_t *room, size_t *count);
/* Lets one-sided operations of other ranks make progress. */
void cluster_poll(void);

/* --- jobs of numbered parts (parts.h) ---------------------------------------------------------- */
/*
 * A ply_parts that shares a job out among the ranks. On rank 0 the results are added up, and kept
 * in a journal, from which the same job continues after an interruption.
 */
typedef struct cluster_parts cluster_parts;
/* Adds the result of a part; on rank 0 only, once for every part. */
typedef void cluster_add(void *context, const uint64_t *values);
/*
 * Collective. journal may be NULL. header: lines that must be the same when the job continues.
 * On failure *parts is NULL and *error says why, on all ranks.
 */
ply_status cluster_parts_open(cluster_parts **parts, const char *journal, const char *header,
                              size_t value_count, cluster_add *add, void *context,
                              ply_error *error);
const ply_parts *cluster_parts_dealer(cluster_parts *parts);
/*
 * Collective: waits for the results of all ranks. status: of this rank. Returns what all ranks agree
 * on; PLY_IO: the journal could not be written. Frees the object.
 */
ply_status cluster_parts_close(cluster_parts *parts, ply_status status, ply_error *error);

/* --- matches --------------------------------------------------------------------------------- */
/*
 * Shares a match out among the ranks; rank 0 is the keeper. results: on rank 0, the games already
 * played. Collective. NULL when out of memory, on all ranks. The caller frees it with close.
 */
typedef struct cluster_match cluster_match;
cluster_match *cluster_match_open(const ply_rules *rules, const match_results *results);
match_share *cluster_match_share(cluster_match *match);
/* NULL is a no-op. */
void cluster_match_close(cluster_match *match);

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
