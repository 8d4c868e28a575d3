/* SPDX-License-Identifier: MIT */
/*
 * search.h - finding good moves in any game.
 *
 * A searcher belongs to one set of rules. It keeps what it has learned (its transposition table and
 * move statistics) from one search to the next. ply_searcher_run searches until a limit is reached
 * or another thread calls ply_searcher_stop; it reports to a listener on the way.
 *
 * There are two search algorithms: alpha-beta, which needs the game's evaluation, and Monte-Carlo
 * tree search, which uses the evaluation if there is one. On one thread, the same sequence of calls
 * gives the same nodes and the same answers, unless a time limit intervenes.
 *
 * Thread safety: a searcher is used by one thread at a time, except for ply_searcher_arm,
 * ply_searcher_stop and ply_searcher_ponderhit. Different searchers are independent.
 */
#ifndef PLYVERSE_SEARCH_H
#define PLYVERSE_SEARCH_H

#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Scores are in hundredths of the smallest piece, from the point of view of the player to move. A
 * forced win in n plies is PLY_SCORE_WIN - n and a forced loss is the negation; scores at or beyond
 * PLY_SCORE_FORCED are of this kind. PLY_SCORE_FORCED itself is a forced win of unknown length.
 */
#define PLY_SCORE_WIN 1000000
#define PLY_SCORE_FORCED (PLY_SCORE_WIN - 10000)
/* The longest variation that is reported, in moves. */
#define PLY_PV_LIMIT 64

/* Appends a score as text: "+1.25", "win in 7", or "loss" if the distance is unknown. */
PLY_API void ply_score_text(int32_t score, ply_text *out);

typedef enum ply_search_kind {
    PLY_SEARCH_ALPHABETA,
    PLY_SEARCH_MCTS,     /* leaves are evaluated, or played out where the game has no evaluation */
    PLY_SEARCH_PLAYOUTS, /* leaves are always played out */
    PLY_SEARCH_KINDS,
} ply_search_kind;

/* "alphabeta", "mcts" or "playouts"; NULL for any other value. Safe from any thread. */
PLY_API const char *ply_search_kind_name(ply_search_kind kind);
/* Finds the kind of that name; false if there is none. Safe from any thread. */
PLY_API bool ply_search_kind_find(const char *name, ply_search_kind *kind);

/* --- evaluators of the caller's own ---------------------------------------------------------- */
/* A position that an evaluator is asked about. The search owns everything that is pointed to. */
typedef struct ply_search_leaf {
    const void *position;  /* the player to move there is rules->game->side */
    const ply_move *moves; /* every legal move; at the root, those that the limits allow */
    size_t move_count;     /* at least 1 */
    bool is_root;
    /* To be filled in: */
    /* For each move, how promising it is: not negative, in any scale; 1 beforehand. */
    float *priors;
    float value; /* the expected result for the player to move: 1 win, 0 draw, -1 loss */
} ply_search_leaf;

/*
 * Evaluates positions, such as with a neural network, many at a time. Called by ply_searcher_run, on
 * the thread that called it. Positions in which the game is over never get here.
 */
typedef void ply_search_evaluator(void *context, ply_search_leaf *leaves, size_t count);

/* A field that is 0 takes its default. */
typedef struct ply_search_options {
    size_t size; /* sizeof(ply_search_options); 0: the same */
    ply_search_kind kind;
    size_t memory_mb; /* of the transposition table or the tree, in MiB; 0: 16 */
    unsigned threads; /* 0: 1 */
    uint64_t seed;    /* of the random choices of MCTS */
    /*
     * A folder of endgame tablebases to probe; NULL: none. Read only by ply_searcher_new. If they
     * cannot be opened, the search does without them; ply_tablebase_open says why.
     */
    const char *tablebase_dir;
    /*
     * Margins of alpha-beta that differ from the usual ones, for tuning: "NAME=VALUE,NAME=VALUE".
     * Read only by ply_searcher_new, which ignores a text that ply_search_parameters_check refuses.
     * NULL: none.
     */
    const char *parameters;
    /*
     * The network that evaluates positions: a path, or NULL for the one in the library, or
     * PLY_NETWORK_NONE (network.h). Read only by ply_searcher_new. If it cannot be loaded, the
     * search uses the game's own evaluation; ply_network_load says why.
     */
    const char *network;
    /*
     * Makes MCTS select moves by PUCT with these priors and values, in place of the game's own
     * evaluation and networks; NULL: it does not. Uses one thread. Noise at the root, as in
     * self-play, is the evaluator's affair (ply_search_leaf.is_root).
     */
    ply_search_evaluator *evaluator;
    void *evaluator_context;
    unsigned evaluator_batch; /* the most leaves in one call; 0: 16 */
    float exploration;        /* the weight of the priors in PUCT; 0: 1.5 */
    /*
     * An opening book (book.h): a path, or NULL for none. Read only by ply_searcher_new. If it
     * cannot be opened, the search does without it; ply_book_open says why. A limited search for one
     * variation among all moves is then answered by the book where it has a move, at random by the
     * seed, the number of the game and the position.
     */
    const char *book;
} ply_search_options;

