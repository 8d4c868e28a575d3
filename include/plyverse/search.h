/* SPDX-License-Identifier: MIT */
/*
 * search.h - finding good moves in any game.
 *
 * A searcher belongs to one set of rules and keeps what it has learnt (its table) from one move to
 * the next. ply_searcher_run thinks until a limit is reached or somebody calls ply_searcher_stop,
 * and tells a listener on the way. Two ways of thinking: alpha-beta, which wants the game's
 * evaluation, and Monte-Carlo tree search, which uses it if there is one and needs none. On one
 * thread the same input gives the same nodes and the same answer unless a clock interferes.
 */
#ifndef PLYVERSE_SEARCH_H
#define PLYVERSE_SEARCH_H

#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Scores are hundredths of the smallest piece for the player to move. A forced win in n plies is
 * PLY_SCORE_WIN - n, a forced loss the negation; anything beyond PLY_SCORE_FORCED is one of these.
 */
#define PLY_SCORE_WIN 1000000
#define PLY_SCORE_FORCED (PLY_SCORE_WIN - 10000)
#define PLY_PV_LIMIT 64
/* A score in words: "+1.25", "win in 7", or "loss" where Monte-Carlo knows not how soon. */
PLY_API void ply_score_text(int32_t score, ply_text *out);

typedef enum ply_search_kind {
    PLY_SEARCH_ALPHABETA,
    PLY_SEARCH_MCTS,     /* leaves judged by the evaluation where the game has one */
    PLY_SEARCH_PLAYOUTS, /* the same, judged by random games alone */
    PLY_SEARCH_KINDS,
} ply_search_kind;

/* "alphabeta", "mcts" or "playouts"; NULL for what is none. */
PLY_API const char *ply_search_kind_name(ply_search_kind kind);
/* The kind of that name; false when there is none. */
PLY_API bool ply_search_kind_find(const char *name, ply_search_kind *kind);

typedef struct ply_search_options {
    ply_search_kind kind;
    size_t memory_mb; /* of the table or the tree; 0: 16 */
    unsigned threads; /* 0: 1 */
    uint64_t seed;    /* of the Monte-Carlo games */
    /*
     * A folder of solved tables (tablebase.h) to ask; NULL: none. Read when the searcher is made.
     * Where they cannot be read the search does without; ply_tablebase_open says why.
     */
    const char *tables;
} ply_search_options;

/* Zero means: no such limit. Without any limit the search goes on until it is stopped. */
typedef struct ply_search_limits {
    uint64_t millis; /* for this move */
    uint64_t nodes;  /* positions, or simulations for Monte-Carlo */
    int depth;       /* plies */
    int mate;        /* stop at a forced win in so many plies or fewer */
    /* A clock: milliseconds left and added a move, by player; byoyomi: each move once all is gone.
     */
    bool has_clock;
    uint64_t clock[2], increment[2], byoyomi;
    unsigned moves_to_go;
    bool ponder; /* no limit counts until ply_searcher_ponderhit */
    /* The only moves to think about; NULL: all. */
    const ply_move *only;
    size_t only_count;
    unsigned multipv; /* how many principal variations to report; 0: 1 */
} ply_search_limits;

typedef struct ply_variation {
    int32_t score;
    uint32_t length;
    ply_move moves[PLY_PV_LIMIT];
} ply_variation;

typedef struct ply_search_report {
    int depth, selective_depth;
    uint64_t nodes;
    double seconds;
    unsigned table_full; /* thousandths */
    size_t pv_count;     /* best first */
    const ply_variation *pv;
} ply_search_report;

/* Called from within ply_searcher_run, on the caller's thread. */
typedef void ply_search_listener(void *context, const ply_search_report *report);

typedef struct ply_searcher ply_searcher;

/* NULL when memory runs out. rules must outlive the searcher. */
PLY_API ply_searcher *ply_searcher_new(const ply_rules *rules, const ply_search_options *options);
PLY_API void ply_searcher_free(ply_searcher *searcher);
/* Forgets everything learnt, for a new game. */
PLY_API void ply_searcher_clear(ply_searcher *searcher);
/* The same; game number `game` of a seed has random choices of its own. */
PLY_API void ply_searcher_new_game(ply_searcher *searcher, uint64_t game);
/*
 * Thinks about the state, which must have a legal move, and leaves it as it is. The report of the
 * last completed thought goes to *result (its lines stay valid until the next run). listener may
 * be NULL. PLY_UNSUPPORTED when there is no move.
 */
PLY_API ply_status ply_searcher_run(ply_searcher *searcher, const ply_state *state,
                                    const ply_search_limits *limits, ply_search_listener *listener,
                                    void *context, ply_search_report *result);
/*
 * Optional, before a run whose thread is not the one that stops it: stop and ponderhit called from
 * now on count for that run even if it has not begun yet. ponder as in the limits of the run.
 */
PLY_API void ply_searcher_arm(ply_searcher *searcher, bool ponder);
/* From any thread or a signal handler: the run ends within milliseconds. */
PLY_API void ply_searcher_stop(ply_searcher *searcher);
/* From any thread: the move pondered on was played; limits count from now. */
PLY_API void ply_searcher_ponderhit(ply_searcher *searcher);

#ifdef __cplusplus
}
#endif
#endif
