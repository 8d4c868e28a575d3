/* SPDX-License-Identifier: MIT */
/*
 * endings.h - an independent solver for the tests of tables.
 *
 * It knows the game interface alone (rank, unrank, moves, play) and no symmetry but that of rank:
 * all positions of some classes, the moves between them, and a sweep over all of them for each
 * distance until nothing changes.
 */
#ifndef TESTS_TABLES_ENDINGS_H
#define TESTS_TABLES_ENDINGS_H

#include "support/support.h"
#include <stdlib.h>
#include <string.h>

typedef struct endings {
    ply_rules rules;
    size_t class_count;
    uint64_t *first;  /* by class: the number of its first position here; UINT64_MAX: left out */
    uint64_t total;   /* positions */
    int16_t *plies;   /* by position; -1: a draw */
    uint64_t *moves;  /* by position, where its successors begin; total + 1 of them */
    uint64_t *to;     /* successors; UINT64_MAX: lost for who moves there */
    size_t *class_of; /* by position */
} endings;

/* All classes of the rules in which both players have pieces and `wanted` says yes. */
void endings_solve(endings *e, const char *game, const char *variant,
                   bool (*wanted)(unsigned own, unsigned other, unsigned limit), unsigned limit);
void endings_free(endings *e);
/* Position i, over uninitialised bytes. */
void endings_position(const endings *e, uint64_t i, void *position);

/* A fresh folder below the system's for temporary files, and its removal with all in it. */
void test_folder_make(char *path, size_t room);
void test_folder_remove(const char *path);
/* Builds tables there; fails the test if it cannot. */
void test_build(const ply_rules *rules, const char *dir, const char *up_to, unsigned threads,
                size_t memory_mb);

#endif
