/* SPDX-License-Identifier: MIT */
/*
 * children.c - the public board (<plyverse/checkers.h>), positions of it, and its children.
 *
 * Which moves lead to the same board? A move takes a piece from one square to another and removes
 * enemy pieces. If it ends on another square than it began, the board shows all of this, so no
 * other move leads there. Only captures that return to their first square remain: they change
 * nothing but the enemy pieces, so two of them coincide if they capture the same ones.
 */
#include "games/checkers/checkers.h"

checkers_board checkers_board_of(const ply_rules *rules, const void *position)
{
    (void)rules;
    const checkers_position *p = position;
    return (checkers_board){.black_men = p->black_men,
                            .black_kings = p->black_kings,
                            .white_men = p->white_men,
                            .white_kings = p->white_kings,
                            .turn = p->turn};
}

/* The position without its key: enough for the move generators. */
static checkers_position position_of(const checkers_board *board)
{
    return (checkers_position){.black_men = board->black_men,
                               .black_kings = board->black_kings,
                               .white_men = board->white_men,
                               .white_kings = board->white_kings,
                               .turn = (uint8_t)board->turn};
}

checkers_board checkers_board_start(const ply_rules *rules)
{
    checkers_position start;
    checkers_start(rules, &start);
    return checkers_board_of(rules, &start);
}

/* The squares on which there is more than one piece. */
static uint64_t shared_squares(const checkers_board *b)
{
    return (b->black_men & b->black_kings) | (b->white_men & b->white_kings) |
           (checkers_black_pieces(b) & checkers_white_pieces(b));
}

ply_status checkers_board_to_position(const ply_rules *rules, const checkers_board *board,
                                      void *position, ply_error *error)
{
    (void)rules;
    uint64_t light = checkers_all_pieces(board) & ~CHECKERS_DARK_SQUARES;
    uint64_t uncrowned = (board->black_men & checkers_crown_row(CHECKERS_BLACK)) |
                         (board->white_men & checkers_crown_row(CHECKERS_WHITE));
    int black = ply_popcount(checkers_black_pieces(board));
    int white = ply_popcount(checkers_white_pieces(board));
    if (board->turn > CHECKERS_WHITE)
        return ply_error_set(error, PLY_BAD_POSITION, "the turn is neither Black's nor White's");
    if (light)
        return ply_error_set(error, PLY_BAD_POSITION, "a piece on bit %d, a light square",
                             ply_lowest(light));
    if (shared_squares(board))
        return ply_error_set(error, PLY_BAD_POSITION, "two pieces on bit %d",
                             ply_lowest(shared_squares(board)));
    if (uncrowned)
        return ply_error_set(error, PLY_BAD_POSITION, "the man on bit %d would be a king",
                             ply_lowest(uncrowned));
    if (black > CHECKERS_PIECES || white > CHECKERS_PIECES)
        return ply_error_set(error, PLY_BAD_POSITION, "%d pieces; a player has at most %d",
                             black > white ? black : white, CHECKERS_PIECES);
    checkers_position p = position_of(board);
    checkers_finish(&p);
    *(checkers_position *)position = p;
    return PLY_OK;
}

/* Whether the piece ends where it began, as the same kind. */
static bool returns(ply_move move)
{
    return checkers_move_from(move) == checkers_move_to(move) && !(move & CHECKERS_MOVE_CROWN);
}

size_t checkers_children(const ply_rules *rules, const checkers_board *board, checkers_board *out)
{
    ply_move moves[CHECKERS_MAX_MOVES];
    uint32_t seen[CHECKERS_MAX_MOVES]; /* what the captures that return have captured */
    size_t seen_count = 0, kept = 0;
    checkers_position p = position_of(board);
    size_t count = checkers_moves(rules, &p, moves);
    for (size_t i = 0; i < count; i++) {
        if (returns(moves[i])) {
            uint32_t captured = checkers_move_captured(moves[i]);
            size_t k = 0;
            while (k < seen_count && seen[k] != captured)
                k++;
            if (k < seen_count)
                continue;
            seen[seen_count++] = captured;
        }
        checkers_position child = p;
        checkers_apply(&child, moves[i]);
        out[kept++] = checkers_board_of(rules, &child);
    }
    return kept;
}
