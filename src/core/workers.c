/* SPDX-License-Identifier: MIT */
/* workers.c - see workers.h. One mutex guards everything but the counter of pieces. */
#include "core/workers.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct member {
    ply_workers *team;
    pthread_t thread;
    unsigned number;
} member;

struct ply_workers {
    pthread_mutex_t mutex;
    pthread_cond_t begin, end;
    ply_work *work;
    void *context;
    size_t count;
    bool one_each; /* piece n belongs to member n */
    atomic_size_t next;
    uint64_t round; /* goes up with every run, which is what wakes the members */
    unsigned busy;
    bool leaving;
    unsigned size;
    member members[];
};

static void take_pieces(ply_workers *team, unsigned number)
{
    if (team->one_each) {
        team->work(team->context, number, number);
        return;
    }
    for (;;) {
        size_t piece = atomic_fetch_add_explicit(&team->next, 1, memory_order_relaxed);
        if (piece >= team->count)
            return;
        team->work(team->context, piece, number);
    }
}

static void *member_main(void *argument)
{
    member *self = argument;
    ply_workers *team = self->team;
    uint64_t seen = 0;
    pthread_mutex_lock(&team->mutex);
    for (;;) {
        while (team->round == seen && !team->leaving)
            pthread_cond_wait(&team->begin, &team->mutex);
        if (team->leaving)
            break;
        seen = team->round;
        pthread_mutex_unlock(&team->mutex);
        take_pieces(team, self->number);
        pthread_mutex_lock(&team->mutex);
        if (--team->busy == 0)
            pthread_cond_signal(&team->end);
    }
    pthread_mutex_unlock(&team->mutex);
    return NULL;
}

ply_workers *ply_workers_start(unsigned size)
{
    if (size == 0)
        size = 1;
    ply_workers *team = calloc(1, sizeof *team + (size - 1) * sizeof(member));
    if (!team)
        return NULL;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->begin, NULL);
    pthread_cond_init(&team->end, NULL);
    team->size = 1;
    for (unsigned i = 0; i + 1 < size; i++) {
        team->members[i] = (member){.team = team, .number = i + 1};
        if (pthread_create(&team->members[i].thread, NULL, member_main, &team->members[i]) != 0) {
            ply_workers_stop(team);
            return NULL;
        }
        team->size++;
    }
    return team;
}

unsigned ply_workers_size(const ply_workers *workers)
{
    return workers->size;
}

static void run(ply_workers *workers, size_t count, bool one_each, ply_work *work, void *context)
{
    pthread_mutex_lock(&workers->mutex);
    workers->work = work;
    workers->context = context;
    workers->count = count;
    workers->one_each = one_each;
    atomic_store_explicit(&workers->next, 0, memory_order_relaxed);
    workers->busy = workers->size - 1;
    workers->round++;
    pthread_cond_broadcast(&workers->begin);
    pthread_mutex_unlock(&workers->mutex);

    take_pieces(workers, 0);

    pthread_mutex_lock(&workers->mutex);
    while (workers->busy > 0)
        pthread_cond_wait(&workers->end, &workers->mutex);
    pthread_mutex_unlock(&workers->mutex);
}

void ply_workers_run(ply_workers *workers, size_t count, ply_work *work, void *context)
{
    run(workers, count, false, work, context);
}

void ply_workers_run_all(ply_workers *workers, ply_work *work, void *context)
{
    run(workers, workers->size, true, work, context);
}

void ply_workers_stop(ply_workers *workers)
{
    if (!workers)
        return;
    pthread_mutex_lock(&workers->mutex);
    workers->leaving = true;
    pthread_cond_broadcast(&workers->begin);
    pthread_mutex_unlock(&workers->mutex);
    for (unsigned i = 0; i + 1 < workers->size; i++)
        pthread_join(workers->members[i].thread, NULL);
    pthread_cond_destroy(&workers->end);
    pthread_cond_destroy(&workers->begin);
    pthread_mutex_destroy(&workers->mutex);
    free(workers);
}
