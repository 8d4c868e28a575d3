/* SPDX-License-Identifier: MIT */
/*
 * tablebases.h - the solved tables that the server asks, opened for a set of rules when first needed.
 *
 * Tables lie in a folder beside the games. Those of a few rule sets stay open, and are opened
 * again when the folder has changed.
 */
#ifndef PLY_SERVER_LIBRARY_TABLEBASES_H
#define PLY_SERVER_LIBRARY_TABLEBASES_H

#include <plyverse/plyverse.h>
#include <pthread.h>

enum { SOLVED_RULES = 8 };

typedef struct solved_rules {
    ply_rules rules;
    ply_tablebase *tables; /* NULL: there are none, or one is damaged */
    uint64_t used;
    uint64_t tried; /* when they were opened, in nanoseconds */
} solved_rules;

typedef struct solved {
    pthread_mutex_t lock;
    char *dir;
    uint64_t clock;
    solved_rules rules[SOLVED_RULES];
} solved;

/* False when memory is out. */
bool solved_open(solved *s, const char *dir);
void solved_close(solved *s);
/* Writes the answer about a position, a whole JSON object. */
void solved_write(solved *s, const ply_rules *rules, const void *position, ply_text *out);

#endif
