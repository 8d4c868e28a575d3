/* SPDX-License-Identifier: MIT */
/*
 * alphabeta.h - one thread of the alpha-beta search, shared by its parts:
 *
 *     iterative_deepening.c   iterations, aspiration windows, multi-PV; the threads
 *     alphabeta.c             principal variation search down to depth 0
 *     prune.c                 what settles a node before its moves are tried
 *     move_loop.c             the moves of a node: pruning, reductions, extensions
 *     qsearch.c               quiescence search below depth 0
 *     move_order.c            move ordering
 *     history.c               killers, countermoves and history
 *     search_params.h         the margins of all of these
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
    NO_EVAL = TT_NO_EVAL,      /* the position was not evaluated */
    HISTORY_BUCKETS = 1 << 14, /* per side */
    CONTINUATIONS = 3,         /* earlier moves that the continuation history looks at */
    FRAME_OFFSET = 4,          /* the farthest of them, in plies */
    KEY_BUCKETS = 1 << 12,
    LMR_DEPTHS = 64,
    LMR_MOVES = 64,
};

/*
 * Statistics of moves, kept from one search to the next. A move that often causes a cutoff has a
 * high value. Moves are opaque: they are indexed by a hash of their bits, or by their class.
 */
struct move_history {
    ply_move countermoves[2][HISTORY_BUCKETS]; /* by side and previous move: the last refutation */
    int16_t quiet[2][HISTORY_BUCKETS];         /* by side and move */
    int16_t noisy[2][PLY_MOVE_CLASSES];        /* by side and class */
    /*
     * Quiet moves by the class of an earlier move of the opponent (0) or the same player (1) and
     * their own class. Row 0: there was no earlier move.
     */
    int16_t continuation[2][PLY_MOVE_CLASSES + 1][PLY_MOVE_CLASSES];
};

/* What the plies of the current variation remember. */
typedef struct ply_frame {
    int32_t eval;      /* static evaluation, or NO_EVAL */
    uint32_t move_row; /* the class of the move played from here plus 1; 0: none, or a null move */
    ply_move quiet_move; /* the move played from here, if it is quiet */
    ply_move excluded;   /* a move left out, to see whether it is the only good one */
    ply_move killers[2]; /* quiet moves that caused cutoffs at this ply, the last one first */
    uint32_t cutoffs;    /* at this ply, since its parent's node began */
} ply_frame;

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
    int32_t *logits; /* beside moves: scores of the network's policy head */
    size_t moves_used, moves_capacity;
    ply_frame frames[FRAME_OFFSET + MAX_PLY + 2];
    move_history *history;
    const search_params *params;
    int16_t reductions[LMR_DEPTHS][LMR_MOVES]; /* by depth and moves tried before, in 1024ths */
    pv_moves pv[MAX_PLY + 1];                  /* by ply: the best variation from there */
    ply_move excluded[MAX_MULTIPV];            /* multi-PV: root moves already reported */
    size_t excluded_count;
    ply_variation found[MAX_MULTIPV]; /* principal variations of the last iteration, */
    int found_depth;                  /* and its depth; 0: there is none */
    uint64_t unpolled;                /* nodes not yet passed to the time control */
    uint64_t poll_interval;           /* nodes between polls */
    int root_depth, selective_depth;
    int null_min_ply;  /* no null move before this ply, while one is being verified */
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
 * left in t->pv[ply]. cut_node: a cutoff is expected. Meaningless once the time control has
 * stopped.
 */
int32_t ply_alphabeta_search(alphabeta_thread *t, int32_t alpha, int32_t beta, int depth, int ply,
                             bool cut_node);
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
 * Orders a list in two stages, because most cutoffs need only the first. The early moves are the
 * transposition table's (number tt_move or NO_MOVE_NUMBER), which comes first, the noisy ones that
 * lose no material and, with `killers`, the killers and the countermove. Returns the index where the
 * late ones begin. scored: the game has already written t->scores. The list is the last one in t->moves.
 */
size_t ply_order_early(alphabeta_thread *t, size_t base, size_t count, size_t tt_move, int ply,
                       bool scored, bool killers);
/* Orders the late moves, which are [at, end). policy: what a logit in t->logits counts; 0: nothing. */
void ply_order_late(alphabeta_thread *t, size_t base, size_t at, size_t end, int ply, bool scored,
                    int32_t policy);
/* Orders a list by the game's scores alone. */
void ply_order_by_score(alphabeta_thread *t, size_t base, size_t count);
/* One step of selection sort: brings the best entry of [at, end) to `at`; returns its number. */
size_t ply_order_pick(alphabeta_thread *t, size_t at, size_t end);
/* The number of the move whose sort word is at index `at`. */
size_t ply_order_number(const alphabeta_thread *t, size_t at);

/* --- history.c ------------------------------------------------------------------------------- */
/* The rows of the history that concern a node. */
typedef struct history_view {
    const int16_t *quiet; /* by the hash of a move */
    const int16_t *noisy; /* by class */
    const int16_t *continuation[CONTINUATIONS];
} history_view;

/* The moves of a node that were searched, by kind, for the update. Later ones are forgotten. */
enum { SEARCHED_LIMIT = 32 };
typedef struct searched_moves {
    ply_move quiet[SEARCHED_LIMIT], noisy[SEARCHED_LIMIT];
    unsigned quiet_count, noisy_count;
} searched_moves;

/* The class of a move in the current position, below PLY_MOVE_CLASSES. */
unsigned ply_history_class(const alphabeta_thread *t, ply_move move);
void ply_history_view(alphabeta_thread *t, int ply, history_view *view);
/* The history of a quiet move, continuation history included; of a noisy move. */
int32_t ply_history_quiet(const alphabeta_thread *t, const history_view *view, ply_move move);
int32_t ply_history_noisy(const alphabeta_thread *t, const history_view *view, ply_move move);
ply_move ply_history_countermove(const alphabeta_thread *t, int side);
/* `move` caused a cutoff: rewards it and lowers the moves searched before it. */
void ply_history_update(alphabeta_thread *t, ply_move move, bool noisy,
                        const searched_moves *searched, int depth, int ply);
/* Adds a bonus to a quiet move of `side` and class `class` that was played at `ply`. */
void ply_history_reward(alphabeta_thread *t, int side, ply_move move, unsigned class, int32_t bonus,
                        int ply);
/* The bonus of a cutoff at a depth. */
int32_t ply_history_bonus(const alphabeta_thread *t, int depth);

#endif
