/* SPDX-License-Identifier: MIT */
/*
 * solve.h - forced wins: finding them, writing proofs, checking proofs.
 *
 * A game lists goals (game->goals), such as "mate" in shogi. One player, the attacker, tries to
 * reach the goal with moves that the goal allows, against any play of the other, the defender. A
 * solver returns a verdict: the attacker wins in N plies, the attacker cannot force the goal, or
 * unknown within the given limits. A verdict is about the position alone; the moves that led to it
 * do not matter, and play that never ends does not reach a goal. A verdict can be written as a
 * proof, which is checked by code that knows the rules of the game but nothing about the solver.
 *
 *     ply_goal          what counts as reached, which moves are allowed     the game; exact
 *     ply_solver        finds the verdict                                   src/solve or the game
 *     proof file        a strategy with an answer to every move             docs/solve.md
 *     ply_proof_check   replays it with the rules and the goal's            src/check
 *                       definition, and nothing else
 *
 * Thread safety: goals are constants. A solver, a proof writer, a ply_proof_memory and a source are
 * used by one thread at a time; different ones are independent. ply_solver_stop is the exception.
 */
#ifndef PLYVERSE_SOLVE_H
#define PLYVERSE_SOLVE_H

#include <plyverse/tablebase.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- goals ---------------------------------------------------------------------------------- */
typedef enum ply_goal_value {
    PLY_GOAL_OPEN,    /* undecided: play continues */
    PLY_GOAL_REACHED, /* the attacker has won */
    PLY_GOAL_MISSED,  /* the attacker can no longer win */
} ply_goal_value;

typedef struct ply_solver_kind ply_solver_kind;

/* The most winning sets that a goal may report. */
enum { PLY_GOAL_WINNING_SETS = 192 };

/* How long the test of a goal may search. */
typedef struct ply_goal_effort {
    uint64_t nodes;            /* that may still be visited */
    const volatile bool *stop; /* true ends the test; may be NULL */
    bool exceeded;             /* the test ended early or ran out of memory: no answer */
} ply_goal_effort;

/* Counts a node of a goal test; false when the test must end. effort may be NULL: no limit. */
static inline bool ply_goal_effort_spend(ply_goal_effort *effort)
{
    if (!effort)
        return true;
    if (effort->nodes == 0 || (effort->stop && *effort->stop))
        effort->exceeded = true;
    else
        effort->nodes--;
    return !effort->exceeded;
}

/*
 * A goal. The first part is its definition, simple and exact; the checker uses nothing else. The
 * second part helps the solver and must agree with the first; all of it is optional.
 *
 * The hooks are called from several threads at once, each with a position of its own.
 */
struct ply_goal {
    const char *id;   /* such as "mate" */
    const char *help; /* one line */

    /* --- definition ------------------------------------------------------------------------- */
    /*
     * The value of the position for the attacker (player 0 or 1), whoever is to move. A goal need
     * not look for moves: in an open position a player without a playable move loses the contest,
     * so that the attacker wins if it is the defender and misses the goal if it is the attacker.
     * NULL: always open.
     */
    ply_goal_value (*value)(const ply_rules *rules, const void *position, int attacker);
    /*
     * Whether the goal allows the attacker to play this legal move. May play on the position if it
     * takes everything back. effort limits a test that has to search; it may be NULL. NULL: every
     * legal move is allowed.
     */
    bool (*allows)(const ply_rules *rules, void *position, ply_move move, ply_goal_effort *effort);
    /*
     * The defender's legal moves except those that lose immediately, that is, those after which the
     * attacker has reached the goal or reaches it with the next move. A defender without a move in
     * this list has lost, and the length of the win is counted to this position. The checker tries
     * every move left out. A goal that has this hook needs a solver of its own. NULL: every legal
     * move.
     */
    size_t (*defences)(const ply_rules *rules, const void *position, ply_move *out);
    /*
     * Writes text that identifies the position as far as the goal is concerned: the game's notation
     * with irrelevant counters set to fixed values. NULL: the game's format.
     */
    void (*identity)(const ply_rules *rules, const void *position, ply_text *out);
    /*
     * For Maker-Breaker games: every turn takes one free cell for good, the defender may take any
     * free cell, and the attacker reaches the goal only by owning all cells of some winning set.
     * Writes the winning sets that have no cell of the defender, each without the cells that the
     * attacker already owns, as bits for cells 0 to 63. Returns the number of sets, at most
     * PLY_GOAL_WINNING_SETS, or -1 where the rules of this position are not that simple. With this
     * hook a proof of "no" can show how every set is blocked (docs/solve.md). May be NULL.
     */
    int (*winning_sets)(const ply_rules *rules, const void *position, int attacker,
                        uint64_t sets[PLY_GOAL_WINNING_SETS]);

