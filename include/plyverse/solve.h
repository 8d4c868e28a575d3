/* SPDX-License-Identifier: MIT */
/*
 * solve.h - forced wins: finding them, writing them down, checking what was written.
 *
 * A game lists goals (game->goals), such as "mate" in shogi: one player, the attacker, tries to
 * reach the goal with moves that the goal allows, whatever the other, the defender, plays. A solver
 * answers with one of three verdicts: the attacker wins in N plies, he does not, or unknown within
 * the limits given. A verdict is about the position alone: the moves that led to it do not count.
 * Play that never ends reaches no goal. A verdict can be written as a proof, and the proof can be
 * checked by code that knows the rules and nothing of the solver.
 *
 *     ply_goal      what counts as reached, which moves are allowed        (the game's, exact)
 *     ply_solver    finds the verdict                                      (src/solve, or the
 * game's) proof file    a strategy with an answer to everything                (docs/solve.md)
 *     ply_proof_check  replays it with the game's rules and the goal's definition alone (src/check)
 */
#ifndef PLYVERSE_SOLVE_H
#define PLYVERSE_SOLVE_H

#include <plyverse/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- goals ---------------------------------------------------------------------------------- */
typedef enum ply_goal_value {
    PLY_GOAL_OPEN,    /* play goes on */
    PLY_GOAL_REACHED, /* the attacker has won */
    PLY_GOAL_MISSED,  /* he can no longer win */
} ply_goal_value;

typedef struct ply_solver_kind ply_solver_kind;

enum { PLY_GOAL_WINNING_SETS = 192 };

/*
 * A goal. The first part is its definition: plain and exact, the only part the checker uses. The
 * second part helps the solver and must agree with the first; every function of it may be NULL.
 */
struct ply_goal {
    const char *id;   /* "mate" */
    const char *help; /* one line */
    /*
     * What the position is worth for the attacker (0 or 1), whoever is to move. A player to move
     * who has no move that he may play, in a position that is open, has let the other have his way:
     * the defender loses, the attacker misses the goal. So a goal need not look for moves.
     */
    /* NULL: always open. */
    ply_goal_value (*value)(const ply_rules *rules, const void *position, int attacker);
    /*
     * Whether the attacker may play this move, legal and his to play, on the way to the goal.
     * NULL: every move. May play on the position, and leaves it as it was.
     */
    bool (*allows)(const ply_rules *rules, void *position, ply_move move);
    /*
     * The defender's legal moves without those that lose at once: after each move left out the
     * attacker has reached the goal or reaches it with his next move. A defender with none of them
     * has lost here, and the length of a win ends here. NULL: every legal move. A goal that has
     * this brings a solver of its own.
     */
    size_t (*defences)(const ply_rules *rules, const void *position, ply_move *out);
    /*
     * Writes what tells this position from others as far as the goal goes: the game's notation with
     * counters that do not matter set to some fixed value. NULL: the game's format.
     */
    void (*identity)(const ply_rules *rules, const void *position, ply_text *out);

    /*
     * For games of taking cells: each turn takes one free cell for good, the defender any that he
     * likes, and the attacker reaches the goal only by taking all cells of some set. Those sets
     * that have no cell of the defender's, without the attacker's own cells, as bits (cells 0 to
     * 63, at most PLY_GOAL_WINNING_SETS sets); returns how many, or -1 where it is not so simple. With it a
     * proof of "no" can say how every set is stopped (`rows` in docs/solve.md). May be NULL.
     */
    int (*rows)(const ply_rules *rules, const void *position, int attacker,
                uint64_t rows[PLY_GOAL_WINNING_SETS]);

