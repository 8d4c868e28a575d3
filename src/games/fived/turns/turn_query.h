/* SPDX-License-Identifier: MIT */
/*
 * turn_query.h - the legal turns of a position: all of them, their number, or whether one exists.
 *
 * A turn is a set of physical moves (within one board) and hops (onto the end of another timeline),
 * which commute, and a sequence of branches, which create new timelines in their order. The query
 * treats it as a constraint satisfaction problem. The variables ("axes", as in hypercuboid search)
 * are the player's end boards and the new timelines. A value is the board appended there:
 *
 *     end board       pass | physical move | leave by a jump | arrival of a hop from another board
 *     new timeline    arrival of a branch
 *
 * The number of new timelines decides which timelines will be active and therefore which end boards
 * must be played, so the search runs once for each number. The masks of a slot (multiverse_view.h)
 * reject every value that would let the enemy capture a royal piece: first against the existing
 * boards, then again after each choice. A choice therefore sees every threat it makes together with
 * the choices before it. The axis with the fewest values left, weighted by how often it has failed,
 * comes first. The values of the last axis are counted, not tried.
 *
 * When only existence matters, axes that need not be played pass, and new timelines come last:
 * first the ones the turn needs (the branch that moves the present back, the branches by which
 * boards are left), on any free timeline where they are safe; then whatever fills the gaps.
 *
 * The search is fast where turns are plentiful or threats few, which is nearly always. When it has
 * worked in vain for a while, the SAT encoding (turn_sat.h) answers instead.
 *
 * Memory. A query keeps its memory from one position to the next; turn_memory.c holds the one table
 * of its arrays. When memory runs out, `status` becomes PLY_NO_MEMORY, every question answers 0 or
 * false until the next prepare, and the query can still be prepared again or freed. After any "no"
 * or 0 the caller must look at `status` before believing it.
 *
 * Threads. A query belongs to one thread at a time. It only reads the position.
 */
#ifndef PLY_GAMES_FIVED_TURNS_TURN_QUERY_H
#define PLY_GAMES_FIVED_TURNS_TURN_QUERY_H

#include "core/array.h"
#include "games/fived/turns/multiverse_view.h"

/* Makes room for `count` items of an array of query q; false when out of memory. */
#ifdef __CUDACC__
#define FIVED_GROW(q, array, room, count) ((size_t)(count) <= (room))
#else
#define FIVED_GROW(q, array, room, count)      \
    ((q)->is_fixed ? (size_t)(count) <= (room) \
                   : ply_array_grow(&(array), &(room), (count), sizeof *(array)))
#endif

/* A physical move as the squares it changes. */
typedef struct fived_physical {
    uint64_t from, to, taken, royal_to;
    uint32_t axis;
    uint8_t from_square, to_square, promotion;
} fived_physical;

/* A jump to another board: a hop or a branch, depending on when it is played. */
typedef struct fived_jump {
    const fived_board *target;
    int32_t l, v;   /* of the target */
    int32_t source; /* axis */
    int32_t
        destination; /* the axis of the target if that is one of the player's end boards, or -1 */
    uint8_t from_square, to_square, promotion;
    bool royal;
} fived_jump;

/* An end board of the player to move. */
typedef struct fived_axis {
    const fived_board *board;
    int32_t l, v;
    uint32_t physical, physical_count; /* first physical move, and how many */
    uint32_t jump, jump_count;         /* jumps from it, grouped by square */
    uint32_t hop, hop_count;           /* hops onto it: a range of hop_index */
    uint64_t leave;                    /* squares from which a jump is possible */
    uint64_t royals, empty;
    uint64_t weight; /* how often it ran out of values */
} fived_axis;

/* The values an axis has left after some choices. */
typedef struct fived_domain {
    uint64_t attackers, attacked, between; /* of the slot: see multiverse_view.h */
    uint64_t leave;
    uint32_t ids, count; /* physical moves: a range of the stack of ids */
} fived_domain;

