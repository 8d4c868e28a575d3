/* SPDX-License-Identifier: MIT */
/*
 * gomocup.h - the parts of the Gomocup protocol: lines (gomocup.c), the board (gomocup_board.c),
 * and the thoughts that are more than one search (gomocup_swap2.c).
 *
 * Coordinates of the protocol are x,y from the upper left corner, from 0. A stone's text in the
 * game's notation is its column and its row from the bottom: 0,0 on 15x15 is a15.
 */
#ifndef PLY_PROTOCOL_GOMOCUP_H
#define PLY_PROTOCOL_GOMOCUP_H

#include "protocol/session_internal.h"

enum { GOMOCUP_SIDE = 32, GOMOCUP_CELLS = GOMOCUP_SIDE * GOMOCUP_SIDE };

/* Why we think. */
enum gomocup_purpose {
    GOMOCUP_PLAY,
    GOMOCUP_SWAP2,
    GOMOCUP_BALANCE_ONE, /* a stone that leaves the game even */
    GOMOCUP_BALANCE_TWO, /* two stones that do */
};

/* What the lines up to DONE are for. */
enum gomocup_reading {
    GOMOCUP_COMMANDS,
    GOMOCUP_BOARD,
    GOMOCUP_YXBOARD,
    GOMOCUP_SWAP2BOARD,
    GOMOCUP_BLOCK,
    GOMOCUP_UNBLOCK,
};

typedef struct gomocup_point {
    uint8_t x, y;
    uint8_t who; /* of a line in BOARD: 1 own, 2 the opponent's, 3 neither's; on the board: 1 Black,
                    2 White */
} gomocup_point;

typedef struct gomocup {
    bool started;
    int width, height;
    unsigned rule;
    /* The board: stones in order, and who moves. */
    gomocup_point stones[GOMOCUP_CELLS];
    size_t stone_count;
    /* Lines being read. */
    enum gomocup_reading reading;
    bool bad_lines;
    gomocup_point read[GOMOCUP_CELLS];
    size_t read_count;
    /* Settings of INFO. */
    uint64_t timeout_turn, timeout_match, time_left; /* milliseconds; the last may be unlimited */
    uint64_t max_depth, max_nodes;
    bool shows_detail;
    bool tells; /* as it was when the search began */
    int bias;   /* of a balance */
    bool blocked[GOMOCUP_CELLS];
    size_t block_count;
    /* Set by a think of its own: what to answer, in place of a move. */
    char words[64];
    gomocup_point found[3];
    size_t found_count;
} gomocup;

/* The move at a point; PLY_MOVE_NONE, with the reason in *error, when it is not legal. */
ply_move ply_gomocup_move_at(const ply_state *state, int x, int y, ply_error *error);
gomocup_point ply_gomocup_point_of(const ply_state *state, ply_move move);
int ply_gomocup_height_of(const ply_state *state);
/* Who moves. */
int ply_gomocup_side_of(const ply_session *s);
/* The number of INFO rule for a variant. */
unsigned ply_gomocup_rule_of(const char *variant);
/* An empty board of that size under the rule in force. */
bool ply_gomocup_make_board(ply_session *s, int width, int height, ply_error *error);
/* Puts a stone for whoever is to move. */
bool ply_gomocup_put_stone(ply_session *s, int x, int y, ply_error *error);
/* Makes the board from stones whose colours are known. On failure the board is empty. */
bool ply_gomocup_set_stones(ply_session *s, const gomocup_point *stones, size_t count, int side,
                            ply_error *error);
void ply_gomocup_think(ply_session *s, protocol_answer *answer);

#endif
