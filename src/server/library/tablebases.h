/* SPDX-License-Identifier: MIT */
/*
 * tablebases.h - the endgame tablebases that the server probes.
 *
 * The files are in a folder next to the games. The tablebases of a few sets of rules stay open, and
 * are reopened when the folder changes. Any thread may probe.
 */
#ifndef PLY_SERVER_LIBRARY_TABLEBASES_H
#define PLY_SERVER_LIBRARY_TABLEBASES_H

#include <plyverse/plyverse.h>
#include <pthread.h>

enum { TABLEBASES_OPEN_LIMIT = 8 };

typedef struct tablebases_entry {
    ply_rules rules;
    ply_tablebase *tablebase; /* NULL: there is none, or it is damaged */
    uint64_t last_used;       /* on the clock of `tablebases` */
    uint64_t opened_nanos;    /* when it was last opened, or failed to open */
} tablebases_entry;

typedef struct tablebases {
    pthread_mutex_t lock;
    char *dir;
    uint64_t clock; /* counts probes */
    tablebases_entry entries[TABLEBASES_OPEN_LIMIT];
} tablebases;

/* dir need not exist. False when memory runs out; close it all the same. */
bool tablebases_open(tablebases *t, const char *dir);
void tablebases_close(tablebases *t);
/*
 * Probes a position. Returns whether its value is known; *value gets it then. moves has room for
 * rules->max_moves and gets the *count legal moves, of which some may be known even where the
 * position is not; *count is 0 when the rules have no tablebase.
 */
bool tablebases_probe(tablebases *t, const ply_rules *rules, const void *position,
                      ply_tablebase_value *value, ply_tablebase_move *moves, size_t *count);
/*
 * Opens a tablebase of these rules for the caller, who closes it; NULL if there is none. Variants
 * without further options get their default tablebases built if they have none: that takes a few
 * seconds and megabytes, and requests cannot fill the disk with it.
 */
ply_tablebase *tablebases_lend(tablebases *t, const ply_rules *rules);

#endif
