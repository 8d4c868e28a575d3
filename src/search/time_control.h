/* SPDX-License-Identifier: MIT */
/*
 * time_control.h - when to stop thinking.
 *
 * A search asks ply_search_clock_poll every few nodes; one relaxed load answers most of the time. The
 * clock is read often enough that a limit is passed by microseconds only.
 */
#ifndef PLY_SEARCH_TIME_CONTROL_H
#define PLY_SEARCH_TIME_CONTROL_H

#include <plyverse/search.h>

typedef struct search_clock {
    const ply_search_limits *limits;
    uint64_t start;      /* nanoseconds; moved by a ponderhit */
    uint64_t soft, hard; /* nanoseconds from start; 0: none */
    uint64_t stop, pondering;
    uint64_t armed; /* stop and pondering are set already */
    char apart[64]; /* all threads read what is above all the time and write what is below */
    uint64_t nodes; /* of all threads, added in batches */
} search_clock;

/* Sets stop and pondering for a run that is about to start, which then leaves them alone. */
void ply_search_clock_arm(search_clock *clock, bool ponder);
void ply_search_clock_start(search_clock *clock, const ply_search_limits *limits, int side);
void ply_search_clock_ponderhit(search_clock *clock);
void ply_search_clock_stop(search_clock *clock);

static inline bool search_clock_stopped(const search_clock *clock)
{
    return __atomic_load_n(&clock->stop, __ATOMIC_RELAXED) != 0;
}

/* Adds nodes, and stops the search if a limit is reached. */
void ply_search_clock_poll(search_clock *clock, uint64_t more_nodes);
/* Whether another iteration is worth beginning. */
bool ply_search_clock_go_on(const search_clock *clock);
/* Returns when the answer is due: at once, unless pondering or without any limit. */
void ply_search_clock_wait(const search_clock *clock);
double ply_search_clock_seconds(const search_clock *clock);

#endif
