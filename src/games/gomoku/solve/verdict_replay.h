/* SPDX-License-Identifier: MIT */
/*
 * verdict_replay.h - replaying a verdict: is it complete, how long is the win, and its proof.
 *
 * Every win is replayed before it is reported: each answer of the defender that the zones leave is
 * played, and its refutation is found again. The same replay writes the proof. There, a position in
 * which the defender answers a threat lists the answers in the zone, and one `else` for all others:
 * the fours that were threatened. A win may be limited to a number of plies.
 *
 * A "no" is replayed by ply_proof_write_strategy, which asks for the defender's answer to each
 * attack.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_VERDICT_REPLAY_H
#define PLY_GAMES_GOMOKU_SOLVE_VERDICT_REPLAY_H

#include "games/gomoku/solve/goals.h"
#include "games/gomoku/solve/vct.h"

enum { GOMOKU_VARIATION_LIMIT = 2 * GOMOKU_MAX_CELLS };

/* A position of the winning strategy that has been replayed. */
typedef struct gomoku_replay_entry {
    uint64_t key, label; /* label: its name in the proof */
    uint32_t plies;      /* 0: empty */
} gomoku_replay_entry;

typedef struct gomoku_replay {
    const ply_rules *rules;
    int goal, attacker;
    size_t bytes; /* that the entries may take */
    gomoku_threat_board *board;
    gomoku_vct *vct;
    gomoku_position *position; /* the same as on the board */
    gomoku_position *root;
    gomoku_undo_info *undo_stack;
    ply_move *played;
    int depth;
    ply_proof_writer *writer;     /* or NULL */
    gomoku_replay_entry *entries; /* a hash table */
    size_t entry_count, entry_capacity;
    ply_status status;
} gomoku_replay;

/* vct and its board must outlive the replay. PLY_NO_MEMORY; gomoku_replay_free is still due. */
ply_status gomoku_replay_init(gomoku_replay *r, const ply_rules *rules, int goal, gomoku_vct *vct,
                              size_t bytes);
void gomoku_replay_free(gomoku_replay *r);
/* Sets the position whose verdict will be replayed, the attacker to move; the board already holds
 * it. */
void gomoku_replay_begin(gomoku_replay *r, const gomoku_position *p);
/*
 * Replays a win of at most `within` plies (GOMOKU_ANY_LENGTH: no limit) and sets *plies to its
 * length. writer may be NULL. PLY_LIMIT: the win could not be found again in the memory given.
 */
ply_status gomoku_replay_win(gomoku_replay *r, int within, ply_proof_writer *writer,
                             uint32_t *plies);
/* After that: writes the principal variation with the longest defence that the replay has seen, and
 * returns its length. */
size_t gomoku_replay_variation(gomoku_replay *r, int within,
                               ply_move variation[GOMOKU_VARIATION_LIMIT]);
/* After a "no" of `vcf` or `vct`: the defender's answer. context is the replay; see
 * ply_proof_strategy. */
ply_move gomoku_replay_answer(void *context, const void *position);

#endif