typedef struct fived_choice {
    uint8_t type; /* enum fived_move_type */
    uint32_t id;  /* of a physical move or a jump */
} fived_choice;

/* Called with the moves of a turn in playing order, the submit last; false ends the listing. */
typedef bool fived_turn_visitor(void *context, const ply_move *moves, size_t count);

/* --- the parts of a query ------------------------------------------------------------------- */
/* Every single move a turn could contain. Filled by candidate_moves.c, then read-only. */
typedef struct fived_candidates {
    fived_axis *axes;
    int *axis_of; /* by l - view.base: the axis of a timeline, or -1 */
    fived_physical *physical;
    fived_jump *jumps;
    uint32_t *hop_index; /* ids of jumps, grouped by the axis they hop onto */
    uint8_t *safe;       /* by board: cached: whether the enemy gives check on the board itself */
    uint32_t *safe_base; /* by timeline: where its boards start in `safe` */
    uint32_t axis_count, physical_count, jump_count;
    int max_new; /* no turn creates more new timelines */
    size_t physical_room, jump_room, hop_room;
} fived_candidates;

/* The values left, by depth of the search. Owned by turn_search.c. */
typedef struct fived_domains {
    fived_domain **levels; /* [depth][axis] */
    uint32_t *ids;         /* stack of physical moves that the domains refer to */
    uint32_t *preferred;   /* by axis: the physical move of the last turn found, or UINT32_MAX */
    uint32_t id_count;
    size_t level_room, id_room;
} fived_domains;

/* The case being searched: how many new timelines, and what that asks of the present. Set by
 * turn_query.c before each search. */
typedef struct fived_present_case {
    uint8_t *required;    /* by axis: it must be played */
    int min_new, max_new; /* new timelines; equal where turns are listed */
    int active_new;       /* how many of them are active, counted from the first */
    int rewind;           /* REWIND_*: whether new timelines may or must move the present back */
    int earliest;         /* v of the player's earliest board on an active timeline */
} fived_present_case;

/* The turn under construction. Owned by turn_search.c and new_timelines.c. */
typedef struct fived_partial_turn {
    fived_board *boards;   /* one per axis, then one per new timeline */
    uint8_t *state;        /* by axis: AXIS_* */
    uint8_t *must;         /* by axis: a branch relies on its being played */
    uint8_t *left_from;    /* by axis that waits for a new timeline: the square it was left from */
    int32_t *new_timeline; /* by axis: the new timeline its branch created, or -1 */
    int32_t *limit;        /* by axis: its branch must create a new timeline before this one */
    uint8_t *filled;       /* by new timeline: it has its board */
    fived_choice *choices;
    ply_move *moves; /* the turn in playing order; written by fived_turn_write_moves */
    uint32_t choice_count;
    size_t move_count;
    int filled_count;  /* new timelines that have their board */
    int waiting, open; /* axes that wait for a new timeline; that are undecided */
    uint64_t key;      /* sum of the keys of its boards */
    bool rewound;      /* a branch has moved the present back */
} fived_partial_turn;

/* A growing set of 64-bit keys. */
typedef struct fived_key_set {
    uint64_t *keys; /* 0: empty */
    size_t room, count;
} fived_key_set;

/* One run of the search: what it looks for and what it has found. Owned by turn_query.c. */
typedef struct fived_run {
    bool exists;   /* one turn is enough */
    bool distinct; /* turns that give the same multiverse count once */
    bool stop;
    fived_turn_visitor *visit; /* may be NULL: only count */
    void *context;
    uint64_t total;                   /* the answer so far */
    uint64_t found, idle, idle_found; /* turns found; steps since the last; `found` at that time */
    fived_key_set seen;               /* keys of results, for `distinct` */
} fived_run;

/* The turn that proved the last "yes". Owned by viable_moves.c; for promising_turns.c. */
typedef struct fived_witness {
    bool wanted;         /* save it: partial.moves and the members below */
    bool domains_wanted; /* save `domains` and `replaceable` as well */
    fived_choice *choices;
    uint32_t choice_count;
    fived_domain *domains; /* by axis: its slot with the rest of the turn in place */
    uint8_t *replaceable;  /* by axis: no jump of the turn leaves it or lands on it */
} fived_witness;

