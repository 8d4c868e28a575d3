/* SPDX-License-Identifier: MIT */
/* play.h - the memory of a multiverse as it grows; private to the rules and to devices. */
#ifndef PLY_GAMES_FIVED_RULES_PLAY_H
#define PLY_GAMES_FIVED_RULES_PLAY_H

#include "games/fived/fived.h"

PLY_HD_EXTERN ply_status fived_reserve_timelines(fived_multiverse *multiverse, uint32_t count);
PLY_HD_EXTERN ply_status fived_reserve_boards(fived_timeline *timeline, uint32_t count);
/* Makes room for one more board at the end of timeline l; fresh: it is a new timeline. */
PLY_HD_EXTERN ply_status fived_reserve_next(fived_position *p, int l, bool fresh);
/* Appends a board; fived_reserve_next has made room. */
PLY_HD_EXTERN void fived_append(fived_position *p, int l, int v, fived_board *board, bool fresh);

#endif
