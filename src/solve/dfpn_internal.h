/* SPDX-License-Identifier: MIT */
/*
 * dfpn_internal.h - what the parts of the general solver share.
 *
 * One path of positions from the root is in play at any time. For each position on it there is a
 * row of children, one behind the other on a stack:
 *
 *     depth     1          2            3
 *     path    [root]-----[after m1]---[after m2]       keys, amounts, ways
 *     rows    [c c c c c][c c c][c c c c c c c]        children
 */
#ifndef PLY_SOLVE_DFPN_INTERNAL_H
#define PLY_SOLVE_DFPN_INTERNAL_H

#include "proof/solve_control.h"
#include "solve/dfpn_table.h"

enum {
    DFPN_ROOT = 1, /* the root's depth; 0 stands for "the limit of depth" */
    DFPN_DEPTH = 4000,
    DFPN_BUCKETS = 1 << 13,
};
#define LEANS_NONE UINT32_MAX

typedef struct dfpn_child {
    ply_move move;
    uint64_t key, amounts; /* of the position behind the move */
    uint64_t bound;        /* decided: the amounts it holds for */
    uint32_t proof, disproof;
    uint32_t leans; /* a failure: the least depth it leans on, LEANS_NONE for none */
    uint16_t plies; /* decided: as dfpn_found has it */
    uint16_t depth;
    uint16_t group;
    bool fresh;    /* not searched yet */
    bool waiting;  /* for another of its group; not judged yet */
    bool followed; /* a proof has been followed behind it */
} dfpn_child;

/* What a search of one node gives. */
typedef struct dfpn_result {
    uint32_t proof, disproof;
    uint64_t bound;
    uint32_t leans;
    uint16_t plies;
} dfpn_result;

typedef struct dfpn_row {
    size_t first, count;
} dfpn_row;

struct dfpn_threads;

typedef struct dfpn {
    const ply_rules *rules;
    const ply_goal *goal;
    ply_solve_options options;
    int attacker;
    dfpn_table *table, own_table; /* own: of the first thread, for all */
    struct dfpn_threads *team;    /* NULL: one thread */
    bool together, yields;        /* others are at work too; keeps out of their way */
    unsigned char *position;
    bool has_position;
    unsigned char *undo_stack;               /* one a depth */
    unsigned char *model, *model_undo_stack; /* the same of a proof that is followed */
    uint32_t follow_left;                    /* nodes that it may still take */
    dfpn_child *children;
    size_t child_count, child_capacity;
    ply_move *moves; /* rules->max_moves, for one list */
    uint64_t path_key[DFPN_DEPTH + 2], path_amounts[DFPN_DEPTH + 2], path_way[DFPN_DEPTH + 2];
    uint16_t path_next[DFPN_DEPTH + 2], bucket[DFPN_BUCKETS];
    uint64_t nodes, last_node;            /* so far; where the present search has to end */
    ply_solve_control *control;           /* NULL: not the first thread */
    ply_solve_report now;                 /* for the listener */
    bool stopping, ending, out_of_memory; /* ending: the present search only */
    uint64_t prove_until;                 /* nodes after which a proof is given up */
    bool mirrored;                        /* the root is its own image: images are taken for one */
    bool counted, met_over;               /* goal->is_over ends a win; it has done so */
    uint64_t known;                       /* which problem the table is about, see problem_sum */
    ply_verdict verdict;
    uint32_t won_in;
    ply_move *line;
    size_t line_capacity;
} dfpn;

/* Another of the same kind with the same table, without a position yet; NULL: no memory. */
dfpn *ply_dfpn_member_new(const dfpn *first);
void ply_dfpn_member_free(dfpn *d);

/* The key and amounts of the position in play. */
uint64_t ply_dfpn_split(const dfpn *d, uint64_t *amounts);
bool ply_dfpn_attacker_moves(const dfpn *d);
bool ply_dfpn_play(dfpn *d, uint32_t depth, ply_move move);
void ply_dfpn_undo(dfpn *d, uint32_t depth, ply_move move);
/*
 * Searches the position in play, at `depth`, until it is decided for wins of at most `plies` or so
 * many nodes have been looked at.
 */
dfpn_result ply_dfpn_decide(dfpn *d, uint32_t depth, uint16_t plies, uint64_t nodes);
/*
 * Whether the win is complete in the position in play, the defender to move: he has no answer, or,
 * where futile answers do not count, those alone. *bound: the amounts it holds for.
 */
bool ply_dfpn_is_over(dfpn *d, size_t answers, uint64_t amounts, uint64_t *bound);
/*
 * What the table knows of the position in play: PLIES_NONE or more: no win known; else the length
 * of a win.
 */
uint16_t ply_dfpn_known_win(const dfpn *d);
/* Lists the moves of the position in play into d->moves. */
size_t ply_dfpn_list(dfpn *d);

#endif
