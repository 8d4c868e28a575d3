/* SPDX-License-Identifier: MIT */
/*
 * naive.h - the rules of 5D chess once more, as plainly as can be, to test the fast ones by.
 *
 * Moves by walking plain four-vectors over the boards; check by looking for a move that captures a
 * royal piece; turns by trying every order of moves and keeping what differs. Nothing here uses
 * masks, sets of squares or the search.
 */
#ifndef TESTS_FIVED_NAIVE_H
#define TESTS_FIVED_NAIVE_H

#include "games/fived/fived.h"

enum { NAIVE_MOVES = 20000 };

/* Every move of side's pieces on end boards of its colour, whether or not it leaves a check. */
size_t naive_moves(const ply_rules *rules, const fived_position *p, int side, ply_move *out);

/* Whether `side` can capture a royal piece now. */
bool naive_can_capture_royal(const ply_rules *rules, const fived_position *p, int side);

/*
 * The number of legal turns; false when more than `limit` orders would have to be tried. The
 * position is left as it was.
 */
bool naive_turns(const ply_rules *rules, fived_position *p, size_t limit, uint64_t *turns,
                 uint64_t *distinct);

#endif
