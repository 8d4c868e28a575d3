/* SPDX-License-Identifier: MIT */
/*
 * board.c - editing boards and deriving boards from boards.
 *
 * A new board is a copy of an existing one on which a piece has moved, left or arrived. Boards are
 * edited only here, before they become part of a position.
 */
#include "games/fived/fived.h"
#include <string.h>

PLY_HD_EXTERN void fived_board_clear(fived_board *board)
{
    memset(board, 0, sizeof *board);
    board->en_passant = -1;
}

PLY_HD_EXTERN void fived_board_put(fived_board *board, int square, fived_piece piece)
{
    uint64_t bit = ply_bit(square);
    unsigned sets = fived_kind_sets[fived_piece_kind(piece)];
    board->square[square] = piece;
    for (int i = 0; i < FIVED_SETS; i++)
        board->set[i] |= (uint64_t)(sets >> i & 1) << square;
    board->colour[fived_piece_colour(piece)] |= bit;
    board->unmoved |= (uint64_t)(piece >> 5 & 1) << square;
    board->hash ^= fived_keys[piece][square];
}

PLY_HD_EXTERN void fived_board_remove(fived_board *board, int square)
{
    uint64_t keep = ~ply_bit(square);
    board->hash ^= fived_keys[board->square[square]][square];
    board->square[square] = 0;
    for (int i = 0; i < FIVED_SETS; i++)
        board->set[i] &= keep;
    board->colour[0] &= keep;
    board->colour[1] &= keep;
    board->unmoved &= keep;
}

PLY_SHARED void copy_board(fived_board *out, const fived_board *from)
{
    /* Other threads may be counting references to `from`. */
    memcpy(out, from, offsetof(fived_board, references));
    fived_set_references(out, 0);
    out->en_passant = -1;
    memset(out->zero, 0, sizeof out->zero);
}

PLY_HD_EXTERN void fived_board_leave(fived_board *out, const fived_board *from, int square)
{
    copy_board(out, from);
    fived_board_remove(out, square);
}

PLY_HD_EXTERN void fived_board_arrive(fived_board *out, const fived_board *to, int square,
                                      fived_piece piece, fived_kind promotion)
{
    copy_board(out, to);
    piece &= (fived_piece)~FIVED_UNMOVED;
    if (promotion)
        piece = (fived_piece)((piece & FIVED_BLACK) | promotion);
    fived_board_remove(out, square);
    fived_board_put(out, square, piece);
}

PLY_HD_EXTERN void fived_board_after(fived_board *out, const fived_board *from, int from_square,
                                     int to_square, fived_kind promotion)
{
    fived_piece piece = from->square[from_square];
    fived_kind kind = fived_piece_kind(piece);
    int across = (to_square & 7) - (from_square & 7);
    fived_board_leave(out, from, from_square);
    if (kind == FIVED_PAWN || kind == FIVED_BRAWN) {
        if (!promotion && (to_square - from_square == 16 || from_square - to_square == 16))
            out->en_passant = (int8_t)((from_square + to_square) / 2);
        else if (across != 0 && !from->square[to_square]) /* en passant */
            fived_board_remove(out, (from_square & ~7) + (to_square & 7));
    } else if (kind == FIVED_KING && (across == 2 || across == -2)) {
        /* Castling: the rook is the first piece on that side; it lands on the square crossed. */
        int step = across / 2, rook = to_square;
        while (!from->square[rook])
            rook += step;
        fived_piece moved = from->square[rook] & (fived_piece)~FIVED_UNMOVED;
        fived_board_remove(out, rook);
        fived_board_put(out, from_square + step, moved);
    }
    piece &= (fived_piece)~FIVED_UNMOVED;
    if (promotion)
        piece = (fived_piece)((piece & FIVED_BLACK) | promotion);
    fived_board_remove(out, to_square);
    fived_board_put(out, to_square, piece);
}
