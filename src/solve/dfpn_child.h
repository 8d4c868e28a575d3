/* SPDX-License-Identifier: MIT */
/*
 * dfpn_child.h - the path, and the children of a node: what the table and the path tell about a
 * child, and which numbers it starts with when it is new.
 */
#ifndef PLY_SOLVE_DFPN_CHILD_H
#define PLY_SOLVE_DFPN_CHILD_H

#include "solve/dfpn_internal.h"

static inline uint16_t plies_minus_one(uint16_t plies)
{
    return plies == PLIES_ANY ? PLIES_ANY : (uint16_t)(plies - 1);
}

static inline uint16_t plies_plus_one(uint16_t plies)
{
    return plies >= PLIES_ANY - 1 ? PLIES_ANY : (uint16_t)(plies + 1);
}

/* Adds the position to the path at `depth`; removes it. */
void ply_dfpn_path_push(dfpn *d, uint32_t depth, uint64_t key, uint64_t resources);
void ply_dfpn_path_pop(dfpn *d, uint32_t depth);

void ply_dfpn_child_set_win(dfpn_child *c, uint64_t bound, uint16_t plies);
void ply_dfpn_child_set_failure(dfpn_child *c, uint64_t bound, uint16_t plies, uint32_t dependency);
/* Copies a decided result from the table into the child. Returns false if it is undecided. */
bool ply_dfpn_child_take_result(dfpn_child *c, const dfpn_found *found);
/* Plays the child's move and sets its key and resources. */
bool ply_dfpn_child_play(dfpn *d, uint32_t depth, dfpn_child *c);
/*
 * Looks up a child, whose key and resources are set, in the table and on the path. Its parent is at
 * `depth`; plies is the length left for the child. Returns false when nothing is known: the child
 * is new and needs ply_dfpn_child_evaluate.
 */
bool ply_dfpn_child_probe(const dfpn *d, uint32_t depth, dfpn_child *c, uint16_t plies,
                          dfpn_found *found);
/* Evaluates a new child after its move was played: decides it or sets its initial numbers. */
void ply_dfpn_child_evaluate(dfpn *d, uint32_t depth, dfpn_child *c, uint16_t plies);
/*
 * Refines the initial numbers of a new child that is undecided, in its parent's position: adds the
 * goal's estimate, and raises them to those of positions that are no harder.
 */
void ply_dfpn_child_estimate(const dfpn *d, dfpn_child *c, const dfpn_found *found);
/* Evaluates a delayed child whose turn has come, in its parent's position. */
bool ply_dfpn_child_activate(dfpn *d, uint32_t depth, dfpn_child *c, uint16_t plies);

#endif