    /* --- help for the solver; every member may be NULL -------------------------------------- */
    /* The legal moves that `allows` accepts. Default: all legal moves filtered by `allows`. */
    size_t (*attacks)(const ply_rules *rules, const void *position, ply_move *out);
    /*
     * The number of the defender's legal moves after an attack that `allows` accepts. Counting may
     * stop at `most`: only a result below it is exact. Default: all are counted.
     */
    size_t (*count_defences)(const ply_rules *rules, const void *position, size_t most);
    /*
     * How hard the position after the move looks, for the attacker: adds to the proof and disproof
     * numbers that it starts with (df-pn+). Called before the move is played. Default: nothing.
     */
    void (*estimate_effort)(const ply_rules *rules, const void *position, int attacker,
                            ply_move move, uint32_t *proof, uint32_t *disproof);
    /*
     * The group of a defence, or 0. Defences of one group, such as drops on one square between the
     * king and a checking piece, are likely to fail alike: each is delayed until the one before it
     * is refuted. Default: no groups.
     */
    uint32_t (*delay_group)(const ply_rules *rules, const void *position, ply_move move);
    /*
     * An attack that wins immediately because the defender has no move after it, or PLY_MOVE_NONE.
     * May miss some. May play on the position if it takes everything back.
     */
    ply_move (*immediate_win)(const ply_rules *rules, void *position);
    /*
     * Whether all of the defender's moves are futile: they prolong play but lose all the same, and
     * composers do not count them (ply_solve_limits.ignore_futile). In shogi these are pieces
     * interposed only to be captured. Called with the defender to move. The position must be won:
     * after each of these moves the attacker has a reply that leaves the defender with no move or,
     * again, with futile moves only. With dominance_key the result must not depend on the
     * attacker's resources and must still hold if the defender has fewer. NULL: never.
     */
    bool (*only_futile_defences)(const ply_rules *rules, const void *position);
    /*
     * Dominance. Splits a position into a key for everything that must be equal, which is returned,
     * and the attacker's resources: eight counts below 128, one per byte, of which more is never
     * worse for the attacker. In shogi these are the pieces in the attacker's hand. Default: the
     * position's own key and no resources.
     */
    uint64_t (*dominance_key)(const ply_rules *rules, const void *position, int attacker,
                              uint64_t *resources);
    /*
     * With dominance_key: the key of the mirror image, for rules under which both are equivalent.
     * If the position to be solved is its own mirror image, images share their results.
     */
    uint64_t (*mirror_key)(const ply_rules *rules, const void *position);
    /*
     * With dominance_key, the defender to move: a mask (0xFF in their bytes) of the resources of
     * which a smaller count for the attacker would give the defender moves they lack now.
     */
    uint64_t (*defender_lacks)(const ply_rules *rules, const void *position, int attacker);
    /*
     * With dominance_key, the attacker to move: a mask of the resources of which a larger count
     * would give the attacker moves they lack now.
     */
    uint64_t (*attacker_lacks)(const ply_rules *rules, const void *position, int attacker);
    /*
     * With dominance_key, the defender to move: the largest resources of the attacker with which
     * the defender could still play this move.
     */
    uint64_t (*defence_bound)(const ply_rules *rules, const void *position, int attacker,
                              ply_move move);
    /* The game's own solver for this goal, used instead of the general one. */
    const ply_solver_kind *solver;
};

