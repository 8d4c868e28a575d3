/* dfpn.c - the general solver. */
#include "solve/dfpn.h"
#include <stdlib.h>

static void *dfpn_open(const ply_rules *rules, const ply_goal *goal,
                       const ply_solve_options *options)
{
    (void)rules, (void)goal, (void)options;
    return malloc(8);
}

static ply_status dfpn_run(void *self, const void *position, const ply_solve_limits *limits,
                           ply_solve_control *control, ply_solve_report *report)
{
    (void)self, (void)position, (void)limits, (void)control;
    report->why = "not done yet";
    return PLY_OK;
}

static ply_status dfpn_prove(void *self, const ply_proof_claim *claim, ply_proof_writer *writer,
                             uint32_t *plies)
{
    (void)self, (void)claim, (void)writer, (void)plies;
    return PLY_UNSUPPORTED;
}

const ply_solver_kind dfpn_kind = {
    .open = dfpn_open, .close = free, .run = dfpn_run, .prove = dfpn_prove};
