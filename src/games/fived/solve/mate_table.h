/* SPDX-License-Identifier: MIT */
/*
 * mate_table.h - what the search for mates knows of positions, and sets of keys.
 *
 * One entry a position at the start of a turn, four to a bucket:
 *
 *     key  phi delta  work  win fail  turns run
 *      8    4    4     4     2   2     2    2     and 4 to spare: 32 bytes
 *
 * win is the least number of the attacker's turns known to suffice, fail the greatest known not to;
 * both hold for good. phi and delta are the numbers of the question "within so many turns" asked
 * last, as the player to move sees them. The table has a fixed size; in a full bucket the position
 * with the least work goes. Entries of earlier runs count as empty.
 */
#ifndef PLY_GAMES_FIVED_SOLVE_MATE_TABLE_H
#define PLY_GAMES_FIVED_SOLVE_MATE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MATE_NO_WIN = INT16_MAX,   /* win: none known */
    MATE_FAIL_ALL = INT16_MAX, /* fail: however many turns */
    MATE_FAIL_NONE = -1,       /* fail: nothing known */
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

_Static_assert(sizeof(mate_entry) == 32, "an entry");

typedef struct mate_table {
    mate_entry *entries;
    size_t buckets;
    size_t used; /* entries ever written, which is what it costs so far */
    uint16_t run;
} mate_table;

bool fived_mate_table_init(mate_table *table, size_t bytes);
void fived_mate_table_free(mate_table *table);
/* Forgets everything. */
void fived_mate_table_clear(mate_table *table);
const mate_entry *fived_mate_table_find(const mate_table *table, uint64_t key);
/* Adds to what is known of a key; what was proved before stays. */
void fived_mate_table_store(mate_table *table, const mate_entry *fresh);
/* What has been written to; the rest of the table is only set aside. */
size_t fived_mate_table_bytes(const mate_table *table);

/* A growing map from keys to words; as a set where values are not asked for. */
typedef struct mate_map {
    uint64_t *keys; /* 0: empty */
    uint64_t *values;
    size_t room, count; /* room: a power of two */
    bool has_values;
} mate_map;

void fived_mate_map_free(mate_map *map);
void fived_mate_map_clear(mate_map *map);
/* The slot of a key, or NULL. */
bool fived_mate_map_get(const mate_map *map, uint64_t key, uint64_t *value);
/* 1: added, 0: there already (its value stays), -1: no memory. */
int fived_mate_map_add(mate_map *map, uint64_t key, uint64_t value);
size_t fived_mate_map_bytes(const mate_map *map);

#endif
