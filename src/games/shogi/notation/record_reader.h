/* SPDX-License-Identifier: MIT */
/*
 * record_reader.h - what the readers and writers of the shogi record formats share.
 *
 * Kifu is the Japanese word for a game record; functions and types with kifu in their name deal
 * with records in any of the formats.
 *
 * A reader works line by line. Lines are UTF-8 or Shift_JIS (code page 932); the encoding is
 * detected. They are presented as UTF-8 under a cursor that knows its line and column, so every
 * error has a location. Moves are checked and played as they are read. A move that the record
 * already has below the current node is followed, not added a second time.
 *
 * Functions that return ply_status report their error at the cursor they are given, or at the
 * current line. A reader is used by one thread at a time.
 */
#ifndef PLY_GAMES_SHOGI_NOTATION_RECORD_READER_H
#define PLY_GAMES_SHOGI_NOTATION_RECORD_READER_H

#include "games/shogi/shogi.h"
#include <plyverse/record.h>

typedef struct kifu_reader {
    ply_cursor *file;
    ply_record *record;
    ply_state state; /* the state at the current node */
    bool has_state;
    uint32_t node;
    bool shift_jis;
    ply_text converted; /* the current line, if it had to be converted */
    ply_cursor line;    /* the current line without its line ending */
    /*
     * An illegal move that was set aside because the file may go on to call it illegal, which ends
     * the game. status is PLY_OK if there is none.
     */
    ply_error illegal;
    ply_cursor before; /* the file before the current line, for shogi_kifu_unread_line */
} kifu_reader;

/* Detects the encoding and skips a byte order mark. Every open reader must be closed. */
void shogi_kifu_open(kifu_reader *r, ply_cursor *file, ply_record *record);
void shogi_kifu_close(kifu_reader *r);
/*
 * Reads the next line into r->line; *more is false at the end of the file. Fails if the bytes are
 * not text in the detected encoding.
 */
ply_status shogi_kifu_next_line(kifu_reader *r, bool *more);
/* Makes shogi_kifu_next_line return the current line again. */
void shogi_kifu_unread_line(kifu_reader *r);
/* Skips spaces, tabs and full-width spaces; returns whether there were any. */
bool shogi_kifu_skip_space(ply_cursor *c);
/* Takes the rest of a line; *rest and the result delimit it without surrounding spaces. */
size_t shogi_kifu_trimmed_rest(ply_cursor *c, const char **rest);

/* Sets the start of the game: the variant that starts there, or else the position as text. */
ply_status shogi_kifu_set_start(kifu_reader *r, const shogi_position *p);
/* Makes r->state from the record's start unless it exists already. */
ply_status shogi_kifu_ensure_state(kifu_reader *r);
/* Adds a move below the current node and plays it. Fails at `at` if it is illegal. */
ply_status shogi_kifu_add_move(kifu_reader *r, ply_move move, ply_cursor *at);
/* Takes moves back until at most `plies` have been played. */
void shogi_kifu_rewind(kifu_reader *r, size_t plies);
/* Appends a line to the comment of the current node. */
ply_status shogi_kifu_add_comment(kifu_reader *r, const char *text, size_t length);
/* Passes PLY_OK through; reports any other status at the cursor, with its standard text. */
ply_status shogi_kifu_check(ply_cursor *c, ply_status status);
/*
 * What to do when shogi_kifu_add_move has failed: sets an illegal move aside in r->illegal, adds it
 * to the comment and returns PLY_OK; passes any other status through.
 */
ply_status shogi_kifu_defer_illegal(kifu_reader *r, ply_status status, const ply_cursor *at);
/* Reports the move that was set aside as the error after all. */
ply_status shogi_kifu_report_illegal(const kifu_reader *r, ply_cursor *c);
/* The move that led to the current node, or PLY_MOVE_NONE. */
ply_move shogi_kifu_last_move(const kifu_reader *r);

/* --- endings -------------------------------------------------------------------------------- */
typedef enum kifu_effect {
    KIFU_UNDECIDED, /* no result */
    KIFU_DRAW,
    KIFU_LOSS, /* the player to move loses */
    KIFU_WIN,
} kifu_effect;

typedef struct kifu_ending {
    const char *id;    /* as in ply_record.ending */
    const char *kanji; /* the KIF word */
    const char *csa;   /* the CSA word without %, or NULL */
    kifu_effect effect;
} kifu_ending;

/*
 * Look up the word of a file; NULL if it is unknown. For CSA's +ILLEGAL_ACTION and -ILLEGAL_ACTION
 * *turn, the player to move, is set to the player at fault.
 */
