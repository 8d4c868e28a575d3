/* SPDX-License-Identifier: MIT */
/*
 * vct.h - victory by continuous threats (VCT), and outright wins on small boards.
 *
 * A threat is a four, or a stone after which its player would win by fours (vcf.h) if the opponent
 * passed. Candidates for such stones are those that leave three or more of the player's stones in a
 * window, and those on a cell where the opponent could make a four. A threatened defender has lost
 * unless their answer is in the zone of the win by fours (gomoku_vcf_zone). So the zone, which
 * includes the defender's own fours, is the complete set of answers.
 *
 * With `any_move` the attacker may play anything, and so may a defender who is not threatened.
 *
 * The algorithm is depth-first proof-number search. It begins with a quick stage: there, threats
 * are stones after which at most three fours win, and at most two fours are tried where the
 * attacker moves. A win found there is a win; otherwise exact stages follow. A won position stays
 * won; every other entry of the transposition table is valid for one stage only. Stones are only
 * added, so there are no cycles.
 *
 * One can also ask, exactly, for a win within a number of plies. Then the zone is that of fours
 * that win in time, and where there are none, every answer and the pass must be tried. Plies are
 * counted up to the four that cannot be answered.
 *
 * A verdict never rests on a guess: where a search for fours is cut short, "no" becomes "unknown",
 * after several attempts with larger node limits. Several threads (vct_threads.h) can share one
 * table.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_VCT_H
#define PLY_GAMES_GOMOKU_SOLVE_VCT_H

#include "games/gomoku/solve/vcf.h"
#include "games/gomoku/solve/vct_table.h"

enum { GOMOKU_ANY_LENGTH = 1 << 14 }; /* no limit on the plies of a win */

/* A move of the node being searched, with what is known of the position after it. */
typedef struct gomoku_vct_child {
    uint64_t key;
    uint32_t proof, disproof; /* initial values, then what searching gave */
    uint16_t cell;            /* GOMOKU_MAX_CELLS: the defender passes */
    uint16_t reply;           /* the only answer to a four; GOMOKU_MAX_CELLS: none */
    uint16_t plies;           /* maximum length of a win from there */
    uint8_t plies_used;       /* of the plies that the attacker has left */
    bool defender_moves;      /* in the position after the move */
} gomoku_vct_child;

typedef struct gomoku_vct_pool gomoku_vct_pool;

typedef struct gomoku_vct {
    gomoku_threat_board *board;
    gomoku_vcf vcf;
    gomoku_vct_table *table;
    gomoku_vct_child *children; /* a stack: the moves of each node on the current path */
    size_t children_used, children_capacity;
    int attacker;
    bool any_move;
    bool may_pass;      /* whether the rules let the defender pass */
    uint64_t vcf_limit; /* nodes of one search for fours */
    uint64_t nodes, limit;
    bool (*keep_going)(void *context, uint64_t nodes); /* polled now and then; may be NULL */
    void *context;
    int plies;              /* the attacker has left, or GOMOKU_ANY_LENGTH */
    int root_plies;         /* at the root */
    unsigned stage;         /* 0: quick; then exact, with growing node limits for fours */
    bool stopped;           /* a limit was reached */
    bool incomplete;        /* a search for fours was cut short */
    gomoku_vct_pool *pool;  /* or NULL */
    unsigned worker_number; /* in the pool; 0: the main search */
    bool parallel;          /* the pool is running */
    uint64_t root_nodes;    /* the value of `nodes` when the search of the root began */
} gomoku_vct;

/* The search for fours takes at most `bytes`. The board and the table belong to the caller and must
 * outlive the search. PLY_NO_MEMORY. */
ply_status gomoku_vct_init(gomoku_vct *v, gomoku_threat_board *board, gomoku_vct_table *table,
                           size_t bytes);
void gomoku_vct_free(gomoku_vct *v);
/* Whether the attacker, to move, wins within `plies`. Leaves the board unchanged. */
gomoku_verdict gomoku_vct_solve(gomoku_vct *v, int attacker, bool any_move, int plies,
                                uint64_t nodes);

/* After a win, in one of its positions where the attacker moves and has no win by fours in time: a
 * cell that wins within `plies`, or -1 when it cannot be found again. */
int gomoku_vct_find_win(gomoku_vct *v, int plies);
/* After a "no", where the defender moves and is threatened by fours: an answer that saves them, or
 * -1 when it cannot be found again. */
int gomoku_vct_find_defence(gomoku_vct *v);
/* Forgets everything, the table included. */
void gomoku_vct_clear(gomoku_vct *v);
/* The memory held. */
size_t gomoku_vct_bytes(const gomoku_vct *v);

/* The length of the win by fours just found, up to the four that cannot be answered. */
static inline int gomoku_vcf_plies(const gomoku_vcf *v)
{
    return v->plies > 2 ? v->plies - 2 : 1;
}

/* --- for vct_threads.c ----------------------------------------------------------------------- */
/* Searches the root as `v` is set up: 1 won, -1 not won, 0 stopped. */
int gomoku_vct_root(gomoku_vct *v);

#endif
