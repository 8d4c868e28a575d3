/* SPDX-License-Identifier: MIT */
/*
 * vcf.h - victory by continuous fours.
 *
 * The attacker plays nothing but fours (or a five), so the defender has one answer each time or has
 * lost: he stops the five, unless he makes five himself. (In caro he may have several answers,
 * since a row can be shut in from outside; all are tried.) Exact in every rule set: a four of the
 * defender's that his answer makes must be stopped by the attacker's next four; Black's forbidden
 * points are closed to Black, whether he attacks or defends, so White wins by a four whose only
 * answer is forbidden.
 *
 * A verdict holds for fours alone: "no" says that no row of fours wins, nothing else. Refuted and
 * won positions stand in a table of fixed size; stones are only added, so what is in it never
 * depends on the way there. Entries are told apart by the position's whole 64-bit key.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_VCF_H
#define PLY_GAMES_GOMOKU_SOLVE_VCF_H

#include "games/gomoku/rules/threat_board.h"

typedef enum gomoku_verdict {
    GOMOKU_NO,
    GOMOKU_WIN,
    GOMOKU_UNKNOWN, /* the limit of nodes came first */
} gomoku_verdict;

enum { GOMOKU_NO_LIMIT = 2 * GOMOKU_MAX_CELLS };

/* One position: no win in up to `depth` plies, or a win in `depth` plies that begins with move. */
typedef struct gomoku_vcf_entry {
    uint64_t key;
    uint16_t depth;
    uint16_t cell;
    uint16_t won;
    uint16_t run; /* that wrote it; 0: empty */
} gomoku_vcf_entry;

typedef struct gomoku_vcf {
    gomoku_field *field;
    gomoku_vcf_entry *table;
    uint64_t mask;  /* entries in use less 1: the table begins small, within the room it has */
    uint64_t last;  /* the same when it has grown to all of it */
    uint64_t held;  /* entries written */
    uint64_t nodes; /* positions with the attacker to move, since init */
    uint64_t limit; /* of nodes, for the search now running */
    bool (*go_on)(void *context, uint64_t nodes); /* may be NULL; asked now and then */
    void *context;
    uint16_t *cells; /* lists of fours of the current line, one behind the other */
    int cells_used, cells_room;
    /* The win found: fours and answers in turn. The last four cannot be answered. In caro, one of
     * the lines of the win. */
    uint16_t line[GOMOKU_MAX_CELLS];
    int length; /* of the line; 0: five at once */
    int plies;  /* of the win, the five included */
    bool out_of_nodes;
    bool halted; /* because go_on said so */
    uint16_t run;
    gomoku_cells *interest; /* while collecting */
} gomoku_vcf;

/* The table takes at most so many bytes (at least 64 KiB). */
ply_status gomoku_vcf_init(gomoku_vcf *v, gomoku_field *field, size_t bytes);
void gomoku_vcf_free(gomoku_vcf *v);
/* For short searches without a table and without allocation: room cells of the caller's, at least
 * GOMOKU_MAX_CELLS. Nothing to free. */
void gomoku_vcf_lend(gomoku_vcf *v, gomoku_field *field, uint16_t *cells, int room);

/* Forgets everything. */
void gomoku_vcf_clear(gomoku_vcf *v);

/*
 * Whether the attacker, who is to move, wins by fours within `depth` plies, the five included, in
 * at most `nodes` nodes. The field comes back as it was.
 */
gomoku_verdict gomoku_vcf_solve(gomoku_vcf *v, int attacker, int depth, uint64_t nodes);
/* The same with the fewest plies. */
gomoku_verdict gomoku_vcf_shortest(gomoku_vcf *v, int attacker, int depth, uint64_t nodes);

/*
 * The cells that matter for the win just found, empty ones all: were the defender to put a stone
 * on any other cell first, the same fours would still win.
 */
void gomoku_vcf_zone(gomoku_vcf *v, int attacker, gomoku_cells *zone);

/*
 * For an attacker who does not win by fours: the cells on which one more stone of his could change
 * that. On any other cell it would leave every row of fours as it is, move for move. Includes cells
 * where he makes a four. GOMOKU_UNKNOWN when the nodes were too few to be sure of all.
 */
gomoku_verdict gomoku_vcf_interest(gomoku_vcf *v, int attacker, uint64_t nodes,
                                   gomoku_cells *cells);

#endif
