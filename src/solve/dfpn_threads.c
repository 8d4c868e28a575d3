/* SPDX-License-Identifier: MIT */
/* dfpn_threads.c - see the header. */
#include "solve/dfpn_threads.h"
#include <stdlib.h>
#include <string.h>

enum { NODES_AT_ONCE = 256 };

dfpn_threads *ply_dfpn_threads_new(dfpn *first, unsigned size)
{
    dfpn_threads *team = calloc(1, sizeof *team);
    if (!team)
        return NULL;
    team->members = calloc(size, sizeof *team->members);
    team->size = size;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->changed, NULL);
    bool ok = team->members != NULL;
    for (unsigned i = 0; ok && i < size; i++) {
        dfpn *d = i == 0 ? first : ply_dfpn_member_new(first);
        team->members[i] = d;
        ok = d != NULL;
        if (d)
            d->team = team;
    }
    team->workers = ok ? ply_workers_start(size) : NULL;
    if (!team->workers) {
        first->team = NULL;
        ply_dfpn_threads_free(team);
        return NULL;
    }
    return team;
}

void ply_dfpn_threads_free(dfpn_threads *team)
{
    if (!team)
        return;
    if (team->workers)
        ply_workers_stop(team->workers);
    for (unsigned i = 1; team->members && i < team->size; i++)
        ply_dfpn_member_free(team->members[i]);
    free(team->members);
    pthread_mutex_destroy(&team->mutex);
    pthread_cond_destroy(&team->changed);
    free(team);
}

ply_status ply_dfpn_threads_start(dfpn_threads *team)
{
    const dfpn *first = team->members[0];
    atomic_store(&team->nodes, 0);
    for (unsigned i = 1; i < team->size; i++) {
        dfpn *d = team->members[i];
        if (d->has_position)
            ply_game_clear(d->rules, d->position);
        d->has_position = false;
        if (ply_game_copy(d->rules, d->position, first->position) != PLY_OK)
            return PLY_NO_MEMORY;
        d->has_position = true;
        d->attacker = first->attacker;
        d->counted = first->counted;
        d->mirrored = first->mirrored;
        d->nodes = 0;
        d->met_over = d->out_of_memory = d->stopping = false;
    }
    return PLY_OK;
}

static void work(void *context, size_t piece, unsigned worker)
{
    (void)piece;
    dfpn_threads *team = context;
    dfpn *d = team->members[worker];
    d->together = true;
    d->yields = worker > 0;
    dfpn_result r = ply_dfpn_decide(d, DFPN_ROOT, team->plies, UINT64_MAX);
    d->together = d->yields = false;
    pthread_mutex_lock(&team->mutex);
    /* Unless it was ended, the search ended by itself: with an answer. */
    bool by_itself = (r.proof == 0 || r.disproof == 0) && !d->out_of_memory;
    if (by_itself && !team->answered) {
        team->answered = true;
        team->answer = r;
    }
    atomic_store(&team->finished, true);
    team->running--;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->mutex);
}

dfpn_result ply_dfpn_threads_decide(dfpn_threads *team, uint16_t plies)
{
    dfpn *first = team->members[0];
    team->plies = plies;
    team->running = team->size;
    team->waiting = 0;
    team->answered = false;
    atomic_store(&team->finished, false);
    ply_workers_run_all(team->workers, work, team);
    atomic_store(&team->finished, false);
    for (unsigned i = 1; i < team->size; i++) {
        first->met_over |= team->members[i]->met_over;
        if (team->members[i]->out_of_memory && !team->answered)
            first->out_of_memory = first->stopping = true;
    }
    if (team->answered)
        return team->answer;
    return (dfpn_result){.proof = 1, .disproof = 1, .leans = LEANS_NONE};
}

/* Waits until nobody makes room; the mutex is held. */
static void wait_for_room(dfpn_threads *team)
{
    team->waiting++;
    pthread_cond_broadcast(&team->changed);
    while (atomic_load_explicit(&team->making_room, memory_order_relaxed))
        pthread_cond_wait(&team->changed, &team->mutex);
    team->waiting--;
}

static void make_room(dfpn *d)
{
    dfpn_threads *team = d->team;
    pthread_mutex_lock(&team->mutex);
    if (atomic_load_explicit(&team->making_room, memory_order_relaxed)) {
        wait_for_room(team);
    } else if (ply_dfpn_table_is_full(d->table)) {
        atomic_store_explicit(&team->making_room, true, memory_order_relaxed);
        while (d->together && team->waiting + 1 < team->running)
            pthread_cond_wait(&team->changed, &team->mutex);
        ply_dfpn_table_make_room(d->table);
        atomic_store_explicit(&team->making_room, false, memory_order_relaxed);
        pthread_cond_broadcast(&team->changed);
    }
    pthread_mutex_unlock(&team->mutex);
}

bool ply_dfpn_threads_go_on(dfpn *d)
{
    dfpn_threads *team = d->team;
    if (atomic_load_explicit(&team->making_room, memory_order_relaxed) ||
        ply_dfpn_table_is_full(d->table))
        make_room(d);
    if (!d->control && d->nodes % NODES_AT_ONCE == 0)
        atomic_fetch_add_explicit(&team->nodes, NODES_AT_ONCE, memory_order_relaxed);
    return !atomic_load_explicit(&team->finished, memory_order_relaxed);
}

uint64_t ply_dfpn_threads_nodes(const dfpn *d)
{
    return d->team ? d->nodes + atomic_load_explicit(&d->team->nodes, memory_order_relaxed)
                   : d->nodes;
}
