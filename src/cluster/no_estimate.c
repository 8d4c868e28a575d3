/* SPDX-License-Identifier: MIT */
/* no_estimate.c - takes the place of estimate.c in a program built without tablebases. */
#include "cluster/estimate.h"

ply_status cluster_estimate_build(const ply_rules *rules, const ply_tablebase_job *job,
                                  unsigned ranks, cluster_estimate *estimate, ply_error *error)
{
    (void)rules;
    (void)job;
    (void)ranks;
    *estimate = (cluster_estimate){0};
    return ply_error_set(error, PLY_UNSUPPORTED, "this program was built without tablebases");
}
