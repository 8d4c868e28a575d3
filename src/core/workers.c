/* SPDX-License-Identifier: MIT */
/* workers.c - a thread pool; see workers.h. One mutex guards everything except `next`. */
#include "core/workers.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct worker {
    ply_workers *pool;
    pthread_t thread;
    unsigned number;
} worker;

struct ply_workers {
    pthread_mutex_t mutex;
    pthread_cond_t begin, end;
    ply_work *work;
    void *context;
    size_t count;
    bool one_each; /* item n goes to worker n */
    atomic_size_t next;
    uint64_t round; /* incremented by every run, which wakes the threads */
    unsigned busy;
    bool stopping;
    unsigned size;
    worker workers[]; /* threads 1 to size - 1 */
};

static void take_items(ply_workers *pool, unsigned number)
{
    if (pool->one_each) {
        pool->work(pool->context, number, number);
        return;
    }
    for (;;) {
        size_t item = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (item >= pool->count)
            return;
        pool->work(pool->context, item, number);
    }
}

static void *worker_main(void *argument)
{
    worker *self = argument;
    ply_workers *pool = self->pool;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (pool->round == seen && !pool->stopping)
            pthread_cond_wait(&pool->begin, &pool->mutex);
        if (pool->stopping)
            break;
        seen = pool->round;
        pthread_mutex_unlock(&pool->mutex);
        take_items(pool, self->number);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->end);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

ply_workers *ply_workers_start(unsigned size)
{
    if (size == 0)
        size = 1;
    if (size > PLY_MAX_THREADS)
        return NULL;
    ply_workers *pool = calloc(1, sizeof *pool + (size - 1) * sizeof(worker));
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->end, NULL);
    pool->size = 1;
    for (unsigned i = 0; i + 1 < size; i++) {
        pool->workers[i] = (worker){.pool = pool, .number = i + 1};
        if (pthread_create(&pool->workers[i].thread, NULL, worker_main, &pool->workers[i]) != 0) {
            ply_workers_stop(pool);
            return NULL;
        }
        pool->size++;
    }
    return pool;
}

unsigned ply_workers_size(const ply_workers *pool)
{
    return pool->size;
}

static void run(ply_workers *pool, size_t count, bool one_each, ply_work *work, void *context)
{
    pthread_mutex_lock(&pool->mutex);
    pool->work = work;
    pool->context = context;
    pool->count = count;
    pool->one_each = one_each;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->busy = pool->size - 1;
    pool->round++;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->mutex);

    take_items(pool, 0);

    pthread_mutex_lock(&pool->mutex);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->end, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

void ply_workers_run(ply_workers *pool, size_t count, ply_work *work, void *context)
{
    run(pool, count, false, work, context);
}

void ply_workers_run_all(ply_workers *pool, ply_work *work, void *context)
{
    run(pool, pool->size, true, work, context);
}

void ply_workers_stop(ply_workers *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; i + 1 < pool->size; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->end);
    pthread_cond_destroy(&pool->begin);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}
