/* SPDX-License-Identifier: MIT */
/*
 * vct.h - victory by continuous threats, and outright wins on small boards, by proof numbers.
 *
 * A threat is a four, or a stone after which its player, if the other passed, would win by fours
 * (vcf.h). Such a stone is looked for among those that leave three or more of the player's stones
 * in a window, and those that take a point where the other could make a four. The defender has
 * lost unless his answer stands in the zone of the win by fours that he is threatened with
 * (gomoku_vcf_zone), so the zone is the whole set of his answers; his own fours are in it.
 *
 * With `all`, the attacker may play anything, and the defender, where he is not threatened, too.
 *
 * Depth-first proof-number search. It begins with a quick look: threats are stones after which at
 * most three fours win, and no more than two are looked for where the attacker moves. What wins
 * there wins; else the exact question follows. A position won is won for good; anything else in the
 * table is for one stage of the search. Stones are only added, so there are no cycles.
 * The question may also be for a win in so many plies, exactly: then a zone is that of fours that
 * win in time, and where there are none, every answer and the pass count. Plies are counted to the
 * four that cannot be answered.
 *
 * Nothing a verdict rests on is ever guessed: where the search for fours is cut short, "no" becomes
 * "unknown", after some tries with more patience. Several threads (vct_threads.h) work on one table.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_VCT_H
#define PLY_GAMES_GOMOKU_SOLVE_VCT_H

#include "games/gomoku/solve/vcf.h"
#include "games/gomoku/solve/vct_table.h"

enum { GOMOKU_ENDLESS = 1 << 14 }; /* any number of plies */

typedef struct gomoku_vct_child {
    uint64_t key;
    uint32_t proof, disproof; /* to begin with */
    uint16_t cell;            /* GOMOKU_MAX_CELLS: the defender passes */
    uint16_t reply;           /* the only answer to a four, GOMOKU_MAX_CELLS when there is none */
    uint16_t plies;           /* of a win from there, at most */
    bool is_open;             /* the defender moves next */
} gomoku_vct_child;

typedef struct gomoku_vct_team gomoku_vct_team;

typedef struct gomoku_vct {
    gomoku_field *field;
    gomoku_vcf vcf;
    gomoku_vct_table *table;
    gomoku_vct_child *children; /* of the current line, one list behind the other */
    size_t children_used, children_room;
    int attacker;
    bool all;
    bool may_pass;      /* the rules let the defender */
    uint64_t vcf_limit; /* nodes for one search for fours */
    uint64_t nodes, limit;
    bool (*go_on)(void *context, uint64_t nodes); /* may be NULL; asked now and then */
    void *context;
    int plies;             /* that he may still take, or GOMOKU_ENDLESS */
    int root_plies;        /* what the search began with */
    unsigned stage;        /* 0: a quick look; then exact, with more and more nodes for fours */
    bool stopped;          /* a limit was reached */
    bool incomplete;       /* a search for fours was cut short */
    gomoku_vct_team *team; /* or NULL */
    unsigned number;       /* in the team; 0 leads it */
    bool marks;            /* the team is at work */
    uint64_t began;        /* nodes when this root was begun */
} gomoku_vct;

/* The search for fours takes at most so many bytes; the table is the caller's. */
ply_status gomoku_vct_init(gomoku_vct *v, gomoku_field *field, gomoku_vct_table *table,
                           size_t bytes);
void gomoku_vct_free(gomoku_vct *v);
/* Whether the attacker, who is to move, wins, within so many plies. The field comes back as it
 * was. */
gomoku_verdict gomoku_vct_solve(gomoku_vct *v, int attacker, bool all, int plies, uint64_t nodes);

/* After a win, in a position of it where the attacker moves and does not win by fours in time: a
 * move that wins in so many plies, or -1 when it cannot be found again. */
int gomoku_vct_winner(gomoku_vct *v, int plies);
/* After a "no", where the defender moves and is threatened with fours: an answer that holds, or -1
 * when it cannot be found again. */
int gomoku_vct_saver(gomoku_vct *v);
/* Forgets everything, the table too. */
void gomoku_vct_clear(gomoku_vct *v);
/* Memory held. */
size_t gomoku_vct_bytes(const gomoku_vct *v);

/* The plies of the win by fours just found. */
static inline int gomoku_vcf_plies(const gomoku_vcf *v)
{
    return v->plies > 2 ? v->plies - 2 : 1;
}

/* --- for the team -------------------------------------------------------------------------------
 */
/* The root with what v says: 1 won, -1 not won, 0 stopped. */
int gomoku_vct_root(gomoku_vct *v);

#endif
