/* SPDX-License-Identifier: MIT */
/*
 * workers.h - a fixed team of threads that shares out numbered pieces of work.
 *
 * ply_workers_run hands the numbers 0..count-1 to the team, the next one to whoever is free, and
 * returns when all are done. The caller's thread works too, as worker 0, so a team of one starts
 * no thread at all. Runs do not nest, and one thread at a time may call run.
 */
#ifndef PLY_CORE_WORKERS_H
#define PLY_CORE_WORKERS_H

#include <plyverse/status.h>

typedef struct ply_workers ply_workers;

/* What a worker does with one piece. worker counts from 0 and is below the team's size. */
typedef void ply_work(void *context, size_t piece, unsigned worker);

/* NULL when threads or memory cannot be had. size 0 counts as 1. */
ply_workers *ply_workers_start(unsigned size);
unsigned ply_workers_size(const ply_workers *workers);
void ply_workers_run(ply_workers *workers, size_t count, ply_work *work, void *context);
/* Every member of the team does one piece, the one with its own number. */
void ply_workers_run_all(ply_workers *workers, ply_work *work, void *context);
void ply_workers_stop(ply_workers *workers);

#endif
