/* SPDX-License-Identifier: MIT */
/*
 * dfpn_threads.h - several threads on one question.
 *
 * Every member is a dfpn of its own, with a position, a path and rows of children of its own, and
 * searches from the root; the table is shared (dfpn_table.h). What is in it is true whoever
 * found it: wins and failures that lean on nothing hold for the position, ties for a way from the
 * root, which is the same for all. So the first answer of the root is the answer.
 *
 * Members keep out of each other's way by a board of counters, one for each of many classes of
 * positions: whoever is below a position has counted himself there, and to others the position
 * seems harder.
 *
 * When the table is full, one member makes room while the others wait; each looks for that at
 * every node, where it holds nothing of the table.
 */
#ifndef PLY_SOLVE_DFPN_THREADS_H
#define PLY_SOLVE_DFPN_THREADS_H

#include "core/hash.h"
#include "core/workers.h"
#include "solve/dfpn_internal.h"
#include <pthread.h>

enum { TEAM_BOARD = 1 << 16 };

typedef struct dfpn_threads {
    dfpn **members; /* the first is the caller's */
    unsigned size;
    ply_workers *workers;
    atomic_uint_least8_t board[TEAM_BOARD];
    atomic_bool finished;        /* somebody has an answer, or all have to stop */
    atomic_uint_least64_t nodes; /* of all members but the first, in this run */
    atomic_bool making_room;
    pthread_mutex_t mutex; /* for what follows */
    pthread_cond_t changed;
    unsigned running, waiting;
    bool answered;
    dfpn_result answer;
    uint16_t plies; /* what the question is */
} dfpn_threads;

/* A team around its first member, the others being empty; NULL: no memory. */
dfpn_threads *ply_dfpn_threads_new(dfpn *first, unsigned size);
/* Frees all but the first member. */
void ply_dfpn_threads_free(dfpn_threads *team);
/* Before a run: everybody gets the first member's position. */
ply_status ply_dfpn_threads_start(dfpn_threads *team);
/* Decides the first member's position for wins of at most `plies`, all together. */
dfpn_result ply_dfpn_threads_decide(dfpn_threads *team, uint16_t plies);
/* At every node: waits while room is made, makes room; false: stop. */
bool ply_dfpn_threads_go_on(dfpn *d);
/* Nodes of all, asked by the first member. */
uint64_t ply_dfpn_threads_nodes(const dfpn *d);

static inline atomic_uint_least8_t *dfpn_team_counter(dfpn_threads *team, uint64_t key,
                                                      uint64_t amounts)
{
    return &team->board[ply_mix64(key + amounts * PLY_GOLDEN) % TEAM_BOARD];
}

static inline unsigned dfpn_team_busy(dfpn_threads *team, uint64_t key, uint64_t amounts)
{
    return atomic_load_explicit(dfpn_team_counter(team, key, amounts), memory_order_relaxed);
}

static inline void dfpn_team_enter(dfpn_threads *team, uint64_t key, uint64_t amounts)
{
    atomic_fetch_add_explicit(dfpn_team_counter(team, key, amounts), 1, memory_order_relaxed);
}

static inline void dfpn_team_leave(dfpn_threads *team, uint64_t key, uint64_t amounts)
{
    atomic_fetch_sub_explicit(dfpn_team_counter(team, key, amounts), 1, memory_order_relaxed);
}

#endif