/* Which candidates begin a legal turn. Owned by viable_moves.c. */
typedef struct fived_marks {
    uint8_t *viable; /* by physical move, then by jump */
    size_t room;
    uint8_t mode; /* MARK_*: which turns found are searched for replacements */
} fived_marks;

/* Lets the caller stop a query. */
typedef struct fived_interrupt {
    bool (*poll)(void *context); /* may be NULL; called now and then, true ends the query */
    void *context;
    bool raised; /* poll said true: the last answer means nothing */
    uint32_t steps;
} fived_interrupt;

struct fived_turn_sat;

/* The SAT encoding of the position (turn_sat.h), made when first needed. */
typedef struct fived_query_sat {
    struct fived_turn_sat *encoding;
    fived_choice *choices; /* of an assignment under test; a search may be using partial.choices */
    bool ready;            /* the encoding is of this position */
} fived_query_sat;

/*
 * Search until it gets stuck, then SAT; search only; SAT at every step; search until all questions
 * about the position together exceed effort.bound: then gave_up is set, and answers mean nothing.
 */
enum fived_method {
    FIVED_METHOD_MIXED,
    FIVED_METHOD_SEARCH,
    FIVED_METHOD_SAT,
    FIVED_METHOD_BOUNDED,
};

/* Work done, in values tried and slots examined. Decides when to switch to SAT. */
typedef struct fived_effort {
    uint8_t method;        /* enum fived_method */
    bool gave_up;          /* the search reached its limit on this position */
    uint64_t spent, limit; /* by this question; when to give up */
    uint64_t total;        /* by all questions about the position, SAT included */
    uint64_t bound;        /* FIVED_METHOD_BOUNDED: when to give up for good */
} fived_effort;

/* Whether the next question may rely on this preparation. Owned by fived_turn_query_reopen. */
typedef struct fived_reuse {
    bool allowed;     /* only by questions that leave the query as it was */
    bool marked;      /* marks.viable is filled in */
    uint64_t version; /* of the multiverse */
    int32_t options[PLY_OPTION_LIMIT];
} fived_reuse;

typedef struct fived_turn_query {
    const ply_rules *rules;
    const fived_position *position;
    ply_status status; /* PLY_NO_MEMORY: see above */
    bool royal_lost;   /* a royal piece can be captured whatever the player does: no legal turn */
    fived_view view;
    fived_candidates candidates;
    fived_domains domains;
    fived_present_case present;
    fived_partial_turn partial;
    fived_run run;
    fived_witness witness;
    fived_marks marks;
    fived_interrupt interrupt;
    fived_query_sat sat;
    fived_effort effort;
    bool is_fixed; /* the arrays belong to the caller and do not grow */
    size_t axis_room, timeline_room, board_room; /* capacities of the arrays in turn_memory.c */
    fived_reuse reuse;
} fived_turn_query;

/* --- memory (turn_memory.c) ----------------------------------------------------------------- */
void fived_turn_query_init(fived_turn_query *q);
void fived_turn_query_free(fived_turn_query *q);
/* Bytes allocated. */
size_t fived_turn_query_bytes(const fived_turn_query *q);

/*
 * Lists the candidates of a position and makes the query ready for questions about it. The query
 * reads the position until the next prepare; meanwhile the position must not change, except as
 * fived_turn_query_rebind allows. PLY_OK or PLY_NO_MEMORY.
 */
PLY_HD_EXTERN ply_status fived_turn_query_prepare(fived_turn_query *q, const ply_rules *rules,
                                                  const fived_position *p);
/* After moves have been played on the position and taken back: its arrays may have moved. */
void fived_turn_query_rebind(fived_turn_query *q);

/*
 * Borrows the position's own query, prepared for it, so that repeated calls allocate nothing.
 * Safe if several threads read the same position: the second one gets a fresh query. On
 * PLY_NO_MEMORY *q is NULL. fived_turn_query_close returns it; NULL is a no-op.
 */
