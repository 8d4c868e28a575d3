/* SPDX-License-Identifier: MIT */
/*
 * workers.h - a thread pool that works through numbered items.
 *
 * ply_workers_run hands out the numbers 0 to count - 1, each to the next free thread, and returns
 * when all are done. The calling thread takes part as worker 0, so a pool of size 1 starts no
 * threads. Runs do not nest, and only one thread at a time may start one.
 */
#ifndef PLY_CORE_WORKERS_H
#define PLY_CORE_WORKERS_H

#include <plyverse/status.h>
#include <stdbool.h>

typedef struct ply_workers ply_workers;

/* Processes one item. worker is from 0 to the pool's size - 1. */
typedef void ply_work(void *context, size_t item, unsigned worker);

/* The most threads that a job may ask for. */
enum { PLY_MAX_THREADS = 1024 };

/* Starts a pool; size 0 counts as 1. Returns NULL when threads or memory are not available, or for
 * more than PLY_MAX_THREADS. */
ply_workers *ply_workers_start(unsigned size);
unsigned ply_workers_size(const ply_workers *pool);
/* Whether there is a core for each worker, so that they may wait for each other without sleeping. */
bool ply_workers_have_cores(const ply_workers *pool);
void ply_workers_run(ply_workers *pool, size_t count, ply_work *work, void *context);
/* Every worker processes exactly one item: the one with its own number. */
void ply_workers_run_all(ply_workers *pool, ply_work *work, void *context);
/* The same, but a worker that has not begun when worker 0 is done is left out. For work that its
 * calls share among themselves, so that one of them could do all of it. */
void ply_workers_run_some(ply_workers *pool, ply_work *work, void *context);
/* Tells the processor that this loop waits for another thread. */
static inline void ply_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}
/* Ends the threads and frees the pool. NULL is a no-op. */
void ply_workers_stop(ply_workers *pool);

#endif