/* Whether the text is valid for ply_search_options.parameters; if not, error (may be NULL) says
 * why. */
PLY_API ply_status ply_search_parameters_check(const char *text, ply_error *error);

/* A limit of 0 means no such limit. Without any limit, the search runs until it is stopped. */
typedef struct ply_search_limits {
    size_t size;     /* sizeof(ply_search_limits); 0: the same */
    uint64_t millis; /* for this move */
    uint64_t nodes;  /* for MCTS: simulations */
    int depth;       /* plies; turns for games with multi_move_turns */
    int mate;        /* stop at a forced win in this many plies or fewer */
    /* Milliseconds on the clock and added per move, by player; then byoyomi for every move. */
    bool has_clock;
    uint64_t clock[2], increment[2], byoyomi;
    unsigned moves_to_go; /* until the next time control; 0: unknown */
    /*
     * Times are CPU time of the thread that calls ply_searcher_run, so that other load on the
     * machine does not shorten the search. Also those of the report.
     */
    bool cpu_time;
    bool ponder; /* no limit applies before ply_searcher_ponderhit */
    /* The only root moves to search; NULL: all. */
    const ply_move *only;
    size_t only_count;
    unsigned multipv; /* how many principal variations to report; 0: 1 */
} ply_search_limits;

typedef struct ply_variation {
    int32_t score;
    uint32_t length;
    ply_move moves[PLY_PV_LIMIT];
} ply_variation;

/* A root move as MCTS sees it. With whole turns (5D chess), one for each turn: its first move. */
typedef struct ply_root_move {
    ply_move move;
    uint32_t visits;
    float prior;
    float value; /* the mean result for the player to move, from -1 to 1; 0 if unvisited */
} ply_root_move;

typedef struct ply_search_report {
    int depth, selective_depth;
    uint64_t nodes; /* for MCTS: simulations */
    double seconds;
    unsigned hashfull; /* how full the transposition table or the tree is, in permille */
    size_t pv_count;
    const ply_variation *pv; /* best first; owned by the searcher */
    /* MCTS: every root move, in no particular order; owned by the searcher. Otherwise none. */
    size_t root_count;
    const ply_root_move *root;
} ply_search_report;

/*
 * Called by ply_searcher_run, on the thread that called it, after an iteration (for MCTS, whenever
 * the number of simulations has doubled). The report is valid during the call only.
 */
typedef void ply_search_listener(void *context, const ply_search_report *report);

typedef struct ply_searcher ply_searcher;

/*
 * Creates a searcher, which the caller frees. Copies the options, which may be NULL; rules must
 * outlive the searcher. NULL when memory or threads run out, or without rules.
 */
PLY_API ply_searcher *ply_searcher_new(const ply_rules *rules, const ply_search_options *options);
/* NULL is a no-op. No search may be running. */
PLY_API void ply_searcher_free(ply_searcher *searcher);
/* Forgets everything learned, as for a new game. No search may be running. */
PLY_API void ply_searcher_clear(ply_searcher *searcher);
/* The same. Searches of game number `game` make their own random choices for a given seed. */
PLY_API void ply_searcher_new_game(ply_searcher *searcher, uint64_t game);
/*
 * Searches the state, which it leaves unchanged, and writes the final report to *result. The
 * variations stay valid until the next run, clear or free. limits may be NULL: one second. listener
 * may be NULL.
 *
 * PLY_UNSUPPORTED: the game is over, or none of limits->only is legal. PLY_NO_MEMORY: memory ran
 * out. If the search is stopped at once, the answer is still a legal move.
 */
PLY_API ply_status ply_searcher_run(ply_searcher *searcher, const ply_state *state,
                                    const ply_search_limits *limits, ply_search_listener *listener,
                                    void *context, ply_search_report *result);
/*
 * Optional, for callers that start the run on another thread: ply_searcher_stop and
 * ply_searcher_ponderhit calls made from now on apply to the next run even if it has not started
 * yet. ponder must equal limits->ponder of that run.
 */
PLY_API void ply_searcher_arm(ply_searcher *searcher, bool ponder);
/* Makes the run return within milliseconds. Safe from any thread and in a signal handler. */
PLY_API void ply_searcher_stop(ply_searcher *searcher);
/* The move pondered on was played: the limits apply from now on. Safe from any thread. */
PLY_API void ply_searcher_ponderhit(ply_searcher *searcher);

#ifdef __cplusplus
}
#endif
#endif
