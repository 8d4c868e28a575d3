/* SPDX-License-Identifier: MIT */
/*
 * move_text.h - moves as people and programs write them.
 *
 * What is read (blanks are allowed inside the brackets only):
 *
 *     (0T1)e2(0T1)e4    raw: board and square twice; =Q or Q after it for what a pawn becomes
 *     (0T4)Ng1f3        within a board: [board][piece][file][rank][x]square
 *     e4, Nf3, exd5     the same with the board left out: it is found among the legal moves
 *     O-O, O-O-O        the king two squares to the right or to the left
 *     (0T4)Ng1>(1T4)g3  a hop; >> a branch; the second board may be left out too
 *     submit            the end of the turn
 *
 * Boards are (LTt), (L l T t), or (L l) alone. Piece letters are P W K C Q Y S N R B U D or the
 * older BR CK RQ PR; without one a pawn is meant, unless both squares are given in full. Whether
 * a jump is marked > or >> does not matter, nor do +, #, *, ~, ! and ? behind a move.
 */
#ifndef PLY_GAMES_FIVED_NOTATION_MOVE_TEXT_H
#define PLY_GAMES_FIVED_NOTATION_MOVE_TEXT_H

#include "games/fived/notation/position_text.h"
#include "games/fived/turns/legal_turns.h"

typedef struct fived_place {
    bool has_l, has_t;
    fived_line_name line;
    int t;
} fived_place;

/* A move as written; what is left out is -1, or none. */
typedef struct fived_pattern {
    fived_place from, to;
    fived_kind kind, becomes;
    int from_x, from_y, to_x, to_y;
    int castle; /* 2 or -2 squares */
    bool jump;  /* marked > or >> */
} fived_pattern;

/* Reads a board in brackets. False, with nothing read, if it is not one. */
bool fived_parse_place(ply_cursor *cursor, fived_place *place);
/* Reads a move other than the submit, without the marks behind it. */
ply_status fived_parse_pattern(ply_cursor *cursor, fived_pattern *pattern);
/* The legal move that is meant; the search has been prepared. `at` is where errors are told. */
ply_status fived_resolve(fived_search *s, const fived_pattern *pattern, ply_cursor *at,
                         ply_move *move);
/* Why the turn may not be submitted as it stands, or "" if it may. */
void fived_submit_reason(const fived_search *s, ply_text *out);

#endif
