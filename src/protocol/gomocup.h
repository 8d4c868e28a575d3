/* SPDX-License-Identifier: MIT */
/*
 * gomocup.h - the parts of the Gomocup protocol: commands (gomocup.c), settings
 * (gomocup_info.c), the board (gomocup_board.c) and the jobs that take more than one search
 * (gomocup_swap2.c).
 *
 * Points are x,y as in wire/gomocup_rules.h.
 */
#ifndef PLY_PROTOCOL_GOMOCUP_H
#define PLY_PROTOCOL_GOMOCUP_H

#include "protocol/session_internal.h"

enum { GOMOCUP_SIDE = 32, GOMOCUP_CELLS = GOMOCUP_SIDE * GOMOCUP_SIDE };
enum { GOMOCUP_KIB_PER_MIB_BITS = 10 };
#define GOMOCUP_UNLIMITED UINT64_C(2147483647) /* time_left without a limit */

/* The purpose of a job. */
enum gomocup_purpose {
    GOMOCUP_PLAY,
    GOMOCUP_SWAP2,
    GOMOCUP_BALANCE_ONE, /* find the stone that leaves the game most balanced */
    GOMOCUP_BALANCE_TWO, /* find two such stones */
};

/* The command whose list of points is being read, up to DONE. */
enum gomocup_list {
    GOMOCUP_COMMANDS,
    GOMOCUP_BOARD,
    GOMOCUP_YXBOARD,
    GOMOCUP_SWAP2BOARD,
    GOMOCUP_BLOCK,
    GOMOCUP_UNBLOCK,
};

typedef struct gomocup_point {
    uint8_t x, y;
    uint8_t
        who; /* in BOARD: 1 own, 2 the opponent's, 3 neither's; on the board: 1 Black, 2 White */
} gomocup_point;

typedef struct gomocup {
    bool started; /* there is a board */
    int width, height;
    unsigned rule;
    /* The stones on the board, in order. */
    gomocup_point stones[GOMOCUP_CELLS];
    size_t stone_count;
    /* The list being read. */
    enum gomocup_list list;
    bool list_failed; /* a line was malformed, and reported */
    gomocup_point points[GOMOCUP_CELLS];
    size_t point_count;
    /* Settings of INFO. */
    uint64_t timeout_turn, timeout_match, time_left; /* milliseconds; the last may be unlimited */
    uint64_t max_depth, max_nodes;
    bool show_detail;
    bool sends_detail; /* the same when the search began */
    int bias;          /* the score that yxbalance aims at */
    bool blocked[GOMOCUP_CELLS];
    size_t block_count;
    /* Set by ply_gomocup_think: stones or a text to answer in place of a move. */
    char reply[64];
    gomocup_point found[3];
    size_t found_count;
} gomocup;

/* The move at a point; PLY_MOVE_NONE, with the reason in *error, when it is not legal. */
ply_move ply_gomocup_move_at(const ply_state *state, int x, int y, ply_error *error);
gomocup_point ply_gomocup_point_of(const ply_state *state, ply_move move);
/* Parses x,y; false if it is malformed or not on the board. */
bool ply_gomocup_parse_point(const gomocup *data, ply_cursor *cursor, gomocup_point *point);
/* The player to move. */
int ply_gomocup_side_of(const ply_session *s);
/* Makes an empty board of that size under the rule in force. */
bool ply_gomocup_make_board(ply_session *s, int width, int height, ply_error *error);
/* Places a stone for the player to move. */
bool ply_gomocup_put_stone(ply_session *s, int x, int y, ply_error *error);
/* Sets the board: stones whose colours are known, and the player to move. On failure the board is
 * empty. */
bool ply_gomocup_set_stones(ply_session *s, const gomocup_point *stones, size_t count, int side,
                            ply_error *error);
/* Handles the arguments of INFO (gomocup_info.c). */
void ply_gomocup_info(ply_session *s, ply_cursor *cursor);
/* The think hook, for every purpose but GOMOCUP_PLAY. */
void ply_gomocup_think(ply_session *s, protocol_answer *answer);

#endif
