/* SPDX-License-Identifier: MIT */
/*
 * checkers.h - the checkers board as a design note describes it: four 64-bit words, eight masks,
 * and the set of positions that one move leads to.
 *
 * A word has one bit for each of the 64 squares, row by row from Black's side:
 *
 *     bit  0  1  2  3  4  5  6  7      row 0, Black's first row   down-left  +7   down-right +9
 *          8  9 10 11 12 13 14 15                                 up-left    -9   up-right   -7
 *         16 17 18 19 20 21 22 23
 *         ...
 *         56 57 58 59 60 61 62 63      row 7, White's first row
 *
 * Only the dark squares are used: bits 1, 3, 5, 7 in row 0, bits 8, 10, 12, 14 in row 1, and so on.
 * Black starts at the top and moves down; White starts at the bottom and moves up. All rule sets
 * share this layout: boards that are played mirrored (Italian, Spanish) are mirrored only when they
 * are displayed and when squares are named.
 *
 * A step is one shift of a whole word, after the pieces on the edge that the step would cross have
 * been removed. So all pieces that can move in a direction are found at once:
 *
 *     targets = checkers_step(men, CHECKERS_DOWN_LEFT) & CHECKERS_DARK_SQUARES & ~all pieces
 *
 * A jump is two steps. No piece on an edge can be jumped, so with CHECKERS_NOT_EDGES the other
 * masks are not needed (checkers_shift):
 *
 *     over    = checkers_shift(men, d) & enemy pieces & CHECKERS_NOT_EDGES
 *     targets = checkers_shift(over, d) & ~all pieces
 *
 * The note, its words and ours: docs/design-notes.md. The rules: docs/games/checkers.md.
 * Nothing here has hidden state; every function may be called from any thread.
 */
#ifndef PLYVERSE_CHECKERS_H
#define PLYVERSE_CHECKERS_H

#include <plyverse/game.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CHECKERS_SIDE = 8,        /* rows, and columns */
    CHECKERS_SQUARES = 32,    /* dark squares */
    CHECKERS_PIECES = 12,     /* of one player, at most */
    CHECKERS_MAX_MOVES = 256, /* no position has more legal moves or children */
};

/* --- masks ---------------------------------------------------------------------------------- */
#define CHECKERS_EDGES UINT64_C(18411139144890810879)
#define CHECKERS_NOT_EDGES UINT64_C(35604928818740736) /* ~CHECKERS_EDGES */
#define CHECKERS_RIGHT_EDGE UINT64_C(9259542123273814144)
#define CHECKERS_LEFT_EDGE UINT64_C(72340172838076673)
#define CHECKERS_WHITE_END_MASK \
    UINT64_C(18374686479671623680)            /* row 7: Black's men are crowned there */
#define CHECKERS_BLACK_END_MASK UINT64_C(255) /* row 0: White's men are crowned there */
#define CHECKERS_DARK_SQUARES UINT64_C(6172840429334713770)
#define CHECKERS_PLAYABLE_SQUARES CHECKERS_DARK_SQUARES

/* --- the board ------------------------------------------------------------------------------ */
typedef enum checkers_colour { CHECKERS_BLACK, CHECKERS_WHITE } checkers_colour;

typedef enum checkers_piece {
    CHECKERS_EMPTY,
    CHECKERS_BLACK_MAN,
    CHECKERS_BLACK_KING,
    CHECKERS_WHITE_MAN,
    CHECKERS_WHITE_KING,
} checkers_piece;

/*
 * The pieces and whose turn it is: 40 bytes without padding, so two boards are equal if their bytes
 * are. A board does not count plies without progress; positions (game.h) do.
 */
typedef struct checkers_board {
    uint64_t black_men, black_kings, white_men, white_kings;
    uint64_t turn; /* CHECKERS_BLACK or CHECKERS_WHITE is to move */
} checkers_board;

PLY_HD uint64_t checkers_black_pieces(const checkers_board *board)
{
    return board->black_men | board->black_kings;
}

