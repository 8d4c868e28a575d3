/* SPDX-License-Identifier: MIT */
/* dfpn_threads.c - several threads on one problem; see dfpn_threads.h. */
#include "solve/dfpn_threads.h"
#include <assert.h>
#include <stdlib.h>

enum { NODE_BATCH = 256 }; /* nodes that a thread adds to the total at a time */

dfpn_threads *ply_dfpn_threads_new(dfpn *first, unsigned size)
{
    dfpn_threads *threads = calloc(1, sizeof *threads);
    if (!threads)
        return NULL;
    threads->solvers = calloc(size, sizeof *threads->solvers);
    threads->size = size;
    pthread_mutex_init(&threads->mutex, NULL);
    pthread_cond_init(&threads->changed, NULL);
    bool ok = threads->solvers != NULL;
    for (unsigned i = 0; ok && i < size; i++) {
        dfpn *d = i == 0 ? first : ply_dfpn_new(first);
        threads->solvers[i] = d;
        ok = d != NULL;
        if (d)
            d->threads = threads;
    }
    threads->pool = ok ? ply_workers_start(size) : NULL;
    if (!threads->pool) {
        assert(first);
        first->threads = NULL;
        ply_dfpn_threads_free(threads);
        return NULL;
    }
    return threads;
}

void ply_dfpn_threads_free(dfpn_threads *threads)
{
    if (!threads)
        return;
    if (threads->pool)
        ply_workers_stop(threads->pool);
    for (unsigned i = 1; threads->solvers && i < threads->size; i++)
        ply_dfpn_free(threads->solvers[i]);
    free(threads->solvers);
    pthread_mutex_destroy(&threads->mutex);
    pthread_cond_destroy(&threads->changed);
    free(threads);
}

ply_status ply_dfpn_threads_start(dfpn_threads *threads)
{
    const dfpn *first = threads->solvers[0];
    atomic_store(&threads->nodes, 0);
    for (unsigned i = 1; i < threads->size; i++) {
        dfpn *d = threads->solvers[i];
        if (d->has_position)
            ply_game_clear(d->rules, d->position);
        d->has_position = false;
        if (ply_game_copy(d->rules, d->position, first->position) != PLY_OK)
            return PLY_NO_MEMORY;
        d->has_position = true;
        d->attacker = first->attacker;
        d->ignore_futile = first->ignore_futile;
        d->symmetric = first->symmetric;
        d->nodes = 0;
        d->met_futile = d->out_of_memory = d->stopping = false;
    }
    return PLY_OK;
}

static void work(void *context, size_t item, unsigned worker)
{
    (void)item;
    dfpn_threads *threads = context;
    dfpn *d = threads->solvers[worker];
    d->parallel = true;
    d->avoids_busy = worker > 0;
    dfpn_result r = ply_dfpn_solve(d, DFPN_ROOT, threads->plies, UINT64_MAX);
    d->parallel = d->avoids_busy = false;
    pthread_mutex_lock(&threads->mutex);
    /* A search that was not interrupted has decided the root. */
    bool decided = (r.proof == 0 || r.disproof == 0) && !d->out_of_memory;
    if (decided && !threads->has_result) {
        threads->has_result = true;
        threads->result = r;
    }
    atomic_store(&threads->finished, true);
    threads->running--;
    pthread_cond_broadcast(&threads->changed);
    pthread_mutex_unlock(&threads->mutex);
}

dfpn_result ply_dfpn_threads_solve(dfpn_threads *threads, uint16_t plies)
{
    dfpn *first = threads->solvers[0];
    threads->plies = plies;
    threads->running = threads->size;
    threads->waiting = 0;
    threads->has_result = false;
    atomic_store(&threads->finished, false);
    ply_workers_run_all(threads->pool, work, threads);
    atomic_store(&threads->finished, false);
    for (unsigned i = 1; i < threads->size; i++) {
        first->met_futile |= threads->solvers[i]->met_futile;
        if (threads->solvers[i]->out_of_memory && !threads->has_result)
            first->out_of_memory = first->stopping = true;
    }
    if (threads->has_result)
        return threads->result;
    return (dfpn_result){.proof = 1, .disproof = 1, .dependency = NO_DEPENDENCY};
}

/* Waits until the thread that makes room is done. The mutex is held. */
static void wait_for_room(dfpn_threads *threads)
{
    threads->waiting++;
    pthread_cond_broadcast(&threads->changed);
    while (atomic_load_explicit(&threads->making_room, memory_order_relaxed))
        pthread_cond_wait(&threads->changed, &threads->mutex);
    threads->waiting--;
}

static void make_room(dfpn *d)
{
    dfpn_threads *threads = d->threads;
    pthread_mutex_lock(&threads->mutex);
    if (atomic_load_explicit(&threads->making_room, memory_order_relaxed)) {
        wait_for_room(threads);
    } else if (ply_dfpn_table_is_full(d->table)) {
        atomic_store_explicit(&threads->making_room, true, memory_order_relaxed);
        while (d->parallel && threads->waiting + 1 < threads->running)
            pthread_cond_wait(&threads->changed, &threads->mutex);
        ply_dfpn_table_make_room(d->table);
        atomic_store_explicit(&threads->making_room, false, memory_order_relaxed);
        pthread_cond_broadcast(&threads->changed);
    }
    pthread_mutex_unlock(&threads->mutex);
}

bool ply_dfpn_threads_poll(dfpn *d)
{
    dfpn_threads *threads = d->threads;
    if (atomic_load_explicit(&threads->making_room, memory_order_relaxed) ||
        ply_dfpn_table_is_full(d->table))
        make_room(d);
    if (!d->control && d->nodes % NODE_BATCH == 0)
        atomic_fetch_add_explicit(&threads->nodes, NODE_BATCH, memory_order_relaxed);
    return !atomic_load_explicit(&threads->finished, memory_order_relaxed);
}

uint64_t ply_dfpn_threads_nodes(const dfpn *d)
{
    return d->threads ? d->nodes + atomic_load_explicit(&d->threads->nodes, memory_order_relaxed)
                      : d->nodes;
}