ply_status fived_turn_query_open(fived_turn_query **q, const ply_rules *rules,
                                 const fived_position *p);
/*
 * The same, but if the position has not changed since the last reopen, the query is not prepared
 * again, and candidates marked as viable stay marked (q->reuse.marked). For callers that ask only
 * whether a turn exists, which moves are viable, and for check.
 */
ply_status fived_turn_query_reopen(fived_turn_query **q, const ply_rules *rules,
                                   const fived_position *p);
/* Lets the next reopen of the position have this query as it is; for the questions named there. */
void fived_turn_query_allow_reuse(fived_turn_query *q);
void fived_turn_query_close(fived_turn_query *q);
/* Frees a query that a position kept; NULL is a no-op. */
void fived_turn_query_delete(fived_turn_query *q);

/* --- questions about the prepared position -------------------------------------------------- */
/* The number of legal turns; distinct: of different multiverses they lead to. */
PLY_HD_EXTERN uint64_t fived_turn_query_count(fived_turn_query *q, bool distinct);
/* Calls visit with each legal turn until it returns false. */
PLY_HD_EXTERN void fived_turn_query_each(fived_turn_query *q, bool distinct,
                                         fived_turn_visitor *visit, void *context);
/* Whether a legal turn exists; no_rewind: one that does not move the present back. */
PLY_HD_EXTERN bool fived_turn_query_exists(fived_turn_query *q, bool no_rewind);
/* Finds all candidates that begin a legal turn: fills q->marks.viable. False if there is none. */
PLY_HD_EXTERN bool fived_turn_query_mark_viable(fived_turn_query *q);
/* Whether a legal turn begins with this candidate. */
PLY_HD_EXTERN bool fived_turn_query_is_viable(fived_turn_query *q, bool is_jump, uint32_t id);
/* Whether the player could lose a royal piece at once by passing. */
PLY_HD_EXTERN bool fived_turn_query_in_check(fived_turn_query *q);
/* Whether the moves made so far may be submitted as a turn. */
PLY_HD_EXTERN bool fived_turn_query_may_submit(const fived_turn_query *q);

/* Passes the legal moves one by one to a visitor until it returns false. */
PLY_HD_EXTERN void fived_turn_query_each_move(fived_turn_query *q, fived_move_visitor *visit,
                                              void *context);
/* How the game ends when the player has no legal turn. */
PLY_HD_EXTERN ply_outcome fived_turn_query_no_turn(fived_turn_query *q);
/* How the game stands. */
PLY_HD_EXTERN ply_outcome fived_turn_query_outcome(fived_turn_query *q);

/* Fills the candidates (candidate_moves.c). Called by prepare. */
PLY_HD_EXTERN ply_status fived_turn_query_list_candidates(fived_turn_query *q);

PLY_HD ply_move fived_physical_move(const fived_turn_query *q, uint32_t id)
{
    const fived_physical *m = &q->candidates.physical[id];
    const fived_axis *a = &q->candidates.axes[m->axis];
    int t, c;
    fived_v_to_tc(a->v, &t, &c);
    fived_location from = {a->l, t, m->from_square & 7, m->from_square >> 3};
    fived_location to = {a->l, t, m->to_square & 7, m->to_square >> 3};
    return fived_move_make(from, to, m->promotion);
}

PLY_HD ply_move fived_jump_move(const fived_turn_query *q, uint32_t id)
{
    const fived_jump *j = &q->candidates.jumps[id];
    const fived_axis *a = &q->candidates.axes[j->source];
    int from_t, to_t, c;
    fived_v_to_tc(a->v, &from_t, &c);
    fived_v_to_tc(j->v, &to_t, &c);
    fived_location from = {a->l, from_t, j->from_square & 7, j->from_square >> 3};
    fived_location to = {j->l, to_t, j->to_square & 7, j->to_square >> 3};
    return fived_move_make(from, to, j->promotion);
}

#endif
