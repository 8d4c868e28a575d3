/* SPDX-License-Identifier: MIT */
/*
 * vcf.h - victory by continuous fours (VCF).
 *
 * The attacker plays nothing but fours (and the final five), so the defender has one answer each
 * time: the cell that stops the five, unless they can make a five themselves. In caro a row can
 * also be blocked from outside, so there may be several answers; all are tried.
 *
 * The search is exact under every rule. If the defender's answer makes a four, the attacker's next
 * four must stop it. Points forbidden to Black are closed to Black as attacker and as defender, so
 * White also wins by a four whose only answer is forbidden.
 *
 * A verdict is about fours alone: "no" says that no sequence of fours wins and nothing else. A
 * transposition table of fixed size holds refuted and won positions. Stones are only added, so an
 * entry does not depend on how the position was reached. Entries are compared by the full 64-bit
 * key.
 *
 * A search object is not safe to use from two threads at once.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_VCF_H
#define PLY_GAMES_GOMOKU_SOLVE_VCF_H

#include "games/gomoku/rules/threat_board.h"

typedef enum gomoku_verdict {
    GOMOKU_NO,
    GOMOKU_WIN,
    GOMOKU_UNKNOWN, /* the node limit was reached first */
} gomoku_verdict;

enum { GOMOKU_ANY_DEPTH = 2 * GOMOKU_MAX_CELLS };

/* A position without a win in up to `depth` plies, or with a win in `depth` plies that begins on
 * `cell`. */
typedef struct gomoku_vcf_entry {
    uint64_t key;
    uint16_t depth;
    uint16_t cell;
    uint16_t won;
    uint16_t generation; /* in which it was written; 0: empty */
} gomoku_vcf_entry;

typedef struct gomoku_vcf {
    gomoku_threat_board *board;
    gomoku_vcf_entry *table;
    uint64_t mask;         /* entries in use, less 1; the table grows within its memory */
    uint64_t last;         /* all entries, less 1 */
    uint64_t entries_used; /* entries written so far */
    uint64_t nodes;        /* positions with the attacker to move, since init */
    uint64_t limit;        /* of nodes, for the current search */
    bool (*keep_going)(void *context, uint64_t nodes); /* polled now and then; may be NULL */
    void *context;
    uint16_t *cells; /* a stack: the fours of each node on the current path */
    int cells_used, cells_capacity;
    bool borrowed; /* the memory belongs to the caller and cannot grow */
    /* The win found: alternately a four and its answer. The last four cannot be answered. In caro,
     * one of the variations of the win. */
    uint16_t variation[GOMOKU_MAX_CELLS];
    int variation_length; /* 0: the attacker makes five at once */
    int plies;            /* length of the win, the five included */
    bool out_of_nodes;
    bool halted; /* keep_going returned false */
    uint16_t generation;
    gomoku_cells *relevant; /* gomoku_vcf_relevant_cells collects here; otherwise NULL */
} gomoku_vcf;

/* The transposition table takes at most `bytes`, but at least 64 KiB. The board must outlive the
 * search. PLY_NO_MEMORY. */
ply_status gomoku_vcf_init(gomoku_vcf *v, gomoku_threat_board *board, size_t bytes);
void gomoku_vcf_free(gomoku_vcf *v);
/*
 * For many short searches: uses memory that the caller provides, for `capacity` cells, at least
 * GOMOKU_MAX_CELLS, and for a transposition table of `entries`, a power of two, or none (NULL, 0).
 * The table is zeroed memory or one that earlier searches under the same rules have used, whatever
 * their positions. Allocates nothing, so there is nothing to free.
 */
void gomoku_vcf_init_borrowed(gomoku_vcf *v, gomoku_threat_board *board, uint16_t *cells,
                              int capacity, gomoku_vcf_entry *table, size_t entries);

/* Clears the transposition table. */
void gomoku_vcf_clear(gomoku_vcf *v);

/*
 * Whether the attacker, to move, wins by fours within `depth` plies, the five included. Visits at
 * most `nodes` nodes and leaves the board unchanged.
 */
gomoku_verdict gomoku_vcf_solve(gomoku_vcf *v, int attacker, int depth, uint64_t nodes);
/* The same; finds the shortest win. */
gomoku_verdict gomoku_vcf_shortest(gomoku_vcf *v, int attacker, int depth, uint64_t nodes);

/*
 * The zone of the win just found: the empty cells that matter to it. If the defender plays on any
 * other cell first, the same fours still win.
 */
void gomoku_vcf_zone(gomoku_vcf *v, int attacker, gomoku_cells *zone);

/*
 * For an attacker who does not win by fours: the cells on which one more stone of theirs could
 * change that. On any other cell it would leave every sequence of fours as it is, move for move.
 * Includes the cells on which the attacker makes a four. GOMOKU_UNKNOWN when `nodes` were too few
 * to find them all.
 */
gomoku_verdict gomoku_vcf_relevant_cells(gomoku_vcf *v, int attacker, uint64_t nodes,
                                         gomoku_cells *cells);

#endif
