/* SPDX-License-Identifier: MIT */
/* vct_threads.c - see vct_threads.h. */
#include "games/gomoku/solve/vct_threads.h"
#include <stdlib.h>
#include <string.h>

void gomoku_vct_pool_free(gomoku_vct_pool *pool)
{
    if (!pool)
        return;
    for (unsigned i = 0; i < pool->count; i++) {
        gomoku_vct_free(&pool->workers[i].vct);
        free(pool->workers[i].undo);
    }
    free(pool->workers);
    free(pool);
}

gomoku_vct_pool *gomoku_vct_pool_new(gomoku_vct *main_search, unsigned count, size_t bytes)
{
    gomoku_vct_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->main_search = main_search;
    pool->workers = calloc(count, sizeof *pool->workers);
    bool ready = pool->workers != NULL;
    for (unsigned i = 0; i < count && ready; i++) {
        gomoku_vct_worker *w = &pool->workers[i];
        w->undo = calloc(GOMOKU_MAX_CELLS + 1, sizeof *w->undo);
        pool->count = i + 1;
        ready = w->undo && gomoku_vct_init(&w->vct, &w->board, main_search->table, bytes) == PLY_OK;
    }
    if (!ready) {
        gomoku_vct_pool_free(pool);
        return NULL;
    }
    return pool;
}

void gomoku_vct_pool_clear(gomoku_vct_pool *pool)
{
    for (unsigned i = 0; i < pool->count; i++)
        gomoku_vcf_clear(&pool->workers[i].vct.vcf);
}

/* For the main search, which may not look into the tables of its workers. */
static void publish_bytes(gomoku_vct_worker *w)
{
    const gomoku_vct *v = &w->vct;
    atomic_store_explicit(&w->bytes,
                          (v->vcf.mask + 1) * sizeof *v->vcf.table +
                              v->children_capacity * sizeof *v->children,
                          memory_order_relaxed);
}

/* Polled by a worker. Only the main search knows the limits; it sets `stop`. */
static bool keep_going(void *context, uint64_t nodes)
{
    gomoku_vct_worker *w = context;
    (void)nodes;
    atomic_store_explicit(&w->nodes, w->vct.nodes, memory_order_relaxed);
    publish_bytes(w);
    return !atomic_load_explicit(&w->vct.pool->stop, memory_order_relaxed);
}

static void *run_worker(void *context)
{
    gomoku_vct_worker *w = context;
    gomoku_vct_pool *pool = w->vct.pool;
    int verdict = gomoku_vct_root(&w->vct);
    keep_going(w, 0);
    if (verdict) {
        atomic_store(&pool->verdict, verdict);
        atomic_store(&pool->stop, true);
    }
    return NULL;
}

void gomoku_vct_pool_start(gomoku_vct_pool *pool)
{
    gomoku_vct *main_search = pool->main_search;
    gomoku_vct_table_share(main_search->table);
    atomic_store(&pool->stop, false);
    atomic_store(&pool->verdict, 0);
    main_search->parallel = true;
    for (unsigned i = 0; i < pool->count; i++) {
        gomoku_vct_worker *w = &pool->workers[i];
        gomoku_vct *v = &w->vct;
        w->board = pool->root;
        w->board.undo = w->undo;
        w->board.depth = 0;
        v->attacker = main_search->attacker;
        v->any_move = main_search->any_move;
        v->may_pass = main_search->may_pass;
        v->vcf_limit = main_search->vcf_limit;
        v->stage = main_search->stage;
        v->limit = UINT64_MAX;
        v->nodes = v->vcf.nodes = 0;
        v->plies = main_search->root_plies;
        v->children_used = 0;
        v->stopped = v->incomplete = false;
        v->keep_going = v->vcf.keep_going = keep_going;
        v->context = v->vcf.context = w;
        v->pool = pool;
        v->worker_number = i + 1;
        v->parallel = true;
        atomic_store(&w->nodes, 0);
        if (pthread_create(&w->thread, NULL, run_worker, w) != 0)
            break; /* make do with fewer */
        pool->running = i + 1;
    }
}

int gomoku_vct_pool_join(gomoku_vct_pool *pool)
{
    gomoku_vct *main_search = pool->main_search;
    atomic_store(&pool->stop, true);
    for (unsigned i = 0; i < pool->running; i++) {
        gomoku_vct_worker *w = &pool->workers[i];
        pthread_join(w->thread, NULL);
        main_search->incomplete |= w->vct.incomplete;
        main_search->nodes += w->vct.nodes;
        main_search->vcf.nodes += w->vct.vcf.nodes;
        atomic_store(&w->nodes, 0);
    }
    pool->running = 0;
    main_search->parallel = false;
    return atomic_load(&pool->verdict);
}

uint64_t gomoku_vct_pool_nodes(const gomoku_vct_pool *pool)
{
    uint64_t nodes = 0;
    for (unsigned i = 0; i < pool->running; i++)
        nodes += atomic_load_explicit(&pool->workers[i].nodes, memory_order_relaxed);
    return nodes;
}

size_t gomoku_vct_pool_bytes(const gomoku_vct_pool *pool)
{
    size_t bytes = sizeof *pool;
    for (unsigned i = 0; i < pool->count; i++)
        bytes += sizeof pool->workers[i] + (GOMOKU_MAX_CELLS + 1) * sizeof *pool->workers[i].undo +
                 atomic_load_explicit(&pool->workers[i].bytes, memory_order_relaxed);
    return bytes;
}
