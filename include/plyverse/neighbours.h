/* SPDX-License-Identifier: MIT */
/*
 * neighbours.h - Neighbours 6x6 as its design note describes it: the board in two words, operations
 * on single squares, neighbour counts, and the base state.
 *
 *     row 6  30 31 32 33 34 35   Black's first row       up-left +5   up   +6   up-right   +7
 *     row 5  24 25 26 27 28 29                              left -1            right      +1
 *     row 4  18 19 20 21 22 23                         down-left -7   down -6   down-right -5
 *     row 3  12 13 14 15 16 17
 *     row 2   6  7  8  9 10 11
 *     row 1   0  1  2  3  4  5   White's first row
 *             a  b  c  d  e  f
 *
 * A board in 64 bits:
 *
 *     63             36 35                               0
 *    +-----------------+----------------------------------+
 *    | 0               | bit i: a piece on square i       |
 *    +-----------------+----------------------------------+
 *
 * The boards are relative to the side to move: `current` has the pieces of the player to move and
 * `next` those of the opponent. The colour of the player to move is stored beside them.
 *
 * Four variations of a position have the same value: itself, its left-right mirror image, and, with
 * the other colour to move, the top-bottom mirror images of both. The base state is one of the four,
 * the same for all: White to play, and the smaller of the two left-right images.
 *
 * A move is from | to << 6.
 *
 * No function here allocates, and all may be called from any thread. Squares are 0 to 35 and boards
 * have no bit above 35; nothing checks this. docs/design-notes.md maps the design note's terms to
 * these names.
 */
#ifndef PLYVERSE_NEIGHBOURS_H
#define PLYVERSE_NEIGHBOURS_H

#include <plyverse/game.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    NEIGHBOURS_SIDE = 6, /* squares in a row */
    NEIGHBOURS_SQUARES = 36,
    NEIGHBOURS_PIECES = 6, /* of one player, at the start and at most */
    NEIGHBOURS_VARIATIONS = 4
};

#define NEIGHBOURS_BOARD 0xFFFFFFFFFu
#define NEIGHBOURS_FILE_A 0x041041041u
#define NEIGHBOURS_FILE_F 0x820820820u
#define NEIGHBOURS_ROW_1 0x00000003Fu
#define NEIGHBOURS_ROW_6 0xFC0000000u

/* --- single squares ------------------------------------------------------------------------- */
/* The note's get: whether there is a piece on the square, 0 or 1. */
PLY_HD int neighbours_get(uint64_t board, int square)
{
    return (int)((board >> square) & 1);
}

/* The note's toggle: the board with the square changed. */
PLY_HD uint64_t neighbours_toggle(uint64_t board, int square)
{
    return board ^ ((uint64_t)1 << square);
}

/* The note's move: the board with both squares changed. */
PLY_HD uint64_t neighbours_move(uint64_t board, int from, int to)
{
    return board ^ ((uint64_t)1 << from) ^ ((uint64_t)1 << to);
}

/* --- moves ---------------------------------------------------------------------------------- */
PLY_HD int neighbours_move_from(ply_move move)
{
    return (int)(move & 63);
}

PLY_HD int neighbours_move_to(ply_move move)
{
    return (int)((move >> 6) & 63);
}

PLY_HD ply_move neighbours_move_make(int from, int to)
{
    return (ply_move)from | (ply_move)to << 6;
}

/* --- neighbour counts ----------------------------------------------------------------------- */
/* A number for each square as bit slices: 1 in `ones`, 2 in `twos` and so on, added up. */
typedef struct neighbours_slices {
    uint64_t ones, twos, fours, eights;
} neighbours_slices;

/* The number of a square. */
PLY_HD int neighbours_slices_get(neighbours_slices n, int square)
{
    return neighbours_get(n.ones, square) + 2 * neighbours_get(n.twos, square) +
           4 * neighbours_get(n.fours, square) + 8 * neighbours_get(n.eights, square);
}

/* The squares around a square, up to eight. */
PLY_API uint64_t neighbours_around(int square);
/* The number of pieces around a square. pieces: those of both players. */
PLY_API int neighbours_count_at(uint64_t pieces, int square);
/* The same for all squares at once. */
PLY_API neighbours_slices neighbours_count_all(uint64_t pieces);

/* --- the two boards of a position ----------------------------------------------------------- */
typedef struct neighbours_boards {
    uint64_t current; /* pieces of the player to move */
    uint64_t next;    /* pieces of the opponent */
    int side;         /* 0 White, 1 Black to move */
} neighbours_boards;

/* The boards of a position of game "neighbours". */
PLY_API neighbours_boards neighbours_position_boards(const ply_rules *rules, const void *position);
/*
 * Writes the position with these boards over uninitialised bytes. PLY_BAD_POSITION, with nothing
 * written, if a bit is above 35, a square has two pieces, or a player has more than six.
 */
PLY_API ply_status neighbours_position_make(const ply_rules *rules, void *position,
                                            neighbours_boards boards);

/* The top-bottom mirror image of a board: halves are swapped, then the outer rows of each half. */
PLY_HD uint64_t neighbours_flip_rows(uint64_t board)
{
    const uint64_t outer = 0x000FC003Fu, middle = 0x03F000FC0u; /* rows 1 and 4; rows 2 and 5 */
    board = (board >> 18) | ((board << 18) & NEIGHBOURS_BOARD);
    return (board & middle) | ((board >> 12) & outer) | ((board & outer) << 12);
}

/* The left-right mirror image of a board: the same within each row. */
PLY_HD uint64_t neighbours_mirror_files(uint64_t board)
{
    const uint64_t left = 0x1C71C71C7u, outer = 0x249249249u, middle = 0x492492492u;
    board = ((board >> 3) & left) | ((board & left) << 3);
    return (board & middle) | ((board >> 2) & outer) | ((board & outer) << 2);
}

/* Variation 0 to 3: bit 0 mirrors left and right, bit 1 top and bottom with the colours swapped. */
PLY_HD neighbours_boards neighbours_variation(neighbours_boards boards, unsigned variation)
{
    if (variation & 1) {
        boards.current = neighbours_mirror_files(boards.current);
        boards.next = neighbours_mirror_files(boards.next);
    }
    if (variation & 2) {
        boards.current = neighbours_flip_rows(boards.current);
        boards.next = neighbours_flip_rows(boards.next);
        boards.side = !boards.side;
    }
    return boards;
}

/* The base state of the four variations: White to play, and the smaller of the two mirror images,
 * which are compared by current and then by next. */
PLY_HD neighbours_boards neighbours_base_state(neighbours_boards boards)
{
    neighbours_boards right = neighbours_variation(boards, boards.side ? 2 : 0);
    neighbours_boards left = neighbours_variation(right, 1);
    bool smaller =
        left.current < right.current || (left.current == right.current && left.next < right.next);
    return smaller ? left : right;
}

#ifdef __cplusplus
}
#endif
#endif
