/* SPDX-License-Identifier: MIT */
/* margins.h - margins of the search that differ from the general ones; written by tools/spsa. */
#ifndef GOMOKU_EVAL_MARGINS_H
#define GOMOKU_EVAL_MARGINS_H

#define GOMOKU_MARGINS ""

#endif
