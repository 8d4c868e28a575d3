/* SPDX-License-Identifier: MIT */
/* solve_control.c - when a run has to stop, and telling how far it is. */
#include "proof/solve_control.h"
#include "core/clock.h"

enum { TELL_NANOS = 40 * 1000 * 1000 };

void ply_solve_control_start(ply_solve_control *control, const ply_solve_limits *limits,
                             ply_solve_listener *listener, void *context, atomic_bool *stop)
{
    *control = (ply_solve_control){.listener = listener, .context = context, .stop = stop};
    if (limits)
        control->limits = *limits;
    control->start = control->told = ply_clock_nanos();
}

bool ply_solve_continue(ply_solve_control *control, uint64_t nodes, const ply_solve_report *report)
{
    if (control->why)
        return false;
    uint64_t now = ply_clock_nanos();
    const ply_solve_limits *limits = &control->limits;
    if (atomic_load_explicit(control->stop, memory_order_relaxed))
        control->why = "stopped";
    else if (limits->nodes && nodes >= limits->nodes)
        control->why = "nodes";
    else if (limits->millis && now - control->start >= limits->millis * 1000000)
        control->why = "time";
    else if (control->listener && now - control->told >= TELL_NANOS) {
        ply_solve_report copy = {0};
        if (report)
            copy = *report;
        copy.nodes = nodes;
        copy.seconds = (double)(now - control->start) * 1e-9;
        control->told = now;
        control->listener(control->context, &copy);
    }
    return control->why == NULL;
}

const char *ply_solve_stop_reason(const ply_solve_control *control)
{
    return control->why;
}