/*
 * The goal with that id, or NULL; for NULL or "" the game's first goal. Every game has "win": to
 * win the game by its rules, except that neither repetition nor counted moves decide anything.
 */
PLY_API const ply_goal *ply_goal_find(const ply_game *game, const char *id);
/* Goal number i of a game, with "win" last; NULL past the end. */
PLY_API const ply_goal *ply_goal_at(const ply_game *game, size_t i);

/* --- solving -------------------------------------------------------------------------------- */
/*
 * Thread safety: a solver is used by one thread at a time, except for ply_solver_stop, and runs
 * threads of its own inside. Different solvers are independent.
 */
typedef enum ply_verdict {
    PLY_VERDICT_UNKNOWN, /* a limit was reached first */
    PLY_VERDICT_WIN,     /* proved: the attacker forces the goal */
    PLY_VERDICT_NO,      /* proved: the attacker cannot force the goal */
} ply_verdict;

typedef struct ply_solve_options {
    size_t size;      /* sizeof(ply_solve_options); 0: the same */
    size_t memory_mb; /* bound on all memory of the solver; 0: 256 */
    unsigned threads; /* 0: 1 */
    /* May be NULL: exact values that ply_solver_try looks up first, for the goal "win" of these
     * rules. Must outlive the solver. */
    ply_tablebase *tablebase;
} ply_solve_options;

/* Zero means no limit. */
typedef struct ply_solve_limits {
    size_t size; /* sizeof(ply_solve_limits); 0: the same */
    uint64_t millis;
    uint64_t nodes;
    bool shortest; /* continue until the win is proved to be the shortest */
    /*
     * Measure wins as composers do: a win ends where only futile defences remain
     * (ply_goal.only_futile_defences). "Shortest" then means shortest by this measure.
     */
    bool ignore_futile;
    /* Continue from what the last run or ply_solver_load learned, if it was the same problem. */
    bool resume;
    /*
     * In games whose turns consist of several moves: the most turns that the attacker may take. A
     * "no" then says that the goal cannot be forced in so many. 0: any number. Other games ignore it.
     */
    uint32_t turns;
} ply_solve_limits;

typedef struct ply_solve_report {
    ply_verdict verdict;
    /*
     * The length of the win in plies against the longest defence, futile ones included. 0 when
     * unknown: with ignore_futile it is measured by writing the proof, which may be too large or
     * may have been stopped. Also 0 in games whose turns consist of several moves.
     */
    uint32_t plies;
    /*
     * The length to announce, as in "mate in N": equal to plies or, with ignore_futile, without the
     * futile defences at the end. In games whose turns consist of several moves, the attacker's
     * turns.
     */
    uint32_t length;
    bool shortest;           /* no shorter win exists */
    const char *stop_reason; /* why unknown: "nodes", "time", "memory", "stopped", ...; or NULL */
    size_t pv_length;
    const ply_move *pv; /* the win against the longest defence; valid until the next run */
    uint64_t nodes;
    double seconds;
    size_t memory_bytes;      /* in use at the end */
    uint64_t proof, disproof; /* the root's numbers while the verdict is unknown */
} ply_solve_report;

/* Called about 20 times a second from ply_solver_run, on the caller's thread. */
typedef void ply_solve_listener(void *context, const ply_solve_report *report);

typedef struct ply_solver ply_solver;

/* Creates a solver, which the caller frees. NULL when out of memory, or without rules or goal. Both
 * must outlive the solver; options may be NULL. */
PLY_API ply_solver *ply_solver_new(const ply_rules *rules, const ply_goal *goal,
                                   const ply_solve_options *options);
/* NULL is a no-op. */
PLY_API void ply_solver_free(ply_solver *solver);
/*
 * Solves the position; the player to move is the attacker. Without limits->resume, results of
 * earlier runs are discarded. limits and listener may be NULL. report->pv is owned by the solver.
 */
