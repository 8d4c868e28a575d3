/* SPDX-License-Identifier: MIT */
/*
 * verdict_replay.h - going through a verdict once more: is it whole, how long is it, and its proof.
 *
 * Every win is walked through before it is told: each answer of the defender's that the zones leave
 * is played and its refutation found again. The same walk writes the proof. In it, a position where
 * the defender answers a threat lists the answers of the zone, and one `else` for all others: the
 * fours he was threatened with. A win may be asked for within so many plies.
 *
 * A "no" is walked by ply_proof_write_strategy, which asks for the defender's answer to each attack.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_VERDICT_REPLAY_H
#define PLY_GAMES_GOMOKU_SOLVE_VERDICT_REPLAY_H

#include "games/gomoku/solve/goals.h"
#include "games/gomoku/solve/vct.h"

enum { GOMOKU_LINE_LIMIT = 2 * GOMOKU_MAX_CELLS };

/* A position of the strategy already walked through. */
typedef struct gomoku_walked {
    uint64_t key, label;
    uint32_t plies; /* 0: no entry */
} gomoku_walked;

typedef struct gomoku_walk {
    const ply_rules *rules;
    int goal, attacker;
    size_t bytes; /* that the places may take */
    gomoku_field *field;
    gomoku_vct *vct;
    gomoku_position *position; /* in step with the field */
    gomoku_position *root;
    gomoku_undo_info *undo_stack;
    ply_move *played;
    int depth;
    ply_proof_writer *writer; /* or NULL */
    gomoku_walked *places;
    size_t place_count, place_room;
    ply_status status;
} gomoku_walk;

ply_status gomoku_walk_init(gomoku_walk *w, const ply_rules *rules, int goal, gomoku_vct *vct,
                            size_t bytes);
void gomoku_walk_free(gomoku_walk *w);
/* The position whose verdict will be walked, the attacker to move; the field has been set to it. */
void gomoku_walk_begin(gomoku_walk *w, const gomoku_position *p);
/*
 * Walks a win that takes at most `within` plies (GOMOKU_ENDLESS: any number). *plies: how many it
 * takes. writer may be NULL. PLY_LIMIT: it could not be found again in the memory given.
 */
ply_status gomoku_walk_win(gomoku_walk *w, int within, ply_proof_writer *writer, uint32_t *plies);
/* After that: its longest defence, as far as the walk has seen it. */
size_t gomoku_walk_line(gomoku_walk *w, int within, ply_move line[GOMOKU_LINE_LIMIT]);
/* After a "no" of `vcf` or `vct`: the defender's answer. context: the walk; see ply_proof_strategy.
 */
ply_move gomoku_walk_answer(void *context, const void *position);

#endif
