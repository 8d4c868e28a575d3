/* SPDX-License-Identifier: MIT */
/* pgn.h - record formats of 5D chess. */
#ifndef PLY_GAMES_FIVED_NOTATION_PGN_H
#define PLY_GAMES_FIVED_NOTATION_PGN_H

#include "games/fived/notation/move_text.h"
#include <plyverse/record.h>

enum { FIVED_FORMATS = 4 };
extern const ply_format fived_formats[FIVED_FORMATS];

ply_status fived_pgn_read(ply_cursor *cursor, ply_record *record, bool *found);

/* The variant of that name or id, or NULL; case and signs do not matter. */
const ply_variant *fived_variant_named(const char *name);

/* Writes a move as 5DPGN has it; mates and checks are marked by who writes the turn. */
void fived_format_pgn_move(const fived_search *s, ply_move move, ply_text *out);

#endif