PLY_API ply_status ply_solver_run(ply_solver *solver, const void *position,
                                  const ply_solve_limits *limits, ply_solve_listener *listener,
                                  void *context, ply_solve_report *report);
/* Ends the run within milliseconds. Safe from any thread and from a signal handler. */
PLY_API void ply_solver_stop(ply_solver *solver);

/* What a move of the attacker leads to. */
typedef struct ply_solve_try {
    ply_verdict verdict; /* whether the attacker still forces the goal after the move */
    bool allowed;        /* the goal allows the move; if not, the verdict is "no" */
    /* The longest defence, or after a "no" a refutation: the move, or all moves of the turn. It has
     * no moves if there is none. Owned by the solver and valid until its next use. */
    const ply_move *reply;
    size_t reply_length;
    /* After a win: its length, this move included; 0 where turns have several moves. */
    uint32_t plies;
} ply_solve_try;

/*
 * Solves the position after every answer to a legal move of the player to move, who is the attacker.
 * The limits hold for each answer, and limits->nodes for the test whether the goal allows the move. A
 * move that does not end the turn has no reply: the verdict says whether the goal can be forced by
 * continuing it, and limits->turns includes it. PLY_UNSUPPORTED if turns consist of several moves and
 * the goal's solver cannot defend.
 */
PLY_API ply_status ply_solver_try(ply_solver *solver, const ply_state *state, ply_move move,
                                  const ply_solve_limits *limits, ply_solve_try *result);

/* --- implementing a solver ------------------------------------------------------------------ */
/* Functions of this section that take a control trust it. */
/* The limits of a run and its listener. */
typedef struct ply_solve_control ply_solve_control;
/*
 * Call this about every thousand nodes, from one thread, with the nodes searched so far. Returns
 * false when the run must end. Calls the listener when it is due; report may be NULL.
 */
PLY_API bool ply_solve_continue(ply_solve_control *control, uint64_t nodes,
                                const ply_solve_report *report);
/* Why ply_solve_continue returned false: "nodes", "time" or "stopped"; NULL if it has not. */
PLY_API const char *ply_solve_stop_reason(const ply_solve_control *control);

/* What a proof claims. */
typedef struct ply_proof_claim {
    const ply_rules *rules;
    const ply_goal *goal;
    const void *position;
    int attacker;
    ply_verdict verdict; /* PLY_VERDICT_WIN or PLY_VERDICT_NO */
} ply_proof_claim;

typedef struct ply_proof_writer ply_proof_writer;

/* Receives bytes in order. Returns false on failure. */
typedef bool ply_proof_sink(void *context, const void *bytes, size_t count);

/* Random access to a file. read returns the number of bytes read, fewer only at the end. */
typedef struct ply_proof_source {
    size_t (*read)(void *context, uint64_t offset, void *bytes, size_t count);
    void *context;
    uint64_t size;
} ply_proof_source;

/*
 * A file in memory, for callers that want no files. Begin with zeros; free `bytes` with ply_free.
 *
 *     ply_proof_memory memory = {0};
 *     ply_solver_prove(solver, ply_proof_memory_sink, &memory);
 *     ply_proof_source source = ply_proof_memory_source(&memory);
 *     ply_proof_check(game, &source, 0, NULL, &summary, NULL, &error);
 *     ply_free(memory.bytes);
 */
typedef struct ply_proof_memory {
    unsigned char *bytes;
    size_t size;
    size_t room;
} ply_proof_memory;
/* A ply_proof_sink that appends to a ply_proof_memory, its context. False when memory runs out. */
PLY_API bool ply_proof_memory_sink(void *memory, const void *bytes, size_t count);
/* A source that reads from it; it must outlive the source. `room` need not be set. */
PLY_API ply_proof_source ply_proof_memory_source(const ply_proof_memory *memory);

