/* SPDX-License-Identifier: MIT */
/* mpi.c - the ranks of a job, by MPI; see cluster.h. */
#include "cluster/cluster.h"
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static bool is_open(void)
{
    int initialised, finalised;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    return initialised && !finalised;
}

ply_status cluster_open(ply_error *error)
{
    int provided;
    /*
     * Debian's configuration of Open MPI excludes the component that serves one-sided operations
     * over plain TCP. Whoever sets this variable decides.
     */
    setenv("OMPI_MCA_osc", "^ucx", 0);
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED)
        return ply_error_set(error, PLY_UNSUPPORTED, "MPI cannot be used from threads");
    return PLY_OK;
}

void cluster_close(void)
{
    if (is_open())
        MPI_Finalize();
}

unsigned cluster_rank(void)
{
    int rank = 0;
    if (is_open())
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return (unsigned)rank;
}

unsigned cluster_ranks(void)
{
    int ranks = 1;
    if (is_open())
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return (unsigned)ranks;
}

ply_status cluster_agree(ply_status status, ply_error *error)
{
    if (cluster_ranks() == 1)
        return status;
    unsigned rank = cluster_rank();
    unsigned first = status == PLY_OK ? UINT_MAX : rank;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_UNSIGNED, MPI_MIN, MPI_COMM_WORLD);
    if (first == UINT_MAX)
        return PLY_OK;
    ply_error shared = {0};
    if (first == rank) {
        if (error)
            shared = *error;
        shared.status = status;
    }
    MPI_Bcast(&shared, sizeof shared, MPI_BYTE, (int)first, MPI_COMM_WORLD);
    if (error)
        *error = shared;
    return shared.status;
}

void cluster_sum(uint64_t *values, size_t count)
{
    if (cluster_ranks() > 1)
        MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

void cluster_maximum(uint64_t *values, size_t count)
{
    if (cluster_ranks() > 1)
        MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
}

void cluster_broadcast(void *bytes, size_t count)
{
    if (cluster_ranks() > 1)
        MPI_Bcast(bytes, (int)count, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* --- shared work --- -------------------------------------------------------------------------- */
struct cluster_counter {
    uint64_t *next; /* in the window of rank 0 */
    MPI_Win window;
};

cluster_counter *cluster_counter_open(void)
{
    cluster_counter *counter = calloc(1, sizeof *counter);
    uint64_t failed = !counter;
    cluster_maximum(&failed, 1);
    if (failed || !counter) {
        free(counter);
        return NULL;
    }
    MPI_Aint bytes = cluster_rank() == 0 ? sizeof *counter->next : 0;
    MPI_Win_allocate(bytes, sizeof *counter->next, MPI_INFO_NULL, MPI_COMM_WORLD,
                     (void *)&counter->next, &counter->window);
    if (bytes)
        *counter->next = 0;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, counter->window);
    MPI_Barrier(MPI_COMM_WORLD);
    return counter;
}

uint64_t cluster_counter_take(cluster_counter *counter, uint64_t count)
{
    uint64_t first = 0;
    MPI_Fetch_and_op(&count, &first, MPI_UINT64_T, 0, 0, MPI_SUM, counter->window);
    MPI_Win_flush(0, counter->window);
    return first;
}

void cluster_counter_close(cluster_counter *counter)
{
    if (!counter)
        return;
    MPI_Win_unlock_all(counter->window);
    MPI_Win_free(&counter->window);
    free(counter);
}

enum { TAG_RESULT = 100 };

void cluster_send_result(const void *bytes, size_t count)
{
    MPI_Send(bytes, (int)count, MPI_BYTE, 0, TAG_RESULT, MPI_COMM_WORLD);
}

bool cluster_receive_result(void **buffer, size_t *room, size_t *count)
{
    MPI_Status status;
    int found, bytes;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_RESULT, MPI_COMM_WORLD, &found, &status);
    if (!found)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    if ((size_t)bytes > *room) {
        void *grown = realloc(*buffer, (size_t)bytes);
        if (!grown)
            return false;
        *buffer = grown;
        *room = (size_t)bytes;
    }
    MPI_Recv(*buffer, bytes, MPI_BYTE, status.MPI_SOURCE, TAG_RESULT, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    *count = (size_t)bytes;
    return true;
}

void cluster_poll(void)
{
    int found;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}
