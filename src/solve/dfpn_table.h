/* SPDX-License-Identifier: MIT */
/*
 * dfpn_table.h - what is known of positions, in bounded memory.
 *
 * An entry is 32 bytes: a position (key and amounts, see ply_goal.split), its proof and disproof
 * numbers, the shortest win known from it and the longest length for which there is none.
 *
 *      0       8         16      20        24      26    28     30
 *      key     amounts   proof   disproof  won_in  none  depth  work
 *
 *      won_in   the attacker wins in so many plies, with these amounts or more    (65535: unknown)
 *      none     he does not win in so many, with these amounts or fewer (0 unknown, else plies + 1;
 *               65535: never)
 *      depth    the least depth at which it was met; bit 15: see ties below
 *      work     nodes spent on it, on a scale of eighths of doublings
 *
 * Entries lie in the order of their keys, each as near as possible behind the place its key asks
 * for (linear probing); those of one key follow each other. When the table is full it grows; when
 * it may not grow, the entries that are worth the least are thrown out, and all that is lost is
 * work. An entry is worth its work. A win, unless it is a win at once, which is seen as soon as it
 * is looked for, is worth more: it decides all positions with more as well, and wins are few.
 *
 * Ties are failures that hold only on the way they were found on, because play came back to an
 * earlier position; they are kept apart, under a key of the whole way.
 *
 * A shared table may be read and written by several threads: a lock for every few places, held for
 * one entry's reading or writing. What entries and ties say is true of the position or the way
 * whoever found it, so that nothing more has to be in step. A shared table does not make room by
 * itself, as nobody else may use it then: see ply_dfpn_table_is_full.
 */
#ifndef PLY_SOLVE_DFPN_TABLE_H
#define PLY_SOLVE_DFPN_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NUMBER_INF = 1 << 30,
    PLIES_NONE = 65535,  /* won_in: no win known */
    PLIES_ANY = 65534,   /* a length without limit */
    DEPTH_TIED = 0x8000, /* in depth: some tie exists */
    WORK_CODES = 64 * 8, /* of work */
};

typedef struct dfpn_entry {
    uint64_t key, amounts;
    uint32_t proof, disproof;
    uint16_t won_in, none;
    uint16_t depth, work;
} dfpn_entry;

_Static_assert(sizeof(dfpn_entry) == 32, "an entry is 32 bytes");

typedef struct dfpn_tie {
    uint64_t key; /* of the way, the position and its amounts; 0: empty */
    uint32_t leans;
    uint16_t plies; /* holds for wins of at most so many plies */
    uint16_t generation;
} dfpn_tie;

typedef struct dfpn_table {
    dfpn_entry *entries;
    size_t size;          /* places that keys ask for; SPILL more follow */
    atomic_size_t count;  /* entries in use */
    size_t most;          /* the largest size */
    dfpn_tie *ties;       /* a power of two of them */
    atomic_uchar *shared; /* the locks; NULL: one thread */
    size_t tie_mask;
    uint16_t generation; /* of ties: those of other runs do not count */
    uint64_t collections;
} dfpn_table;

/* What is known, for the length asked about. */
typedef struct dfpn_found {
    uint32_t proof, disproof; /* 0, 0: nothing is known */
    uint64_t amounts;         /* with a win or none: the bound it holds for */
    uint16_t plies;           /* with a win: its length; with none: the length it holds for */
    uint16_t depth;
    bool exact; /* an entry of the position itself exists */
    bool tied;
} dfpn_found;

/* shared: for several threads. */
bool ply_dfpn_table_init(dfpn_table *table, size_t bytes, bool shared);
void ply_dfpn_table_free(dfpn_table *table);
/* Empties it and makes it small, so that small problems need little time. */
bool ply_dfpn_table_reset(dfpn_table *table);
size_t ply_dfpn_table_bytes(const dfpn_table *table);
/*
 * A shared table: whether it is time to call ply_dfpn_table_make_room, with no other thread in any of
 * these functions. What is stored after that may be lost.
 */
bool ply_dfpn_table_is_full(const dfpn_table *table);
void ply_dfpn_table_make_room(dfpn_table *table);

/* Says that a key will be looked for soon; of use where the table is too large for a cache. */
void ply_dfpn_table_expect(const dfpn_table *table, uint64_t key);
bool ply_dfpn_table_is_large(const dfpn_table *table);
void ply_dfpn_table_look(const dfpn_table *table, uint64_t key, uint64_t amounts, uint16_t plies,
                         dfpn_found *found);
/* Stores the numbers of an undecided position. */
void ply_dfpn_table_store(dfpn_table *table, uint64_t key, uint64_t amounts, uint32_t proof,
                          uint32_t disproof, uint16_t depth, uint64_t work, bool tied);
/*
 * Stores a win. If a shorter one is asked for some day, the numbers from before it was found would
 * be too high, so they are forgotten.
 */
void ply_dfpn_table_store_win(dfpn_table *table, uint64_t key, uint64_t amounts, uint16_t plies,
                              uint16_t depth, uint64_t work);
void ply_dfpn_table_store_none(dfpn_table *table, uint64_t key, uint64_t amounts, uint16_t plies,
                               uint16_t depth, uint64_t work);

/* On the scale of `work`; below WORK_CODES. */
unsigned ply_dfpn_entry_worth(const dfpn_entry *entry);
/* The first entry from that place on, and the place behind it; NULL: there is none. */
const dfpn_entry *ply_dfpn_table_next(const dfpn_table *table, size_t *place);
/* Makes an empty table large enough for so many entries, if it may be; returns how many fit. */
size_t ply_dfpn_table_reserve(dfpn_table *table, uint64_t count);
/* Puts in an entry of a position that the table does not have, unless there is no place. */
void ply_dfpn_table_put(dfpn_table *table, const dfpn_entry *entry);

void ply_dfpn_table_store_tie(dfpn_table *table, uint64_t way, uint32_t leans, uint16_t plies);
/* What a failure leans on, or 0 for no tie. */
uint32_t ply_dfpn_table_look_tie(const dfpn_table *table, uint64_t way, uint16_t plies);

#endif
