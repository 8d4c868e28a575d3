/* SPDX-License-Identifier: MIT */
/* pgn.h - the record formats of 5D chess. */
#ifndef PLY_GAMES_FIVED_NOTATION_PGN_H
#define PLY_GAMES_FIVED_NOTATION_PGN_H

#include "games/fived/notation/move_text.h"
#include <ctype.h>
#include <plyverse/record.h>

enum { FIVED_FORMATS = 4 };
extern const ply_format fived_formats[FIVED_FORMATS];

/* Reads one game; *found: there was one. */
ply_status fived_pgn_read(ply_cursor *cursor, ply_record *record, bool *found);

/* Whether a byte may be part of a header's name: letters, digits, _, - and UTF-8. */
static inline bool fived_is_tag_byte(int c)
{
    return c >= 128 || isalnum(c) || c == '_' || c == '-';
}

/* Compares letters and digits, ignoring case and everything else. */
bool fived_same_name(const char *a, const char *b);

/* The variant of that name or id, or NULL; case and punctuation do not matter. */
const ply_variant *fived_variant_named(const char *name);

/*
 * Writes a move in 5DPGN notation, without the marks for check and mate, which need the whole
 * turn. The query, prepared for the position, tells whether other pieces could make the same move;
 * it may be NULL where fived_pgn_move_needs_query says so, and preparing one for each move of a
 * large multiverse takes long.
 */
void fived_format_pgn_move(const fived_position *p, const fived_turn_query *q, ply_move move,
                           ply_text *out);
bool fived_pgn_move_needs_query(const fived_position *p, ply_move move);

#endif
