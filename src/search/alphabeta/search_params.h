/* SPDX-License-Identifier: MIT */
/*
 * search_params.h - every margin of the alpha-beta search, in one table.
 *
 * X(name, value, low, high): the value in use, and the range within which tuning may move it.
 * Margins are in hundredths of the smallest piece, depths in plies, reductions in 1024ths of a ply.
 */
#ifndef PLY_SEARCH_PARAMS_H
#define PLY_SEARCH_PARAMS_H

#include <plyverse/text.h>

/* clang-format off */
#define SEARCH_PARAMS(X)                                                                          \
    /* Reverse futility pruning: this far above beta, the opponent cannot catch up. */            \
    X(rfp_depth, 8, 2, 14)                                                                        \
    X(rfp_margin, 110, 30, 300)          /* per ply of depth */                                   \
    X(rfp_improving, 60, 0, 300)         /* less if the evaluation is improving */                \
    /* Razoring: this far below alpha, only noisy moves could help. */                            \
    X(razor_depth, 2, 0, 8)                                                                       \
    X(razor_margin, 220, 50, 800)        /* per ply of depth */                                   \
    /* Null move. */                                                                              \
    X(null_depth, 3, 2, 6)                                                                        \
    X(null_reduction, 3, 2, 6)                                                                    \
    X(null_depth_step, 4, 2, 6)          /* plies of depth worth one more ply of reduction */     \
    X(null_eval_step, 250, 50, 800)      /* evaluation above beta worth one more */               \
    X(null_eval_max, 3, 1, 8)                                                                     \
    X(null_verify_depth, 12, 6, 30)      /* from here on, a cutoff is verified */                 \
    /* Verified pruning: this far above beta, and a reduced search agrees. */                     \
    X(verify_depth, 100, 3, 100)         /* from here on; 100: never */                           \
    X(verify_margin, 60, 5, 400)                                                                  \
    X(verify_reduction, 4, 2, 8)                                                                  \
    /* Probcut: a noisy move that beats beta by this margin at reduced depth. */                  \
    X(probcut_depth, 5, 3, 10)                                                                    \
    X(probcut_margin, 200, 50, 800)                                                               \
    X(probcut_reduction, 4, 2, 6)                                                                 \
    /* Internal iterative reduction of nodes without a move from the transposition table. */      \
    X(iir_depth, 5, 2, 10)                                                                        \
    /* Late move pruning: moves always tried; the count grows with the square of the depth. */    \
    X(lmp_depth, 8, 2, 12)                                                                        \
    X(lmp_base, 4, 1, 12)                                                                         \
    /* Futility pruning of quiet moves, by the depth left after reduction. */                     \
    X(futility_depth, 8, 2, 14)                                                                   \
    X(futility_base, 110, 0, 500)                                                                 \
    X(futility_margin, 110, 20, 400)     /* per ply */                                            \
    /* SEE pruning: what a move may lose. */                                                      \
    X(see_quiet_depth, 8, 2, 14)                                                                  \
    X(see_quiet, 30, 5, 200)             /* times the square of the reduced depth */              \
    X(see_noisy_depth, 6, 1, 14)                                                                  \
    X(see_noisy, 120, 20, 600)           /* per ply of depth */                                   \
    /* History pruning of quiet moves. */                                                         \
    X(history_prune_depth, 4, 1, 8)                                                               \
    X(history_prune, 4000, 1000, 12000)  /* per ply */                                            \
    /* Late move reductions. */                                                                   \
    X(lmr_base, 614, 0, 2048)                                                                     \
    X(lmr_divisor, 2000, 1000, 4000)     /* of ln(depth) * ln(moves) */                           \
    X(lmr_pv, 1024, 0, 3072)             /* less on the principal variation */                    \
    X(lmr_cut, 1024, 0, 3072)            /* more where a cutoff is expected */                    \
    X(lmr_improving, 1024, 0, 2048)      /* more if the evaluation is not improving */            \
    X(lmr_history, 10000, 4000, 40000)   /* history worth one ply */                              \
    X(lmr_noisy, 1024, 0, 3072)          /* less for noisy moves */                               \
    X(lmr_tt_noisy, 512, 0, 3072)        /* more if the transposition table's move is noisy */    \
    X(lmr_cutoffs, 1024, 0, 3072)        /* more if several moves after siblings were cut */      \
    X(lmr_deeper, 70, 10, 400)           /* a reduced search this much better: one ply deeper */  \
    /* The policy head of a network; its logits are in hundredths. */                             \
    X(policy_depth, 2, 1, 20)            /* asked from this depth on */                           \
    X(policy_order, 16, 0, 400)          /* history that a hundredth is worth in move ordering */ \
    X(policy_killers, 0, 0, 1)           /* 1: killers come before other quiet moves */           \
    X(policy_lmr, 300, 0, 2048)          /* reduction per 1.00 that a move is behind the best... */\
    X(policy_close, 200, 0, 1000)        /* ... by more than this (less reduction before) */      \
    X(policy_behind, 600, 100, 3000)     /* ... up to this */                                     \
    /* Singular extensions. */                                                                    \
    X(singular_depth, 12, 4, 20)                                                                  \
    X(singular_margin, 200, 20, 800)     /* hundredths per ply of depth */                        \
    X(singular_double, 100, 0, 300)      /* below that by this much: extend by two */             \
    /* History. */                                                                                \
    X(bonus_step, 160, 20, 600)          /* per ply of depth */                                   \
    X(bonus_base, 100, 0, 600)                                                                    \
    X(noisy_history, 4, 1, 64)           /* the share of history in the order of noisy moves */   \
    X(bonus_max, 1600, 400, 4000)                                                                 \
    /* Quiescence search. */                                                                      \
    X(delta_margin, 150, 20, 800)        /* a capture must come this close to alpha */            \
    X(qsearch_checks, 8, 0, 100)         /* plies below the root depth in which it answers them */\
    X(qsearch_evasions, 3, 1, 600)       /* quiet evasions that are tried */                      \
    /* Aspiration windows. */                                                                     \
    X(aspiration_window, 40, 5, 200)
/* clang-format on */

typedef struct search_params {
#define X(name, value, low, high) int32_t name;
    SEARCH_PARAMS(X)
#undef X
} search_params;

extern const search_params ply_search_params_default;
/*
 * Changes parameters by a text such as "rfp_margin=120,lmr_base=500"; NULL or "" changes nothing.
 * On failure, error (may be NULL) says why.
 */
ply_status ply_search_params_parse(search_params *params, const char *text, ply_error *error);

#endif
