/* SPDX-License-Identifier: MIT */
/*
 * vct_table.h - what the search for threats knows of positions; shared by its threads.
 *
 *     slot   | check | proof, disproof | work, plies, cell |     three words of 64 bits
 *
 * check is the key with the other two words exclusive-ored in. So nothing needs to be locked: a
 * slot of which one thread wrote one half and another thread the other half has no key that anybody
 * asks for. Four slots are a cluster; the one that took the least work makes room. While one thread
 * uses the table it begins small and doubles in place within its room, since memory touched for the
 * first time costs more than most problems do.
 */
#ifndef PLY_GAMES_GOMOKU_SOLVE_VCT_TABLE_H
#define PLY_GAMES_GOMOKU_SOLVE_VCT_TABLE_H

#include "games/gomoku/gomoku.h"
#include <stdatomic.h>

typedef struct gomoku_vct_entry {
    uint32_t proof, disproof;
    uint32_t work;  /* nodes below, at most; never 0 */
    uint16_t plies; /* of the win, at most, while proved */
    uint16_t cell;  /* that wins, where the attacker moves */
} gomoku_vct_entry;

typedef struct gomoku_vct_slot {
    _Atomic uint64_t word[3];
} gomoku_vct_slot;

typedef struct gomoku_vct_table {
    gomoku_vct_slot *slots;
    uint64_t mask, last; /* slots in use, and in all, less 1 */
    uint64_t held;       /* written so far while it grows */
} gomoku_vct_table;

/* At most so many bytes. */
ply_status gomoku_vct_table_init(gomoku_vct_table *t, size_t bytes);
void gomoku_vct_table_free(gomoku_vct_table *t);
void gomoku_vct_table_clear(gomoku_vct_table *t);
/* Takes all its room at once: from now on several threads may use it. */
void gomoku_vct_table_share(gomoku_vct_table *t);
bool gomoku_vct_table_find(const gomoku_vct_table *t, uint64_t key, gomoku_vct_entry *out);
/* Work is added to what the entry had. */
void gomoku_vct_table_store(gomoku_vct_table *t, uint64_t key, gomoku_vct_entry entry);

#endif
