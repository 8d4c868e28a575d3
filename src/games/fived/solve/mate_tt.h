/* SPDX-License-Identifier: MIT */
/*
 * mate_tt.h - the transposition table of the mate search, and a hash map.
 *
 * One entry per position at the start of a turn, four entries to a bucket:
 *
 *     key  phi delta  work  win fail  turns run  zero
 *      8    4    4     4     2   2      2    2     4     = 32 bytes
 *
 * win is the least number of the attacker's turns known to suffice, fail the greatest known not to;
 * both are final. phi and delta belong to the last question ("mate within `turns` turns?"), from
 * the point of view of the player to move. The table has a fixed size. In a full bucket the entry
 * with the least work is replaced. Entries of earlier runs count as empty.
 */
#ifndef PLY_GAMES_FIVED_SOLVE_MATE_TT_H
#define PLY_GAMES_FIVED_SOLVE_MATE_TT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MATE_NO_WIN = INT16_MAX,      /* win: none known */
    MATE_FAIL_ALWAYS = INT16_MAX, /* fail: with any number of turns */
    MATE_FAIL_UNKNOWN = -1,       /* fail: nothing known */
};

typedef struct mate_entry {
    uint64_t key;
    uint32_t phi, delta;
    uint32_t work;
    int16_t win, fail;
    uint16_t turns;
    uint16_t run;
    uint32_t zero;
} mate_entry;

_Static_assert(sizeof(mate_entry) == 32, "see the drawing above");

typedef struct mate_tt {
    mate_entry *entries;
    size_t buckets;
    size_t used; /* entries ever written: the pages the system has had to provide */
    uint16_t run;
} mate_tt;

bool fived_mate_tt_init(mate_tt *tt, size_t bytes);
void fived_mate_tt_free(mate_tt *tt);
/* Forgets all entries, in constant time. */
void fived_mate_tt_clear(mate_tt *tt);
const mate_entry *fived_mate_tt_probe(const mate_tt *tt, uint64_t key);
/* Adds to what is known about a key; what was proved before stays. */
void fived_mate_tt_store(mate_tt *tt, const mate_entry *fresh);
/* Bytes written so far; the rest of the table is reserved but untouched. */
size_t fived_mate_tt_bytes(const mate_tt *tt);

/* A growing map from 64-bit keys to words, or a set of keys if has_values is false. */
typedef struct mate_map {
    uint64_t *keys; /* 0: empty */
    uint64_t *values;
    size_t room, count; /* room: a power of two */
    bool has_values;
} mate_map;

void fived_mate_map_free(mate_map *map);
void fived_mate_map_clear(mate_map *map);
/* Whether the key is there; *value: its value. */
bool fived_mate_map_get(const mate_map *map, uint64_t key, uint64_t *value);
/* 1: added; 0: it was there, and keeps its value; -1: out of memory. */
int fived_mate_map_add(mate_map *map, uint64_t key, uint64_t value);
size_t fived_mate_map_bytes(const mate_map *map);

#endif