    /* --- for the solver (optional) ------------------------------------------------------------ */
    /* The legal moves that `allows` accepts. Default: all legal moves, each asked about. */
    size_t (*attacks)(const ply_rules *rules, const void *position, ply_move *out);
    /*
     * The defender's legal moves, he to move after an attack that `allows` accepts, counted up to
     * `most`: a number below that is exact. Default: all are counted.
     */
    size_t (*answers)(const ply_rules *rules, const void *position, size_t most);
    /*
     * How hard the position after a move seems, seen by the attacker: what to add to the numbers
     * that proof and disproof start from. Asked in the position before the move. Default: nothing.
     */
    void (*effort)(const ply_rules *rules, const void *position, int attacker, ply_move move,
                   uint32_t *proof, uint32_t *disproof);
    /*
     * Defences that are looked at one after the other, such as drops between a king and the piece
     * that checks it: moves of the same group, not 0, wait for the one before them to be answered.
     */
    uint32_t (*delay)(const ply_rules *rules, const void *position, ply_move move);
    /* One attack that wins at once (the defender has no answer), or PLY_MOVE_NONE. May miss some.
     */
    ply_move (*at_once)(const ply_rules *rules, void *position);
    /*
     * Dominance. Splits a position into a key of all that must be equal and eight amounts, a byte
     * each and below 128, of which more is never worse for the attacker: shogi's hands. Returns the
     * key. Default: the position's own key, and no amounts.
     */
    uint64_t (*split)(const ply_rules *rules, const void *position, int attacker,
                      uint64_t *amounts);
    /*
     * With split: the key of the position's mirror image, for rules that do not tell the two apart.
     * Where the position to be solved is its own image, images are solved as one.
     */
    uint64_t (*mirrored)(const ply_rules *rules, const void *position);
    /*
     * With split, in a position where the defender moves: the amounts (0xFF in their bytes) of
     * which less would give him moves that he does not have now.
     */
    uint64_t (*defender_lacks)(const ply_rules *rules, const void *position, int attacker);
    /*
     * With split, where the attacker moves: the amounts of which more would give him moves that he
     * does not have now.
     */
    uint64_t (*attacker_lacks)(const ply_rules *rules, const void *position, int attacker);
    /* With split: the greatest amounts with which the defender could still play this move. */
    uint64_t (*defence_allows)(const ply_rules *rules, const void *position, int attacker,
                               ply_move move);
    /*
     * Where the defender moves: whether he has only futile answers left, which prolong play but
     * count for nothing where plies are counted as composers do (ply_solve_limits.counted): shogi's
     * pieces put between only to be taken. It must then be a win; against each answer the attacker
     * has a move after which the defender has no answer or, again, futile ones alone. With split it
     * must not depend on the attacker's amounts, and hold for the defender with less. NULL: never.
     */
    bool (*is_over)(const ply_rules *rules, const void *position);
    /* A solver of the game's own, used in place of the general one. */
    const ply_solver_kind *solver;
};

/*
 * The goal of that id, or NULL; NULL or "" for the game's first. Every game has "win": the game's
 * own end, without regard to repetition, which never makes a win.
 */
PLY_API const ply_goal *ply_goal_find(const ply_game *game, const char *id);
/* Goal number i of a game, "win" the last; NULL past the end. */
PLY_API const ply_goal *ply_goal_at(const ply_game *game, size_t i);

/* --- solving -------------------------------------------------------------------------------- */
typedef enum ply_verdict {
    PLY_VERDICT_UNKNOWN, /* within the limits */
    PLY_VERDICT_WIN,     /* proved */
    PLY_VERDICT_NO,      /* proved: the attacker cannot force the goal */
} ply_verdict;

typedef struct ply_solve_options {
    size_t memory_mb; /* all the solver holds stays below; 0: 256 */
    unsigned threads; /* 0: 1 */
} ply_solve_options;

/* Zero means: no such limit. */
typedef struct ply_solve_limits {
    uint64_t millis;
    uint64_t nodes;
    bool shortest; /* go on until the win is known to be the shortest */
    bool counted;  /* lengths, also the shortest, leave out futile answers at the end of a win */
    bool resume;   /* from what the last run or ply_solver_load knew, if of the same problem */
} ply_solve_limits;

typedef struct ply_solve_report {
    ply_verdict verdict;
    uint32_t plies; /* of a win against the longest defence, every ply counted; 0: not counted */
    /*
     * The same, but with limits.counted without futile answers at the end. Then plies is 0 where
     * that win is too large to be written as a proof, which is how it is measured, or the run was
     * stopped. In games whose turns are several moves: turns of the attacker's, and plies is 0.
     */
    uint32_t counted;
    bool shortest;   /* no shorter win exists */
    const char *why; /* of an unknown: "nodes", "time", "memory" or "stopped"; else NULL */
    size_t pv_length;
    const ply_move *pv; /* the win against the longest defence; valid until the next run */
    uint64_t nodes;
    double seconds;
    size_t memory_bytes;      /* held at the end */
    uint64_t proof, disproof; /* numbers of the root while unknown */
} ply_solve_report;

/* Called from within ply_solver_run some twenty times a second, on the caller's thread. */
typedef void ply_solve_listener(void *context, const ply_solve_report *report);

typedef struct ply_solver ply_solver;

/* NULL when memory runs out. rules and goal must outlive the solver. */
PLY_API ply_solver *ply_solver_new(const ply_rules *rules, const ply_goal *goal,
                                   const ply_solve_options *options);
