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
#include <time.h>

/*
 * How long a move may take, as a function of the time elapsed; it reads no clock.
 *
 *     0 ------------- soft x urgency ------------- hard
 *       iterations begin            they only finish | the search stops wherever it is
 *
 * The urgency falls while iterations agree on the best move and rises when they change it or its
 * score drops.
 */
typedef struct time_plan {
    uint64_t soft_ns, hard_ns; /* after the start; 0: no limit */
    bool spends_all;           /* time not used now is lost: iterations begin until hard_ns */
    _Atomic unsigned urgency;  /* percent */
    /* Of the thread that reports: */
    unsigned iterations, unchanged; /* in all; the last ones with the same best move */
    ply_move best;
    int32_t scores[2]; /* of the last two iterations; by parity, since scores alternate with it */
} time_plan;

/* Plans a move of player `side` within the limits. */
void ply_time_plan_make(time_plan *plan, const ply_search_limits *limits, int side);
/* Tells the plan the result of a finished iteration. */
void ply_time_plan_report(time_plan *plan, ply_move best, int32_t score);
/* Whether another iteration should begin. */
bool ply_time_plan_may_iterate(const time_plan *plan, uint64_t elapsed_ns);

typedef struct time_control {
    const ply_search_limits *limits; /* the caller's; valid during a run */
    _Atomic clockid_t clock;         /* what the times are read from */
    _Atomic uint64_t start_ns;       /* moved by a ponderhit */
    time_plan plan;
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
/* Tells the result of a finished iteration; by the thread that gives the answer. */
void ply_time_control_report(time_control *time, ply_move best, int32_t score);
/* Whether enough time is left to start another iteration. */
bool ply_time_control_may_iterate(const time_control *time);
/* For a search without iterations: it stops at the soft limit. Before the threads begin. */
void ply_time_control_stop_softly(time_control *time);
/* Returns when the answer is due: at once, unless the search ponders or has no limit at all. */
void ply_time_control_wait(const time_control *time);
/* Seconds since the start or the ponderhit. */
double ply_time_control_seconds(const time_control *time);

#endif
