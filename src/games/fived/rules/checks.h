/* SPDX-License-Identifier: MIT */
/*
 * checks.h - each check by itself, and where timelines branched off. For display, not for search.
 */
#ifndef PLY_GAMES_FIVED_RULES_CHECKS_H
#define PLY_GAMES_FIVED_RULES_CHECKS_H

#include "games/fived/fived.h"

/* An enemy piece that could capture a royal piece of the player to move. */
typedef struct fived_threat {
    int from_l, from_v, from_x, from_y;
    int to_l, to_v, to_x, to_y;
} fived_threat;

typedef void fived_threat_visitor(void *context, const fived_threat *threat);

/* Calls visit with every threat against the player to move if the boards that are due pass. */
void fived_visit_threats(const ply_rules *rules, const fived_position *p,
                         fived_threat_visitor *visit, void *context);

/*
 * The timeline that timeline l branched off from, one half-turn before its first board. False if
 * none fits, as for the timelines of the start.
 */
bool fived_timeline_origin(const fived_position *p, int l, int *from_l);

#endif
