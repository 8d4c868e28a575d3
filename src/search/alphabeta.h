/* SPDX-License-Identifier: MIT */
/*
 * alphabeta.h - one thread of the alpha-beta search, shared by its parts: the tree (alphabeta.c),
 * the order in which moves are tried (move_order.c) and the iterations over both (iterative_deepening.c).
 */
#ifndef PLY_SEARCH_ALPHABETA_H
#define PLY_SEARCH_ALPHABETA_H

#include "search/searcher.h"

enum {
    MAX_PLY = 120,
    HISTORY = 1 << 14,
    REPLIES = 1 << 16,
    SEEN = 1 << 12,
    INFINITE = PLY_SCORE_WIN + 1
};
#define UNKNOWN_VALUE INT32_MIN

/*
 * What one thread has learnt about moves: how often a move cut, alone and as the reply to the one
 * before, and which reply cut last. Moves are opaque, so they are found by a mix of their bits.
 */
struct search_memory {
    ply_move answers[2][HISTORY];
    int16_t history[2][HISTORY];
    int16_t replies[REPLIES];
};

enum { DEPTHS = 64, LATENESS = 64 };

typedef struct node_line {
    uint32_t length;
    ply_move moves[MAX_PLY];
} node_line;

typedef struct searcher_thread {
    ply_searcher *searcher;
    const ply_rules *rules;
    search_clock *clock;
    ply_state state;
    uint64_t *keys;      /* of the positions from the start of the game; keys[state.plies] is now */
    uint16_t seen[SEEN]; /* how many of these keys have these upper bits */
    ply_move *stack;     /* move lists of the current line, one behind the other */
    int32_t *scores;     /* beside them: what the game thinks of each */
    int64_t *order;      /* beside them: in which order they are tried (move_order.c) */
    size_t stack_used, stack_room;
    ply_move killers[MAX_PLY][2];
    search_memory *memory;                /* the thread's own, kept from run to run */
    int32_t values[MAX_PLY + 2];          /* evaluations along the line; UNKNOWN_VALUE: not made */
    uint8_t reductions[DEPTHS][LATENESS]; /* by depth and moves tried before */
    node_line lines[MAX_PLY + 1];
    ply_move excluded[SEARCH_LINES]; /* root moves whose line is known already */
    size_t excluded_count;
    ply_variation found[SEARCH_LINES]; /* lines of the last depth */
    uint64_t unreported;               /* nodes not yet added to the clock */
    uint64_t poll_nodes;               /* after so many they are, and the clock is read */
    int root_depth, selective_depth;
    unsigned number;
    bool failed;     /* out of memory */
    char apart[128]; /* the next thread's share no line of the cache with what is written above */
} searcher_thread;

/*
 * Makes a thread, all zero before, ready for a state: room for so many more plies. close takes back
 * what open took, even where it failed. The memory of moves is the caller's to set.
 */
ply_status ply_alphabeta_open(searcher_thread *t, ply_searcher *s, const ply_state *state,
                              search_clock *clock, size_t room);
void ply_alphabeta_close(searcher_thread *t);
/* The quiet search's score of the thread's state, which is not over. */
int32_t ply_qsearch(searcher_thread *t);
/* The score of the position for the player to move; the line behind it is t->lines[ply]. */
int32_t ply_alphabeta_search(searcher_thread *t, int32_t alpha, int32_t beta, int depth, int ply);
/* Fills what never changes. */
void ply_alphabeta_prepare(searcher_thread *t);
/* The counter of positions of the game and line with a key like this one. */
uint16_t *ply_alphabeta_is_repetition(searcher_thread *t, uint64_t key);
/* Room for one more list of moves. False when memory is out, which ends the search. */
bool ply_alphabeta_reserve(searcher_thread *t);

/* --- move_order.c: moves by their number in the list that begins at `base` of the stack ------------ */
#define ORDER_NO_MOVE SIZE_MAX
/* Orders a list by all that is known; `first`, if any, stands in front and has been tried. */
void ply_order_moves(searcher_thread *t, size_t base, size_t count, size_t first, int ply,
                     bool scored);
/* Orders the list at the top of the stack by the scores the game gave it. */
void ply_order_as_scored(searcher_thread *t, size_t count);
/* The number of the best move from place `at` on, which it is brought to. */
size_t ply_order_next(searcher_thread *t, size_t at, size_t end);
/* What is known of a quiet move as the reply to the last one: high for what has often cut. */
int32_t ply_order_history(const searcher_thread *t, ply_move move);
/* A move at place `at` has cut: remember it, and lower those tried in vain before it. */
void ply_order_note_cut(searcher_thread *t, size_t base, size_t at, ply_move move, int depth,
                        int ply);

/* What a capture wins or loses in the end, where the game knows. */
static inline int32_t search_exchange(const searcher_thread *t, ply_move move)
{
    const ply_rules *rules = t->rules;
    return rules->search->see ? rules->search->see(rules, t->state.position, move) : 0;
}

#endif
