/* SPDX-License-Identifier: MIT */
/*
 * dfpn_threads.h - several threads on one problem.
 *
 * Every thread has a dfpn of its own, with its own position, path and children, and searches from
 * the root; the table is shared (dfpn_table.h). Everything in it is true whichever thread found it:
 * wins and independent failures hold for the position, path-dependent failures for a path from the
 * root, and all threads have the same root. So the first thread to decide the root has the answer.
 *
 * To spread out, threads share an array of counters indexed by a hash of the position. A thread
 * that is below a position has incremented its counter, and the position looks harder to the
 * others.
 *
 * When the table is full, one thread makes room while the others wait. Every thread checks for that
 * at every node, where it holds no pointer into the table.
 */
#ifndef PLY_SOLVE_DFPN_THREADS_H
#define PLY_SOLVE_DFPN_THREADS_H

#include "core/hash.h"
#include "core/workers.h"
#include "solve/dfpn_internal.h"
#include <pthread.h>

enum { BUSY_COUNTERS = 1 << 16 };

typedef struct dfpn_threads {
    dfpn **solvers; /* one per thread; the first belongs to the caller */
    unsigned size;
    ply_workers *pool;
    atomic_uint_least8_t busy[BUSY_COUNTERS]; /* threads below a position */
    atomic_bool finished;                     /* a thread has a result, or all must stop */
    atomic_uint_least64_t nodes;              /* of all threads but the first, in this run */
    atomic_bool making_room;
    pthread_mutex_t mutex; /* guards the following */
    pthread_cond_t changed;
    unsigned running, waiting;
    bool has_result;
    dfpn_result result;
    uint16_t plies; /* the length searched for */
} dfpn_threads;

/* Adds size - 1 threads to the first; NULL when out of memory. */
dfpn_threads *ply_dfpn_threads_new(dfpn *first, unsigned size);
/* Frees all but the first thread's dfpn. NULL is a no-op. */
void ply_dfpn_threads_free(dfpn_threads *threads);
/* Copies the first thread's problem to the others. Call before a run. */
ply_status ply_dfpn_threads_start(dfpn_threads *threads);
/* Like ply_dfpn_solve for the root, with all threads and no limit on nodes. */
dfpn_result ply_dfpn_threads_solve(dfpn_threads *threads, uint16_t plies);
/* Call at every node: makes room, or waits while another thread does. Returns false when the
 * search must end. */
bool ply_dfpn_threads_poll(dfpn *d);
/* Nodes of all threads. Call on the first thread. */
uint64_t ply_dfpn_threads_nodes(const dfpn *d);

static inline atomic_uint_least8_t *dfpn_busy_counter(dfpn_threads *threads, uint64_t key,
                                                      uint64_t resources)
{
    return &threads->busy[ply_mix64(key + resources * PLY_GOLDEN) % BUSY_COUNTERS];
}

/* The number of threads below a position, or below another with the same hash. */
static inline unsigned dfpn_busy_count(dfpn_threads *threads, uint64_t key, uint64_t resources)
{
    return atomic_load_explicit(dfpn_busy_counter(threads, key, resources), memory_order_relaxed);
}

static inline void dfpn_busy_enter(dfpn_threads *threads, uint64_t key, uint64_t resources)
{
    atomic_fetch_add_explicit(dfpn_busy_counter(threads, key, resources), 1, memory_order_relaxed);
}

static inline void dfpn_busy_leave(dfpn_threads *threads, uint64_t key, uint64_t resources)
{
    atomic_fetch_sub_explicit(dfpn_busy_counter(threads, key, resources), 1, memory_order_relaxed);
}

#endif
