/* SPDX-License-Identifier: MIT */
/* vct_internal.h - shared by vct.c (the search) and vct_moves.c (evaluation and move lists). */
#ifndef PLY_GAMES_GOMOKU_SOLVE_VCT_INTERNAL_H
#define PLY_GAMES_GOMOKU_SOLVE_VCT_INTERNAL_H

#include "games/gomoku/solve/vct.h"

enum {
    INFINITE = 1000000000,
    LARGE = INFINITE / 2, /* the bound of numbers that are not final */
    NO_REPLY = GOMOKU_MAX_CELLS,
    PASS = GOMOKU_MAX_CELLS,
    POLL_INTERVAL = 256,       /* nodes */
    PARALLEL_MIN_NODES = 2000, /* shorter searches end before threads have started */
    VCF_LIMIT = 4000,          /* nodes of one search for the attacker's fours */
    VCF_LIMIT_FACTOR = 16,     /* from one exact stage to the next */
    LAST_STAGE = 4,
    COUNTER_LIMIT = 200, /* nodes for the defender's fours; finding them only saves time */
    /* Initial proof numbers, by what a stone makes. */
    FOUR_PROOF = 2,
    THREE_PROOF = 2,
    BUILD_PROOF = 6,
    OTHER_PROOF = 8,
    /* Quick stage: how many fours a threat may need, and how many are tried at attacker's nodes. */
    QUICK_THREAT_FOURS = 3,
    QUICK_LEAF_FOURS = 2,
};

typedef struct vct_numbers {
    uint32_t proof, disproof;
} vct_numbers;

/* What a threatened defender may try. */
typedef struct vct_answers {
    gomoku_cells cells;
    int plies; /* length of the win against anything else */
    bool pass; /* the defender may pass, and the pass must be tried */
} vct_answers;

/* The plies left after `used` more. */
static inline int vct_plies_after(int plies, int used)
{
    return plies == GOMOKU_ANY_LENGTH ? plies : plies - used;
}

/*
 * Called where the result needs a verdict about fours. Without one it is incomplete, unless the
 * search was stopped: then nothing more is stored, and a worker that was told to stop must not
 * spoil the result of the others.
 */
static inline void vct_require(gomoku_vct *v, bool is_known)
{
    v->incomplete |= !is_known && !v->stopped;
}

/* Looks a position up: a win in time, or numbers for exactly `plies` left. */
bool gomoku_vct_probe(const gomoku_vct *v, uint64_t key, int plies, gomoku_vct_entry *e);
/* Stores a result. A win is stored for good. After a stop nothing else is certain, nor stored. */
void gomoku_vct_store(gomoku_vct *v, uint64_t key, vct_numbers n, uint64_t work, int plies,
                      int cell);
/* The key of the position on the board, with the attacker or the defender to move. */
uint64_t gomoku_vct_key(const gomoku_vct *v, bool defender_moves);

/* Evaluates a new position with the attacker to move: won by fours, lost to fives, or open. */
vct_numbers gomoku_vct_evaluate_attack(gomoku_vct *v, int *plies);
/* Evaluates a new position with the defender to move: not a win, or open, with the answers. */
vct_numbers gomoku_vct_evaluate_defence(gomoku_vct *v, vct_answers *a);
/* Finds the cells that can save a defender who is to move and has no five. False when the defender
 * is not threatened, unless any move is to be tried. */
bool gomoku_vct_find_answers(gomoku_vct *v, vct_answers *a);

/* Each of these pushes children on the stack. */
/* The attacker's usual moves, where there is no win by fours. */
void gomoku_vct_list_attacks(gomoku_vct *v);
/* The attacker's other moves, once those listed from `base` on do not seem to win. False: none. */
bool gomoku_vct_widen(gomoku_vct *v, size_t base);
/* The defender's answers; v->plies is what is left after them. */
void gomoku_vct_list_answers(gomoku_vct *v, const vct_answers *a);

#endif
