/* SPDX-License-Identifier: MIT */
/*
 * record_reader.h - what the readers and writers of game records share.
 *
 * A reader goes through a file line by line. Lines are UTF-8 or Shift_JIS (code page 932, told
 * apart by looking) and come out as UTF-8 under a cursor that knows its line and column, so every
 * failure says where. Moves are checked and played as they come; a node that exists already is
 * walked, not added twice.
 */
#ifndef PLY_GAMES_SHOGI_NOTATION_RECORD_READER_H
#define PLY_GAMES_SHOGI_NOTATION_RECORD_READER_H

#include "games/shogi/shogi.h"
#include <plyverse/record.h>

typedef struct kifu_reader {
    ply_cursor *file;
    ply_record *record;
    ply_state state; /* at the current node; rules are the record's */
    bool has_state;
    uint32_t node;
    bool shift_jis;
    ply_text converted; /* the line, where it had to be converted */
    ply_cursor line;    /* the line without its end */
    ply_cursor before;  /* the file before the line, to put it back */
} kifu_reader;

/* Looks at the encoding of what follows. Every reader that is opened is closed. */
void shogi_kifu_open(kifu_reader *r, ply_cursor *file, ply_record *record);
void shogi_kifu_close(kifu_reader *r);
/* The next line into r->line; *more false at the end. Fails where bytes are no text. */
ply_status shogi_kifu_next_line(kifu_reader *r, bool *more);
/* The line will be read again. */
void shogi_kifu_put_back(kifu_reader *r);
/* Takes blanks, tabs and full-width blanks; returns whether there were any. */
bool shogi_kifu_skip_blanks(ply_cursor *c);
/* The rest of a line without blanks around it. */
size_t shogi_kifu_rest(ply_cursor *c, const char **rest);

/* Sets where the game starts: the variant that starts so, or the position's text. */
ply_status shogi_kifu_set_start(kifu_reader *r, const shogi_position *p);
/* The state, made from the record's start when first asked for. */
ply_status shogi_kifu_need_state(kifu_reader *r);
/* Plays a move below the current node. Fails at `at` if it is not legal. */
ply_status shogi_kifu_add_move(kifu_reader *r, ply_move move, ply_cursor *at);
/* Goes back (or stays) so that `plies` moves have been played. */
void shogi_kifu_go_back(kifu_reader *r, size_t plies);
/* Adds a line to the comment of the current node. */
ply_status shogi_kifu_add_comment(kifu_reader *r, const char *text, size_t length);
ply_status shogi_kifu_no_memory(ply_cursor *c, ply_status status);
/* The move that led to the current node, or PLY_MOVE_NONE. */
ply_move shogi_kifu_last_move(const kifu_reader *r);

/* --- endings -------------------------------------------------------------------------------- */
typedef enum kifu_effect {
    KIFU_OPEN, /* nobody wins */
    KIFU_DRAW,
    KIFU_LOSS, /* the player to move loses */
    KIFU_WIN,
} kifu_effect;

typedef struct kifu_ending {
    const char *id;    /* in ply_record.ending */
    const char *kanji; /* in KIF */
    const char *csa;   /* after %, or NULL */
    kifu_effect effect;
} kifu_ending;

/* By what a file says; NULL for none such. */
const kifu_ending *shogi_kifu_ending_by_kanji(const char *word, size_t length);
const kifu_ending *shogi_kifu_ending_by_csa(const char *word, size_t length);
/* How to write a record's ending with `turn` to move; NULL where there is nothing to say. */
const kifu_ending *shogi_kifu_ending_of(const ply_record *record, int turn);
ply_status shogi_kifu_set_ending(ply_record *record, const kifu_ending *ending, int turn);

/* --- names ---------------------------------------------------------------------------------- */
/* Tags have one name in records whatever the format: Black, White, Event, ... */
const char *shogi_kifu_tag_from_kanji(const char *name, size_t length);
const char *shogi_kifu_tag_to_kanji(const char *name);
const char *shogi_kifu_tag_from_csa(const char *name, size_t length);
const char *shogi_kifu_tag_to_csa(const char *name);

/* Starts have a word in KIF and another in JKF. */
const ply_variant *shogi_kifu_variant_by_kanji(const char *word, size_t length);
const ply_variant *shogi_kifu_variant_by_jkf(const char *word, size_t length);
const char *shogi_kifu_variant_kanji(const ply_variant *variant); /* NULL for none */
const char *shogi_kifu_variant_jkf(const ply_variant *variant);
/* The variant whose usual start a record has, or NULL. */
const ply_variant *shogi_kifu_start_variant(const ply_record *record);
const ply_variant *shogi_variant_at(size_t i); /* NULL past the end; in shogi.c */

