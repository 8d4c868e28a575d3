/* SPDX-License-Identifier: MIT */
/*
 * turn_sat.h - legal turns as a SAT problem, for positions in which almost nothing is legal.
 *
 * The backtracking search (turn_search.c) forgets why its choices failed. Where threats connect
 * many boards it can fail for the same reason again and again. Then the position is encoded once:
 *
 *     pass a | physical m | leave a,s | hop j   what end board a gets: exactly one of these
 *     branch i                                  board a is left by branch i
 *     creates a,n                               the branch from board a creates new timeline n
 *     used n                                    new timeline n exists; then so do those before it
 *     rewind                                    a new active timeline moves the present back
 *
 * Threats are added lazily. An assignment that is about to be accepted is played into the view, and
 * each capture of a royal piece there becomes a clause over what the capture needs of the boards
 * that the turn makes: the attacker on its square, empty squares between, the royal piece on its
 * square. Each of these features is a variable implied by every value that has it. One clause
 * therefore excludes all turns with the same threat, whatever else they do. (Hypercuboid programs
 * call this cutting off a slice.)
 */
#ifndef PLY_GAMES_FIVED_TURNS_TURN_SAT_H
#define PLY_GAMES_FIVED_TURNS_TURN_SAT_H

#include "games/fived/turns/sat_solver.h"
#include "games/fived/turns/turn_query.h"

typedef struct fived_turn_sat fived_turn_sat;

/* NULL is a no-op. */
void fived_turn_sat_free(fived_turn_sat *t);
/* Bytes allocated; 0 for NULL. */
size_t fived_turn_sat_bytes(const fived_turn_sat *t);

/* These encode the prepared position in q->sat.encoding if that has not been done. When memory runs
 * out they set q->status. */

/* Whether a legal turn exists; no_rewind: one that does not move the present back. */
PLY_HD_EXTERN bool fived_turn_sat_exists(fived_turn_query *q, bool no_rewind);
/* Whether a legal turn begins with this candidate. */
PLY_HD_EXTERN bool fived_turn_sat_is_viable(fived_turn_query *q, bool is_jump, uint32_t id);
/* Whether the turn under construction by fived_turn_query_each or _count can still be completed. */
PLY_HD_EXTERN bool fived_turn_sat_can_complete(fived_turn_query *q);

#endif
