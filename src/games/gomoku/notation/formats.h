/* SPDX-License-Identifier: MIT */
/*
 * formats.h - what the readers and writers of gomoku records share.
 *
 * A reader replays the moves as it reads them, so every move of a record is legal where it stands.
 * One thing real records hold that legal moves do not: Black playing a forbidden point. The reader
 * then changes the record's rules to forbidden=loses, under which that move is legal and loses.
 */
#ifndef PLY_GAMES_GOMOKU_NOTATION_FORMATS_H
#define PLY_GAMES_GOMOKU_NOTATION_FORMATS_H

#include "games/gomoku/gomoku.h"
#include <plyverse/record.h>

typedef struct gomoku_reader {
    ply_record *record;
    ply_state state; /* at `node` */
    uint32_t node;
} gomoku_reader;

/* Opens at the record's start; its rules and start must be set before. */
ply_status gomoku_reader_open(gomoku_reader *reader, ply_record *record, ply_cursor *cursor);
/* Adds a move behind the present node and goes there; errors stand at at_move. */
ply_status gomoku_reader_add(gomoku_reader *reader, ply_cursor *at_move, ply_move move);
/* Back to a node that has been passed on the way to the present one. */
void gomoku_reader_back(gomoku_reader *reader, uint32_t node, size_t plies);
void gomoku_reader_close(gomoku_reader *reader);
/* Where the file did not say how the game ended, what the board says. */
ply_status gomoku_record_set_result(ply_record *record, ply_cursor *cursor);

/* Changes the size of the board in the record's rules. */
ply_status gomoku_record_resize(ply_record *record, ply_cursor *at_size, uint64_t width,
                                uint64_t height);
/* PLY_OK as it is; another status becomes an error at the cursor if none is there yet. */
ply_status gomoku_record_check(ply_cursor *cursor, ply_status status);
ply_status gomoku_record_tag(ply_record *record, ply_cursor *cursor, const char *name,
                             const char *value, size_t length);
/* The record begins on an empty board; otherwise an error, for formats that cannot say more. */
ply_status gomoku_record_check_start(const ply_record *record, const char *format,
                                     ply_error *error);

/* Reads up to the end of the line and past it; the result is without blanks at its ends. */
size_t gomoku_read_line(ply_cursor *cursor, const char **line);

/* Properties of SGF that have a tag of another name. */
typedef struct gomoku_sgf_tag {
    const char *property, *tag;
} gomoku_sgf_tag;
enum { GOMOKU_SGF_TAGS = 9, GOMOKU_SGF_ID = 16 /* room for a property's name */ };
extern const gomoku_sgf_tag gomoku_sgf_tags[GOMOKU_SGF_TAGS];

extern const ply_format gomoku_formats[];
enum { GOMOKU_FORMATS = 5 };

ply_status gomoku_read_pos(ply_cursor *cursor, ply_record *record, bool *found);
ply_status gomoku_write_pos(const ply_record *record, ply_text *out, ply_error *error);
ply_status gomoku_read_sgf(ply_cursor *cursor, ply_record *record, bool *found);
ply_status gomoku_write_sgf(const ply_record *record, ply_text *out, ply_error *error);
ply_status gomoku_read_psq(ply_cursor *cursor, ply_record *record, bool *found);
ply_status gomoku_write_psq(const ply_record *record, ply_text *out, ply_error *error);
ply_status gomoku_read_rec(ply_cursor *cursor, ply_record *record, bool *found);
ply_status gomoku_write_rec(const ply_record *record, ply_text *out, ply_error *error);
ply_status gomoku_read_renjuxml(ply_cursor *cursor, ply_record *record, bool *found);
ply_status gomoku_write_renjuxml(const ply_record *record, ply_text *out, ply_error *error);

#endif
