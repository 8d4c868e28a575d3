/* SPDX-License-Identifier: MIT */
/* searcher.h - what the two ways of thinking share. */
#ifndef PLY_SEARCH_SEARCHER_H
#define PLY_SEARCH_SEARCHER_H

#include "core/workers.h"
#include "search/time_control.h"
#include "search/transposition.h"
#include <plyverse/tablebase.h>

enum { SEARCH_LINES = 64, SEARCH_MEMORY_MB = 16 };

typedef struct mcts_tree mcts_tree;
typedef struct search_memory search_memory;
typedef struct turn_search_plan turn_search_plan;
typedef struct turn_search_thread turn_search_thread;

struct ply_searcher {
    const ply_rules *rules;
    ply_search_options options;
    uint64_t game; /* number of the game, for random choices of its own */
    search_clock clock;
    tt_table table;         /* alpha-beta */
    search_memory *memory;  /* alpha-beta: one a thread */
    mcts_tree *tree;        /* Monte-Carlo */
    ply_tablebase *solved;  /* NULL: none */
    turn_search_plan *plan; /* search by turns: the rest of the turn begun */
    ply_workers *team;
    ply_search_listener *listener;
    void *context;
    ply_variation lines[SEARCH_LINES];
    ply_search_report report;
};

/* The score of a finished game for the player `side`, so many plies from the root. */
static inline int32_t search_outcome_score(ply_outcome outcome, int side, int ply)
{
    if (outcome.result == PLY_DRAW || outcome.result == PLY_ONGOING)
        return 0;
    bool won = (outcome.result == PLY_FIRST_WINS) == (side == 0);
    return won ? PLY_SCORE_WIN - ply : ply - PLY_SCORE_WIN;
}

/* Whether a root move is one of those asked for. */
bool ply_search_move_wanted(const ply_search_limits *limits, ply_move move);
/* Publishes the report: completes nodes and time, and tells the listener. */
void ply_search_report_progress(ply_searcher *searcher);

/* tablebase_probe.c: exact scores of positions that solved tables know, so many plies from the root. */
int32_t ply_search_tablebase_score(ply_tablebase_value value, int ply);
bool ply_search_tablebase_probe(const ply_searcher *searcher, const void *position, int ply,
                                int32_t *score);
/* Answers from tables alone, where they know the root; false where they do not. */
bool ply_search_tablebase_root(ply_searcher *searcher, const ply_state *state);

bool ply_alphabeta_init(ply_searcher *searcher);
void ply_alphabeta_clear(ply_searcher *searcher);
void ply_alphabeta_free(ply_searcher *searcher);
ply_status ply_alphabeta_run(ply_searcher *searcher, const ply_state *state);
/* Alpha-beta for games whose turns are several moves (turn_search.c). */
void ply_turn_search_forget(ply_searcher *searcher);
ply_status ply_turn_search_run(ply_searcher *searcher, const ply_state *state);
/* Remembers the turn that the best line begins with; plays on the state and takes it back. */
void ply_turn_search_remember(ply_searcher *searcher, ply_state *state);
/* Answers with the rest of the turn begun, if that is what is being played. */
bool ply_turn_search_go_on(ply_searcher *searcher, const ply_state *state);
/*
 * Judges positions for another search: what turns that change material, so many in a row, make of
 * the position of the state. False: stopped, the score says nothing. The state must outlive it.
 */
turn_search_thread *ply_turn_search_eye_new(ply_searcher *searcher, ply_state *state);
bool ply_turn_search_eye_look(turn_search_thread *walk, int turns, int32_t *score);
void ply_turn_search_eye_free(turn_search_thread *walk);
bool ply_mcts_init(ply_searcher *searcher);
void ply_mcts_free(ply_searcher *searcher);
ply_status ply_mcts_run(ply_searcher *searcher, const ply_state *state);

#endif
