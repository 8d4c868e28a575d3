/* SPDX-License-Identifier: MIT */
/*
 * mcts_internal.h - the tree of mcts.c: nodes, what they hold, and how they grow (mcts_expand.c).
 */
#ifndef PLY_SEARCH_MCTS_INTERNAL_H
#define PLY_SEARCH_MCTS_INTERNAL_H

#include "search/alphabeta.h"

enum { UNKNOWN, PROVED_FIRST, PROVED_SECOND, PROVED_DRAW }; /* who wins */
enum { FRESH, OPENING, OPEN, PARTLY_OPEN /* some turns were left out */ };

typedef struct mcts_node {
    ply_move move;   /* that led here; by turns: where its turn stands */
    uint64_t points; /* POINTS_WIN a win of the player who moved here */
    uint32_t visits;
    uint32_t first_child; /* 0 when there is none */
    float prior;
    uint16_t child_count;
    uint8_t state; /* FRESH, OPENING, OPEN or PARTLY_OPEN */
    uint8_t proved;
} mcts_node;

_Static_assert(sizeof(mcts_node) == 32, "a node is 32 bytes");

struct mcts_tree {
    mcts_node *nodes;
    uint64_t capacity, used; /* nodes[0] is never used; nodes[1] is the root */
    ply_move *turns;         /* by turns: the number of moves, then the moves */
    uint64_t turn_capacity, turn_used;
};

/* The turns of one position. */
typedef struct turn_list {
    struct listed {
        size_t first, count;
        int32_t score;
    } * turns;
    ply_move *moves;
    size_t turn_room, turn_count, move_room, move_count;
    bool failed;
} turn_list;

typedef struct mcts_thread {
    ply_searcher *searcher;
    searcher_thread *eyes; /* its state is the line being walked; the quiet search judges it */
    search_clock calm;     /* the clock of the quiet search: so many positions, whatever the time */
    ply_search_limits quiet_limits;
    void *scratch; /* a position to play out on */
    ply_move *moves;
    int32_t *scores;
    ply_rng rng;
    uint32_t *path;
    uint8_t *sides; /* who moved into each node of the path */
    size_t root_plies;
    uint64_t simulations;
    unsigned number;
    turn_list list;
    turn_search_thread *turn_eyes; /* by turns: what judges leaves */
    bool judged;
    bool by_turns;
    bool has_scratch; /* the scratch position holds something */
    bool failed;
    char apart[128]; /* the next thread's share no line of the cache with what is written above */
} mcts_thread;

static inline uint8_t mcts_proved_of(const mcts_node *node)
{
    return __atomic_load_n(&node->proved, __ATOMIC_RELAXED);
}

static inline uint8_t mcts_win_of(int side)
{
    return side == 0 ? PROVED_FIRST : PROVED_SECOND;
}

static inline uint8_t mcts_proved_by(ply_outcome outcome)
{
    return outcome.result == PLY_DRAW         ? PROVED_DRAW
           : outcome.result == PLY_FIRST_WINS ? PROVED_FIRST
                                              : PROVED_SECOND;
}
static inline bool mcts_is_open(const mcts_node *node)
{
    return __atomic_load_n(&node->state, __ATOMIC_ACQUIRE) >= OPEN;
}

/* The moves that lead into a node. */
static inline const ply_move *mcts_moves_of(const mcts_tree *tree, bool by_turns,
                                            const mcts_node *node, size_t *count)
{
    *count = by_turns ? (size_t)tree->turns[node->move] : 1;
    return by_turns ? &tree->turns[node->move + 1] : &node->move;
}

/* Whether nodes are starts of turns. */
bool ply_mcts_plays_turns(const ply_searcher *searcher);
/* Makes the children of a node, unless the game is over there, another is at it, or it is full. */
bool ply_mcts_expand(mcts_thread *t, mcts_node *node, bool root);
/* Plays what leads into a node; what could not be played to the end is taken back. */
bool ply_mcts_play_node(mcts_thread *t, const mcts_node *node);
void ply_mcts_undo_node(mcts_thread *t, const mcts_node *node);
/* Looks at the clock; true when time is up. The context is a thread. */
bool ply_mcts_stopped(void *context);

#endif