/* An implementation of a solver. self is what open returned. */
struct ply_solver_kind {
    void *(*open)(const ply_rules *rules, const ply_goal *goal, const ply_solve_options *options);
    void (*close)(void *self);
    /* Fills *report except for its seconds. */
    ply_status (*run)(void *self, const void *position, const ply_solve_limits *limits,
                      ply_solve_control *control, ply_solve_report *report);
    /*
     * Writes the root node, and thereby the whole tree, for the verdict of the last run, which was
     * not unknown. *plies is the length of the win, or 0 for a "no".
     */
    ply_status (*prove)(void *self, const ply_proof_claim *claim, ply_proof_writer *writer,
                        uint32_t *plies);
    /*
     * For ply_solver_try in games whose turns consist of several moves: the same after a turn of the
     * attacker, which limits->turns includes. report->pv is the defender's reply. May be NULL.
     */
    ply_status (*defend)(void *self, const void *position, const ply_solve_limits *limits,
                         ply_solve_control *control, ply_solve_report *report);
    /* Implement ply_solver_save, for the position of the last run, and ply_solver_load. Both may be
     * NULL: the solver cannot be saved. */
    ply_status (*save)(void *self, const void *position, ply_proof_sink *sink, void *context);
    ply_status (*load)(void *self, const void *position, const ply_solve_limits *limits,
                       const ply_proof_source *source, ply_error *error);
};

/* --- writing proofs ------------------------------------------------------------------------- */
/*
 * Writes a proof of the last run's verdict to a sink. PLY_UNSUPPORTED when the verdict is unknown,
 * PLY_IO when the sink failed, PLY_LIMIT when the strategy does not fit into memory or could not be
 * found again.
 */
PLY_API ply_status ply_solver_prove(ply_solver *solver, ply_proof_sink *sink, void *context);

/*
 * A proof is a tree of nodes, written depth first. It is a strategy for the player whom the verdict
 * favours, the chooser: the attacker in a win, the defender in a "no". Every move that the other
 * player may play is answered. Write the root node, then call ply_proof_finish.
 *
 *     node = leaf                        the value is decided, or the player to move has no move
 *          | choose MOVE node            the chooser's move and what follows
 *          | all (MOVE node)... [else node] end
 *                                        the other player's moves and what follows each
 *          | ref N                       the position of label N, which is proved elsewhere
 *          | label node                  a node that ref can refer to
 *          | winning-sets BYTES          a "no", attacker to move: every winning set is blocked
 *
 * `else` covers every move not listed with a single node, which must hold after each of them and
 * may not contain labels. In a win, a ref may only refer to a completed label, so that no proof
 * rests on itself; in a "no", to any label begun before. Moves may be listed in any order. A leaf
 * has length 0, a move adds 1, and `all` takes the maximum.
 *
 * ply_proof_writer_new returns NULL when memory runs out; ply_proof_finish frees the writer. What the
 * claim points to must outlive it. The functions of a writer trust their arguments: they are for
 * solvers.
 */
PLY_API ply_proof_writer *ply_proof_writer_new(const ply_proof_claim *claim, ply_proof_sink *sink,
                                               void *context);
PLY_API void ply_proof_leaf(ply_proof_writer *writer);
/* Followed by the node after the move. */
PLY_API void ply_proof_choose(ply_proof_writer *writer, ply_move move);
/* Begins an `all` node: ply_proof_move or ply_proof_else, each followed by a node; then _end. */
PLY_API void ply_proof_all(ply_proof_writer *writer);
PLY_API void ply_proof_move(ply_proof_writer *writer, ply_move move);
PLY_API void ply_proof_else(ply_proof_writer *writer);
PLY_API void ply_proof_end(ply_proof_writer *writer);
/* Labels the node that follows, whose position is given. Returns the label's number. */
PLY_API uint64_t ply_proof_label(ply_proof_writer *writer, const void *position);
/* Call after the labelled node. plies: the length of the win from there; 0 in a "no". */
PLY_API void ply_proof_label_done(ply_proof_writer *writer, uint64_t number, uint32_t plies);
PLY_API void ply_proof_ref(ply_proof_writer *writer, uint64_t number);
/* Begins a winning-sets node. Its bytes follow in any portions; docs/solve.md gives the format. */
PLY_API void ply_proof_winning_sets(ply_proof_writer *writer);
PLY_API void ply_proof_bytes(ply_proof_writer *writer, const void *bytes, size_t count);
/* Writes the rest of the file and frees the writer. plies: the length of the win; 0 for a "no".
 * Returns the first error that occurred. */
