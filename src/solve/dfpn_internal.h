/* SPDX-License-Identifier: MIT */
/*
 * dfpn_internal.h - the state of the general solver, shared by its parts.
 *
 * The solver holds one path of positions from the root. Each node on the path has a frame: its
 * children, on top of those of its parent on the child stack.
 *
 *     depth        1             2             3
 *     path         [root]--------[after m1]----[after m2]      key, resources, path hash
 *     children     [c c c c c]   [c c c]       [c c c c c c]   one frame per node
 */
#ifndef PLY_SOLVE_DFPN_INTERNAL_H
#define PLY_SOLVE_DFPN_INTERNAL_H

#include "proof/solve_control.h"
#include "solve/dfpn_table.h"

enum {
    DFPN_ROOT = 1,          /* depth of the root; a dependency of 0 is the depth limit */
    DFPN_DEPTH = 4000,      /* depth limit */
    DFPN_BUCKETS = 1 << 13, /* of the hash table of the path */
};
/* The dependency of a failure that holds whatever the path. */
#define NO_DEPENDENCY UINT32_MAX

typedef struct dfpn_child {
    ply_move move;
    uint64_t key, resources; /* of the position after the move */
    uint64_t bound;          /* if decided: the resources for which the result holds */
    uint32_t proof, disproof;
    uint32_t dependency; /* of a failure: the smallest depth on the path that it depends on */
    uint16_t plies;      /* if decided: as in dfpn_found */
    uint16_t depth;      /* the smallest depth at which the position was met */
    uint16_t group;      /* ply_goal.delay_group */
    bool is_new;         /* never searched */
    bool delayed;        /* not evaluated until another of its group is refuted */
    bool simulated;      /* a simulation has been tried */
    bool in_model;       /* during a simulation: the model has this move too */
} dfpn_child;

/* The result of searching a node. */
typedef struct dfpn_result {
    uint32_t proof, disproof;
    uint64_t bound;
    uint32_t dependency;
    uint16_t plies;
} dfpn_result;

/* The children of a node: d->children[first] to d->children[first + count - 1]. */
typedef struct dfpn_frame {
    size_t first, count;
} dfpn_frame;

struct dfpn_threads;

/* One thread of the solver. The first one also owns the table and runs the solver. */
typedef struct dfpn {
    const ply_rules *rules;
    const ply_goal *goal;
    ply_solve_options options;

    /* The problem. */
    int attacker;
    bool symmetric;      /* the root is its own mirror image: images share their results */
    bool ignore_futile;  /* a win ends where only futile defences remain */
    uint64_t problem_id; /* which problem the table is about; see hash_problem */

    /* The threads. */
    dfpn_table *table, own_table;
    struct dfpn_threads *threads; /* NULL: a single thread */
    bool parallel;                /* other threads are searching too */
    bool avoids_busy;             /* prefers positions that no other thread is searching */

    /* The search. "The position" in the comments of the solver is this one. */
    unsigned char *position;
    bool has_position;
    unsigned char *undo_stack; /* one entry per depth */
    dfpn_child *children;
    size_t child_count, child_capacity;
    ply_move *moves; /* rules->max_moves of them, for one list */
    uint64_t path_key[DFPN_DEPTH + 2], path_resources[DFPN_DEPTH + 2], path_hash[DFPN_DEPTH + 2];
    uint16_t path_next[DFPN_DEPTH + 2], bucket[DFPN_BUCKETS]; /* path_key -> depth, chained */
    uint64_t nodes, node_limit;
    uint32_t stretch;           /* while positive, thresholds are stretched */
    ply_solve_control *control; /* NULL except in the first thread */
    ply_solve_report progress;  /* for the listener */
    bool stopping;              /* the run must end */
    bool quitting;              /* the current search must end */
    bool out_of_memory;
    bool met_futile; /* a win ended where only futile defences remained */

    /* Simulation: a second position, on which the known proof is replayed. */
    unsigned char *model, *model_undo_stack;
    uint32_t simulation_nodes_left;

    /* The verdict and its proof. */
    uint64_t proof_node_limit; /* nodes after which writing a proof is given up */
    ply_verdict verdict;
    ply_move *pv;
    size_t pv_capacity;
    uint32_t won_in; /* the length of the win */
} dfpn;

/* Another thread with the same table and no position yet; NULL when out of memory. */
dfpn *ply_dfpn_new(const dfpn *first);
void ply_dfpn_free(dfpn *d);

/* The key of the position; sets *resources. */
uint64_t ply_dfpn_key(const dfpn *d, uint64_t *resources);
bool ply_dfpn_attacker_to_move(const dfpn *d);
/* Plays a move in the position at that depth. Returns false, and ends the run, on failure. */
bool ply_dfpn_play(dfpn *d, uint32_t depth, ply_move move);
void ply_dfpn_undo(dfpn *d, uint32_t depth, ply_move move);
/*
 * Searches the position, which is at that depth, until it is decided whether the attacker wins in
 * at most `plies`, or that many nodes have been visited.
 */
dfpn_result ply_dfpn_solve(dfpn *d, uint32_t depth, uint16_t plies, uint64_t nodes);
/*
 * Whether the win is complete in the position, the defender to move: there is no defence or, with
 * ignore_futile, there are only futile ones. *bound: the resources for which this holds.
 */
bool ply_dfpn_win_is_complete(dfpn *d, size_t defences, uint64_t resources, uint64_t *bound);
/* The length of the shortest win from the position that the table knows; PLIES_NONE: none. */
uint16_t ply_dfpn_known_win(const dfpn *d);
/* Lists the playable moves of the position into d->moves; returns the number. */
size_t ply_dfpn_list_moves(dfpn *d);

#endif
