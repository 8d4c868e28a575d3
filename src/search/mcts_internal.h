/* SPDX-License-Identifier: MIT */
/* mcts_internal.h - the tree of mcts.c, and how it grows (mcts_expand.c). */
#ifndef PLY_SEARCH_MCTS_INTERNAL_H
#define PLY_SEARCH_MCTS_INTERNAL_H

#include "search/alphabeta/alphabeta.h"
#include "search/turn_list.h"

/* Proofs name the winner and not the player to move, who may move several times in a row. */
enum mcts_proof { PROOF_NONE, PROOF_FIRST_WINS, PROOF_SECOND_WINS, PROOF_DRAW };

enum mcts_expansion {
    NODE_UNEXPANDED,
    NODE_EXPANDING, /* one thread is creating the children */
    NODE_EXPANDED,
    NODE_PARTLY_EXPANDED, /* some turns have no child */
};

typedef struct mcts_node {
    /* The move that led here; with whole turns, the index of the turn in tree->turn_moves. */
    ply_move move;
    _Atomic uint64_t points; /* POINTS_WIN for each win of the player who moved here */
    _Atomic uint32_t visits;
    uint32_t first_child; /* 0: none */
    float prior;
    uint16_t child_count;
    _Atomic uint8_t expansion; /* enum mcts_expansion; release-acquire guards the children */
    _Atomic uint8_t proof;     /* enum mcts_proof */
} mcts_node;

_Static_assert(sizeof(mcts_node) == 32, "a node is 32 bytes");

struct mcts_tree {
    mcts_node *nodes; /* nodes[0] is never used; nodes[1] is the root */
    uint64_t capacity;
    _Atomic uint64_t used;
    ply_move *turn_moves; /* whole turns: the number of moves, then the moves; and so on */
    uint64_t turn_capacity;
    _Atomic uint64_t turn_used;
};

typedef struct mcts_thread {
    ply_searcher *searcher;
    unsigned number;
    alphabeta_thread *alphabeta; /* its state is the current position; its qsearch scores leaves */
    time_control qsearch_time;   /* limits qsearch by nodes, whatever the time */
    ply_search_limits qsearch_limits;
    turn_search_thread *turn_qsearch; /* scores leaves with whole turns; else NULL */
    void *playout_position;           /* a copy to play out on */
    bool has_playout_position;        /* the copy needs a clear */
    ply_move *moves;                  /* moves and scores of the node being expanded */
    int32_t *scores;
    turn_list turns; /* the same with whole turns */
    ply_rng rng;
    uint32_t *path;      /* nodes of the current simulation, from the root */
    uint8_t *path_sides; /* path_sides[i]: who moved into path[i] */
    size_t root_plies;
    uint64_t simulations, next_report;
    bool evaluates;   /* leaves are evaluated; otherwise they are played out */
    bool whole_turns; /* a child is a whole turn; otherwise a move */
    bool follows;     /* alphabeta's evaluator follows the moves of the tree, not only qsearch's */
    bool failed;
    char padding[128]; /* keeps the next thread's data off the cache lines written above */
} mcts_thread;

static inline uint8_t mcts_proof_of(const mcts_node *node)
{
    return atomic_load_explicit(&node->proof, memory_order_relaxed);
}

static inline void mcts_set_proof(mcts_node *node, uint8_t proof)
{
    atomic_store_explicit(&node->proof, proof, memory_order_relaxed);
}

static inline uint8_t mcts_win_of(int side)
{
    return side == 0 ? PROOF_FIRST_WINS : PROOF_SECOND_WINS;
}

/* The proof that a finished game gives. */
static inline uint8_t mcts_outcome_proof(ply_outcome outcome)
{
    return outcome.result == PLY_DRAW         ? PROOF_DRAW
           : outcome.result == PLY_FIRST_WINS ? PROOF_FIRST_WINS
                                              : PROOF_SECOND_WINS;
}

/* Whether the children may be read. */
static inline bool mcts_is_expanded(const mcts_node *node)
{
    return atomic_load_explicit(&node->expansion, memory_order_acquire) >= NODE_EXPANDED;
}

/* The moves that lead from the parent into a node. */
static inline const ply_move *mcts_moves_of(const mcts_tree *tree, bool whole_turns,
                                            const mcts_node *node, size_t *count)
{
    *count = whole_turns ? (size_t)tree->turn_moves[node->move] : 1;
    return whole_turns ? &tree->turn_moves[node->move + 1] : &node->move;
}

/* --- mcts.c ---------------------------------------------------------------------------------- */
enum { MCTS_MAX_PATH = 600, MCTS_ROOT = 1 };

static inline uint32_t mcts_visits_of(const mcts_node *node)
{
    return atomic_load_explicit(&node->visits, memory_order_relaxed);
}

/*
 * Descends from the root to a leaf and counts the visits. Writes the path and the player to move at
 * the leaf; *first_visit: no simulation has been there before. Returns the path's length, or
 * SIZE_MAX when a move could not be played.
 */
size_t ply_mcts_descend(mcts_thread *t, int *side, bool *first_visit);
/* Adds a value for player 0, from 0 to 1, to all nodes of a path and passes proofs up. */
void ply_mcts_credit(mcts_tree *tree, const uint32_t *path, const uint8_t *sides, size_t depth,
                     double value);
/* The value of a node whose result is proved. */
double ply_mcts_proof_value(uint8_t proof);
/* Writes the best variations so far, and the root's statistics, to the searcher. */
void ply_mcts_update_answer(mcts_thread *t);
/* Reports if it is time to; true when the search is deep enough. For the first thread. */
bool ply_mcts_report(mcts_thread *t);

/* --- mcts_external.c ------------------------------------------------------------------------- */
/* Searches with the caller's evaluator until the time control says stop. */
void ply_mcts_run_external(mcts_thread *t);

/* --- mcts_expand.c --------------------------------------------------------------------------- */
/* Reserves nodes for the first `count` of t->moves and makes them the node's children, with equal
 * priors. False when the tree is full. */
bool ply_mcts_add_children(mcts_thread *t, mcts_node *node, size_t count);
/* Whether a child is a whole turn. */
bool ply_mcts_uses_turns(const ply_searcher *searcher);
/*
 * Creates the children of the node at the thread's current position, unless the game is over there
 * (then it is marked) or the tree is full. False if another thread has done so or is doing so.
 */
bool ply_mcts_expand(mcts_thread *t, mcts_node *node, bool root);
/* Plays the moves that lead into a node; what cannot be played to the end is taken back. */
bool ply_mcts_play_node(mcts_thread *t, const mcts_node *node);
void ply_mcts_undo_node(mcts_thread *t, const mcts_node *node);
/* Takes back one move of a node. */
void ply_mcts_undo_move(mcts_thread *t);
/* Polls the time control; true when the search must stop. The context is an mcts_thread. */
bool ply_mcts_stopped(void *context);

#endif
