/* SPDX-License-Identifier: MIT */
/* vct_internal.h - what the two halves of the search by threats share; see vct.h. */
#ifndef PLY_GAMES_GOMOKU_SOLVE_VCT_INTERNAL_H
#define PLY_GAMES_GOMOKU_SOLVE_VCT_INTERNAL_H

#include "games/gomoku/solve/vct.h"

enum {
    INFINITE = 1000000000,
    LARGE = INFINITE / 2, /* of numbers that are not final */
    NO_REPLY = GOMOKU_MAX_CELLS,
    PASS = GOMOKU_MAX_CELLS,
    GO_ON_EVERY = 256,
    TEAM_FROM = 2000,    /* nodes: less is done before threads have begun */
    VCF_LIMIT = 4000,    /* nodes of one search for the attacker's fours */
    MORE_PATIENCE = 16,  /* times as many, when that was too few for a "no" */
    STAGES = 4,          /* so often */
    COUNTER_LIMIT = 200, /* the same for the defender, which only saves time */
    PROOF_OF_FOUR = 2,   /* proof numbers to begin with */
    PROOF_OF_THREE = 2,
    PROOF_OF_BUILD = 6,
    PROOF_OF_OTHER = 8,
    /* At first: fours a threat may take, and fours looked for where the attacker moves. */
    QUICK_THREAT = 3,
    QUICK_LEAF = 2,
};

typedef struct vct_numbers {
    uint32_t proof, disproof;
} vct_numbers;

/* What a defender who is threatened may try. */
typedef struct vct_answers {
    gomoku_cells cells;
    int plies; /* of the win if he does anything else */
    bool pass; /* he may pass, and that must be looked at */
} vct_answers;

/* Fewer, unless there is no end to them. */
static inline int vct_less(int number, int by)
{
    return number == GOMOKU_ENDLESS ? number : number - by;
}

/* Where a verdict about fours is needed and the nodes were too few for one. Not so after a stop:
 * nothing more is noted then, and a thread that others told to stop spoils nothing of theirs. */
static inline void vct_need(gomoku_vct *v, bool is_known)
{
    v->incomplete |= !is_known && !v->stopped;
}

/* What is known of a position: a win in time, or numbers for the plies left. */
bool gomoku_vct_look_up(const gomoku_vct *v, uint64_t key, int plies, gomoku_vct_entry *e);
/* A win is noted for good; after a stop nothing else is certain. */
void gomoku_vct_note(gomoku_vct *v, uint64_t key, vct_numbers n, uint64_t work, int plies,
                     int cell);
/* The key of the position on the field, with the attacker or the defender to move. */
uint64_t gomoku_vct_key(const gomoku_vct *v, bool defender_moves);

/* A new position with the attacker to move: won by fours, lost to fives, or open. */
vct_numbers gomoku_vct_judge_attack(gomoku_vct *v, int *plies);
/* A new position with the defender to move: lost for the attacker, or open. */
vct_numbers gomoku_vct_judge_defence(gomoku_vct *v, vct_answers *a);
/* Where the defender moves and has no five: the cells that can save him. False when nothing
 * threatens him, unless everything is tried. */
bool gomoku_vct_find_answers(gomoku_vct *v, vct_answers *a);

/* Each puts children on the list. What the attacker may try, where he has no win by fours. */
void gomoku_vct_list_attacks(gomoku_vct *v);
/* The rest of what he may try, once the above (from `base` on) does not seem to work; false:
 * nothing more. */
bool gomoku_vct_widen(gomoku_vct *v, size_t base);
/* The defender's answers, for the plies that are left behind them. */
void gomoku_vct_list_answers(gomoku_vct *v, const vct_answers *a);

#endif
