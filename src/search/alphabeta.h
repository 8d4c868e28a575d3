/* SPDX-License-Identifier: MIT */
/*
 * alphabeta.h - one thread of the alpha-beta search, shared by its parts:
 *
 *     iterative_deepening.c   iterations, aspiration windows, multi-PV; the threads
 *     alphabeta.c             principal variation search down to depth 0
 *     qsearch.c               quiescence search below that
 *     move_order.c            move ordering, killers, countermoves and history
 *     node.h                  what alphabeta.c and qsearch.c do at every node
 *
 * Nothing here is thread-safe: each alphabeta_thread belongs to one thread. Threads share only the
 * transposition table and the time control of their searcher.
 */
#ifndef PLY_SEARCH_ALPHABETA_H
#define PLY_SEARCH_ALPHABETA_H

#include "search/evaluator.h"

enum {
    MAX_PLY = 120,
    INFINITE = PLY_SCORE_WIN + 1,
    NO_EVAL = INT32_MIN,       /* the position was not evaluated */
    HISTORY_BUCKETS = 1 << 14, /* per side */
    CONTINUATION_BUCKETS = 1 << 16,
    KEY_BUCKETS = 1 << 12,
    LMR_DEPTHS = 64,
    LMR_MOVES = 64,
};

/*
 * Statistics of quiet moves, kept from one search to the next. Moves are opaque, so they are
 * indexed by a hash of their bits.
 */
struct move_history {
    ply_move countermoves[2][HISTORY_BUCKETS];  /* by side and previous move: the last refutation */
    int16_t history[2][HISTORY_BUCKETS];        /* by side and move: high for frequent cutoffs */
    int16_t continuation[CONTINUATION_BUCKETS]; /* the same by previous move and move */
};

typedef struct pv_moves {
    uint32_t length;
    ply_move moves[MAX_PLY];
} pv_moves;

typedef struct alphabeta_thread {
    ply_searcher *searcher;
    const ply_rules *rules;
    time_control *time;
    unsigned number;
    ply_state state;     /* the current position; own copy */
    evaluator evaluator; /* follows the state */
    uint64_t *keys; /* of all positions since the start of the game; keys[state.plies] is now */
    uint16_t key_counts[KEY_BUCKETS]; /* how many of keys[] fall into each bucket */
    /* The move lists of all nodes on the current variation, one after another. */
    ply_move *moves;
    int32_t *scores; /* beside moves: the game's ordering scores */
    int64_t *order;  /* beside moves: sort words, see move_order.c */
    size_t moves_used, moves_capacity;
    ply_move killers[MAX_PLY][2];
    move_history *history;
    int32_t evals[MAX_PLY + 2];                /* static evaluations by ply, or NO_EVAL */
    uint8_t reductions[LMR_DEPTHS][LMR_MOVES]; /* by depth and moves tried before */
    pv_moves pv[MAX_PLY + 1];                  /* by ply: the best variation from there */
    ply_move excluded[MAX_MULTIPV];            /* multi-PV: root moves already reported */
    size_t excluded_count;
    ply_variation found[MAX_MULTIPV]; /* principal variations of the last iteration */
    uint64_t unpolled;                /* nodes not yet passed to the time control */
    uint64_t poll_interval;           /* nodes between polls */
    int root_depth, selective_depth;
    bool failed;       /* out of memory */
    char padding[128]; /* keeps the next thread's data off the cache lines written above */
} alphabeta_thread;

/*
 * Prepares a zeroed thread to search a copy of `state`, with room for max_plies more plies.
 * PLY_NO_MEMORY on failure; ply_alphabeta_close is needed in either case. The caller sets
 * t->number and t->history (which qsearch alone does not use).
 */
ply_status ply_alphabeta_open(alphabeta_thread *t, ply_searcher *searcher, const ply_state *state,
                              time_control *time, size_t max_plies);
void ply_alphabeta_close(alphabeta_thread *t);

/*
 * The score of the current position for the player to move, within the window; the variation is
 * left in t->pv[ply]. Meaningless once the time control has stopped.
 */
int32_t ply_alphabeta_search(alphabeta_thread *t, int32_t alpha, int32_t beta, int depth, int ply);
/* The same by quiescence search. The game must not be over, except for lack of moves. */
int32_t ply_qsearch(alphabeta_thread *t, int32_t alpha, int32_t beta, int ply);

/* Makes room for one more move list. When memory runs out: false, and the search stops. */
bool ply_alphabeta_grow(alphabeta_thread *t);

/* --- move_order.c ---------------------------------------------------------------------------- */
/*
 * A move list starts at index `base` of t->moves. Its moves stay where the game put them and are
 * named by their number in the list.
 */
#define NO_MOVE_NUMBER SIZE_MAX
/*
 * Orders a list by everything known. tt_move is the number of the transposition table's move, which
 * comes first, or NO_MOVE_NUMBER. scored: the game has already written t->scores.
 */
void ply_order_moves(alphabeta_thread *t, size_t base, size_t count, size_t tt_move, int ply,
                     bool scored);
/* Orders a list by the game's scores alone. */
void ply_order_by_score(alphabeta_thread *t, size_t base, size_t count);
/* One step of selection sort: brings the best entry of [at, end) to `at`; returns its number. */
size_t ply_order_pick(alphabeta_thread *t, size_t at, size_t end);
/* The history of a quiet move in the current position, continuation history included. */
int32_t ply_history_score(const alphabeta_thread *t, ply_move move);
/* `move`, at index `at`, caused a cutoff: rewards it and lowers the quiet moves tried before it. */
void ply_history_update(alphabeta_thread *t, size_t base, size_t at, ply_move move, int depth,
                        int ply);

#endif
