/* SPDX-License-Identifier: MIT */
/*
 * searcher.h - the searcher, and what its search algorithms share.
 *
 *     searcher.c              the public interface; picks the algorithm
 *     iterative_deepening.c   alpha-beta (alphabeta.h)
 *     turn_search.c           alpha-beta over whole turns, for games with multi_move_turns
 *     mcts.c                  Monte-Carlo tree search (mcts_internal.h)
 *     mcts_external.c         the same with an evaluator of the caller's own
 *     evaluator.h             static evaluation, by a network or by the game
 *     tablebase_probe.c       answers from endgame tablebases
 *     book_probe.c            answers from an opening book
 *     planned_turn.c          the rest of a turn that has already been chosen
 *
 * A searcher runs one search at a time. Unless a comment says otherwise, the functions below belong
 * to the thread that called ply_searcher_run.
 */
#ifndef PLY_SEARCH_SEARCHER_H
#define PLY_SEARCH_SEARCHER_H

#include "core/workers.h"
#include "search/alphabeta/search_params.h"
#include "search/time_control.h"
#include "search/transposition.h"
#include <plyverse/book.h>
#include <plyverse/network.h>
#include <plyverse/tablebase.h>

enum { MAX_MULTIPV = 64, DEFAULT_MEMORY_MB = 16 };

typedef struct mcts_tree mcts_tree;
typedef struct move_history move_history;
typedef struct planned_turn planned_turn;
typedef struct turn_search_thread turn_search_thread;

struct ply_searcher {
    const ply_rules *rules;
    ply_search_options options; /* with defaults filled in */
    uint64_t game;              /* number of the game, which selects its random choices */
    time_control time;
    transposition_table tt;   /* alpha-beta */
    search_params params;     /* alpha-beta */
    move_history *histories;  /* alpha-beta: one per thread */
    mcts_tree *tree;          /* MCTS */
    ply_tablebase *tablebase; /* NULL: none */
    ply_network *network;     /* NULL: the game's own evaluation */
    ply_book *book;           /* NULL: none */
    planned_turn *planned;    /* NULL: none */
    ply_workers *workers;
    ply_search_listener *listener;
    void *context;
    ply_variation variations[MAX_MULTIPV]; /* the answer so far, best first */
    ply_root_move *root;                   /* MCTS: what the report points to */
    size_t root_room;
    ply_search_report report;
};

/* The score of a finished game for player `side`, `ply` plies from the root. */
static inline int32_t search_outcome_score(ply_outcome outcome, int side, int ply)
{
    if (outcome.result == PLY_DRAW || outcome.result == PLY_ONGOING)
        return 0;
    bool won = (outcome.result == PLY_FIRST_WINS) == (side == 0);
    return won ? PLY_SCORE_WIN - ply : ply - PLY_SCORE_WIN;
}

/* The number of variations to report: 1 to MAX_MULTIPV. */
static inline size_t search_multipv(const ply_search_limits *limits)
{
    size_t wanted = limits->multipv ? limits->multipv : 1;
    return wanted < MAX_MULTIPV ? wanted : MAX_MULTIPV;
}

/* Whether the limits let a root move be searched. */
bool ply_search_move_allowed(const ply_search_limits *limits, ply_move move);
/* Fills in the nodes and time of the report and calls the listener. */
void ply_search_report_progress(ply_searcher *searcher);

/* --- tablebase_probe.c ----------------------------------------------------------------------- */
/*
 * The exact score of a position `ply` plies from the root; false if no tablebase has it. Safe from
 * any thread.
 */
bool ply_search_tablebase_probe(const ply_searcher *searcher, const void *position, int ply,
                                int32_t *score);
/* Answers from the tablebases alone; false if they do not have the root and all its moves. */
bool ply_search_tablebase_root(ply_searcher *searcher, const ply_state *state);

/* --- book_probe.c ---------------------------------------------------------------------------- */
/* Answers from the opening book; false if it has no move, or may not answer. */
bool ply_search_book_root(ply_searcher *searcher, const ply_state *state);

/* --- alpha-beta ------------------------------------------------------------------------------ */
/* False when memory runs out; ply_alphabeta_free is needed in either case. */
bool ply_alphabeta_init(ply_searcher *searcher);
void ply_alphabeta_clear(ply_searcher *searcher);
void ply_alphabeta_free(ply_searcher *searcher);
ply_status ply_alphabeta_run(ply_searcher *searcher, const ply_state *state);
/* The same for games with multi_move_turns; uses what ply_alphabeta_init made. */
ply_status ply_turn_search_run(ply_searcher *searcher, const ply_state *state);

/*
 * Quiescence search over whole turns, for MCTS: evaluates the current position of `state`, which
 * must outlive the thread object. NULL when memory runs out. Each object belongs to one thread.
 */
turn_search_thread *ply_turn_qsearch_new(ply_searcher *searcher, ply_state *state);
/*
 * Looks at most `turns` turns ahead. False when the search was stopped or memory ran out: *score is
 * then meaningless.
 */
bool ply_turn_qsearch_score(turn_search_thread *t, int turns, int32_t *score);
void ply_turn_qsearch_free(turn_search_thread *t);

/* --- MCTS ------------------------------------------------------------------------------------ */
/* False when memory runs out; ply_mcts_free is needed in either case. */
bool ply_mcts_init(ply_searcher *searcher);
/* Whether leaves are evaluated by the caller (mcts_external.c). */
bool ply_mcts_is_external(const ply_searcher *searcher);
void ply_mcts_free(ply_searcher *searcher);
ply_status ply_mcts_run(ply_searcher *searcher, const ply_state *state);

/* --- planned_turn.c -------------------------------------------------------------------------- */
/*
 * Remembers the turn that the best variation starts with. Plays on the state and takes everything
 * back. Without memory, nothing is remembered.
 */
void ply_planned_turn_set(ply_searcher *searcher, ply_state *state);
/* Answers with the rest of the remembered turn if the state is in the middle of it. */
bool ply_planned_turn_continue(ply_searcher *searcher, const ply_state *state);
void ply_planned_turn_clear(ply_searcher *searcher);

#endif
