/* SPDX-License-Identifier: MIT */
/*
 * formats.h - what the record formats of gomoku share.
 *
 * A reader replays the moves as it reads them, so every move of a record is legal in its position.
 * There is one exception in real records: Black plays a forbidden point. The reader then changes
 * the record's rules to forbidden=loses, under which the move is legal and loses.
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

/* Opens a reader at the root of a record, whose rules and start position are set. On success the
 * caller closes it. */
ply_status gomoku_reader_open(gomoku_reader *reader, ply_record *record, ply_cursor *cursor);
/* Adds a move after the current node and goes there. Errors are reported at at_move. */
ply_status gomoku_reader_add(gomoku_reader *reader, ply_cursor *at_move, ply_move move);
/* Parses a move (a cell, "pass" or "--") and adds it. */
ply_status gomoku_reader_parse(gomoku_reader *reader, ply_cursor *cursor);
/* Returns to an ancestor of the current node, `plies` moves after the root. */
void gomoku_reader_back(gomoku_reader *reader, uint32_t node, size_t plies);
void gomoku_reader_close(gomoku_reader *reader);
/* Where the file does not say how the game ended, takes the result from the board. */
ply_status gomoku_record_set_result(ply_record *record, ply_cursor *cursor);

/* Changes the board size in the record's rules; errors are reported at at_size. */
ply_status gomoku_record_resize(ply_record *record, ply_cursor *at_size, uint64_t width,
                                uint64_t height);
/* Returns the status. A failure without a message yet is reported at the cursor. */
ply_status gomoku_record_check(ply_cursor *cursor, ply_status status);
ply_status gomoku_record_tag(ply_record *record, ply_cursor *cursor, const char *name,
                             const char *value, size_t length);
/* For formats that cannot hold a start position: fails if the record has one. */
ply_status gomoku_record_check_start(const ply_record *record, const char *format,
                                     ply_error *error);

/* Reads a line and its end; *line is the text without white space at either end. Returns its
 * length. */
size_t gomoku_read_line(ply_cursor *cursor, const char **line);

/* SGF properties that become tags of another name. */
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
