/* SPDX-License-Identifier: MIT */
/*
 * piece_moves.h - legal moves as groups, piece by piece.
 *
 * The same moves as move_groups.h generates, in another order: pawns together, every other piece by
 * itself, each group with the type of the piece before and after the move. The two-ply perft needs
 * this.
 */
#ifndef PLY_GAMES_SHOGI_RULES_PIECE_MOVES_H
#define PLY_GAMES_SHOGI_RULES_PIECE_MOVES_H

#include "games/shogi/rules/move_groups.h"

typedef struct piece_group {
    move_group moves;
    uint8_t type_before; /* of the piece that moves; in a drop the same as type_after */
    uint8_t type_after;
} piece_group;

typedef struct piece_group_list {
    piece_group *end; /* where the next group goes */
} piece_group_list;

SHOGI_INLINE void add_piece_group(piece_group_list *list, shogi_set to, int base, int factor,
                                  int before, int after)
{
    if (to)
        *list->end++ =
            (piece_group){.moves = {.to = to, .base = (uint16_t)base, .factor = (uint16_t)factor},
                          .type_before = (uint8_t)before,
                          .type_after = (uint8_t)after};
}

/* Adds the one or two groups of a piece that is not a pawn. */
SHOGI_INLINE void add_piece(piece_group_list *list, int us, int type, int from, shogi_set to)
{
    shogi_set plain, promoting;
    split_promotions(us, type, from, to, &plain, &promoting);
    add_piece_group(list, plain, from, FACTOR_FIXED_ORIGIN, type, type);
    if (type < SHOGI_GOLD)
        add_piece_group(list, promoting, from | SHOGI_MOVE_PROMOTE, FACTOR_FIXED_ORIGIN, type,
                        promoted_type(type));
}

SHOGI_INLINE void add_pieces(piece_group_list *list, const shogi_position *p, int us, int type,
                             int king, shogi_set pinned, shogi_set target, shogi_set occupied)
{
    for (shogi_set s = p->colour[us] & p->by_type[type]; s; s &= s - 1) {
        int from = set_first(s);
        shogi_set to = type_attacks(us, type, from, occupied) & target;
        if (set_has(pinned, from))
            to &= shogi_rays[shogi_direction[king][from]][king];
        add_piece(list, us, type, from, to);
    }
}

SHOGI_INLINE void add_pawns(piece_group_list *list, const shogi_position *p, int us, int king,
                            shogi_set pinned, shogi_set target)
{
    int f = forward_of(us);
    /* A pinned pawn moves only if the pin is along its file. */
    shogi_set on_file = shogi_rays[1][king] | shogi_rays[6][king];
    shogi_set pawns = p->colour[us] & p->by_type[SHOGI_PAWN] & ~(pinned & ~on_file);
    shogi_set to = set_step(pawns, f) & target;
    shogi_set plain = to & ~last_ranks(us, 1), promoting = to & last_ranks(us, 3);
    add_piece_group(list, plain, -f, FACTOR_STEP, SHOGI_PAWN, SHOGI_PAWN);
    add_piece_group(list, promoting, SHOGI_MOVE_PROMOTE - f, FACTOR_STEP, SHOGI_PAWN, SHOGI_GOLD);
}

SHOGI_INLINE void add_piece_drops(piece_group_list *list, const shogi_position *p, int us,
                                  shogi_set allowed)
{
    uint64_t hand = p->hand[us];
    if (!hand || !allowed)
        return;
    for (int kind = SHOGI_PAWN; kind <= SHOGI_GOLD; kind++) {
        if (!shogi_hand_count(hand, kind))
            continue;
        shogi_set to = drop_squares(p, us, SHOGI_STANDARD, kind, allowed);
        add_piece_group(list, to, SHOGI_MOVE_DROP | kind, FACTOR_FIXED_ORIGIN, kind, kind);
    }
}

/* Writes the groups of legal moves of `us` and returns their number. */
SHOGI_INLINE size_t make_piece_groups(const shogi_position *p, int us, piece_group *groups)
{
    piece_group_list list = {.end = groups};
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    int king = shogi_king(p, us);
    king_danger danger = find_king_danger(p, us, king, occupied);
    evasion_targets allowed = find_evasion_targets(p, us, king, danger.checkers, occupied);
    shogi_set target = allowed.moves;
    if (target) {
        add_pawns(&list, p, us, king, danger.pinned, target);
        add_pieces(&list, p, us, SHOGI_LANCE, king, danger.pinned, target, occupied);
        add_pieces(&list, p, us, SHOGI_KNIGHT, king, danger.pinned, target, occupied);
        add_pieces(&list, p, us, SHOGI_SILVER, king, danger.pinned, target, occupied);
        add_pieces(&list, p, us, SHOGI_BISHOP, king, danger.pinned, target, occupied);
        add_pieces(&list, p, us, SHOGI_ROOK, king, danger.pinned, target, occupied);
        add_pieces(&list, p, us, SHOGI_GOLD, king, danger.pinned, target, occupied);
        add_pieces(&list, p, us, SHOGI_HORSE, king, danger.pinned, target, occupied);
        add_pieces(&list, p, us, SHOGI_DRAGON, king, danger.pinned, target, occupied);
    }
    shogi_set steps = shogi_pseudo_attacks[us][SHOGI_KING][king] & ~own;
    if (steps) {
        steps &= ~attacks_on(p, !us, steps, occupied ^ set_of(king));
        add_piece(&list, us, SHOGI_KING, king, steps);
    }
    add_piece_drops(&list, p, us, allowed.drops);
    return (size_t)(list.end - groups);
}

#endif
