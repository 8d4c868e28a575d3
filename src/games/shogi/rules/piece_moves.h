/* SPDX-License-Identifier: MIT */
/*
 * piece_moves.h - legal moves as groups, piece by piece: for those who must know what moves.
 *
 * The same moves as move_groups.h in another order, pawns together and every other piece by itself.
 * Counting replies wants this; moves that give check have a header of their own (checks.h).
 */
#ifndef PLY_GAMES_SHOGI_RULES_PIECE_MOVES_H
#define PLY_GAMES_SHOGI_RULES_PIECE_MOVES_H

#include "games/shogi/rules/move_groups.h"

typedef struct piece_group {
    move_group moves;
    uint8_t class_before; /* of the piece that moves; a drop: as after */
    uint8_t class_after;
} piece_group;

typedef struct piece_row {
    piece_group *at;
} piece_row;

SHOGI_INLINE void add_piece_group(piece_row *row, shogi_set to, int base, int factor, int before,
                                  int after)
{
    if (to)
        *row->at++ =
            (piece_group){.moves = {.to = to, .base = (uint16_t)base, .factor = (uint16_t)factor},
                          .class_before = (uint8_t)before,
                          .class_after = (uint8_t)after};
}

/* The one or two groups of a piece that is not a pawn. */
SHOGI_INLINE void add_piece(piece_row *row, int us, int class, int from, shogi_set to)
{
    shogi_set plain, promoting;
    int after = class == SHOGI_BISHOP ? SHOGI_HORSE
                : class == SHOGI_ROOK ? SHOGI_DRAGON
                                      : SHOGI_GOLD;
    split_promotions(us, class, from, to, &plain, &promoting);
    add_piece_group(row, plain, from, 128, class, class);
    if (class < SHOGI_GOLD)
        add_piece_group(row, promoting, from | SHOGI_MOVE_PROMOTE, 128, class, after);
}

SHOGI_INLINE void add_pieces(piece_row *row, const shogi_position *p, int us, int class, int king,
                             shogi_set pinned, shogi_set target, shogi_set occupied)
{
    for (shogi_set s = p->colour[us] & p->by[class]; s; s &= s - 1) {
        int from = set_first(s);
        shogi_set to = class_attacks(us, class, from, occupied) & target;
        if (set_has(pinned, from))
            to &= shogi_rays[shogi_direction[king][from]][king];
        add_piece(row, us, class, from, to);
    }
}

SHOGI_INLINE void add_pawns(piece_row *row, const shogi_position *p, int us, int king,
                            shogi_set pinned, shogi_set target)
{
    int f = forward_of(us);
    /* A pinned pawn moves only if the pin is along its file. */
    shogi_set on_file = shogi_rays[1][king] | shogi_rays[6][king];
    shogi_set pawns = p->colour[us] & p->by[SHOGI_PAWN] & ~(pinned & ~on_file);
    shogi_set to = set_step(pawns, f) & target;
    shogi_set plain = to & ~last_ranks(us, 1), promoting = to & last_ranks(us, 3);
    add_piece_group(row, plain, -f, 129, SHOGI_PAWN, SHOGI_PAWN);
    add_piece_group(row, promoting, SHOGI_MOVE_PROMOTE - f, 129, SHOGI_PAWN, SHOGI_GOLD);
}

SHOGI_INLINE void add_piece_drops(piece_row *row, const shogi_position *p, int us,
                                  shogi_set allowed)
{
    uint64_t hand = p->hand[us];
    if (!hand || !allowed)
        return;
    for (int kind = SHOGI_PAWN; kind <= SHOGI_GOLD; kind++) {
        if (!shogi_hand_count(hand, kind))
            continue;
        shogi_set to = drop_squares(p, us, SHOGI_STANDARD, kind, allowed);
        add_piece_group(row, to, SHOGI_MOVE_DROP | kind, 128, kind, kind);
    }
}

/* Writes the groups of `us`; returns how many. */
SHOGI_INLINE size_t make_piece_groups(const shogi_position *p, int us, piece_group *groups)
{
    piece_row row = {.at = groups};
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    int king = shogi_king(p, us);
    king_danger danger = find_king_danger(p, us, king, occupied);
    answer_sets answer = find_answers(p, us, king, danger.checkers, occupied);
    shogi_set target = answer.target, drop = answer.drop;
    if (target) {
        add_pawns(&row, p, us, king, danger.pinned, target);
        add_pieces(&row, p, us, SHOGI_LANCE, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, SHOGI_KNIGHT, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, SHOGI_SILVER, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, SHOGI_BISHOP, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, SHOGI_ROOK, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, SHOGI_GOLD, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, SHOGI_HORSE, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, SHOGI_DRAGON, king, danger.pinned, target, occupied);
    }
    shogi_set steps = shogi_reach[us][SHOGI_KING][king] & ~own;
    if (steps) {
        steps &= ~attacks_on(p, !us, steps, occupied ^ set_of(king));
        add_piece(&row, us, SHOGI_KING, king, steps);
    }
    add_piece_drops(&row, p, us, drop);
    return (size_t)(row.at - groups);
}

#endif
