/* SPDX-License-Identifier: MIT */
/* margins.h - margins of the search that differ from the general ones; written by tools/spsa. */
#ifndef SHOGI_EVAL_MARGINS_H
#define SHOGI_EVAL_MARGINS_H

#define SHOGI_MARGINS                                                                         \
    "rfp_margin=140,rfp_improving=39,razor_margin=212,null_eval_step=431,probcut_margin=279," \
    "lmp_base=7,futility_base=57,futility_margin=99,see_quiet=10,see_noisy=255,"              \
    "history_prune=4628,lmr_base=795,lmr_divisor=2061,lmr_pv=1492,lmr_cut=1128,"              \
    "lmr_improving=1118,lmr_history=10002,lmr_noisy=1186,lmr_tt_noisy=953,lmr_cutoffs=1644,"  \
    "lmr_deeper=77,bonus_step=266,bonus_max=1796,delta_margin=462,aspiration_window=71"

#endif
