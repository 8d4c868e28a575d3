/* SPDX-License-Identifier: MIT */
/* margins.h - margins of the search that differ from the general ones; written by tools/spsa. */
#ifndef CHECKERS_EVAL_MARGINS_H
#define CHECKERS_EVAL_MARGINS_H

#define CHECKERS_MARGINS "verify_depth=4,verify_margin=40,verify_reduction=5"

#endif