PLY_API void ply_solver_free(ply_solver *solver);
/*
 * Solves the position for the player to move, who is the attacker. Without limits.resume nothing
 * is remembered from one run to the next but memory already held. limits and listener may be NULL.
 */
PLY_API ply_status ply_solver_run(ply_solver *solver, const void *position,
                                  const ply_solve_limits *limits, ply_solve_listener *listener,
                                  void *context, ply_solve_report *report);
/* From any thread or a signal handler: the run ends within milliseconds. */
PLY_API void ply_solver_stop(ply_solver *solver);

/* --- a solver of a game's own ----------------------------------------------------------------- */
/* What a run has to keep to. */
typedef struct ply_solve_control ply_solve_control;
/*
 * To be called every thousand nodes or so, with the nodes so far: false when a limit is reached or
 * somebody asked to stop. Tells the listener now and then; report may be NULL. One thread calls it.
 */
PLY_API bool ply_solve_continue(ply_solve_control *control, uint64_t nodes,
                                const ply_solve_report *report);
/* Why it said false. */
PLY_API const char *ply_solve_stop_reason(const ply_solve_control *control);

/* What a proof says of itself. */
typedef struct ply_proof_claim {
    const ply_rules *rules;
    const ply_goal *goal;
    const void *position;
    int attacker;
    ply_verdict verdict; /* PLY_VERDICT_WIN or PLY_VERDICT_NO */
} ply_proof_claim;

typedef struct ply_proof_writer ply_proof_writer;

/* Takes bytes in order; false: cannot. */
typedef bool ply_proof_sink(void *context, const void *bytes, size_t count);

/* What can be read at any place. read returns how many bytes it got, fewer only at the end. */
typedef struct ply_proof_source {
    size_t (*read)(void *context, uint64_t offset, void *bytes, size_t count);
    void *context;
    uint64_t size;
} ply_proof_source;

/* self is what open returned. The report's seconds are filled in by the caller. */
struct ply_solver_kind {
    void *(*open)(const ply_rules *rules, const ply_goal *goal, const ply_solve_options *options);
    void (*close)(void *self);
    ply_status (*run)(void *self, const void *position, const ply_solve_limits *limits,
                      ply_solve_control *control, ply_solve_report *report);
    /*
     * Writes the root node (and all below it) of the verdict of the last run, which was no unknown;
     * *plies: the length of the win, 0 for a "no".
     */
    ply_status (*prove)(void *self, const ply_proof_claim *claim, ply_proof_writer *writer,
                        uint32_t *plies);
    /* As ply_solver_save, position being the last run's, and ply_solver_load; NULL: cannot. */
    ply_status (*keep)(void *self, const void *position, ply_proof_sink *sink, void *context);
    ply_status (*recall)(void *self, const void *position, const ply_solve_limits *limits,
                         const ply_proof_source *source, ply_error *error);
};

/* --- writing proofs --------------------------------------------------------------------------- */
/*
 * Writes the proof of the verdict of the last run to a sink. PLY_UNSUPPORTED when there is none,
 * PLY_IO when the sink failed, PLY_LIMIT when the strategy could not be found again in memory.
 */
PLY_API ply_status ply_solver_prove(ply_solver *solver, ply_proof_sink *sink, void *context);

/*
 * A proof is a tree of nodes, written depth first. In a win the attacker is the chooser and the
 * defender has every legal move answered; in a proof of "no" the defender chooses and every move
 * that the goal allows the attacker is answered. Write the root node, then finish.
 *
 *     node = leaf                    the value is decided here, or the player to move has no move
 *          | choose M, node          where the chooser moves: one move, and what follows
 *          | all, (M, node)..., [else node], end
 *          | ref n                   the position of label n, whose proof stands elsewhere
 *          | label, node             a node that can be referred to
 *          | rows                    a "no", the attacker to move: every row of his is stopped
 *
 * `else` answers every move that is not listed, with one and the same node that must hold after
 * each of them; no labels inside. In a win a ref may only point to a label whose node is complete
 * (so that no proof rests on itself); in a "no" to any label begun before. Moves are listed in any
 * order. Length: a leaf is 0 plies, a move adds 1, `all` takes the longest.
 */
PLY_API ply_proof_writer *ply_proof_writer_new(const ply_proof_claim *claim, ply_proof_sink *sink,
                                               void *context);
