/* SPDX-License-Identifier: MIT */
/* solve_control.c - limits and progress reports of a run; see solve.h. */
#include "proof/solve_control.h"
#include "core/clock.h"

enum { REPORT_NANOS = 40 * 1000 * 1000 }; /* between two calls of the listener */

void ply_solve_control_start(ply_solve_control *control, const ply_solve_limits *limits,
                             ply_solve_listener *listener, void *context, atomic_bool *stop)
{
    *control = (ply_solve_control){.listener = listener, .context = context, .stop = stop};
    if (limits)
        control->limits = *limits;
    control->start = control->reported = ply_clock_nanos();
}

bool ply_solve_continue(ply_solve_control *control, uint64_t nodes, const ply_solve_report *report)
{
    if (control->stop_reason)
        return false;
    uint64_t now = ply_clock_nanos();
    const ply_solve_limits *limits = &control->limits;
    if (atomic_load_explicit(control->stop, memory_order_relaxed))
        control->stop_reason = "stopped";
    else if (limits->nodes && nodes >= limits->nodes)
        control->stop_reason = "nodes";
    else if (limits->millis && now - control->start >= limits->millis * 1000000)
        control->stop_reason = "time";
    else if (control->listener && now - control->reported >= REPORT_NANOS) {
        ply_solve_report copy = {0};
        if (report)
            copy = *report;
        copy.nodes = nodes;
        copy.seconds = (double)(now - control->start) * 1e-9;
        control->reported = now;
        control->listener(control->context, &copy);
    }
    return control->stop_reason == NULL;
}

const char *ply_solve_stop_reason(const ply_solve_control *control)
{
    return control->stop_reason;
}
