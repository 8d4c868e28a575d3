/* SPDX-License-Identifier: MIT */
/* dfpn_search.h - what the search and the simulation of proofs share. */
#ifndef PLY_SOLVE_DFPN_SEARCH_H
#define PLY_SOLVE_DFPN_SEARCH_H

#include "solve/dfpn_internal.h"

/* Call once per node: checks the limits, reports progress, and makes room in a shared table. */
void ply_dfpn_poll(dfpn *d);
/*
 * Pushes a frame with the moves of the position as children about which nothing is known. Pop it by
 * setting d->child_count to frame->first. Returns false, with an empty frame, when out of memory.
 */
bool ply_dfpn_push_children(dfpn *d, dfpn_frame *frame);
/* The bound of a win when the defender is to move and every defence, all in the frame, loses. */
uint64_t ply_dfpn_lost_bound(const dfpn *d, const dfpn_frame *frame, uint64_t resources);

#endif
