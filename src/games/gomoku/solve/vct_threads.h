/* SPDX-License-Identifier: MIT */
/*
 * vct_threads.h - a thread pool for one threat search.
 *
 * All threads search the same root with one table. Each counts itself as a visitor of every
 * position on its path, and the others see a position with visitors as harder than it is (virtual
 * loss), so they spread out; the numbers in the table are not affected. The first thread to solve
 * the root stops the others. Short searches stay on one thread.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_VCT_THREADS_H
#define PLY_GAMES_GOMOKU_SOLVE_VCT_THREADS_H

#include "games/gomoku/solve/vct.h"
#include <pthread.h>

/* Positions share visitor counters by the top bits of their keys. */
enum { GOMOKU_VISITOR_BITS = 14, GOMOKU_VISITOR_COUNTERS = 1 << GOMOKU_VISITOR_BITS };

typedef struct gomoku_vct_worker {
    gomoku_vct vct;
    gomoku_threat_board board;
    gomoku_threat_undo *undo;
    pthread_t thread;
    _Atomic uint64_t nodes; /* of the current search */
    _Atomic uint64_t bytes; /* held */
} gomoku_vct_worker;

struct gomoku_vct_pool {
    gomoku_vct *main_search;    /* the search that started the pool, on the caller's thread */
    gomoku_vct_worker *workers; /* the others */
    unsigned count, running;
    gomoku_threat_board root; /* where the search began */
    atomic_bool stop;
    atomic_int verdict; /* of the root: 1 won, -1 not won, 0 unknown */
    _Atomic uint8_t visitors[GOMOKU_VISITOR_COUNTERS];
};

/* A pool of `count` threads besides the caller's, each with `bytes` for its search for fours. NULL
 * when memory runs out. */
gomoku_vct_pool *gomoku_vct_pool_new(gomoku_vct *main_search, unsigned count, size_t bytes);
/* NULL is a no-op. */
void gomoku_vct_pool_free(gomoku_vct_pool *pool);
/* Clears the workers' tables of fours. */
void gomoku_vct_pool_clear(gomoku_vct_pool *pool);
/* Starts the workers at the root of the main search. */
void gomoku_vct_pool_start(gomoku_vct_pool *pool);
/* Stops the workers, waits for them, and adds their nodes and incompleteness to the main search.
 * Returns the verdict of the root as above. */
int gomoku_vct_pool_join(gomoku_vct_pool *pool);
/* The nodes of the workers in the current search. */
uint64_t gomoku_vct_pool_nodes(const gomoku_vct_pool *pool);
size_t gomoku_vct_pool_bytes(const gomoku_vct_pool *pool);

/* The number of threads that search below a position. */
static inline uint32_t gomoku_vct_visitors(const gomoku_vct_pool *pool, uint64_t key)
{
    return atomic_load_explicit(&pool->visitors[key >> (64 - GOMOKU_VISITOR_BITS)],
                                memory_order_relaxed);
}

/* Adds `by`, 1 or -1. */
static inline void gomoku_vct_add_visitor(gomoku_vct_pool *pool, uint64_t key, int by)
{
    atomic_fetch_add_explicit(&pool->visitors[key >> (64 - GOMOKU_VISITOR_BITS)], (uint8_t)by,
                              memory_order_relaxed);
}

#endif
