/* SPDX-License-Identifier: MIT */
/* time_control.c - see time_control.h. */
#include "search/time_control.h"
#include "core/clock.h"

enum { NANOS_A_MILLI = 1000000, MARGIN_MILLIS = 4 };

/*
 * How long to think when playing on a clock: a share of what is left for as many moves as are to
 * be expected, most of the increment, and all of the byoyomi once the clock has run out. A search
 * may pass its share (soft) up to a quarter of what is left (hard).
 */
static void share_clock(search_clock *clock, const ply_search_limits *limits, int side)
{
    uint64_t left = limits->clock[side], added = limits->increment[side];
    uint64_t moves = limits->moves_to_go ? limits->moves_to_go : 35;
    uint64_t soft = left / moves + added * 3 / 4 + limits->byoyomi * 3 / 4;
    uint64_t hard = (limits->moves_to_go == 1 ? left : left / 4) + added / 2 + limits->byoyomi;
    if (hard > left + limits->byoyomi)
        hard = left + limits->byoyomi;
    hard = hard > MARGIN_MILLIS * 4 ? hard - MARGIN_MILLIS * 2 : hard / 2 + 1;
    clock->hard = hard * NANOS_A_MILLI;
    clock->soft = (soft < hard ? soft : hard) * NANOS_A_MILLI;
}

void ply_search_clock_arm(search_clock *clock, bool ponder)
{
    __atomic_store_n(&clock->pondering, ponder, __ATOMIC_SEQ_CST);
    __atomic_store_n(&clock->stop, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&clock->armed, 1, __ATOMIC_SEQ_CST);
}

void ply_search_clock_start(search_clock *clock, const ply_search_limits *limits, int side)
{
    clock->limits = limits;
    __atomic_store_n(&clock->start, ply_clock_nanos(), __ATOMIC_RELAXED);
    clock->soft = clock->hard = 0;
    clock->nodes = 0;
    if (limits->has_clock)
        share_clock(clock, limits, side);
    if (limits->millis) {
        uint64_t millis = limits->millis > 2 * MARGIN_MILLIS ? limits->millis - MARGIN_MILLIS / 2
                                                             : limits->millis;
        clock->hard = clock->soft = millis * NANOS_A_MILLI;
    }
    if (!__atomic_exchange_n(&clock->armed, 0, __ATOMIC_SEQ_CST)) {
        __atomic_store_n(&clock->pondering, limits->ponder, __ATOMIC_RELAXED);
        __atomic_store_n(&clock->stop, 0, __ATOMIC_RELAXED);
    }
}

void ply_search_clock_ponderhit(search_clock *clock)
{
    __atomic_store_n(&clock->start, ply_clock_nanos(), __ATOMIC_RELAXED);
    __atomic_store_n(&clock->pondering, 0, __ATOMIC_RELEASE);
}

void ply_search_clock_stop(search_clock *clock)
{
    __atomic_store_n(&clock->stop, 1, __ATOMIC_RELAXED);
}

static uint64_t elapsed(const search_clock *clock)
{
    return ply_clock_nanos() - __atomic_load_n(&clock->start, __ATOMIC_RELAXED);
}

static bool is_pondering(const search_clock *clock)
{
    return __atomic_load_n(&clock->pondering, __ATOMIC_ACQUIRE) != 0;
}

void ply_search_clock_poll(search_clock *clock, uint64_t more_nodes)
{
    uint64_t nodes = __atomic_add_fetch(&clock->nodes, more_nodes, __ATOMIC_RELAXED);
    if (is_pondering(clock))
        return;
    if ((clock->limits->nodes && nodes >= clock->limits->nodes) ||
        (clock->hard && elapsed(clock) >= clock->hard))
        ply_search_clock_stop(clock);
}

bool ply_search_clock_go_on(const search_clock *clock)
{
    if (search_clock_stopped(clock))
        return false;
    if (is_pondering(clock) || !clock->soft)
        return true;
    /* On a clock an iteration begun late is rarely finished; with a fixed time it costs nothing. */
    uint64_t worth =
        clock->limits->has_clock && !clock->limits->millis ? clock->soft / 2 : clock->soft;
    return elapsed(clock) < worth;
}

void ply_search_clock_wait(const search_clock *clock)
{
    const ply_search_limits *l = clock->limits;
    bool unlimited = !l->millis && !l->nodes && !l->depth && !l->mate && !l->has_clock;
    while (!search_clock_stopped(clock) && (unlimited || is_pondering(clock)))
        nanosleep(&(struct timespec){.tv_nsec = NANOS_A_MILLI}, NULL);
}

double ply_search_clock_seconds(const search_clock *clock)
{
    return (double)elapsed(clock) * 1e-9;
}
