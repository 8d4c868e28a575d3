/* SPDX-License-Identifier: MIT */
/*
 * dfpn_table.h - the transposition table of the general solver, in bounded memory.
 *
 * An entry of 32 bytes describes a position, given by its key and the attacker's resources (see
 * ply_goal.dominance_key): its proof and disproof numbers, the shortest win known and the longest
 * length for which there is no win.
 *
 *     byte  0      8           16      20         24       26           28      30
 *           key    resources   proof   disproof   won_in   not_won_in   depth   work
 *
 *     won_in       with these resources or more the attacker wins in that many plies;
 *                  65535: unknown
 *     not_won_in   with these resources or fewer the attacker does not win in not_won_in - 1 plies;
 *                  0: unknown; 65535: the attacker never wins
 *     depth        the smallest depth at which the position was met; bit 15: DEPTH_PATH_DEPENDENT
 *     work         the nodes spent on it, on a logarithmic scale: eight steps per doubling
 *
 * Collisions are resolved by linear probing. Home slots grow with the mixed key, so entries are
 * nearly sorted and the table can grow in place. When it is full it grows; when it may not grow,
 * the entries of the lowest priority are evicted, which costs nothing but work. The priority of an
 * entry is its work. A win counts for more, because it also decides every position with more
 * resources and because wins are few; an immediate win does not, because it is found again as soon
 * as it is looked for.
 *
 * A path-dependent failure holds only on the path on which it was found, because play returned to
 * an earlier position. It is stored in a second table under a hash of the whole path.
 *
 * A shared table may be used by several threads. There is a lock for every few slots, held while
 * one entry is read or written. Nothing else needs synchronisation: an entry is true of its
 * position, and a path-dependent failure of its path, whichever thread found it. A shared table
 * does not make room by itself, since no other thread may use it meanwhile; see
 * ply_dfpn_table_is_full.
 */
#ifndef PLY_SOLVE_DFPN_TABLE_H
#define PLY_SOLVE_DFPN_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NUMBER_INF = 1 << 30,          /* an infinite proof or disproof number */
    PLIES_NONE = 65535,            /* won_in: no win known */
    PLIES_ANY = 65534,             /* any length */
    DEPTH_PATH_DEPENDENT = 0x8000, /* flag in depth: a path-dependent failure has been stored */
    WORK_CODES = 64 * 8,           /* values of the work scale */
};

typedef struct dfpn_entry {
    uint64_t key; /* 0: an empty slot */
    uint64_t resources;
    uint32_t proof, disproof;
    uint16_t won_in, not_won_in;
    uint16_t depth, work;
} dfpn_entry;

_Static_assert(sizeof(dfpn_entry) == 32, "an entry is 32 bytes");

typedef struct dfpn_path_failure {
    uint64_t key; /* the path's hash with bit 0 set; 0: an empty slot */
    uint32_t dependency;
    uint16_t plies; /* there is no win in at most that many plies */
    uint16_t generation;
} dfpn_path_failure;

typedef struct dfpn_table {
    dfpn_entry *entries;
    size_t size;         /* home slots; MAX_PROBE more slots follow */
    atomic_size_t count; /* entries in use */
    size_t max_size;
    dfpn_path_failure *path_failures; /* a power of two of them */
    size_t path_failure_mask;
    atomic_uchar *locks; /* NULL: used by one thread */
    uint16_t generation; /* path failures of earlier generations are stale */
} dfpn_table;

/* What the table knows about a position, for wins of at most the length asked about. */
typedef struct dfpn_found {
    uint32_t proof, disproof; /* 0 and 0: nothing; 0 and NUMBER_INF: won; the reverse: not won */
    uint64_t bound;           /* if decided: the resources for which the result holds */
    uint16_t plies;           /* won: the length; not won: the length for which that holds */
    uint16_t depth;
    bool exact; /* there is an entry for these very resources, or the position is decided */
    bool path_dependent;
} dfpn_found;

/* shared: the table will be used by several threads. Returns false when out of memory. */
bool ply_dfpn_table_init(dfpn_table *table, size_t bytes, bool shared);
void ply_dfpn_table_free(dfpn_table *table);
/* Empties the table and makes it small, so that easy problems take little time. Must be called
 * before first use. Returns false when out of memory. */
bool ply_dfpn_table_reset(dfpn_table *table);
size_t ply_dfpn_table_bytes(const dfpn_table *table);
/*
 * Whether it is time to call ply_dfpn_table_make_room on a shared table. No other thread may be in
 * any of these functions during that call. Results stored in a full table may be lost.
 */
bool ply_dfpn_table_is_full(const dfpn_table *table);
void ply_dfpn_table_make_room(dfpn_table *table);

/* Prefetches the slots of a key, which pays if the table is too large for the caches. */
void ply_dfpn_table_prefetch(const dfpn_table *table, uint64_t key);
bool ply_dfpn_table_is_large(const dfpn_table *table);
void ply_dfpn_table_probe(const dfpn_table *table, uint64_t key, uint64_t resources, uint16_t plies,
                          dfpn_found *found);
/* Stores the numbers of an undecided position. */
void ply_dfpn_table_store(dfpn_table *table, uint64_t key, uint64_t resources, uint32_t proof,
                          uint32_t disproof, uint16_t depth, uint64_t work, bool path_dependent);
/*
 * Stores a win. The proof and disproof numbers of the positions it decides are cleared: they date
 * from before the win was found and would be too high for a later search for a shorter one.
 */
void ply_dfpn_table_store_win(dfpn_table *table, uint64_t key, uint64_t resources, uint16_t plies,
                              uint16_t depth, uint64_t work);
/* Stores that there is no win in at most that many plies. */
void ply_dfpn_table_store_no_win(dfpn_table *table, uint64_t key, uint64_t resources,
                                 uint16_t plies, uint16_t depth, uint64_t work);

/* The priority of an entry when room is made, on the scale of `work`; below WORK_CODES. */
unsigned ply_dfpn_entry_priority(const dfpn_entry *entry);
/* The first entry at or after *slot, which is advanced past it; NULL at the end. */
const dfpn_entry *ply_dfpn_table_next(const dfpn_table *table, size_t *slot);
/* Grows an empty table to hold that many entries, if allowed; returns how many it can hold. */
size_t ply_dfpn_table_reserve(dfpn_table *table, uint64_t count);
/* Inserts an entry for a position that the table does not have. Dropped if there is no room. */
void ply_dfpn_table_insert(dfpn_table *table, const dfpn_entry *entry);

void ply_dfpn_table_store_path_failure(dfpn_table *table, uint64_t path_hash, uint32_t dependency,
                                       uint16_t plies);
/* The depth on which the failure stored for this path depends; 0: none is stored. */
uint32_t ply_dfpn_table_probe_path_failure(const dfpn_table *table, uint64_t path_hash,
                                           uint16_t plies);

#endif
