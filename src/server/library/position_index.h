/* SPDX-License-Identifier: MIT */
/*
 * position_index.h - finding games by position, and the names of openings.
 *
 * The store holds a key for every position of every game, so that a question about a position is a
 * search in a B-tree. The key of a position covers the rules. Equal positions have equal keys however
 * they came about, so transpositions are merged. A change of a game takes it out of the index; it is
 * put back when somebody asks: position_index_update does that for as long as it may.
 *
 * Threads: safe from any thread.
 */
#ifndef PLY_SERVER_LIBRARY_POSITION_INDEX_H
#define PLY_SERVER_LIBRARY_POSITION_INDEX_H

#include "server/library/library.h"

uint64_t position_index_key(const ply_state *state);
/* Says how keys are made: another number, another way. */
uint32_t position_index_version(void);
/* Puts games into the index, for about that many milliseconds. *pending gets how many are left. */
ply_status position_index_update(library *l, uint64_t millis, uint64_t *pending, ply_error *error);

/* Names of openings under one set of rules, by the key of the position they lead to. */
typedef struct opening_names {
    ply_rules rules;
    struct opening_name {
        uint64_t key;
        char *name;
    } * names; /* sorted by key */
    size_t count;
} opening_names;

/* Makes the list for some rules, which are copied; false when memory runs out. */
bool opening_names_make(opening_names *list, const ply_rules *rules);
void opening_names_free(opening_names *list);
/* The name of the opening that leads to a position, or NULL. Valid until the list is freed. */
const char *opening_names_find(const opening_names *list, uint64_t key);

#endif
