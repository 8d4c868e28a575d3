/* SPDX-License-Identifier: MIT */
/*
 * mate_search.h - forced mate by proof-number search over whole turns.
 *
 * A node is a position at the start of a turn; an edge is a whole turn, that is a set of moves and
 * the submit. The orders in which the moves of a turn can be played are therefore one edge. Boards
 * are only ever added, so no position repeats within a variation and the graph has no cycles: what
 * is found out about a position holds however it was reached.
 *
 * The question asked of a node is whether the attacker can mate within n more of their turns. phi
 * estimates how hard it is for the player to move to reach their aim, delta how hard it is for the
 * opponent to prevent it:
 *
 *     attacker to move   phi = proof number         least delta of the turns
 *                        delta = disproof number    largest phi of the turns, plus 1 for each other
 *     defender to move   the other way round
 *
 * A position may have millions of turns, so they are generated in batches. As long as not all have
 * been generated, the rest counts as one more turn of moderate promise; selecting it generates the
 * next batch. Turns of the attacker that give check come first. Each of them is probed as soon as
 * it is generated: if the defender has no legal turn (an exact answer, by turn_query.h) they are
 * mated or stalemated; otherwise the number of their first few turns initialises the proof number.
 */
#ifndef PLY_GAMES_FIVED_SOLVE_MATE_SEARCH_H
#define PLY_GAMES_FIVED_SOLVE_MATE_SEARCH_H

#include "games/fived/solve/mate_tt.h"
#include "games/fived/turns/turn_query.h"

enum {
    MATE_TURNS = 400, /* the longest win considered, in turns of the attacker */
    MATE_KILLERS = 4, /* turns that gave mate recently, tried first elsewhere */
    MATE_KILLER_MOVES = 16,
};

/* A turn, and what is known about the position after it. */
typedef struct mate_child {
    uint64_t key;
    size_t first, count; /* its moves, in the level's array */
    uint32_t phi, delta; /* for the player to move after it; phi 0: they reach their aim */
    int16_t win, fail;   /* as in mate_entry */
} mate_child;

/* One node of the current variation. */
typedef struct mate_level {
    fived_turn_query query;
    fived_undo_info *undo_stack; /* of the turn played from here */
    mate_child *children;        /* the undecided ones */
    ply_move *moves;
    mate_map seen; /* keys of all turns generated so far */
    size_t undo_room, child_room, child_count, move_room, move_count;
    size_t child_limit;  /* children after which this batch ends */
    unsigned batches;    /* generated so far */
    int turns;           /* the question: mate within this many turns? */
    int16_t win, fail;   /* over the decided turns: the longest win, the least failure */
    bool attacker_moves; /* who is to move */
    bool quiet;          /* turns of the attacker without check are generated too */
    bool complete;       /* all turns have been generated */
    bool more;           /* the batch was cut short */
    bool any;            /* there is a legal turn */
    bool done;           /* the last child is what the player to move wants */
} mate_level;

typedef struct mate_killer {
    ply_move moves[MATE_KILLER_MOVES];
    size_t count;
} mate_killer;

typedef struct mate_search {
    const ply_rules *rules;
    ply_solve_control *control; /* may be NULL: no limits */
    ply_solve_report progress;  /* reported through the control */
    fived_position *position;
    mate_tt tt;
    mate_level **levels;
    size_t level_room, level_count;
    size_t level_bytes; /* how much memory the levels may take */
    mate_killer killers[MATE_KILLERS];
    unsigned next_killer;
    uint32_t depth;   /* of the current node */
    bool checks_only; /* every turn of the attacker must give check */
    bool stopped;
    bool spent;          /* stopped because of node_limit */
    const char *why;     /* why it stopped, unless the control did it */
    ply_status status;   /* PLY_NO_MEMORY: failed */
    uint64_t nodes;      /* turns played */
    uint64_t node_limit; /* 0: none but the control's */
} mate_search;

/*
 * Allocates the transposition table. The caller sets rules, position and checks_only. False when
 * out of memory. A search belongs to one thread.
 */
bool fived_mate_search_init(mate_search *s, size_t memory_bytes);
void fived_mate_search_free(mate_search *s);
/* Forgets everything. Call it before the first question about another position. */
void fived_mate_search_clear(mate_search *s);
size_t fived_mate_search_bytes(const mate_search *s);

/*
 * Searches whether the attacker can mate within `turns` of their turns in s->position, where the
 * attacker or the defender is to move. *out is decided if its phi or delta is 0; otherwise
 * s->stopped is set.
 */
void fived_mate_search_run(mate_search *s, bool attacker_moves, int turns, mate_child *out);
/* The turn by which the player to move reaches their aim, if the last run found one; valid until
 * the next run. */
const ply_move *fived_mate_search_best_turn(const mate_search *s, size_t *count);
/* What the transposition table knows about a key and a number of turns; false if nothing. */
bool fived_mate_search_probe(const mate_search *s, uint64_t key, bool attacker_moves, int turns,
                             mate_child *out);

#endif
