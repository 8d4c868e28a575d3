/* SPDX-License-Identifier: MIT */
/* position_text.h - the pieces of notation that 5DFEN, moves and 5DPGN share. */
#ifndef PLY_GAMES_FIVED_NOTATION_POSITION_TEXT_H
#define PLY_GAMES_FIVED_NOTATION_POSITION_TEXT_H

#include "games/fived/fived.h"

/* The letter of a kind, a capital; ' ' for none. */
char fived_kind_letter(fived_kind kind);
/* The kind of a letter of either case, or FIVED_NONE. */
fived_kind fived_letter_kind(int c);

/* A line as it is written: -0 and 0 are different until it is known that the start was even. */
typedef struct fived_line_name {
    int number;
    bool negative, positive;
} fived_line_name;

/* Reads [+-]digits; false, with nothing read, if they are not there. */
bool fived_parse_line(ply_cursor *cursor, fived_line_name *name);
int fived_line_number(fived_line_name name, bool even);
void fived_format_line(const fived_position *p, int l, ply_text *out);
void fived_format_board(const fived_position *p, const fived_board *b, ply_text *out);
/* (LTt)xy */
void fived_format_spot(const fived_position *p, fived_spot spot, ply_text *out);

#endif
