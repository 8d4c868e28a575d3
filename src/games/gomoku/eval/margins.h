/* SPDX-License-Identifier: MIT */
/* margins.h - margins of the search that differ from the general ones; written by tools/spsa. */
#ifndef GOMOKU_EVAL_MARGINS_H
#define GOMOKU_EVAL_MARGINS_H

#define GOMOKU_MARGINS                                                                      \
    "rfp_margin=104,rfp_improving=44,razor_margin=118,null_reduction=2,null_eval_step=226," \
    "lmp_base=1,futility_base=58,futility_margin=66,history_prune=4839,lmr_base=521,"       \
    "lmr_divisor=1685,lmr_pv=776,lmr_cut=1006,lmr_improving=1307,lmr_history=9261,"         \
    "lmr_noisy=783,lmr_tt_noisy=571,lmr_cutoffs=1022,lmr_deeper=41,bonus_step=159,"         \
    "bonus_max=2147,aspiration_window=29"

#endif