/* --- moves in kanji (japanese_text.c) --------------------------------------------------------------- */
/* The piece that a move moves, as a code without owner, before promotion. */
int shogi_kifu_moved_code(const shogi_position *p, ply_move move);
/* 右左直 and 上寄引, or 打: what tells a move from others like it, as KI2 needs it. */
void shogi_kifu_format_relative(const shogi_position *p, ply_move move, ply_text *out);
/* ７六歩(77) and ７六歩右: last is the move before, for 同. */
void shogi_kifu_format_kif_move(const shogi_position *p, ply_move move, ply_move last,
                                ply_text *out);
void shogi_kifu_format_ki2_move(const shogi_position *p, ply_move move, ply_move last,
                                ply_text *out);
/*
 * Reads a move of either sort. PLY_OK with *move set, legal or not when the origin is given; else
 * the one legal move that it can mean. Fails at the cursor with the reason.
 */
ply_status shogi_kifu_parse_kanji_move(const shogi_position *p, ply_cursor *c, ply_move last,
                                       ply_move *move);

/* A board drawn with |, hands and the side to move: reading it line by line, and writing it. */
typedef struct kifu_diagram {
    shogi_position position;
    bool seen;
    int ranks; /* lines of the board so far */
} kifu_diagram;

void shogi_kifu_diagram_init(kifu_diagram *d);
/* Reads the line if it belongs to a diagram; *used says whether it did. */
ply_status shogi_kifu_diagram_line(kifu_diagram *d, ply_cursor *c, bool *used);
ply_status shogi_kifu_diagram_finish(kifu_diagram *d, ply_cursor *c);
void shogi_kifu_format_diagram(const shogi_position *p, ply_text *out);

/* --- the formats ---------------------------------------------------------------------------- */
extern const ply_format shogi_formats[];
enum { SHOGI_FORMATS = 9 };
ply_status shogi_kifu_read_kif(ply_cursor *cursor, ply_record *record, bool *found);
ply_status shogi_kifu_write_kif(const ply_record *record, ply_text *out, ply_error *error);
ply_status shogi_kifu_read_ki2(ply_cursor *cursor, ply_record *record, bool *found);
ply_status shogi_kifu_write_ki2(const ply_record *record, ply_text *out, ply_error *error);
ply_status shogi_kifu_read_csa(ply_cursor *cursor, ply_record *record, bool *found);
ply_status shogi_kifu_write_csa(const ply_record *record, ply_text *out, ply_error *error);
ply_status shogi_kifu_read_jkf(ply_cursor *cursor, ply_record *record, bool *found);
ply_status shogi_kifu_write_jkf(const ply_record *record, ply_text *out, ply_error *error);
ply_status shogi_kifu_read_usi(ply_cursor *cursor, ply_record *record, bool *found);
ply_status shogi_kifu_write_usi(const ply_record *record, ply_text *out, ply_error *error);
ply_status shogi_kifu_read_sfen(ply_cursor *cursor, ply_record *record, bool *found);
ply_status shogi_kifu_write_sfen(const ply_record *record, ply_text *out, ply_error *error);
ply_status shogi_kifu_read_western(ply_cursor *cursor, ply_record *record, bool *found);
ply_status shogi_kifu_write_western(const ply_record *record, ply_text *out, ply_error *error);

/* Parts of KIF that KI2 has too: the header, 変化 and comments. */
ply_status shogi_kifu_write_header(const ply_record *record, const shogi_position *start,
                                   ply_text *out);
void shogi_kifu_write_comment(const char *comment, const char *mark, ply_text *out);
void shogi_kifu_write_summary(const ply_record *record, size_t plies, int turn, ply_text *out);

typedef enum kifu_line_kind {
    KIFU_LINE_DONE,  /* dealt with */
    KIFU_LINE_MOVES, /* moves, for the format to read */
    KIFU_LINE_NEXT,  /* belongs to the next game */
} kifu_line_kind;

typedef struct kifu_header {
    kifu_diagram diagram;
    bool started;   /* moves have begun */
    bool variation; /* after 変化 */
    bool has_handicap;
    bool needs_diagram;  /* the handicap's word says nothing */
    ply_cursor handicap; /* where that was */
    ply_error illegal;   /* of a move that the file goes on to call illegal; status PLY_OK: none */
} kifu_header;

ply_status shogi_kifu_common_line(kifu_reader *r, kifu_header *h, kifu_line_kind *kind);
/* Makes the start from what the header said, before the first move. */
ply_status shogi_kifu_begin_moves(kifu_reader *r, kifu_header *h);

#endif