PLY_HD uint64_t checkers_white_pieces(const checkers_board *board)
{
    return board->white_men | board->white_kings;
}

PLY_HD uint64_t checkers_all_pieces(const checkers_board *board)
{
    return checkers_black_pieces(board) | checkers_white_pieces(board);
}

PLY_HD bool checkers_black_turn(const checkers_board *board)
{
    return board->turn == CHECKERS_BLACK;
}

PLY_HD bool checkers_white_turn(const checkers_board *board)
{
    return board->turn == CHECKERS_WHITE;
}

/* The piece on a square, given as a bit from 0 to 63. */
PLY_HD checkers_piece checkers_piece_at(const checkers_board *board, int bit)
{
    uint64_t square = (uint64_t)1 << bit;
    return board->black_men & square     ? CHECKERS_BLACK_MAN
           : board->black_kings & square ? CHECKERS_BLACK_KING
           : board->white_men & square   ? CHECKERS_WHITE_MAN
           : board->white_kings & square ? CHECKERS_WHITE_KING
                                         : CHECKERS_EMPTY;
}

/* --- directions ----------------------------------------------------------------------------- */
/* The opposite of d is 3 - d. Black's men move in directions 0 and 1, White's in 2 and 3. */
enum { CHECKERS_DOWN_LEFT, CHECKERS_DOWN_RIGHT, CHECKERS_UP_LEFT, CHECKERS_UP_RIGHT };

/* Shifts a word by one step. Pieces that cross the left or right edge reappear at the other side,
 * so the caller keeps only squares that such a piece cannot be on. */
PLY_INLINE uint64_t checkers_shift(uint64_t board, int d)
{
    switch (d) {
    case CHECKERS_DOWN_LEFT:
        return board << 7;
    case CHECKERS_DOWN_RIGHT:
        return board << 9;
    case CHECKERS_UP_LEFT:
        return board >> 9;
    default:
        return board >> 7;
    }
}

/* Moves all pieces of a word one step; those that would leave the board disappear. */
PLY_INLINE uint64_t checkers_step(uint64_t board, int d)
{
    switch (d) {
    case CHECKERS_DOWN_LEFT:
        return (board & ~CHECKERS_LEFT_EDGE) << 7;
    case CHECKERS_DOWN_RIGHT:
        return (board & ~CHECKERS_RIGHT_EDGE) << 9;
    case CHECKERS_UP_LEFT:
        return (board & ~CHECKERS_LEFT_EDGE) >> 9;
    default:
        return (board & ~CHECKERS_RIGHT_EDGE) >> 7;
    }
}

/* --- from rules and positions, and back ------------------------------------------------------ */
/* The start position of the rules, which are rules of checkers. */
PLY_API checkers_board checkers_board_start(const ply_rules *rules);

/* The board of a position of checkers, such as state->position. */
PLY_API checkers_board checkers_board_of(const ply_rules *rules, const void *position);

/*
 * Makes a position of a board over rules->position_bytes uninitialised bytes; no plies without
 * progress have been played. PLY_BAD_POSITION if a piece is on a light square, two are on one
 * square, a player has more than twelve, a man is where it would be a king, or the turn is
 * nobody's; error (may be NULL) says which.
 */
PLY_API ply_status checkers_board_to_position(const ply_rules *rules, const checkers_board *board,
                                              void *position, ply_error *error);

/*
 * The set of boards that the legal moves of a board lead to, each once, in the order of the moves;
 * returns their number, at most CHECKERS_MAX_MOVES, for which `out` has room. The board is one that
 * checkers_board_to_position accepts. Takes time in proportion to the number of children.
 *
 * A capture with all its jumps is one move. Different moves lead to the same board only if two
 * pieces capture the same pieces and both return to where they started. That happens where kings
 * fly, if rarely; it cannot happen where pieces jump one square at a time.
 */
PLY_API size_t checkers_children(const ply_rules *rules, const checkers_board *board,
                                 checkers_board *out);

#ifdef __cplusplus
}
#endif
#endif
