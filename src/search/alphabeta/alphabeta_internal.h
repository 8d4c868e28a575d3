/* SPDX-License-Identifier: MIT */
/* alphabeta_internal.h - one node of the main search; for alphabeta.c, prune.c and move_loop.c. */
#ifndef PLY_SEARCH_ALPHABETA_INTERNAL_H
#define PLY_SEARCH_ALPHABETA_INTERNAL_H

#include "search/alphabeta/node.h"

typedef struct search_node {
    int32_t alpha, beta;
    int depth, ply;
    bool pv;       /* the window is open: the node may be on the principal variation */
    bool cut_node; /* a cutoff is expected */
    bool in_check;
    bool improving; /* the evaluation has risen since the player's last turn */
    bool may_prune; /* moves may be skipped */
    bool tt_hit, tt_noisy;
    bool tt_pv;       /* the node is, or once was, on a principal variation */
    ply_move skipped; /* a move left out to see whether it is singular, or PLY_MOVE_NONE */
    uint64_t key;
    int32_t eval;   /* the static evaluation, made better by the transposition table; or NO_EVAL */
    tt_entry entry; /* what the transposition table knows, if tt_hit */
} search_node;

typedef struct move_list {
    size_t base, count; /* in t->moves */
    size_t tt_move;     /* number of the transposition table's move or NO_MOVE_NUMBER */
    bool scored;        /* by the game, as a list of candidates */
    bool late_ordered;
    size_t early_end; /* index where the late moves begin; NO_MOVE_NUMBER: not ordered yet */
    bool policy;      /* t->logits has the moves' logits; the highest one is: */
    int32_t best_logit;
} move_list;

/* Plays a move and searches the position after it; the score is for the player who moves. */
int32_t ply_search_child(alphabeta_thread *t, ply_move move, int32_t alpha, int32_t beta, int depth,
                         int ply, bool cut_node);

/* --- prune.c --------------------------------------------------------------------------------- */
/* Scores that need no search. May narrow the window. */
bool ply_prune_at_once(alphabeta_thread *t, search_node *n, int32_t *score);
/* Evaluates the position if any pruning needs it, and tries to settle the node by that. */
bool ply_prune_by_eval(alphabeta_thread *t, search_node *n, int32_t *score);

/* --- move_loop.c ----------------------------------------------------------------------------- */
/* Tries the moves and returns the best score, or -INFINITE if none was tried. */
int32_t ply_search_moves(alphabeta_thread *t, search_node *n, move_list *list,
                         uint32_t *best_number);

#endif
