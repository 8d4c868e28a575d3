/* SPDX-License-Identifier: MIT */
/*
 * move_text.h - moves as people and programs write them.
 *
 * Accepted forms (spaces are allowed only inside the parentheses):
 *
 *     (0T1)e2(0T1)e4    raw: board and square twice; =Q or Q after it for a promotion
 *     (0T4)Ng1f3        on one board: [board][piece][file][rank][x]square
 *     e4, Nf3, exd5     the same without the board, which is found among the legal moves
 *     O-O, O-O-O        the king moves two squares to the right or to the left
 *     (0T4)Ng1>(1T4)g3  a hop; >> a branch; the second board may be omitted too
 *     submit            the end of the turn
 *
 * Boards are (LTt), (L l T t), or (L l) alone. Piece letters are P W K C Q Y S N R B U D or the
 * older BR CK RQ PR. Without a letter a pawn is meant, unless both squares are given in full. A
 * jump may be marked > or >>, whichever it is. The marks + # * ~ ! ? after a move are ignored.
 */
#ifndef PLY_GAMES_FIVED_NOTATION_MOVE_TEXT_H
#define PLY_GAMES_FIVED_NOTATION_MOVE_TEXT_H

#include "games/fived/notation/position_text.h"
#include "games/fived/turns/turn_query.h"

/* A board as written in a move. */
typedef struct fived_board_ref {
    bool has_timeline, has_time;
    fived_timeline_name timeline;
    int t;
} fived_board_ref;

/* A move as written; what is omitted is -1 or FIVED_NONE. */
typedef struct fived_move_pattern {
    fived_board_ref from, to;
    fived_kind kind, promotion;
    int from_x, from_y, to_x, to_y;
    int castle; /* 2 or -2 squares */
    bool jump;  /* marked > or >> */
} fived_move_pattern;

/* Reads a board in parentheses. False, with nothing read, if it is not one. */
bool fived_parse_board_ref(ply_cursor *cursor, fived_board_ref *place);
/* Reads a move other than the submit, without the marks after it. */
ply_status fived_parse_move_pattern(ply_cursor *cursor, fived_move_pattern *pattern);
/* Finds the legal move that is meant. Errors are reported at `at`. */
ply_status fived_find_move(const ply_rules *rules, const fived_position *p,
                           const fived_move_pattern *pattern, ply_cursor *at, ply_move *move);
/* Appends why the turn may not be submitted yet; nothing if it may. */
void fived_submit_reason(const fived_turn_query *q, ply_text *out);

#endif
