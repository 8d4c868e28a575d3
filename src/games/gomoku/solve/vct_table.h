/* SPDX-License-Identifier: MIT */
/*
 * vct_table.h - the transposition table of the threat search, shared by its threads.
 *
 *     slot   | check | proof, disproof | work, plies, cell |     three words of 64 bits
 *
 * check is the key XORed with the other two words, so no lock is needed: a slot that two threads
 * wrote at once (a torn slot) matches no key. Four slots form a cluster, in which the entry with
 * the least work is replaced. As long as one thread uses the table, it starts small and doubles in
 * place, because touching fresh memory costs more than solving most problems.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_VCT_TABLE_H
#define PLY_GAMES_GOMOKU_SOLVE_VCT_TABLE_H

#include "games/gomoku/gomoku.h"
#include <stdatomic.h>

typedef struct gomoku_vct_entry {
    uint32_t proof, disproof;
    uint32_t work;  /* nodes searched below, saturating; never 0 */
    uint16_t plies; /* maximum length of the win, if proved */
    uint16_t cell;  /* the winning move, where the attacker moves */
} gomoku_vct_entry;

typedef struct gomoku_vct_slot {
    _Atomic uint64_t word[3];
} gomoku_vct_slot;

typedef struct gomoku_vct_table {
    gomoku_vct_slot *slots;
    uint64_t mask; /* slots in use, less 1 */
    uint64_t last; /* all slots, less 1 */
    uint64_t used; /* entries written while the table grows */
} gomoku_vct_table;

/* Takes at most `bytes`, but at least 24 KiB. PLY_NO_MEMORY. */
ply_status gomoku_vct_table_init(gomoku_vct_table *t, size_t bytes);
void gomoku_vct_table_free(gomoku_vct_table *t);
void gomoku_vct_table_clear(gomoku_vct_table *t);
/* Grows to the full size: from now on several threads may probe and store. */
void gomoku_vct_table_share(gomoku_vct_table *t);
bool gomoku_vct_table_probe(const gomoku_vct_table *t, uint64_t key, gomoku_vct_entry *out);
/* Replaces an entry with the same key and adds up their work. */
void gomoku_vct_table_store(gomoku_vct_table *t, uint64_t key, gomoku_vct_entry entry);

#endif
