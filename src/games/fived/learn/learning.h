/* SPDX-License-Identifier: MIT */
/*
 * learning.h - observations and action numbers of 5D chess; see ply_learning_hooks.
 *
 * A multiverse has no bound, so both show a window: FIVED_SLOTS timelines around the middle one. The
 * player sees their own side at the bottom, and the timelines they create above the middle:
 *
 *     slot      FIVED_MIDDLE + l for White, and mirrored for Black
 *     square    x + 8 * y, with y counted from the player's side
 *     label     0 to 559     one of 80 directions (a step of -1, 0 or 1 in x, y, t and l) and a distance
 *                            of 1 to 7: direction * 7 + distance - 1
 *               560 to 607   one of 48 knight's jumps
 *               608 ...      promotions to other kinds than the first that the rules allow: 27 steps
 *                            with y = 1 for each kind
 *     action    (slot * 64 + square) * labels + label of the piece that moves; the last one submits
 *
 * A move outside the window, or farther than 7, has no action. Planes, of 8 x 8 bytes: for each slot
 * its last FIVED_SEEN_BOARDS boards, the latest first, as piece codes in which FIVED_BLACK means the
 * opponent's; then for each slot a plane of flags (enum fived_slot_flags).
 */
#ifndef PLY_GAMES_FIVED_LEARN_LEARNING_H
#define PLY_GAMES_FIVED_LEARN_LEARNING_H

#include "games/fived/fived.h"

enum {
    FIVED_SLOTS = 15,
    FIVED_MIDDLE = 7,
    FIVED_REACH = 7,
    FIVED_SLIDE_LABELS = 80 * FIVED_REACH,
    FIVED_PROMOTION_STEPS = 27,
    FIVED_PROMOTIONS = FIVED_SLIDE_LABELS + 48, /* the first label of a promotion */
    FIVED_SEEN_BOARDS = 4,
    FIVED_PLANES = FIVED_SLOTS * (FIVED_SEEN_BOARDS + 1),
};

enum fived_slot_flags {
    FIVED_SLOT_EXISTS = 1,
    FIVED_SLOT_ACTIVE = 2,
    FIVED_SLOT_MINE = 4,    /* it is the viewer's turn on the last board */
    FIVED_SLOT_PRESENT = 8, /* the last board is in the present */
};

/* The number of actions under these rules. */
uint32_t fived_action_count(const ply_rules *rules);
extern const ply_learning_hooks fived_learning_hooks;

#endif
