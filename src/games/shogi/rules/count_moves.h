/* SPDX-License-Identifier: MIT */
/*
 * count_moves.h - the number of legal moves, without generating them.
 *
 * Steps are counted for all pieces at once, by direction: the pieces that have the step are
 * shifted, and every one that lands on an allowed square is a move. Optional promotions count
 * twice. Pinned pieces are counted one by one. If the player is in check, the moves are counted by
 * groups.
 */
#ifndef PLY_GAMES_SHOGI_RULES_COUNT_MOVES_H
#define PLY_GAMES_SHOGI_RULES_COUNT_MOVES_H

#include "games/shogi/rules/move_groups.h"

/* What a player can drop, as sets of squares to be intersected with the empty ones. */
typedef struct drop_sets {
    unsigned anywhere; /* kinds in hand that can be dropped on any empty square */
    shogi_set lances,
        knights; /* squares where the piece could move again; empty without one in hand */
    shogi_set pawns;
} drop_sets;

SHOGI_INLINE drop_sets find_drops(const shogi_position *p, int us)
{
    uint64_t hand = p->hand[us];
    drop_sets d = {0};
    if (!hand)
        return d;
    for (int kind = SHOGI_SILVER; kind <= SHOGI_GOLD; kind++)
        d.anywhere += shogi_hand_count(hand, kind) != 0;
    if (shogi_hand_count(hand, SHOGI_LANCE))
        d.lances = SHOGI_BOARD_SET & ~last_ranks(us, 1);
    if (shogi_hand_count(hand, SHOGI_KNIGHT))
        d.knights = SHOGI_BOARD_SET & ~last_ranks(us, 2);
    if (shogi_hand_count(hand, SHOGI_PAWN))
        d.pawns = pawn_drop_squares(p, us, SHOGI_BOARD_SET);
    return d;
}

/* The number of drops on a set of empty squares. */
SHOGI_INLINE unsigned count_drops(const drop_sets *d, shogi_set empty)
{
    return d->anywhere * set_count(empty) + set_count(empty & d->lances) +
           set_count(empty & d->knights) + set_count(empty & d->pawns);
}

/* The number of moves of one piece to a set of squares, promotions included. */
SHOGI_INLINE unsigned count_piece(int us, int type, int from, shogi_set to)
{
    shogi_set zone = last_ranks(us, 3);
    switch (type) {
    case SHOGI_PAWN:
    case SHOGI_LANCE:
        return set_count(to) + set_count(to & zone & ~last_ranks(us, 1));
    case SHOGI_KNIGHT:
        return set_count(to) + set_count(to & zone & ~last_ranks(us, 2));
    case SHOGI_SILVER:
    case SHOGI_BISHOP:
    case SHOGI_ROOK:
        return set_count(to) + set_count(set_has(zone, from) ? to : to & zone);
    default:
        return set_count(to);
    }
}

/* Moves of pinned pieces, which stay on the ray from their king. Not inlined: pins are rare. */
PLY_SHARED __attribute__((noinline)) unsigned count_pinned(const shogi_position *p, int us,
                                                           int king, shogi_set pinned)
{
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    unsigned total = 0;
    for (; pinned; pinned &= pinned - 1) {
        int from = set_first(pinned), type = shogi_code_type(p->board[from]);
        shogi_set ray = shogi_rays[shogi_direction[king][from]][king];
        total += count_piece(us, type, from, type_attacks(us, type, from, occupied) & ray & ~own);
    }
    return total;
}

/* Steps and jumps of all `movers` at once. movers: own pieces that are not pinned. */
SHOGI_INLINE unsigned count_steps(const shogi_position *p, int us, shogi_set movers,
                                  shogi_set target)
{
    int f = forward_of(us);
    shogi_set zone = last_ranks(us, 3);
    step_sets m = find_step_sets(p, movers);
    shogi_set ahead = m.straight | m.pawns | m.silvers;
    unsigned total =
        set_count(set_step(ahead, f) & target) + set_count(set_step(m.straight, -f) & target) +
        set_count(set_step(m.straight, 1) & target) + set_count(set_step(m.straight, -1) & target) +
        set_count(set_step(m.diagonal, f + 1) & target) +
        set_count(set_step(m.diagonal, f - 1) & target) +
        set_count(set_step(m.diagonal_back, 1 - f) & target) +
        set_count(set_step(m.diagonal_back, -1 - f) & target) +
        set_count(set_step(m.knights, 2 * f + 1) & target) +
        set_count(set_step(m.knights, 2 * f - 1) & target);
    if (may_promote_by_step(&m, us)) {
        shogi_set into = target & zone, pawn_into = into & ~last_ranks(us, 1);
        shogi_set knight_into = into & ~last_ranks(us, 2), inside = m.silvers & zone;
        total += set_count(set_step(m.pawns, f) & pawn_into) +
                 set_count(set_step(m.knights, 2 * f + 1) & knight_into) +
                 set_count(set_step(m.knights, 2 * f - 1) & knight_into) +
                 set_count(set_step(m.silvers, f) & into) +
                 set_count(set_step(m.silvers, f + 1) & into) +
                 set_count(set_step(m.silvers, f - 1) & into) +
                 set_count(set_step(inside, 1 - f) & target) +
                 set_count(set_step(inside, -1 - f) & target);
    }
    return total;
}

