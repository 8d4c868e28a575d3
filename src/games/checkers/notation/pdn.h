/* SPDX-License-Identifier: MIT */
/*
 * pdn.h - Portable Draughts Notation 3.0, the record format of checkers.
 *
 * Shared by the reader and the writer: game types, results and annotations. A result is written
 * from White's point of view, whoever moves first: 1-0 means that White won.
 */
#ifndef PLY_GAMES_CHECKERS_NOTATION_PDN_H
#define PLY_GAMES_CHECKERS_NOTATION_PDN_H

#include "games/checkers/checkers.h"

/*
 * Makes the rules that a GameType names, such as "25" or "21,B,8,8,N1,0". Fails with the reason
 * when it is malformed or names a game that is not played on 8x8 squares.
 */
ply_status checkers_gametype_read(const char *text, size_t length, ply_rules *rules,
                                  ply_error *error);
/* Writes the full GameType of the rules. */
void checkers_gametype_write(const ply_rules *rules, ply_text *out);

/* Reads a result such as 1-0 or 1/2-1/2; false when it is not one. */
bool checkers_result_read(const ply_rules *rules, const char *text, size_t length,
                          ply_result *result);
const char *checkers_result_text(const ply_rules *rules, ply_result result);

/*
 * Move annotations. ! ? !! ?? !? ?! are numeric annotation glyphs (NAGs) 1 to 6. In parentheses
 * they are kept as 201 to 206, which no standard uses. A '*' right after a move (forced) is 7.
 */
enum { CHECKERS_NAG_FORCED = 7, CHECKERS_NAG_PARENTHESES = 200 };
extern const char *const checkers_annotations[7]; /* by NAG; [0] is NULL */

/* Skips white space and lines that start with %. */
void checkers_pdn_skip_space(ply_cursor *cursor);
/* Reads a quoted string, in which \" stands for a quote. */
ply_status checkers_pdn_take_string(ply_cursor *cursor, ply_text *out);
/* The length of an annotation such as "!?" or "(!?)" at the cursor; 0: none. */
size_t checkers_pdn_annotation_length(const ply_cursor *cursor);
/*
 * Copies a move into a buffer, without spaces around its separators, and moves the cursor past it.
 * Returns the length, or 0 if there is no move here.
 */
size_t checkers_pdn_take_move(ply_cursor *cursor, char *buffer, size_t size);
/* Appends text as UTF-8; text that is not valid UTF-8 is read as Latin-1. */
void checkers_append_utf8(ply_text *out, const char *text, size_t length);

/*
 * The readings of the ambiguous captures of a game, in the order of the text: which of its moves
 * each one is. The reader adds those that it meets for the first time, as reading 0.
 */
enum { CHECKERS_MAX_AMBIGUOUS = 32 };
typedef struct checkers_readings {
    uint8_t choice[CHECKERS_MAX_AMBIGUOUS];
    uint8_t count[CHECKERS_MAX_AMBIGUOUS]; /* of the moves to choose from */
    ply_cursor at[CHECKERS_MAX_AMBIGUOUS]; /* the captures, for error messages */
    size_t used;
} checkers_readings;

/* Reads a game with the given readings (pdn_read.c); the cursor is at its first byte. */
ply_status checkers_pdn_read_game(ply_cursor *cursor, ply_record *record,
                                  checkers_readings *readings);

/* The format pdn; see ply_format (pdn_format.c). */
ply_status checkers_pdn_read(ply_cursor *cursor, ply_record *record, bool *found);
ply_status checkers_pdn_write(const ply_record *record, ply_text *out, ply_error *error);
/* The format fen: positions, one per line. Writes the last position of the main variation. */
ply_status checkers_fen_read(ply_cursor *cursor, ply_record *record, bool *found);
ply_status checkers_fen_write(const ply_record *record, ply_text *out, ply_error *error);

#endif
