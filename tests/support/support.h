/* SPDX-License-Identifier: MIT */
/*
 * support.h - helpers for the test programs.
 *
 * Tests run in a short tier, or in a long one if the environment variable PLY_TIER is "long".
 * Large files of published results are not part of the source tree: tests read them from the folder
 * named by PLY_TRUTH, by default ../shared/truth beside the tree, and are skipped if they are missing.
 */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h requires the four headers above. */
#include <cmocka.h>
#include <plyverse/plyverse.h>
#include <stdio.h>

/* Whether the long tier is running. */
bool test_is_long(void);

/*
 * Whether this is a build with the thread or the address sanitizer. Under the thread sanitizer,
 * single-threaded tests do less work: they are slow there, cannot find a race, and run in full in
 * the other builds.
 */
bool test_under_tsan(void);
bool test_under_asan(void);

/* How often to repeat a random trial: `many` times in the long tier, otherwise `few` times, and a
 * quarter of that under a sanitizer, which looks for faults that show in any trial. */
unsigned test_rounds(unsigned few, unsigned many);

/* CPU time of all threads of this process, which other load on the machine does not affect. No test
 * measures any other time. */
double test_cpu_seconds(void);

/* Opens a file of published results. If it is missing, skips the running test: never returns NULL. */
FILE *test_open_truth(const char *name);

/* Makes the rules or a state of a game; fails the test on an error. variant NULL: the default one;
 * position NULL: the starting position. The caller frees the state. */
void test_make_rules(ply_rules *rules, const char *game, const char *variant);
void test_make_state(ply_state *state, const ply_rules *rules, const char *position);

/* Perft of a position by ply_perft on one thread. position NULL: the starting position. */
uint64_t test_perft(const char *game, const char *variant, const char *position, int depth,
                    int mode);

/* Checks that parsing the position fails at the column (from 1) with a message that contains words. */
void test_bad_position(const ply_rules *rules, const char *text, uint32_t column,
                       const char *words);
/* Checks the same of playing a move, and that the state has not changed. */
void test_bad_move(ply_state *state, const char *text, uint32_t column, const char *words);

#endif
