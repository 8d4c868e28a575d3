/* SPDX-License-Identifier: MIT */
/* margins.h - margins of the search that differ from the general ones; written by tools/spsa. */
#ifndef NEIGHBOURS_EVAL_MARGINS_H
#define NEIGHBOURS_EVAL_MARGINS_H

#define NEIGHBOURS_MARGINS                                                                 \
    "rfp_depth=2,rfp_margin=300,verify_depth=4,verify_margin=100,lmp_depth=2,lmp_base=12," \
    "futility_depth=2,futility_base=500"

#endif
