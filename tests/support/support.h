/* SPDX-License-Identifier: MIT */
/*
 * support.h - what the test programs share.
 *
 * Two tiers: short, and long when the environment says PLY_TIER=long. The larger files of
 * published facts are not part of the project; tests read them from the folder that PLY_TRUTH names
 * or from ../shared/truth beside the source tree, and are skipped when neither has them.
 */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>
#include <plyverse/plyverse.h>
#include <stdio.h>

bool test_is_long(void);
/*
 * What the build looks for. Under the thread sanitizer, work that one thread does alone is cut
 * short: it is slow there, finds nothing, and runs in full in the other builds.
 */
bool test_seeks_races(void);
bool test_seeks_bad_memory(void);

/* Opens a file of published facts. Skips the running test when it is missing; never returns NULL. */
FILE *test_open_truth(const char *name);

/* Rules and a state of a game; fails the test when they cannot be had. */
void test_make_rules(ply_rules *rules, const char *game, const char *variant);
void test_make_state(ply_state *state, const ply_rules *rules, const char *position);

/* The perft of a position, by ply_perft on one thread. position NULL: the start. */
uint64_t test_perft(const char *game, const char *variant, const char *position, int depth,
                    int mode);

/* Checks that reading the position fails at that column (1 for the first) with those words in it.
 */
void test_bad_position(const ply_rules *rules, const char *text, uint32_t column,
                       const char *words);
/* The same for a move in a state. */
void test_bad_move(ply_state *state, const char *text, uint32_t column, const char *words);

#endif
