/* SPDX-License-Identifier: MIT */
/*
 * vct_threads.h - several threads for one search by threats.
 *
 * All search the same root with one table. Who is inside a position marks it, and the others take
 * it for harder than it is, so they spread out; numbers in the table are not touched by that. The
 * first to know the root tells the others. A search that is soon over stays on one thread.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_VCT_THREADS_H
#define PLY_GAMES_GOMOKU_SOLVE_VCT_THREADS_H

#include "games/gomoku/solve/vct.h"
#include <pthread.h>

enum { GOMOKU_TEAM_MARKS = 1 << 14 };

typedef struct gomoku_vct_mate {
    gomoku_vct vct;
    gomoku_field field;
    gomoku_field_undo *undo;
    pthread_t thread;
    _Atomic uint64_t nodes; /* of this search */
    _Atomic uint64_t bytes; /* held */
} gomoku_vct_mate;

struct gomoku_vct_team {
    gomoku_vct *leader;
    gomoku_vct_mate *mates; /* besides the leader */
    unsigned count, running;
    gomoku_field root; /* where the search began */
    atomic_bool stop;
    atomic_int verdict; /* of the root: 1 won, -1 not won, 0 not known */
    _Atomic uint8_t marks[GOMOKU_TEAM_MARKS];
};

/* So many threads besides the leader's, each with so many bytes for fours. NULL: no memory. */
gomoku_vct_team *gomoku_vct_team_new(gomoku_vct *leader, unsigned count, size_t bytes);
void gomoku_vct_team_free(gomoku_vct_team *team);
/* Forgets what the threads know of fours. */
void gomoku_vct_team_clear(gomoku_vct_team *team);
/* Lets the others begin at the root that the leader was given. */
void gomoku_vct_team_start(gomoku_vct_team *team);
/* Waits for them, and takes over what made their searches incomplete. Returns the root's verdict
 * as above. */
int gomoku_vct_team_end(gomoku_vct_team *team);
/* Nodes of the others in the running search. */
uint64_t gomoku_vct_team_nodes(const gomoku_vct_team *team);
size_t gomoku_vct_team_bytes(const gomoku_vct_team *team);

/* How many are inside a position. */
static inline uint32_t gomoku_vct_marks(const gomoku_vct_team *team, uint64_t key)
{
    return atomic_load_explicit(&team->marks[key >> 50], memory_order_relaxed);
}

static inline void gomoku_vct_mark(gomoku_vct_team *team, uint64_t key, int by)
{
    atomic_fetch_add_explicit(&team->marks[key >> 50], (uint8_t)by, memory_order_relaxed);
}

#endif
