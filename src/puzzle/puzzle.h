/* SPDX-License-Identifier: MIT */
/*
 * puzzle.h - finding puzzles in games: positions in which exactly one move forces a goal.
 *
 * A game is searched from its end backwards, since forced wins are found near the end. Cheap
 * questions come before expensive ones:
 *
 *     1  is the position won?           a tablebase, or a short run of the solver
 *     2  is the length wanted?          the shortest win, by the solver
 *     3  is it a new position?          keys of the puzzles found so far
 *     4  does an easier goal suffice?   such as fours, where threats are the goal
 *     5  is the first move unique?      every other move is refuted; "unknown" rejects
 *     6  is the line unique?            the same for the later moves, if wanted
 *
 * In a game whose turns consist of several moves, the turn takes the place of the move: its moves in
 * another order are the same turn, and other turns must not win as fast.
 *
 * A finder is used by one thread at a time; ply_puzzle_finder_stop may be called by any thread.
 */
#ifndef PLY_PUZZLE_PUZZLE_H
#define PLY_PUZZLE_PUZZLE_H

#include <plyverse/plyverse.h>

enum { PLY_PUZZLE_TEXT = 1200, PLY_PUZZLE_MOVES = 64 };

typedef struct ply_puzzle_spec {
    const ply_rules *rules;
    const ply_goal *goal;
    ply_tablebase *tablebase; /* may be NULL; for the goal "win": only its positions are used */
    uint64_t nodes;           /* for each question to the solver */
    uint32_t least, most;     /* length of the solution: plies, or turns of the attacker */
    size_t choices;           /* the least number of legal moves at the start */
    bool unique_line;         /* all moves of the attacker but the last must be unique */
} ply_puzzle_spec;

typedef struct ply_puzzle {
    char position[PLY_PUZZLE_TEXT];
    ply_move solution[PLY_PUZZLE_MOVES];
    size_t moves;    /* of the solution */
    uint32_t length; /* plies, or turns of the attacker */
    size_t choices;  /* legal moves or turns at the start */
    uint64_t nodes;  /* that the solver took */
    uint64_t key;
} ply_puzzle;

typedef struct ply_puzzle_finder ply_puzzle_finder;

/* Makes a finder, which the caller frees. rules, goal and tablebase must outlive it. NULL when out of
 * memory. */
ply_puzzle_finder *ply_puzzle_finder_new(const ply_puzzle_spec *spec);
/* NULL is a no-op. */
void ply_puzzle_finder_free(ply_puzzle_finder *finder);
/* Ends the search that is running, and all later ones, with PLY_STOPPED. A question to the solver that
 * has several parts may go on with the next part: call it again until the search has ended. */
void ply_puzzle_finder_stop(ply_puzzle_finder *finder);
/*
 * Takes a game back until a forced win with a puzzle in it is complete, or to its start. *found says
 * whether there is a puzzle; *puzzle is then the one with the longest solution, and no later call
 * returns the same position. Call it again for earlier ones. PLY_OK, PLY_NO_MEMORY or
 * PLY_STOPPED.
 */
ply_status ply_puzzle_find(ply_puzzle_finder *finder, ply_state *state, ply_puzzle *puzzle,
                           bool *found);
/* From 1 (easy) to 5, by the length of the solution, the choices and the work of the solver. */
int ply_puzzle_difficulty(const ply_rules *rules, const ply_puzzle *puzzle);
/* Writes a puzzle as a JSON object in one line, without a newline. */
void ply_puzzle_write(const ply_rules *rules, const ply_goal *goal, const ply_puzzle *puzzle,
                      ply_text *out);

#endif