const kifu_ending *shogi_kifu_ending_by_kanji(const char *word, size_t length);
const kifu_ending *shogi_kifu_ending_by_csa(const char *word, size_t length, int *turn);
/* The ending of a record with `turn` to move; NULL if there is nothing to write. */
const kifu_ending *shogi_kifu_ending_of(const ply_record *record, int turn);
ply_status shogi_kifu_set_ending(ply_record *record, const kifu_ending *ending, int turn);

/* --- names ---------------------------------------------------------------------------------- */
/*
 * Tags have the same name in all records (Black, White, Event, ...) and another in each format. The
 * to_ functions return the name itself, the from_ functions NULL, if the tag is not known.
 */
const char *shogi_kifu_tag_from_kanji(const char *name, size_t length);
const char *shogi_kifu_tag_to_kanji(const char *name);
const char *shogi_kifu_tag_from_csa(const char *name, size_t length);
const char *shogi_kifu_tag_to_csa(const char *name);

/* The standard start and the handicaps have a word in KIF and another in JKF. */
const ply_variant *shogi_kifu_variant_by_kanji(const char *word, size_t length);
const ply_variant *shogi_kifu_variant_by_jkf(const char *word, size_t length);
const char *shogi_kifu_variant_kanji(const ply_variant *variant); /* NULL if it has none */
const char *shogi_kifu_variant_jkf(const ply_variant *variant);
/* The variant whose start position the record has, or NULL. */
const ply_variant *shogi_kifu_start_variant(const ply_record *record);
const ply_variant *shogi_variant_at(size_t i); /* in shogi.c; NULL past the end */

/* --- moves in kanji (japanese_text.c) ------------------------------------------------------- */
/* The piece that a move moves: a code without owner, before any promotion. */
int shogi_kifu_moved_piece(const shogi_position *p, ply_move move);
/* Other pieces of the player to move with the same code that also attack the target square. */
shogi_set shogi_kifu_rivals(const shogi_position *p, ply_move move);
/* Whether the move could promote or decline to: the piece can promote and touches the zone. */
bool shogi_kifu_may_promote(const shogi_position *p, ply_move move);
/* 右左直上寄引 or 打: the words by which KI2 tells a move from similar ones. */
void shogi_kifu_format_relative(const shogi_position *p, ply_move move, ply_text *out);
/* ７六歩(77) for KIF and ７六歩右 for KI2. last is the previous move, for 同. */
void shogi_kifu_format_kif_move(const shogi_position *p, ply_move move, ply_move last,
                                ply_text *out);
void shogi_kifu_format_ki2_move(const shogi_position *p, ply_move move, ply_move last,
                                ply_text *out);
/*
 * Parses a move of either notation. If the origin is given, or the move is a drop, it need not be
 * legal; otherwise it is the one legal move that matches. Fails at the cursor with the reason.
 */
ply_status shogi_kifu_parse_kanji_move(const shogi_position *p, ply_cursor *c, ply_move last,
                                       ply_move *move);

/* A board diagram with hands and the player to move, which KIF uses for other starts. */
typedef struct kifu_diagram {
    shogi_position position;
    bool present; /* a line of the board or a hand has been read */
    int ranks;    /* lines of the board so far */
} kifu_diagram;

void shogi_kifu_diagram_init(kifu_diagram *d);
/* Reads the line if it belongs to a diagram; if not, sets *used to false and leaves the cursor. */
ply_status shogi_kifu_diagram_line(kifu_diagram *d, ply_cursor *c, bool *used);
/* Checks the diagram and completes d->position. */
ply_status shogi_kifu_diagram_finish(kifu_diagram *d, ply_cursor *c);
void shogi_kifu_format_diagram(const shogi_position *p, ply_text *out);

/* --- the formats ---------------------------------------------------------------------------- */
extern const ply_format shogi_formats[];
enum { SHOGI_FORMATS = 10 };
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
ply_status shogi_kifu_read_saved(ply_cursor *cursor, ply_record *record, bool *found);
ply_status shogi_kifu_write_saved(const ply_record *record, ply_text *out, ply_error *error);
ply_status shogi_kifu_read_western(ply_cursor *cursor, ply_record *record, bool *found);
ply_status shogi_kifu_write_western(const ply_record *record, ply_text *out, ply_error *error);

/* --- writing ---------------------------------------------------------------------------------- */
/* Each line of a comment, with `mark` in front. comment may be NULL. */
void shogi_kifu_write_comment(const char *comment, const char *mark, ply_text *out);
/* Text with its line ends replaced by spaces. */
void shogi_kifu_write_one_line(const char *text, ply_text *out);

#endif
