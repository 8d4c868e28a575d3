/*
 * alphabeta.h - one thread of the alpha-beta search, shared by its two halves: the tree
 * (alphabeta.c) and the iterations over it (deepen.c).
 */
#ifndef PLY_SEARCH_ALPHABETA_H
#define PLY_SEARCH_ALPHABETA_H

#include "search/searcher.h"

enum { MAX_PLY = 120, HISTORY = 1 << 14, PAIRS = 1 << 16, INFINITE = PLY_SCORE_WIN + 1 };

typedef struct node_line {
    uint32_t length;
    ply_move moves[MAX_PLY];
} node_line;

typedef struct searcher_thread {
    ply_searcher *searcher;
    const ply_rules *rules;
    search_clock *clock;
    ply_state state;
    uint64_t *keys;    /* of the positions from the start of the game; keys[state.plies] is now */
    ply_move *stack;   /* move lists of the current line, one behind the other */
    int32_t *scores;   /* beside them */
    uint16_t *numbers; /* beside them: where each move stood in the game's own order */
    size_t stack_used, stack_room;
    ply_move killers[MAX_PLY][2];
    ply_move answers[2][HISTORY];
    int32_t history[2][HISTORY];
    int16_t pairs[PAIRS];        /* the same for a move and the one before it */
    int32_t values[MAX_PLY + 2]; /* evaluations along the line; UNKNOWN where a threat stands */
    node_line lines[MAX_PLY + 1];
    ply_move excluded[SEARCH_LINES]; /* root moves whose line is known already */
    size_t excluded_count;
    ply_search_line found[SEARCH_LINES]; /* lines of the last depth */
    uint64_t unreported;                 /* nodes not yet added to the clock */
    int root_depth, selective_depth;
    unsigned number;
    bool failed; /* out of memory */
} searcher_thread;

/* The score of the position for the player to move; the line behind it is t->lines[ply]. */
int32_t alphabeta_search(searcher_thread *t, int32_t alpha, int32_t beta, int depth, int ply);
/* Room for one more list of moves. False when memory is out, which ends the search. */
bool alphabeta_reserve(searcher_thread *t);

#endif
