/* SPDX-License-Identifier: MIT */
/*
 * dfpn_search.h - what the search of one node and the following of proofs share.
 */
#ifndef PLY_SOLVE_DFPN_SEARCH_H
#define PLY_SOLVE_DFPN_SEARCH_H

#include "solve/dfpn_internal.h"

/* Once a node: looks whether it is time to stop, to say something, to make room. */
void ply_dfpn_pause(dfpn *d);
/*
 * A row of the moves of the position in play, with nothing known of them, on top of the others.
 * False: no memory, and no row.
 */
bool ply_dfpn_move_list(dfpn *d, dfpn_row *row);
/* The bound of a win where the defender is to move and all his answers, the row's, lose. */
uint64_t ply_dfpn_lost_bound(const dfpn *d, const dfpn_row *row, uint64_t amounts);

#endif
