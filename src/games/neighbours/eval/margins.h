/* SPDX-License-Identifier: MIT */
/* margins.h - margins of the search that differ from the general ones; written by tools/spsa. */
#ifndef NEIGHBOURS_EVAL_MARGINS_H
#define NEIGHBOURS_EVAL_MARGINS_H

#define NEIGHBOURS_MARGINS ""

#endif
