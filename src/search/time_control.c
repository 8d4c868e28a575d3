/* SPDX-License-Identifier: MIT */
/* time_control.c - see time_control.h. */
#include "search/time_control.h"
#include "core/clock.h"

enum {
    NANOS_PER_MILLI = 1000000,
    EXPECTED_MOVES = 35, /* moves the remaining time must last for, unless moves_to_go says */
    HARD_FRACTION = 4,   /* no move may take more than a quarter of the remaining time */
    /* What it takes to deliver a move: LATENCY_MILLIS and a 64th of the time, up to a limit. */
    LATENCY_MILLIS = 6,
    LATENCY_SHARE = 64,
    LATENCY_LIMIT = 40,
    TIMER_MILLIS = 2, /* the same for a fixed time per move, which is a goal rather than a limit */
    /* Percent. An iteration that begins at two thirds of the planned time ends after it. */
    BASE_URGENCY = 65,
    URGENCY_CHANGED = 140, /* times this after a change of the best move */
    URGENCY_STEP = 10,     /* less for each iteration that confirms it */
    URGENCY_LEAST = 60,
    DROP_LIMIT = 100, /* a drop of the score by n hundredths adds n percent up to this */
};

static uint64_t less_latency(uint64_t millis)
{
    uint64_t latency = LATENCY_MILLIS + millis / LATENCY_SHARE;
    if (latency > LATENCY_LIMIT)
        latency = LATENCY_LIMIT;
    return millis > 2 * latency ? millis - latency : millis / 2 + 1;
}

/*
 * Divides the clock. The soft limit is an equal share of the remaining time, plus most of the
 * increment and the whole byoyomi, which is lost unless used. The hard limit leaves three quarters
 * of the remaining time. When the clock holds no more than one byoyomi period, saving it gains
 * nothing: the move may take everything.
 */
static void share_clock(time_plan *plan, const ply_search_limits *limits, int side)
{
    uint64_t left = limits->clock[side], increment = limits->increment[side];
    uint64_t byoyomi = limits->byoyomi, whole = left + byoyomi;
    uint64_t moves = limits->moves_to_go ? limits->moves_to_go : EXPECTED_MOVES;
    uint64_t soft = left / moves + increment * 7 / 8 + byoyomi;
    uint64_t hard =
        left / (moves < HARD_FRACTION ? moves : HARD_FRACTION) + increment / 2 + byoyomi;
    plan->spends_all = byoyomi > 0 && left <= byoyomi;
    if (plan->spends_all || hard > whole)
        hard = whole;
    hard = less_latency(hard);
    plan->hard_ns = hard * NANOS_PER_MILLI;
    plan->soft_ns = (soft < hard ? soft : hard) * NANOS_PER_MILLI;
}

void ply_time_plan_make(time_plan *plan, const ply_search_limits *limits, int side)
{
    *plan = (time_plan){.urgency = 100};
    if (limits->millis) {
        uint64_t millis = limits->millis;
        if (millis > 4 * TIMER_MILLIS)
            millis -= TIMER_MILLIS;
        plan->hard_ns = plan->soft_ns = millis * NANOS_PER_MILLI;
        plan->spends_all = true;
    } else if (limits->has_clock) {
        share_clock(plan, limits, side);
    }
}

void ply_time_plan_report(time_plan *plan, ply_move best, int32_t score)
{
    bool same = plan->iterations > 0 && best == plan->best;
    plan->unchanged = same ? plan->unchanged + 1 : 0;
    plan->best = best;
    unsigned urgency = plan->unchanged < (URGENCY_CHANGED - URGENCY_LEAST) / URGENCY_STEP
                           ? URGENCY_CHANGED - plan->unchanged * URGENCY_STEP
                           : URGENCY_LEAST;
    int32_t *previous = &plan->scores[plan->iterations++ & 1];
    if (plan->iterations > 2 && *previous > score) {
        int64_t drop = (int64_t)*previous - score;
        urgency += urgency * (unsigned)(drop < DROP_LIMIT ? drop : DROP_LIMIT) / 100;
    }
    *previous = score;
    atomic_store_explicit(&plan->urgency, urgency, memory_order_relaxed);
}

bool ply_time_plan_may_iterate(const time_plan *plan, uint64_t elapsed_ns)
{
    if (!plan->soft_ns)
        return true;
    if (plan->spends_all)
        return elapsed_ns < plan->hard_ns;
    uint64_t urgency = atomic_load_explicit(&plan->urgency, memory_order_relaxed);
    uint64_t last_start = plan->soft_ns / 100 * BASE_URGENCY / 100 * urgency;
    return elapsed_ns < last_start && elapsed_ns < plan->hard_ns;
}

static uint64_t now(const time_control *time)
{
    return ply_clock_read(atomic_load_explicit(&time->clock, memory_order_relaxed));
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
    clockid_t clock = limits->cpu_time ? ply_clock_of_thread() : CLOCK_MONOTONIC;
    atomic_store_explicit(&time->clock, clock, memory_order_relaxed);
    atomic_store_explicit(&time->start_ns, ply_clock_read(clock), memory_order_relaxed);
    atomic_store_explicit(&time->nodes, 0, memory_order_relaxed);
    ply_time_plan_make(&time->plan, limits, side);
    if (!atomic_exchange(&time->armed, false)) {
        atomic_store_explicit(&time->pondering, limits->ponder, memory_order_relaxed);
        atomic_store_explicit(&time->stop, false, memory_order_relaxed);
    }
}

void ply_time_control_stop_softly(time_control *time)
{
    time->plan.hard_ns = time->plan.soft_ns;
}

void ply_time_control_ponderhit(time_control *time)
{
    atomic_store_explicit(&time->start_ns, now(time), memory_order_relaxed);
    atomic_store_explicit(&time->pondering, false, memory_order_release);
}

void ply_time_control_stop(time_control *time)
{
    atomic_store_explicit(&time->stop, true, memory_order_relaxed);
}

static uint64_t elapsed(const time_control *time)
{
    return now(time) - atomic_load_explicit(&time->start_ns, memory_order_relaxed);
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
        (time->plan.hard_ns && elapsed(time) >= time->plan.hard_ns))
        ply_time_control_stop(time);
}

void ply_time_control_report(time_control *time, ply_move best, int32_t score)
{
    ply_time_plan_report(&time->plan, best, score);
}

bool ply_time_control_may_iterate(const time_control *time)
{
    if (time_control_stopped(time))
        return false;
    return is_pondering(time) || !time->plan.soft_ns ||
           ply_time_plan_may_iterate(&time->plan, elapsed(time));
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