/* Slides of all pieces that are not pinned. *attacks gets the squares that all sliders attack. */
SHOGI_INLINE unsigned count_slides(const shogi_position *p, int us, shogi_set pinned,
                                   shogi_set target, shogi_set occupied, shogi_set *attacks)
{
    unsigned total = 0;
    shogi_set own = p->colour[us], attacked = 0, zone = last_ranks(us, 3);
    for (shogi_set s = own & p->by_type[SHOGI_LANCE]; s; s &= s - 1) {
        int at = set_first(s);
        shogi_set to = lance_attacks(us, at, occupied);
        attacked |= to;
        if (!set_has(pinned, at)) {
            to &= target;
            total += set_count(to) + set_count(to & zone & ~last_ranks(us, 1));
        }
    }
    for (shogi_set s = own & (p->by_type[SHOGI_BISHOP] | p->by_type[SHOGI_HORSE]); s; s &= s - 1) {
        int at = set_first(s);
        shogi_set to = bishop_attacks(at, occupied);
        attacked |= to;
        if (!set_has(pinned, at)) {
            to &= target;
            total += set_count(to);
            if (set_has(p->by_type[SHOGI_BISHOP], at))
                total += set_count(set_has(zone, at) ? to : to & zone);
        }
    }
    for (shogi_set s = own & (p->by_type[SHOGI_ROOK] | p->by_type[SHOGI_DRAGON]); s; s &= s - 1) {
        int at = set_first(s);
        shogi_set to = rook_attacks(at, occupied);
        attacked |= to;
        if (!set_has(pinned, at)) {
            to &= target;
            total += set_count(to);
            if (set_has(p->by_type[SHOGI_ROOK], at))
                total += set_count(set_has(zone, at) ? to : to & zone);
        }
    }
    *attacks = attacked;
    return total;
}

PLY_SHARED __attribute__((noinline)) unsigned count_in_check(const shogi_position *p, int us)
{
    move_group groups[MAX_GROUPS];
    size_t n = make_groups(p, us, groups);
    unsigned total = 0;
    for (size_t i = 0; i < n; i++)
        total += set_count(groups[i].to);
    return total;
}

/* 1 if dropping a pawn in front of the enemy king would give mate, else 0. us is not in check. */
SHOGI_INLINE unsigned count_pawn_drop_mates(const shogi_position *p, int us, shogi_set pawn_squares)
{
    int king = shogi_king(p, !us), front = king - forward_of(us);
    if (king == SHOGI_NO_SQUARE || front < 0 || !set_has(pawn_squares, front))
        return 0;
    return pawn_drop_mates(p, us, front);
}

/* By-products of a count, for the two-ply perft. */
typedef struct count_parts {
    drop_sets drops;
    shogi_set slider_attacks; /* squares that the player's sliders attack */
} count_parts;

/*
 * The number of legal moves of `us`, who is not in check and need not be the player to move. Pawn
 * drops that give mate are included.
 */
SHOGI_INLINE unsigned count_unchecked(const shogi_position *p, int us, int king, shogi_set pinned,
                                      count_parts *parts)
{
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    shogi_set target = SHOGI_BOARD_SET & ~own;
    unsigned total = count_steps(p, us, own & ~pinned, target) +
                     count_slides(p, us, pinned, target, occupied, &parts->slider_attacks);
    if (__builtin_expect(pinned != 0, 0))
        total += count_pinned(p, us, king, pinned);
    shogi_set steps = shogi_pseudo_attacks[us][SHOGI_KING][king] & ~own;
    if (steps)
        total += set_count(steps & ~attacks_on(p, !us, steps, occupied ^ set_of(king)));
    parts->drops = find_drops(p, us);
    if (p->hand[us])
        total += count_drops(&parts->drops, SHOGI_BOARD_SET & ~occupied);
    return total;
}

/* The number of legal moves of `us`. */
SHOGI_INLINE unsigned count_legal(const shogi_position *p, int us)
{
    shogi_set occupied = p->colour[0] | p->colour[1];
    int king = shogi_king(p, us);
    king_danger danger = find_king_danger(p, us, king, occupied);
    if (danger.checkers)
        return count_in_check(p, us);
    count_parts parts;
    unsigned total = count_unchecked(p, us, king, danger.pinned, &parts);
    if (parts.drops.pawns)
        total -= count_pawn_drop_mates(p, us, parts.drops.pawns & ~occupied);
    return total;
}

/* One body per colour: inlined everywhere, this would be the larger part of the program. */
PLY_SHARED __attribute__((noinline)) unsigned count_legal_black(const shogi_position *p)
{
    return count_legal(p, SHOGI_BLACK);
}

PLY_SHARED __attribute__((noinline)) unsigned count_legal_white(const shogi_position *p)
{
    return count_legal(p, SHOGI_WHITE);
}

SHOGI_INLINE unsigned count_legal_of(const shogi_position *p, int us)
{
    return us == SHOGI_BLACK ? count_legal_black(p) : count_legal_white(p);
}

#endif
