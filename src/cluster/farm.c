/* SPDX-License-Identifier: MIT */
/*
 * farm.c - deals out numbers and collects results; see cluster.h.
 *
 * On a cluster, each rank has a thread that looks after messages a thousand times a second, so that
 * nobody waits for a rank that computes. One mutex guards MPI and the delivery of results. A rank
 * that has nothing more to send sends an empty result.
 */
#include "cluster/cluster.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { POLL_NANOS = 1000000, END_SHIFT = 40 };

struct cluster_farm {
    cluster_deliver *deliver;
    void *context;
    pthread_mutex_t mutex;
    _Atomic uint64_t next; /* without a cluster */
    cluster_counter *counter;
    pthread_t thread;
    bool polling;       /* the thread runs */
    atomic_bool ending; /* and is to end */
    unsigned finished;  /* on rank 0: other ranks that have sent everything */
    void *buffer;
    size_t room;
};

/* Takes care of messages that have arrived. */
static void look_after_messages(cluster_farm *farm)
{
    size_t count;
    pthread_mutex_lock(&farm->mutex);
    if (cluster_rank() != 0)
        cluster_poll();
    else
        while (cluster_receive_result(&farm->buffer, &farm->room, &count)) {
            if (count == 0)
                farm->finished++;
            else
                farm->deliver(farm->context, farm->buffer, count);
        }
    pthread_mutex_unlock(&farm->mutex);
}

static void *poll_main(void *argument)
{
    cluster_farm *farm = argument;
    struct timespec pause = {.tv_nsec = POLL_NANOS};
    while (!atomic_load(&farm->ending)) {
        look_after_messages(farm);
        nanosleep(&pause, NULL);
    }
    return NULL;
}

cluster_farm *cluster_farm_open(cluster_deliver *deliver, void *context)
{
    cluster_farm *farm = calloc(1, sizeof *farm);
    uint64_t failed = !farm;
    if (farm) {
        farm->deliver = deliver;
        farm->context = context;
        pthread_mutexattr_t recursive; /* whoever receives a result may end the farm */
        pthread_mutexattr_init(&recursive);
        pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutex_init(&farm->mutex, &recursive);
        pthread_mutexattr_destroy(&recursive);
    }
    if (cluster_ranks() == 1)
        return farm;
    cluster_maximum(&failed, 1);
    if (failed || !farm) {
        free(farm);
        return NULL;
    }
    farm->counter = cluster_counter_open();
    if (farm->counter)
        farm->polling = pthread_create(&farm->thread, NULL, poll_main, farm) == 0;
    pthread_mutex_lock(&farm->mutex);
    failed = !farm->polling;
    cluster_maximum(&failed, 1);
    pthread_mutex_unlock(&farm->mutex);
    if (!failed)
        return farm;
    atomic_store(&farm->ending, true);
    if (farm->polling)
        pthread_join(farm->thread, NULL);
    cluster_counter_close(farm->counter);
    free(farm);
    return NULL;
}

static uint64_t take(cluster_farm *farm, uint64_t count)
{
    if (cluster_ranks() == 1)
        return atomic_fetch_add(&farm->next, count);
    pthread_mutex_lock(&farm->mutex);
    uint64_t first = cluster_counter_take(farm->counter, count);
    pthread_mutex_unlock(&farm->mutex);
    return first;
}

uint64_t cluster_farm_take(cluster_farm *farm)
{
    return take(farm, 1);
}

void cluster_farm_end(cluster_farm *farm)
{
    take(farm, (uint64_t)1 << END_SHIFT);
}

void cluster_farm_post(cluster_farm *farm, const void *bytes, size_t count)
{
    pthread_mutex_lock(&farm->mutex);
    if (cluster_rank() == 0)
        farm->deliver(farm->context, bytes, count);
    else
        cluster_send_result(bytes, count);
    pthread_mutex_unlock(&farm->mutex);
}

void cluster_farm_close(cluster_farm *farm)
{
    if (!farm)
        return;
    if (cluster_ranks() > 1) {
        if (cluster_rank() != 0)
            cluster_farm_post(farm, NULL, 0);
        struct timespec pause = {.tv_nsec = POLL_NANOS};
        for (bool all = cluster_rank() != 0; !all; nanosleep(&pause, NULL)) {
            pthread_mutex_lock(&farm->mutex);
            all = farm->finished == cluster_ranks() - 1;
            pthread_mutex_unlock(&farm->mutex);
        }
        atomic_store(&farm->ending, true);
        pthread_join(farm->thread, NULL);
        cluster_counter_close(farm->counter);
    }
    pthread_mutex_destroy(&farm->mutex);
    free(farm->buffer);
    free(farm);
}
