/* SPDX-License-Identifier: MIT */
/*
 * transposition.h - the transposition table, shared by all threads without locks.
 *
 *     slot  word 0: key ^ word 1                  a torn pair answers to no key
 *           word 1: 63..40 score + 2^23   39..24 move number   23..16 depth   15..14 bound   13..8
 * age
 *
 * A move is stored as its number in the position's move list, so whatever comes out of the table
 * is a legal move of the position at hand or is refused: no key collision can make an illegal one.
 * Scores of forced ends are stored as distances from the position, not from the root.
 */
#ifndef PLY_SEARCH_TRANSPOSITION_H
#define PLY_SEARCH_TRANSPOSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TABLE_UPPER = 1, TABLE_LOWER = 2, TABLE_EXACT = 3, TABLE_NO_MOVE = 0xFFFF };

typedef struct tt_slot {
    uint64_t check, data;
} tt_slot;

typedef struct tt_table {
    tt_slot *slots;
    uint64_t clusters;
    uint8_t age; /* of the current search, 0 to 63 */
} tt_table;

typedef struct tt_entry {
    int32_t score;
    uint32_t move_number; /* TABLE_NO_MOVE: none */
    int depth;
    int bound;
} tt_entry;

bool ply_tt_init(tt_table *table, size_t megabytes);
void ply_tt_free(tt_table *table);
void ply_tt_clear(tt_table *table);
void ply_tt_new_search(tt_table *table);
/* The key will be asked for soon. */
void ply_tt_prefetch(const tt_table *table, uint64_t key);
bool ply_tt_probe(const tt_table *table, uint64_t key, int ply, tt_entry *entry);
void ply_tt_store(tt_table *table, uint64_t key, int ply, const tt_entry *entry);
/* Thousandths of a sample of slots that the current search has filled. */
unsigned ply_tt_fullness(const tt_table *table);

#endif
