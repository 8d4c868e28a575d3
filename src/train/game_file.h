/* SPDX-License-Identifier: MIT */
/*
 * game_file.h - games that the engine played against itself, in a compact binary file.
 *
 *     file     "PLYGAME1", u32 bytes of the header, header, records
 *     header   lines of text: "game ID", one "variant TEXT" each, then how the games were played
 *     record   varint bytes of the payload, payload, u32 checksum of the payload
 *     payload  varint game number              counting from 0 without gaps
 *              varint variant                  which of the header's
 *              varint result + 4 * ending      ply_result, train_ending
 *              varint plies of the opening
 *              varint plies, opening included
 *              varint bytes of the start, start    the position's text; none: the usual start
 *              plies varints                   each move: its number in the list of legal moves
 *              varints                         a score for each ply after the opening
 *              u32 low half of the key of the final position
 *
 * Numbers are little-endian; a varint has 7 bits per byte, the low ones first, and the top bit set
 * on all bytes but the last. A score is from the point of view of the player who moves, and is
 * written as its difference to the score two plies before (0 before the first two), zigzag-coded:
 * 0, -1, 1, -2 become 0, 1, 2, 3. A ply takes about two bytes. Because a move is a number in the
 * list of legal moves, a file can be replayed only by a program that lists them in the same order;
 * the key of the final position tells.
 *
 * An object may be used by one thread at a time.
 */
#ifndef PLY_TRAIN_GAME_FILE_H
#define PLY_TRAIN_GAME_FILE_H

#include <plyverse/state.h>
#include <stdio.h>

enum {
    TRAIN_MAX_VARIANTS = 16,
    TRAIN_MAX_SCORE = 32000, /* scores are clamped to this */
    TRAIN_MAX_HEADER = 4096,
    TRAIN_MAX_RECORD = 1 << 20,
};

/* Why a game ended. */
typedef enum train_ending {
    TRAIN_BY_RULE,
    TRAIN_FORCED,    /* the search saw a forced win or loss */
    TRAIN_KNOWN,     /* an endgame tablebase has the position */
    TRAIN_RESIGNED,  /* the scores said for long that one side wins */
    TRAIN_AGREED,    /* the scores said for long that neither does, or did not change */
    TRAIN_MAX_PLIES, /* too long: drawn */
    TRAIN_ENDINGS,
} train_ending;

/* Owns its arrays; zeroed memory is an empty game, train_game_free releases them. */
typedef struct train_game {
    uint64_t number;
    uint32_t variant;
    ply_result result; /* never PLY_ONGOING */
    train_ending ending;
    size_t opening, plies;
    char *start;     /* NUL-terminated; "" or NULL: the usual start position */
    uint32_t *moves; /* one per ply */
    int32_t *scores; /* one per ply; 0 during the opening */
    uint32_t final_key;
    size_t start_capacity, move_capacity, score_capacity;
} train_game;

void train_game_free(train_game *game);
/* Appends a ply; false when memory runs out. */
bool train_game_add(train_game *game, uint32_t move, int32_t score);
/* Sets the text of the start position; false when memory runs out. */
bool train_game_set_start(train_game *game, const char *text, size_t length);
/* Appends the game's record; check out->failed. */
void train_game_encode(const train_game *game, ply_text *out);
/*
 * Decodes a payload. On failure (PLY_BAD_TEXT, PLY_NO_MEMORY) the game is valid but meaningless,
 * and error, which may be NULL, says what is wrong.
 */
ply_status train_game_decode(train_game *game, const uint8_t *bytes, size_t count,
                             ply_error *error);
/*
 * Replaying a game on a state of the right rules: begin sets up its start position, move gives the
 * next move, which the caller plays, and check_end makes sure that the last position is the one the
 * game ended with. They fail with PLY_BAD_TEXT and a message when the game does not fit the rules.
 */
ply_status train_game_begin(const train_game *game, ply_state *state, ply_error *error);
ply_status train_game_move(const train_game *game, const ply_state *state, ply_move *move,
                           ply_error *error);
ply_status train_game_check_end(const train_game *game, const ply_state *state, ply_error *error);

/* A file being read. */
typedef struct train_game_file {
    FILE *stream; /* not owned */
    char header[TRAIN_MAX_HEADER];
    char game_id[64];
    char variants[TRAIN_MAX_VARIANTS][256];
    size_t variant_count;
    uint64_t games; /* read so far */
    long end;       /* offset of the end of the last complete game */
    uint8_t *record;
    size_t record_capacity;
} train_game_file;

/* Writes magic and header, which must be shorter than TRAIN_MAX_HEADER. */
void train_game_file_encode_header(const char *header, ply_text *out);
/*
 * Reads the header; the stream must stay open while the object is in use. PLY_BAD_TEXT with a
 * message when it is not one of our files. train_game_file_close is needed either way.
 */
ply_status train_game_file_open(train_game_file *file, FILE *stream, ply_error *error);
/* Frees what the object owns; does not close the stream. */
void train_game_file_close(train_game_file *file);
/*
 * Reads the next game. At the end of the file *found is false and the status PLY_OK. A record that
 * is cut short or damaged is PLY_BAD_TEXT with a message that gives its number.
 */
ply_status train_game_file_next(train_game_file *file, train_game *game, bool *found,
                                ply_error *error);

#endif