PLY_API ply_status ply_proof_finish(ply_proof_writer *writer, uint32_t plies);

/* A strategy from which a whole proof can be written. */
typedef struct ply_proof_strategy {
    /* The chooser's move in a position, or PLY_MOVE_NONE when it cannot be found. */
    ply_move (*move)(void *context, const void *position);
    /*
     * May be NULL. In a win, called instead of move: finds a move that wins in at most *within
     * plies (0: any number) and sets *within to the number it needs. This keeps a strategy that
     * does not know all lengths from running in circles.
     */
    ply_move (*move_within)(void *context, const void *position, uint32_t *within);
    /*
     * May be NULL. In a "no", may write a single node that proves a position with the attacker to
     * move, instead of the subtree. Returns false if it cannot. Called first with writer NULL to
     * ask whether it can.
     */
    bool (*write_node)(void *context, const void *position, ply_proof_writer *writer);
    void *context;
} ply_proof_strategy;
/*
 * Writes the root node from a strategy and labels positions that occur more than once. Memory grows
 * with the number of positions; PLY_LIMIT when it would exceed memory_bytes. *plies is the length
 * of the win.
 */
PLY_API ply_status ply_proof_write_strategy(ply_proof_writer *writer, const ply_proof_claim *claim,
                                            const ply_proof_strategy *strategy, size_t memory_bytes,
                                            uint32_t *plies);

/* --- checkpoints ---------------------------------------------------------------------------- */
/* Whether the solver of this goal supports checkpoints. */
PLY_API bool ply_solver_can_save(const ply_solver *solver);
/*
 * Writes what the last run learned, with or without a verdict. The size is about the memory in use.
 * PLY_UNSUPPORTED when there was no run or the solver has no checkpoints, PLY_IO when the sink
 * failed.
 */
PLY_API ply_status ply_solver_save(ply_solver *solver, ply_proof_sink *sink, void *context);
/*
 * Reads a checkpoint of the same position, goal and measure; a later run of that problem with
 * limits.resume continues from it. With ignore_futile, a checkpoint written without it is accepted
 * too. On failure error says what is wrong and at which byte, and the solver is left empty. If
 * there is less memory than before, the results that took the least work are dropped.
 */
PLY_API ply_status ply_solver_load(ply_solver *solver, const void *position,
                                   const ply_solve_limits *limits, const ply_proof_source *source,
                                   ply_error *error);

/* --- checking proofs ------------------------------------------------------------------------ */
/* Safe from any thread; a source is read by the thread that calls. */
typedef struct ply_proof_summary {
    ply_verdict verdict;
    int attacker;
    uint32_t plies; /* of a win, futile defences included */
    char variant[256], goal[64];
    uint64_t nodes;  /* positions visited */
    uint64_t labels; /* positions that can be referred to */
    size_t depth;    /* of the longest variation */
} ply_proof_summary;

/*
 * Checks a proof for a game, using memory in proportion to the depth of the proof. Returns PLY_OK
 * when the claim holds; otherwise error says what is wrong and at which byte (error->offset). text,
 * if not NULL, receives the position that the proof is about. max_nodes 0 means no limit. stop, if
 * not NULL, ends the check with PLY_STOPPED once it is true.
 */
PLY_API ply_status ply_proof_check(const ply_game *game, const ply_proof_source *source,
                                   uint64_t max_nodes, const volatile bool *stop,
                                   ply_proof_summary *summary, ply_text *text, ply_error *error);

#ifdef __cplusplus
}
#endif
#endif
