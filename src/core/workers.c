/* SPDX-License-Identifier: MIT */
/*
 * workers.c - a thread pool; see workers.h.
 *
 * Runs may follow each other within microseconds, which is less than it takes to wake a thread. So a
 * thread that has nothing to do looks for the next run, or for the end of this one, for a while
 * before it sleeps. And the caller never waits for a thread that has not begun, except where each
 * must do its part: when no item is left it closes the run, and whoever comes later stays out.
 *
 * One atomic word says who takes part, so that no thread waits for a lock between two runs:
 *
 *     gate   bits 0-13   threads that have joined this run, or must, and have not finished
 *            bit 14      every thread must take part
 *            bit 15      threads may join
 *            bits 16-63  the number of the run
 *
 * The mutex is for sleeping only. A thread that goes to sleep says so and then reads the gate once
 * more; a thread that changes the gate looks for sleepers afterwards. All of that is sequentially
 * consistent, so at least one of the two sees the other.
 */
#include "core/workers.h"
#include "core/clock.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define GATE_JOINED ((uint64_t)0x3FFF)
#define GATE_ALL ((uint64_t)0x4000)
#define GATE_OPEN ((uint64_t)0x8000)
#define GATE_RUN ((uint64_t)0x10000)
#define GATE_STOP (~(uint64_t)0) /* the threads must end */
_Static_assert(PLY_MAX_THREADS <= 0x3FFF, "the gate can count all threads");

/* How long a thread looks before it sleeps: about as long as it takes to wake it. */
enum { LOOK_NANOS = 50000, PAUSES_PER_LOOK = 32 };

typedef struct worker {
    ply_workers *pool;
    pthread_t thread;
    unsigned number;
} worker;

struct ply_workers {
    /* What the threads do; the caller writes it while no thread takes part. */
    ply_work *work;
    void *context;
    size_t count;
    bool by_number; /* worker n is called once, with item n */

    bool looks; /* before a thread sleeps, because there is a core for each */
    unsigned size;
    pthread_mutex_t mutex;
    pthread_cond_t begin, end;
    atomic_uint sleepers;            /* threads that wait for begin */
    atomic_bool caller_sleeps;       /* and waits for end */
    _Alignas(64) atomic_size_t next; /* item */
    _Alignas(64) atomic_uint_fast64_t gate;
    _Alignas(64) worker workers[]; /* threads 1 to size - 1 */
};

/* --- looking -------------------------------------------------------------------------------- */
/* Whether a run other than `seen` has begun. */
static bool new_run(ply_workers *pool, uint64_t seen)
{
    return (atomic_load(&pool->gate) ^ seen) >= GATE_RUN;
}

/* Whether no thread works on this run. */
static bool all_done(ply_workers *pool, uint64_t unused)
{
    (void)unused;
    return (atomic_load(&pool->gate) & GATE_JOINED) == 0;
}

/* Looks for a while whether a condition holds, and returns whether it does. */
static bool look(ply_workers *pool, bool (*holds)(ply_workers *, uint64_t), uint64_t seen)
{
    if (!pool->looks)
        return holds(pool, seen);
    uint64_t start = ply_clock_nanos();
    do {
        for (int i = 0; i < PAUSES_PER_LOOK; i++) {
            if (holds(pool, seen))
                return true;
            ply_pause();
        }
    } while (ply_clock_nanos() - start < LOOK_NANOS);
    return false;
}

/* --- the threads ---------------------------------------------------------------------------- */
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

/* Waits for a run other than `seen`, and returns its gate. */
static uint64_t wait_for_run(ply_workers *pool, uint64_t seen)
{
    if (!look(pool, new_run, seen)) {
        pthread_mutex_lock(&pool->mutex);
        atomic_fetch_add(&pool->sleepers, 1);
        while (!new_run(pool, seen))
            pthread_cond_wait(&pool->begin, &pool->mutex);
        atomic_fetch_sub(&pool->sleepers, 1);
        pthread_mutex_unlock(&pool->mutex);
    }
    return atomic_load(&pool->gate);
}

/* Joins the run of a gate, unless it is over. */
static bool join_run(ply_workers *pool, uint64_t gate)
{
    if (gate & GATE_ALL)
        return true;
    uint64_t now = gate;
    while ((now & GATE_OPEN) && (now ^ gate) < GATE_RUN)
        if (atomic_compare_exchange_weak(&pool->gate, &now, now + 1))
            return true;
    return false;
}

static void leave_run(ply_workers *pool)
{
    uint64_t before = atomic_fetch_sub(&pool->gate, 1);
    if ((before & GATE_JOINED) == 1 && atomic_load(&pool->caller_sleeps)) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_signal(&pool->end);
        pthread_mutex_unlock(&pool->mutex);
    }
}

static void *worker_main(void *argument)
{
    worker *self = argument;
    ply_workers *pool = self->pool;
    uint64_t gate = 0;
    while ((gate = wait_for_run(pool, gate)) != GATE_STOP)
        if (join_run(pool, gate)) {
            take_items(pool, self->number);
            leave_run(pool);
        }
    return NULL;
}

/* --- the caller ----------------------------------------------------------------------------- */
static void set_gate(ply_workers *pool, uint64_t gate)
{
    atomic_store(&pool->gate, gate);
    if (atomic_load(&pool->sleepers) > 0) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->begin);
        pthread_mutex_unlock(&pool->mutex);
    }
}

static void wait_for_others(ply_workers *pool)
{
    if (look(pool, all_done, 0))
        return;
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->caller_sleeps, true);
    while (!all_done(pool, 0))
        pthread_cond_wait(&pool->end, &pool->mutex);
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->mutex);
}

typedef struct run_kind {
    bool by_number, all;
} run_kind;

static void run(ply_workers *pool, size_t count, run_kind kind, ply_work *work, void *context)
{
    pool->work = work;
    pool->context = context;
    pool->count = count;
    pool->by_number = kind.by_number;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    if (pool->size == 1) {
        take_items(pool, 0);
        return;
    }
    uint64_t next_run = (atomic_load(&pool->gate) | (GATE_RUN - 1)) + 1;
    set_gate(pool, next_run | (kind.all ? GATE_ALL | (pool->size - 1) : GATE_OPEN));
    take_items(pool, 0);
    if (!kind.all)
        atomic_fetch_and(&pool->gate, ~GATE_OPEN);
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

/* --- pools ---------------------------------------------------------------------------------- */
/* The cores that this process may use; 0 if that is unknown. */
static unsigned usable_cores(void)
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (unsigned)CPU_COUNT(&cores) : 0;
}

ply_workers *ply_workers_start(unsigned size)
{
    if (size == 0)
        size = 1;
    if (size > PLY_MAX_THREADS)
        return NULL;
    size_t align = _Alignof(ply_workers);
    size_t bytes = sizeof(ply_workers) + (size - 1) * sizeof(worker);
    ply_workers *pool = aligned_alloc(align, (bytes + align - 1) / align * align);
    if (!pool)
        return NULL;
    *pool = (ply_workers){.looks = usable_cores() >= size, .size = 1};
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->end, NULL);
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

bool ply_workers_have_cores(const ply_workers *pool)
{
    return pool->looks;
}

void ply_workers_stop(ply_workers *pool)
{
    if (!pool)
        return;
    set_gate(pool, GATE_STOP);
    for (unsigned i = 0; i + 1 < pool->size; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->end);
    pthread_cond_destroy(&pool->begin);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}
