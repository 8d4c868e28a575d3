/* SPDX-License-Identifier: MIT */
/*
 * pdn.h - Portable Draughts Notation 3.0, the record format of checkers.
 *
 * What the reader and the writer share: game types, results and marks of moves. Results are those
 * of the White pieces first, whoever starts: 1-0 means that White won.
 */
#ifndef PLY_GAMES_CHECKERS_NOTATION_PDN_H
#define PLY_GAMES_CHECKERS_NOTATION_PDN_H

#include "games/checkers/checkers.h"

/*
 * The rules that a GameType names, such as "25" or "21,B,8,8,N1,0". Fails with a message when it
 * does not read, or names a game that is not played on 8x8 squares.
 */
ply_status checkers_gametype_read(const char *text, size_t length, ply_rules *rules,
                                  ply_error *error);
/* The GameType of the rules, in full. */
void checkers_gametype_write(const ply_rules *rules, ply_text *out);

/* White's result in words, as ply_result of these rules; false for words that are none. */
bool checkers_result_read(const ply_rules *rules, const char *text, size_t length,
                          ply_result *result);
const char *checkers_result_text(const ply_rules *rules, ply_result result);

/*
 * Marks of strength behind a move. ! ? !! ?? !? ?! are the glyphs 1 to 6; in brackets they are 201
 * to 206, which no list of glyphs uses; a * right behind a move (forced) is 7.
 */
enum { CHECKERS_NAG_FORCED = 7, CHECKERS_NAG_BRACKET = 200 };
extern const char *const checkers_strengths[7]; /* by glyph; [0] is NULL */

/* Appends text that is UTF-8, or else is taken for Latin-1, as UTF-8. */
void checkers_append_utf8(ply_text *out, const char *text, size_t length);

ply_status checkers_pdn_read(ply_cursor *cursor, ply_record *record, bool *found);
ply_status checkers_pdn_write(const ply_record *record, ply_text *out, ply_error *error);
/* Positions alone, one a line; written: the last of the main line. */
ply_status checkers_fen_read(ply_cursor *cursor, ply_record *record, bool *found);
ply_status checkers_fen_write(const ply_record *record, ply_text *out, ply_error *error);

#endif