PLY_API void ply_proof_leaf(ply_proof_writer *writer);
PLY_API void ply_proof_choose(ply_proof_writer *writer, ply_move move);
/* The node begins; then ply_proof_move or ply_proof_else and a node each; then ply_proof_end. */
PLY_API void ply_proof_all(ply_proof_writer *writer);
PLY_API void ply_proof_move(ply_proof_writer *writer, ply_move move);
PLY_API void ply_proof_else(ply_proof_writer *writer);
PLY_API void ply_proof_end(ply_proof_writer *writer);
/* The node that follows can be referred to by the number returned; position is that node's. */
PLY_API uint64_t ply_proof_label(ply_proof_writer *writer, const void *position);
/* After that node. plies: of the win from there; 0 in a "no". */
PLY_API void ply_proof_label_done(ply_proof_writer *writer, uint64_t number, uint32_t plies);
PLY_API void ply_proof_ref(ply_proof_writer *writer, uint64_t number);
/* The node `rows` begins; its bytes follow, in any portions, as docs/solve.md draws them. */
PLY_API void ply_proof_winning_sets(ply_proof_writer *writer);
PLY_API void ply_proof_bytes(ply_proof_writer *writer, const void *bytes, size_t count);
/* plies: the length of the win, 0 for a "no". Frees the writer. */
PLY_API ply_status ply_proof_finish(ply_proof_writer *writer, uint32_t plies);

/*
 * Writes the root node from a strategy: for each position where the chooser moves, `move` gives his
 * move (PLY_MOVE_NONE: it cannot). In a win `move_within`, if not NULL, is asked in its place, for
 * a move that wins in at most *within plies (0: any number), and says in how many it does: so play
 * cannot go round in circles where lengths are not known by heart. In a "no", `close`, if not NULL,
 * may write one node for a position where the attacker moves, in place of all that follows; false:
 * it cannot. It is asked with NULL for the writer first. Positions met more than once are labelled.
 * Memory grows with the number of positions and stops at memory_bytes with PLY_LIMIT. *plies: the
 * length of the win.
 */
typedef struct ply_proof_strategy {
    ply_move (*move)(void *context, const void *position);
    ply_move (*move_within)(void *context, const void *position, uint32_t *within);
    bool (*close)(void *context, const void *position, ply_proof_writer *writer);
    void *context;
} ply_proof_strategy;
PLY_API ply_status ply_proof_write_strategy(ply_proof_writer *writer, const ply_proof_claim *claim,
                                            const ply_proof_strategy *strategy, size_t memory_bytes,
                                            uint32_t *plies);

/* --- going on another day --------------------------------------------------------------------- */
/* Whether this goal's solver can keep what it knows. */
PLY_API bool ply_solver_can_save(const ply_solver *solver);
/*
 * Writes what the last run has found out, verdict or not, to a sink: about as many bytes as the
 * solver holds. PLY_UNSUPPORTED when there was no run or nothing can be kept, PLY_IO when the sink
 * failed.
 */
PLY_API ply_status ply_solver_save(ply_solver *solver, ply_proof_sink *sink, void *context);
/*
 * Reads that again, for the same position, goal and way of counting (with limits.counted also what
 * was kept without): a run of these with limits.resume starts from there. Anything else: error
 * says what is wrong and at which byte, and the solver knows nothing. With less memory than before,
 * what took the least work is forgotten.
 */
PLY_API ply_status ply_solver_load(ply_solver *solver, const void *position,
                                   const ply_solve_limits *limits, const ply_proof_source *source,
                                   ply_error *error);

/* --- checking proofs (src/check) -------------------------------------------------------------- */
typedef struct ply_proof_summary {
    ply_verdict verdict;
    int attacker;
    uint32_t plies; /* of a win, every ply counted */
    char variant[256], goal[64];
    uint64_t nodes;  /* positions played through */
    uint64_t labels; /* of them referred to */
    size_t depth;    /* the longest line of moves */
} ply_proof_summary;

/*
 * Checks a proof for a game; memory is bounded by the depth of the proof. PLY_OK: the claim holds.
 * Anything else: error says what is wrong and at which byte (error->offset). text, if not NULL,
 * gets the position that the proof is about. max_nodes: 0 for no limit. stop, if not NULL: ends
 * with PLY_STOPPED once true.
 */
PLY_API ply_status ply_proof_check(const ply_game *game, const ply_proof_source *source,
                                   uint64_t max_nodes, const volatile bool *stop,
                                   ply_proof_summary *summary, ply_text *text, ply_error *error);

#ifdef __cplusplus
}
#endif
#endif
