/* SPDX-License-Identifier: MIT */
/* solve_control.h - the limits of a run and its listener. */
#ifndef PLY_PROOF_SOLVE_CONTROL_H
#define PLY_PROOF_SOLVE_CONTROL_H

#include <plyverse/solve.h>
#include <stdatomic.h>

struct ply_solve_control {
    ply_solve_limits limits;
    ply_solve_listener *listener;
    void *context;
    atomic_bool *stop;
    uint64_t start, reported; /* in nanoseconds: of the run and of the last report */
    const char *stop_reason;  /* NULL: not stopped */
};

/* Starts the clock. limits and listener may be NULL; *stop ends the run once it is true. */
void ply_solve_control_start(ply_solve_control *control, const ply_solve_limits *limits,
                             ply_solve_listener *listener, void *context, atomic_bool *stop);

#endif
