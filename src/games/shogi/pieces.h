/*
 * pieces.h - legal moves as groups, piece by piece: for those who must know what moves.
 *
 * The same moves as groups.h in another order, pawns together and every other piece by itself.
 * Counting replies wants this, and so do moves that give check (mode 2), which depend on the piece.
 */
#ifndef SHOGI_PIECES_H
#define SHOGI_PIECES_H

#include "games/shogi/groups.h"

typedef struct piece_group {
    move_group moves;
    uint8_t class_before; /* of the piece that moves; a drop: as after */
    uint8_t class_after;
} piece_group;

typedef struct piece_row {
    piece_group *at;
    /* For checks only (mode 2), else unused: squares from which each class would give check, and
     * own pieces whose leaving the line opens one. */
    shogi_set checking[SHOGI_CLASSES];
    shogi_set uncovering;
    int their_king;
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

/* In mode 2, those of the squares where a piece from `from` ends up giving check. */
SHOGI_INLINE shogi_set keep_checks(const piece_row *row, int mode, shogi_set to, int from,
                                   int after)
{
    if (mode != SHOGI_TSUME)
        return to;
    shogi_set direct = to & row->checking[after];
    if (!set_has(row->uncovering, from))
        return direct;
    int d = shogi_direction[row->their_king][from];
    return direct | (to & ~shogi_rays[d][row->their_king]);
}

/* The one or two groups of a piece that is not a pawn. */
SHOGI_INLINE void add_piece(piece_row *row, int us, int mode, int class, int from, shogi_set to)
{
    shogi_set plain, promoting;
    int after = class == SHOGI_BISHOP ? SHOGI_HORSE
                : class == SHOGI_ROOK ? SHOGI_DRAGON
                                      : SHOGI_GOLD;
    split_promotions(us, class, from, to, &plain, &promoting);
    add_piece_group(row, keep_checks(row, mode, plain, from, class), from, 128, class, class);
    if (class < SHOGI_GOLD)
        add_piece_group(row, keep_checks(row, mode, promoting, from, after),
                        from | SHOGI_MOVE_PROMOTE, 128, class, after);
}

SHOGI_INLINE void add_pieces(piece_row *row, const shogi_position *p, int us, int mode, int class,
                             int king, shogi_set pinned, shogi_set target, shogi_set occupied)
{
    for (shogi_set s = p->colour[us] & p->by[class]; s; s &= s - 1) {
        int from = set_first(s);
        shogi_set to = class_attacks(us, class, from, occupied) & target;
        if (set_has(pinned, from))
            to &= shogi_rays[shogi_direction[king][from]][king];
        add_piece(row, us, mode, class, from, to);
    }
}

SHOGI_INLINE void add_pawns(piece_row *row, const shogi_position *p, int us, int mode, int king,
                            shogi_set pinned, shogi_set target)
{
    int f = forward_of(us);
    /* A pinned pawn moves only if the pin is along its file. */
    shogi_set on_file = shogi_rays[1][king] | shogi_rays[6][king];
    shogi_set pawns = p->colour[us] & p->by[SHOGI_PAWN] & ~(pinned & ~on_file);
    shogi_set to = set_step(pawns, f) & target;
    shogi_set plain = to & ~last_ranks(us, 1), promoting = to & last_ranks(us, 3);
    if (mode == SHOGI_TSUME) {
        /* One by one: pawns are seldom many here. */
        for (shogi_set s = plain | promoting; s; s &= s - 1) {
            int at = set_first(s), from = at - f;
            add_piece_group(row, keep_checks(row, mode, set_of(at) & plain, from, SHOGI_PAWN), from,
                            128, SHOGI_PAWN, SHOGI_PAWN);
            add_piece_group(row, keep_checks(row, mode, set_of(at) & promoting, from, SHOGI_GOLD),
                            from | SHOGI_MOVE_PROMOTE, 128, SHOGI_PAWN, SHOGI_GOLD);
        }
        return;
    }
    add_piece_group(row, plain, -f, 129, SHOGI_PAWN, SHOGI_PAWN);
    add_piece_group(row, promoting, SHOGI_MOVE_PROMOTE - f, 129, SHOGI_PAWN, SHOGI_GOLD);
}

SHOGI_INLINE void add_piece_drops(piece_row *row, const shogi_position *p, int us, int mode,
                                  shogi_set allowed)
{
    uint64_t hand = p->hand[us];
    if (!hand || !allowed)
        return;
    for (int kind = SHOGI_PAWN; kind <= SHOGI_GOLD; kind++) {
        if (!shogi_hand_count(hand, kind))
            continue;
        shogi_set to = drop_squares(p, us, mode, kind, allowed);
        if (mode == SHOGI_TSUME)
            to &= row->checking[kind];
        add_piece_group(row, to, SHOGI_MOVE_DROP | kind, 128, kind, kind);
    }
}

SHOGI_INLINE void prepare_checks(piece_row *row, const shogi_position *p, int us,
                                 shogi_set occupied)
{
    int them = !us, king = shogi_king(p, them);
    row->their_king = king;
    row->uncovering = 0;
    for (int class = 0; class < SHOGI_CLASSES; class ++)
        row->checking[class] =
            king == SHOGI_NOWHERE ? 0 : class_attacks(them, class, king, occupied);
    row->checking[SHOGI_KING] = 0;
    for (shogi_set s = aligned_sliders(p, us, king); s; s &= s - 1) {
        shogi_set between = squares_between(king, set_first(s)) & occupied;
        if (between && set_is_single(between))
            row->uncovering |= between & p->colour[us];
    }
}

/* Writes the groups of `us`; returns how many. */
SHOGI_INLINE size_t make_piece_groups(const shogi_position *p, int us, int mode,
                                      piece_group *groups)
{
    piece_row row = {.at = groups};
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    int king = shogi_king(p, us);
    king_danger danger = find_king_danger(p, us, king, occupied);
    if (mode == SHOGI_TSUME)
        prepare_checks(&row, p, us, occupied);
    answer_sets answer = find_answers(p, us, king, danger.checkers, occupied);
    shogi_set target = answer.target, drop = answer.drop;
    if (target) {
        add_pawns(&row, p, us, mode, king, danger.pinned, target);
        add_pieces(&row, p, us, mode, SHOGI_LANCE, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, mode, SHOGI_KNIGHT, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, mode, SHOGI_SILVER, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, mode, SHOGI_BISHOP, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, mode, SHOGI_ROOK, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, mode, SHOGI_GOLD, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, mode, SHOGI_HORSE, king, danger.pinned, target, occupied);
        add_pieces(&row, p, us, mode, SHOGI_DRAGON, king, danger.pinned, target, occupied);
    }
    shogi_set steps = shogi_reach[us][SHOGI_KING][king] & ~own;
    if (steps) {
        steps &= ~attacks_on(p, !us, steps, occupied ^ set_of(king));
        add_piece(&row, us, mode, SHOGI_KING, king, steps);
    }
    add_piece_drops(&row, p, us, mode, drop);
    return (size_t)(row.at - groups);
}

#endif
