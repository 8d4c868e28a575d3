/* SPDX-License-Identifier: MIT */
/*
 * transposition.h - the transposition table, shared by all threads without locks.
 *
 * A slot is two words:
 *
 *     check  63                                                              16 15             0
 *           | low 48 bits of the key ^ high 48 bits of data                    | eval + 2^15    |
 *
 *     data   63                    40 39           24 23       16 15   14 13   8   7   6       0
 *           | score + 2^23           | move number   | depth     | bound | age   | pv | unused  |
 *
 * The rest of the key selects the slot's cluster. Two threads that write one slot at the same time
 * may leave words of different entries. Such a torn slot matches no key, so the entry is lost but
 * never wrong; words of two entries for one key may pass if they agree in score, move and depth.
 *
 * A move is stored as its index in the position's move list. Whatever comes out of the table is
 * therefore a legal move of the position at hand or out of range; a key collision cannot produce an
 * illegal move. Scores of forced wins and losses are stored as distances from the position, not
 * from the root. Depth 0 is the quiescence search's: there the list is that of the noisy moves,
 * unless the player is in check.
 *
 * probe, store and prefetch are safe from any number of threads; the other functions need the table
 * to themselves.
 */
#ifndef PLY_SEARCH_TRANSPOSITION_H
#define PLY_SEARCH_TRANSPOSITION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TT_UPPER_BOUND = 1, TT_LOWER_BOUND = 2, TT_EXACT = 3, TT_NO_MOVE = 0xFFFF };
/* The position was not evaluated; the evaluations that are stored are within the limit. */
enum { TT_NO_EVAL = INT32_MIN, TT_EVAL_LIMIT = (1 << 15) - 1 };

typedef struct tt_slot {
    _Atomic uint64_t check, data;
} tt_slot;

typedef struct transposition_table {
    tt_slot *slots;
    uint64_t clusters;
    uint8_t age; /* number of the current search modulo 64 */
} transposition_table;

typedef struct tt_entry {
    int32_t score;
    uint32_t move_number; /* index in the move list; TT_NO_MOVE: none */
    int depth;
    int bound;    /* TT_UPPER_BOUND, TT_LOWER_BOUND or TT_EXACT */
    int32_t eval; /* the static evaluation, or TT_NO_EVAL; stored only up to TT_EVAL_LIMIT */
    bool pv;      /* the position was on a principal variation */
} tt_entry;

/* Allocates and clears a table; false when memory runs out. ply_tt_free releases it. */
bool ply_tt_init(transposition_table *table, size_t megabytes);
void ply_tt_free(transposition_table *table);
void ply_tt_clear(transposition_table *table);
/* Starts a new age: entries of earlier searches stay usable but are replaced first. */
void ply_tt_new_search(transposition_table *table);
/* Fetches the key's cluster into the cache ahead of a probe. */
void ply_tt_prefetch(const transposition_table *table, uint64_t key);
/* Finds the entry of a key. `ply` is the node's distance from the root, for forced scores. */
bool ply_tt_probe(const transposition_table *table, uint64_t key, int ply, tt_entry *entry);
void ply_tt_store(transposition_table *table, uint64_t key, int ply, const tt_entry *entry);
/* How full the current search has made the table, in permille of a sample of slots. */
unsigned ply_tt_hashfull(const transposition_table *table);

/* Whether an entry decides a node with this window and depth without a search. */
static inline bool tt_entry_cuts(const tt_entry *entry, int depth, int32_t alpha, int32_t beta)
{
    return entry->depth >= depth &&
           (entry->bound == TT_EXACT || (entry->bound == TT_LOWER_BOUND && entry->score >= beta) ||
            (entry->bound == TT_UPPER_BOUND && entry->score <= alpha));
}

/* What a search with this window has shown about its score. */
static inline int tt_bound_of(int32_t score, int32_t alpha, int32_t beta)
{
    return score >= beta ? TT_LOWER_BOUND : score > alpha ? TT_EXACT : TT_UPPER_BOUND;
}

#endif
