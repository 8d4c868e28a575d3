/* SPDX-License-Identifier: MIT */
/* time_control.c - see time_control.h. */
#include "search/time_control.h"
#include "core/clock.h"

enum {
    NANOS_PER_MILLI = 1000000,
    OVERHEAD_MILLIS = 4, /* what it takes to deliver a move */
    EXPECTED_MOVES = 35, /* moves the remaining time must last for, unless moves_to_go says */
    HARD_FRACTION = 4,   /* no move may take more than a quarter of the remaining time */
};

/* Three quarters of an increment or byoyomi period are planned for; the rest is reserve. */
static uint64_t planned(uint64_t millis)
{
    return millis * 3 / 4;
}

/*
 * Divides the clock. The soft limit is an equal share of the remaining time, plus most of the
 * increment and of the byoyomi; a search starts no iteration long after it. The hard limit, at
 * which a search stops wherever it is, leaves three quarters of the remaining time.
 */
static void share_clock(time_control *time, const ply_search_limits *limits, int side)
{
    uint64_t left = limits->clock[side], increment = limits->increment[side];
    uint64_t byoyomi = limits->byoyomi;
    uint64_t moves = limits->moves_to_go ? limits->moves_to_go : EXPECTED_MOVES;
    uint64_t soft = left / moves + planned(increment) + planned(byoyomi);
    uint64_t hard =
        (limits->moves_to_go == 1 ? left : left / HARD_FRACTION) + increment / 2 + byoyomi;
    if (hard > left + byoyomi)
        hard = left + byoyomi;
    hard = hard > OVERHEAD_MILLIS * 4 ? hard - OVERHEAD_MILLIS * 2 : hard / 2 + 1;
    time->hard_ns = hard * NANOS_PER_MILLI;
    time->soft_ns = (soft < hard ? soft : hard) * NANOS_PER_MILLI;
}

void ply_time_control_arm(time_control *time, bool ponder)
{
    atomic_store(&time->pondering, ponder);
    atomic_store(&time->stop, false);
    atomic_store(&time->armed, true);
}

void ply_time_control_disarm(time_control *time)
{
    atomic_store(&time->armed, false);
}

void ply_time_control_start(time_control *time, const ply_search_limits *limits, int side)
{
    time->limits = limits;
    atomic_store_explicit(&time->start_ns, ply_clock_nanos(), memory_order_relaxed);
    time->soft_ns = time->hard_ns = 0;
    atomic_store_explicit(&time->nodes, 0, memory_order_relaxed);
    if (limits->has_clock)
        share_clock(time, limits, side);
    if (limits->millis) {
        uint64_t millis = limits->millis;
        if (millis > 2 * OVERHEAD_MILLIS)
            millis -= OVERHEAD_MILLIS / 2;
        time->hard_ns = time->soft_ns = millis * NANOS_PER_MILLI;
    }
    if (!atomic_exchange(&time->armed, false)) {
        atomic_store_explicit(&time->pondering, limits->ponder, memory_order_relaxed);
        atomic_store_explicit(&time->stop, false, memory_order_relaxed);
    }
}

void ply_time_control_ponderhit(time_control *time)
{
    atomic_store_explicit(&time->start_ns, ply_clock_nanos(), memory_order_relaxed);
    atomic_store_explicit(&time->pondering, false, memory_order_release);
}

void ply_time_control_stop(time_control *time)
{
    atomic_store_explicit(&time->stop, true, memory_order_relaxed);
}

static uint64_t elapsed(const time_control *time)
{
    return ply_clock_nanos() - atomic_load_explicit(&time->start_ns, memory_order_relaxed);
}

static bool is_pondering(const time_control *time)
{
    return atomic_load_explicit(&time->pondering, memory_order_acquire);
}

void ply_time_control_poll(time_control *time, uint64_t more_nodes)
{
    uint64_t nodes =
        atomic_fetch_add_explicit(&time->nodes, more_nodes, memory_order_relaxed) + more_nodes;
    if (is_pondering(time))
        return;
    if ((time->limits->nodes && nodes >= time->limits->nodes) ||
        (time->hard_ns && elapsed(time) >= time->hard_ns))
        ply_time_control_stop(time);
}

bool ply_time_control_may_iterate(const time_control *time)
{
    if (time_control_stopped(time))
        return false;
    if (is_pondering(time) || !time->soft_ns)
        return true;
    /*
     * On a clock, an iteration started in the second half of the soft limit is rarely finished and
     * the time is better kept. With a fixed time per move, trying costs nothing.
     */
    bool on_clock = time->limits->has_clock && !time->limits->millis;
    return elapsed(time) < (on_clock ? time->soft_ns / 2 : time->soft_ns);
}

void ply_time_control_wait(const time_control *time)
{
    const ply_search_limits *l = time->limits;
    bool unlimited = !l->millis && !l->nodes && !l->depth && !l->mate && !l->has_clock;
    while (!time_control_stopped(time) && (unlimited || is_pondering(time)))
        nanosleep(&(struct timespec){.tv_nsec = NANOS_PER_MILLI}, NULL);
}

double ply_time_control_seconds(const time_control *time)
{
    return (double)elapsed(time) * 1e-9;
}
