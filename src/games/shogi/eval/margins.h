/* SPDX-License-Identifier: MIT */
/* margins.h - margins of the search that differ from the general ones; written by tools/spsa. */
#ifndef SHOGI_EVAL_MARGINS_H
#define SHOGI_EVAL_MARGINS_H

#define SHOGI_MARGINS ""

#endif
