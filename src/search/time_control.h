/* SPDX-License-Identifier: MIT */
/*
 * time_control.h - when a search stops.
 *
 * Every search thread counts its nodes and calls ply_time_control_poll every few of them; between
 * polls, time_control_stopped is one relaxed load. Polls are frequent enough that a search passes
 * its limit by microseconds only.
 *
 * Thread safety: ply_time_control_start belongs to the thread that runs the search, before the
 * others begin; all other functions may be called from any thread, and stop and ponderhit from a
 * signal handler.
 */
#ifndef PLY_SEARCH_TIME_CONTROL_H
#define PLY_SEARCH_TIME_CONTROL_H

#include <plyverse/search.h>
#include <stdatomic.h>

typedef struct time_control {
    const ply_search_limits *limits; /* the caller's; valid during a run */
    _Atomic uint64_t start_ns;       /* moved by a ponderhit */
    uint64_t soft_ns, hard_ns;       /* after start; 0: no limit. See share_clock */
    atomic_bool stop, pondering;
    atomic_bool armed;      /* stop and pondering are already set for the next run */
    char padding[64];       /* all threads poll what is above and write what is below */
    _Atomic uint64_t nodes; /* of all threads, added in batches */
} time_control;

/* Sets stop and pondering for the run about to start; ply_time_control_start then keeps them. */
void ply_time_control_arm(time_control *time, bool ponder);
/* Withdraws ply_time_control_arm: the run did not start. */
void ply_time_control_disarm(time_control *time);
/* Starts the clock for a run in which player `side` is to move. limits must outlive the run. */
void ply_time_control_start(time_control *time, const ply_search_limits *limits, int side);
/* The move pondered on was played: the limits count from now. */
void ply_time_control_ponderhit(time_control *time);
void ply_time_control_stop(time_control *time);

static inline bool time_control_stopped(const time_control *time)
{
    return atomic_load_explicit(&time->stop, memory_order_relaxed);
}

static inline uint64_t time_control_nodes(const time_control *time)
{
    return atomic_load_explicit(&time->nodes, memory_order_relaxed);
}

/* Adds nodes and stops the search if a limit is reached. */
void ply_time_control_poll(time_control *time, uint64_t more_nodes);
/* Whether enough time is left to start another iteration. */
bool ply_time_control_may_iterate(const time_control *time);
/* Returns when the answer is due: at once, unless the search ponders or has no limit at all. */
void ply_time_control_wait(const time_control *time);
/* Seconds since the start or the ponderhit. */
double ply_time_control_seconds(const time_control *time);

#endif
