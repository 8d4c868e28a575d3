/* SPDX-License-Identifier: MIT */
/* unavailable.c - takes the place of this folder's other files in a program built without MPI. */
#include "cluster/cluster.h"

ply_status cluster_open(ply_error *error)
{
    return ply_error_set(error, PLY_UNSUPPORTED,
                         "this program was built without MPI and cannot work with other ranks");
}

void cluster_close(void)
{
}

unsigned cluster_rank(void)
{
    return 0;
}

unsigned cluster_ranks(void)
{
    return 1;
}

ply_status cluster_agree(ply_status status, ply_error *error)
{
    (void)error;
    return status;
}

void cluster_sum(uint64_t *values, size_t count)
{
    (void)values;
    (void)count;
}

void cluster_maximum(uint64_t *values, size_t count)
{
    (void)values;
    (void)count;
}

void cluster_broadcast(void *bytes, size_t count)
{
    (void)bytes;
    (void)count;
}

cluster_counter *cluster_counter_open(void)
{
    return NULL;
}

uint64_t cluster_counter_take(cluster_counter *counter, uint64_t count)
{
    (void)counter;
    return count;
}

void cluster_counter_close(cluster_counter *counter)
{
    (void)counter;
}

void cluster_send_result(const void *bytes, size_t count)
{
    (void)bytes;
    (void)count;
}

bool cluster_receive_result(void **buffer, size_t *room, size_t *count)
{
    (void)buffer;
    (void)room;
    (void)count;
    return false;
}

void cluster_poll(void)
{
}

ply_status cluster_tablebase_build(const ply_rules *rules, const ply_tablebase_job *job,
                                   cluster_build_report *report, ply_error *error)
{
    (void)report;
    return ply_tablebase_build(rules, job, error);
}
