/* SPDX-License-Identifier: MIT */
/* position_text.h - the parts of the notation that 5DFEN, moves and 5DPGN share. */
#ifndef PLY_GAMES_FIVED_NOTATION_POSITION_TEXT_H
#define PLY_GAMES_FIVED_NOTATION_POSITION_TEXT_H

#include "games/fived/fived.h"

/* The kind of a letter of either case, or FIVED_NONE. */
fived_kind fived_letter_kind(int c);

/* A timeline as written. -0 and 0 differ until it is known whether the start was even. */
typedef struct fived_timeline_name {
    int number;
    bool negative, positive;
} fived_timeline_name;

/* Reads [+-]digits. False, with nothing read, if they are not there. */
bool fived_parse_timeline(ply_cursor *cursor, fived_timeline_name *name);
/* The l of a timeline; even: the game started with an even number of timelines. */
int fived_timeline_number(fived_timeline_name name, bool even);
void fived_format_board(const fived_position *p, const fived_board *b, ply_text *out);
/* (LTt)xy */
void fived_format_location(const fived_position *p, fived_location spot, ply_text *out);

#endif
