/* SPDX-License-Identifier: MIT */
/*
 * turn_sat.h - turns of positions in which almost nothing is legal, as a question to sat_solver.h.
 *
 * The plain search (legal_turns.c) tries choices in the order of tightness and forgets why they failed.
 * Where many boards hang together by many threats it can fail for the same reason again and again.
 * Then the position is put into clauses once:
 *
 *     pass a | inner m | leave a,s | hop j      what end board a gets: one of these
 *     branch i, place a,n                       board a is left by branch i; it makes new line n
 *     used n                                    new line n is made; if so, those before it are
 *     shift                                     a new active line moves the present back
 *
 * and threats are added as they are found: an assignment that is about to be accepted is played
 * into the view, and every capture of a royal piece in it becomes a clause over what it needs of
 * the boards that the turn makes: the attacker on its square, the squares between empty, the royal
 * piece there. Each of these is a variable that is forced by every value that has it, so a clause
 * cuts off all turns with the same threat, whatever else they do. (Others call it a slice of the
 * hypercuboid of turns.)
 */
#ifndef PLY_GAMES_FIVED_TURNS_TURN_SAT_H
#define PLY_GAMES_FIVED_TURNS_TURN_SAT_H

#include "games/fived/turns/legal_turns.h"
#include "games/fived/turns/sat_solver.h"

typedef struct fived_tangle fived_tangle;

void fived_tangle_free(fived_tangle *t);

/* All of these make s->tangle, if need be, from the search, which has been prepared. */

/* Whether there is a legal turn; no_shift: one that does not move the present back. */
bool fived_tangle_exists(fived_search *s, bool no_shift);
/* Whether a legal turn begins with this candidate. */
bool fived_tangle_viable(fived_search *s, bool is_jump, uint32_t id);
/* Whether the turn under way in fived_search_each or _count can still become a legal one. */
bool fived_tangle_completes(fived_search *s);

#endif
