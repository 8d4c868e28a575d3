/* SPDX-License-Identifier: MIT */
/*
 * workers.c - a thread pool; see workers.h. One mutex guards everything that is not atomic.
 *
 * Runs may follow each other within microseconds, which is less than it takes to wake a thread. So a
 * thread that has nothing to do looks for the next run, or for the end of this one, for a while
 * before it sleeps. And the caller never waits for a thread that has not begun, except where each
 * must do its part: when no item is left it closes the run, and whoever comes later stays out.
 */
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
    bool by_number; /* worker n is called once, with item n */
    bool all;       /* every thread takes part */
    bool open;      /* threads may still join this run */
    atomic_size_t next;
    atomic_uint_fast64_t round; /* incremented by every run, which wakes the threads */
    atomic_uint busy;           /* threads that have joined this run, or must, and not finished */
    bool stopping;
    unsigned size;
    worker workers[]; /* threads 1 to size - 1 */
};

enum { LOOKS = 4000 }; /* some ten microseconds */

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void take_items(ply_workers *pool, unsigned number)
{
    if (pool->by_number) {
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
    for (;;) {
        for (int i = 0; i < LOOKS && atomic_load(&pool->round) == seen; i++)
            pause_briefly();
        pthread_mutex_lock(&pool->mutex);
        while ((pool->round == seen || !pool->open) && !pool->stopping) {
            seen = pool->round;
            pthread_cond_wait(&pool->begin, &pool->mutex);
        }
        seen = pool->round;
        bool stopping = pool->stopping;
        if (!pool->all)
            atomic_fetch_add(&pool->busy, 1);
        pthread_mutex_unlock(&pool->mutex);
        if (stopping)
            return NULL;
        take_items(pool, self->number);
        if (atomic_fetch_sub(&pool->busy, 1) == 1) {
            pthread_mutex_lock(&pool->mutex);
            pthread_cond_signal(&pool->end);
            pthread_mutex_unlock(&pool->mutex);
        }
    }
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

/* Waits until no thread works on this run. */
static void wait_for_others(ply_workers *pool)
{
    for (int i = 0; i < LOOKS && atomic_load(&pool->busy) > 0; i++)
        pause_briefly();
    if (atomic_load(&pool->busy) == 0)
        return;
    pthread_mutex_lock(&pool->mutex);
    while (atomic_load(&pool->busy) > 0)
        pthread_cond_wait(&pool->end, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

typedef struct run_kind {
    bool by_number, all;
} run_kind;

static void run(ply_workers *pool, size_t count, run_kind kind, ply_work *work, void *context)
{
    pthread_mutex_lock(&pool->mutex);
    pool->work = work;
    pool->context = context;
    pool->count = count;
    pool->by_number = kind.by_number;
    pool->all = kind.all;
    pool->open = true;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->busy = kind.all ? pool->size - 1 : 0;
    pool->round++;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->mutex);

    take_items(pool, 0);

    if (!kind.all) {
        pthread_mutex_lock(&pool->mutex);
        pool->open = false;
        pthread_mutex_unlock(&pool->mutex);
    }
    wait_for_others(pool);
}

void ply_workers_run(ply_workers *pool, size_t count, ply_work *work, void *context)
{
    run(pool, count, (run_kind){.by_number = false}, work, context);
}

void ply_workers_run_all(ply_workers *pool, ply_work *work, void *context)
{
    run(pool, pool->size, (run_kind){.by_number = true, .all = true}, work, context);
}

void ply_workers_run_some(ply_workers *pool, ply_work *work, void *context)
{
    run(pool, pool->size, (run_kind){.by_number = true}, work, context);
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
