/* SPDX-License-Identifier: MIT */
/*
 * mate_search.h - forced mate over whole turns, by proof numbers.
 *
 * A node is a position at the start of a turn, a branch is a whole turn: a set of moves and the
 * submit. So the orders in which a turn can be made are one branch. Boards are only ever added,
 * hence no position comes twice on a line and the tree has no circles: what is found out about a
 * position holds however it was reached.
 *
 * The question asked of a node is whether the attacker mates within so many turns of his. phi says
 * how hard it seems for the player to move to get his way, delta for the other to prevent it:
 *
 *     attacker to move   phi = proof number      least delta of the turns
 *                        delta = disproof        largest phi of the turns, and 1 for each other
 *     defender to move   the other way round
 *
 * A position may have millions of turns. They are listed in portions: a player goes through those
 * he has, and as long as they are not all, "the others" count as one more turn of moderate promise,
 * which when it is chosen brings the next portion. Of the attacker's turns those that give check
 * come first. Each turn of the attacker's is looked behind when it is listed: without a legal turn
 * (the exact search of legal_turns.h) the defender is mated or stalemated, else the number of his first
 * few turns is where proof numbers start from.
 */
#ifndef PLY_GAMES_FIVED_SOLVE_MATE_SEARCH_H
#define PLY_GAMES_FIVED_SOLVE_MATE_SEARCH_H

#include "games/fived/solve/mate_table.h"
#include "games/fived/turns/legal_turns.h"

enum {
    MATE_TURNS = 400, /* the longest win looked for, in turns of the attacker's */
    MATE_KILLERS = 4, /* turns that mated lately, tried again first */
    MATE_KILLER_MOVES = 16,
};

/* A turn, and what is known of the position behind it. */
typedef struct mate_child {
    uint64_t key;
    size_t first, count; /* its moves, in the level's array */
    uint32_t phi, delta; /* as the player to move behind it sees them; 0: he gets his way */
    int16_t win, fail;   /* as in mate_entry */
} mate_child;

/* One node of the line under way. */
typedef struct mate_level {
    fived_search search;
    fived_undo_info *undo_stack; /* of the turn played from here */
    mate_child *children;        /* undecided ones */
    ply_move *moves;
    mate_map seen; /* keys of all turns listed so far */
    size_t undo_room, child_room, child_count, move_room, move_count;
    size_t most;       /* children, in this portion */
    unsigned portions; /* listed so far */
    int turns;         /* the question */
    int16_t win, fail; /* of the turns that are decided: the longest win, the least failure */
    bool attacks;      /* the attacker is to move */
    bool quiet;        /* quiet turns of the attacker's are listed too */
    bool whole;        /* all turns have been listed */
    bool more;         /* the portion was full */
    bool any;          /* there is a legal turn */
    bool done;         /* the last child is what the player to move wants */
} mate_level;

typedef struct mate_killer {
    ply_move moves[MATE_KILLER_MOVES];
    size_t count;
} mate_killer;

typedef struct mate_search {
    const ply_rules *rules;
    ply_solve_control *control; /* may be NULL: no limits */
    ply_solve_report progress;  /* what it is told on the way */
    fived_position *position;
    mate_table table;
    mate_level **levels;
    size_t level_room, level_count;
    size_t memory_bytes; /* what levels may hold */
    mate_killer killers[MATE_KILLERS];
    unsigned killer_next;
    uint32_t depth;   /* of the node under way */
    bool checks_only; /* every turn of the attacker's must give check */
    bool stopped;
    bool spent;          /* it stopped because of nodes_most */
    const char *why;     /* it stopped, if not by the control */
    ply_status status;   /* PLY_NO_MEMORY: failed */
    uint64_t nodes;      /* turns played */
    uint64_t nodes_most; /* 0: no limit but the control's */
} mate_search;

/* The caller sets rules, position and checks_only. False: no memory. */
bool fived_mate_search_init(mate_search *s, size_t memory_bytes);
void fived_mate_search_free(mate_search *s);
/* Before the first question about another position: forgets what is known. */
void fived_mate_search_clear(mate_search *s);
size_t fived_mate_search_bytes(const mate_search *s);

/*
 * Asks whether the attacker mates within so many turns of his in s->position, where he (attacks) or
 * the defender is to move. *out: decided, if phi or delta is 0, else s->stopped. If the player to
 * move gets his way by a turn, it is in fived_mate_search_turn until the next question.
 */
void fived_mate_search_ask(mate_search *s, bool attacks, int turns, mate_child *out);
const ply_move *fived_mate_search_turn(const mate_search *s, size_t *count);
/* What the table has about a key, for the question of so many turns. */
bool fived_mate_search_known(const mate_search *s, uint64_t key, bool attacks, int turns,
                             mate_child *out);

#endif
