/* SPDX-License-Identifier: MIT */
/*
 * endings.h - an independent solver for the tests of tablebases.
 *
 * It uses the game interface alone (rank, unrank, moves, play) and no symmetry except that of rank.
 * It lists all positions of some classes and the moves between them, then sweeps over all positions
 * once for each distance until nothing changes.
 */
#ifndef TESTS_SUPPORT_ENDINGS_H
#define TESTS_SUPPORT_ENDINGS_H

#include "support/support.h"
#include <stdlib.h>
#include <string.h>

typedef struct endings {
    ply_rules rules;
    size_t class_count;
    uint64_t *first;  /* by class: the number of its first position; UINT64_MAX: left out */
    uint64_t total;   /* positions */
    int16_t *plies;   /* by position; -1: a draw */
    uint64_t *moves;  /* by position: the index of its first successor; total + 1 entries */
    uint64_t *to;     /* successors; UINT64_MAX: the player to move has no pieces and has lost */
    size_t *class_of; /* by position */
} endings;

/* Solves all classes in which both players have pieces and which `wanted` accepts. */
void endings_solve(endings *e, const char *game, const char *variant,
                   bool (*wanted)(unsigned own, unsigned enemy, unsigned limit), unsigned limit);
void endings_free(endings *e);
/* Writes position i over uninitialised bytes. */
void endings_position(const endings *e, uint64_t i, void *position);

/* Makes an empty temporary folder; removes it with its contents. */
void test_folder_make(char *path, size_t room);
void test_folder_remove(const char *path);
/* Builds a tablebase there; fails the test on error. */
void test_build(const ply_rules *rules, const char *dir, const char *up_to, unsigned threads,
                size_t memory_mb);

#endif
