/* SPDX-License-Identifier: MIT */
/*
 * dfpn_child.h - the path of the general solver, and one child of a node: what the table and the
 * path know of it, and what it seems to be worth when it is new.
 */
#ifndef PLY_SOLVE_DFPN_CHILD_H
#define PLY_SOLVE_DFPN_CHILD_H

#include "solve/dfpn_internal.h"

static inline uint16_t one_less(uint16_t plies)
{
    return plies == PLIES_ANY ? PLIES_ANY : (uint16_t)(plies - 1);
}

static inline uint16_t one_more(uint16_t plies)
{
    return plies >= PLIES_ANY - 1 ? PLIES_ANY : (uint16_t)(plies + 1);
}

/* The position in play, at `depth`, is on the path from here on. */
void ply_dfpn_path_push(dfpn *d, uint32_t depth, uint64_t key, uint64_t amounts);
void ply_dfpn_path_pop(dfpn *d, uint32_t depth);

void ply_dfpn_child_win(dfpn_child *c, uint64_t bound, uint16_t plies);
void ply_dfpn_child_fail(dfpn_child *c, uint64_t bound, uint16_t plies, uint32_t leans);
/* Whether the table has decided a child, which then says so. */
bool ply_dfpn_child_decided(dfpn_child *c, const dfpn_found *found);
/* Plays a child's move and fills in its key. */
bool ply_dfpn_child_enter(dfpn *d, uint32_t depth, dfpn_child *c);
/*
 * What is known of a child, whose key and amounts are filled in; its parent stands at `depth`.
 * plies: the length that is left for the child. False: nothing; see ply_dfpn_child_judge then.
 */
bool ply_dfpn_child_look(const dfpn *d, uint32_t depth, dfpn_child *c, uint16_t plies,
                         dfpn_found *found);
/* First numbers of a child whose position is in play, by looking at it. */
void ply_dfpn_child_judge(dfpn *d, uint32_t depth, dfpn_child *c, uint16_t plies);
/*
 * The same for one that is undecided by then, by what the goal thinks of the move, the position
 * before it in play; they are at least those of positions that are no harder.
 */
void ply_dfpn_child_guess(const dfpn *d, dfpn_child *c, const dfpn_found *found);
/* Judges a child that has waited; the position before it is in play. */
bool ply_dfpn_child_wake(dfpn *d, uint32_t depth, dfpn_child *c, uint16_t plies);

#endif
