/* SPDX-License-Identifier: MIT */
/* checks.h - checks one by one, and where lines branched off. For looking, not for searching. */
#ifndef PLY_GAMES_FIVED_RULES_CHECKS_H
#define PLY_GAMES_FIVED_RULES_CHECKS_H

#include "games/fived/fived.h"

/* An enemy piece that could capture a royal piece of the player's: boards by line and v. */
typedef struct fived_threat {
    int from_l, from_v, from_x, from_y;
    int to_l, to_v, to_x, to_y;
} fived_threat;

typedef void fived_visit_threat(void *context, const fived_threat *threat);

/* Every threat against the player to move if the boards that are due pass. */
void fived_visit_threats(const ply_rules *rules, const fived_position *p, fived_visit_threat *visit,
                         void *context);

/* The line on which line l was made, at the half turn before its first board; false if none fits,
 * as with lines of the start. */
bool fived_line_origin(const fived_position *p, int l, int *from_l);

#endif
