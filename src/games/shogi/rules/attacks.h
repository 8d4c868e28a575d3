/* SPDX-License-Identifier: MIT */
/*
 * attacks.h - attacks, checkers and pins: the analysis that comes before move generation.
 *
 * Everything is inlined into code for one colour, `us`, which is a compile-time constant where
 * speed matters. Sliders need no occupancy tables. On a ray towards larger squares, o ^ (o - 1) has
 * exactly the bits up to the first blocker in o; on a ray towards smaller squares the first blocker
 * is the highest bit of o.
 */
#ifndef PLY_GAMES_SHOGI_RULES_ATTACKS_H
#define PLY_GAMES_SHOGI_RULES_ATTACKS_H

#include "games/shogi/rules/square_tables.h"

/* With a sanitizer's check at every access, inlining everything makes the kernels take ten times as
 * long to compile. The checks are the same in functions that are called. */
#ifdef PLY_SANITIZED
#define SHOGI_INLINE PLY_HD
#else
#define SHOGI_INLINE PLY_HD __attribute__((always_inline))
#endif

SHOGI_INLINE int forward_of(int us)
{
    return us == SHOGI_BLACK ? -11 : 11;
}

/* The n ranks farthest from a player; with n = 3 their promotion zone. */
SHOGI_INLINE shogi_set last_ranks(int us, int n)
{
    shogi_set top = SHOGI_RANK_SET(0), bottom = SHOGI_RANK_SET(8);
    if (n >= 2) {
        top |= SHOGI_RANK_SET(1);
        bottom |= SHOGI_RANK_SET(7);
    }
    if (n >= 3) {
        top |= SHOGI_RANK_SET(2);
        bottom |= SHOGI_RANK_SET(6);
    }
    return us == SHOGI_BLACK ? top : bottom;
}

/* The squares of a ray up to and including the first blocker; towards larger squares. */
SHOGI_INLINE shogi_set slide_up(shogi_set occupied, shogi_set ray)
{
    shogi_set o = occupied & ray;
    return ray & (o ^ (o - 1));
}

/* The same towards smaller squares. */
SHOGI_INLINE shogi_set slide_down(shogi_set occupied, shogi_set ray)
{
    shogi_set o = occupied & ray;
    uint64_t high = set_high(o), low = set_low(o) | 1;
    uint64_t high_mask = high ? ~(uint64_t)0 << ply_highest(high | 1) : ~(uint64_t)0;
    uint64_t low_mask = high ? 0 : ~(uint64_t)0 << ply_highest(low);
    return ray & SHOGI_SET(high_mask, low_mask);
}

SHOGI_INLINE shogi_set slide(shogi_set occupied, int direction, int square)
{
    shogi_set ray = shogi_rays[direction][square];
    return direction < 4 ? slide_down(occupied, ray) : slide_up(occupied, ray);
}

SHOGI_INLINE shogi_set rook_attacks(int square, shogi_set occupied)
{
    return slide(occupied, 1, square) | slide(occupied, 3, square) | slide(occupied, 4, square) |
           slide(occupied, 6, square);
}

SHOGI_INLINE shogi_set bishop_attacks(int square, shogi_set occupied)
{
    return slide(occupied, 0, square) | slide(occupied, 2, square) | slide(occupied, 5, square) |
           slide(occupied, 7, square);
}

SHOGI_INLINE shogi_set lance_attacks(int us, int square, shogi_set occupied)
{
    return slide(occupied, us == SHOGI_BLACK ? 1 : 6, square);
}

SHOGI_INLINE shogi_set type_attacks(int us, int type, int square, shogi_set occupied)
{
    switch (type) {
    case SHOGI_LANCE:
        return lance_attacks(us, square, occupied);
    case SHOGI_BISHOP:
        return bishop_attacks(square, occupied);
    case SHOGI_ROOK:
        return rook_attacks(square, occupied);
    case SHOGI_HORSE:
        return bishop_attacks(square, occupied) | shogi_pseudo_attacks[us][SHOGI_KING][square];
    case SHOGI_DRAGON:
        return rook_attacks(square, occupied) | shogi_pseudo_attacks[us][SHOGI_KING][square];
    default:
        return shogi_pseudo_attacks[us][type][square];
    }
}

/* The pieces of `them` that attack a square by a step or a knight's jump, without the king. */
SHOGI_INLINE shogi_set near_attackers(const shogi_position *p, int them, int square)
{
    int us = !them;
    shogi_set around = shogi_pseudo_attacks[us][SHOGI_KING][square];
    return p->colour[them] &
           ((p->by_type[SHOGI_PAWN] & shogi_pseudo_attacks[us][SHOGI_PAWN][square]) |
            (p->by_type[SHOGI_KNIGHT] & shogi_pseudo_attacks[us][SHOGI_KNIGHT][square]) |
            (p->by_type[SHOGI_SILVER] & shogi_pseudo_attacks[us][SHOGI_SILVER][square]) |
            (p->by_type[SHOGI_GOLD] & shogi_pseudo_attacks[us][SHOGI_GOLD][square]) |
            ((p->by_type[SHOGI_HORSE] | p->by_type[SHOGI_DRAGON]) & around));
}

/* The sliders of `them` that would attack a square if nothing stood between. */
SHOGI_INLINE shogi_set aligned_sliders(const shogi_position *p, int them, int square)
{
    int us = !them;
    return p->colour[them] &
           (((p->by_type[SHOGI_ROOK] | p->by_type[SHOGI_DRAGON]) &
             shogi_pseudo_attacks[us][SHOGI_ROOK][square]) |
            ((p->by_type[SHOGI_BISHOP] | p->by_type[SHOGI_HORSE]) &
             shogi_pseudo_attacks[us][SHOGI_BISHOP][square]) |
            (p->by_type[SHOGI_LANCE] & shogi_pseudo_attacks[us][SHOGI_LANCE][square]));
}

/* The squares between two squares on a common rank, file or diagonal. */
SHOGI_INLINE shogi_set squares_between(int a, int b)
{
    int d = shogi_direction[a][b];
    return shogi_rays[d][a] & shogi_rays[7 - d][b];
}

/* The same for any two squares: empty if they are not aligned. */
SHOGI_INLINE shogi_set squares_between_any(int a, int b)
{
    return shogi_direction[a][b] < SHOGI_DIRECTIONS ? squares_between(a, b) : 0;
}

/* All pieces of `them` that attack a square, the king included. */
SHOGI_INLINE shogi_set attackers_of(const shogi_position *p, int them, int square,
                                    shogi_set occupied)
{
    shogi_set found =
        near_attackers(p, them, square) |
        (p->colour[them] & p->by_type[SHOGI_KING] & shogi_pseudo_attacks[0][SHOGI_KING][square]);
    for (shogi_set s = aligned_sliders(p, them, square); s; s &= s - 1) {
        int at = set_first(s);
        if (!(squares_between(square, at) & occupied))
            found |= set_of(at);
    }
    return found;
}

/* Whether any piece of `them` attacks a square. */
SHOGI_INLINE bool is_attacked(const shogi_position *p, int them, int square, shogi_set occupied)
{
    if (near_attackers(p, them, square) |
        (p->colour[them] & p->by_type[SHOGI_KING] & shogi_pseudo_attacks[0][SHOGI_KING][square]))
        return true;
    for (shogi_set s = aligned_sliders(p, them, square); s; s &= s - 1)
        if (!(squares_between(square, set_first(s)) & occupied))
            return true;
    return false;
}

/* Whether a colour's king, if there is one, is in check. */
SHOGI_INLINE bool is_in_check(const shogi_position *p, int colour)
{
    int king = shogi_king(p, colour);
    return king != SHOGI_NO_SQUARE && is_attacked(p, !colour, king, p->colour[0] | p->colour[1]);
}

/* The pieces that check a king, and the pieces pinned to it. */
typedef struct king_danger {
    shogi_set checkers;
    shogi_set pinned; /* own pieces that are the only blocker between the king and a slider */
} king_danger;

SHOGI_INLINE king_danger find_king_danger(const shogi_position *p, int us, int king,
                                          shogi_set occupied)
{
    int them = !us;
    king_danger d = {near_attackers(p, them, king), 0};
    for (shogi_set s = aligned_sliders(p, them, king); s; s &= s - 1) {
        int at = set_first(s);
        shogi_set between = squares_between(king, at) & occupied;
        if (!between)
            d.checkers |= set_of(at);
        else if (set_is_single(between))
            d.pinned |= between & p->colour[us];
    }
    return d;
}

/* The squares that the steps and jumps of the pieces of `them` among `own` attack, all at once. */
SHOGI_INLINE shogi_set step_attacks_of(const shogi_position *p, int them, shogi_set own)
{
    int f = forward_of(them);
    shogi_set silver = p->by_type[SHOGI_SILVER], gold = p->by_type[SHOGI_GOLD];
    shogi_set horse = p->by_type[SHOGI_HORSE], dragon = p->by_type[SHOGI_DRAGON],
              king = p->by_type[SHOGI_KING];
    shogi_set straight = own & (gold | horse | king);
    shogi_set ahead = straight | (own & (p->by_type[SHOGI_PAWN] | silver));
    shogi_set diagonal_back = own & (silver | dragon | king);
    shogi_set diagonal = diagonal_back | (own & gold);
    shogi_set knights = own & p->by_type[SHOGI_KNIGHT];
    /* Every step with a sideways part, moved forwards or backwards first, then to both sides. */
    shogi_set sideways = set_step(diagonal, f) | straight | set_step(diagonal_back, -f);
    sideways |= set_step(knights, 2 * f);
    return (set_step(sideways, 1) | set_step(sideways, -1) | set_step(ahead, f) |
            set_step(straight, -f)) &
           SHOGI_BOARD_SET;
}

/* The same for all pieces of `them`, the king included. */
SHOGI_INLINE shogi_set step_attacks(const shogi_position *p, int them)
{
    return step_attacks_of(p, them, p->colour[them]);
}

/*
 * The squares attacked by `them`, exact only within `wanted`: sliders that cannot reach `wanted`
 * are skipped.
 */
SHOGI_INLINE shogi_set attacks_on(const shogi_position *p, int them, shogi_set wanted,
                                  shogi_set occupied)
{
    shogi_set own = p->colour[them], found = step_attacks(p, them);
    for (shogi_set s = own & p->by_type[SHOGI_LANCE]; s; s &= s - 1) {
        int at = set_first(s);
        if (shogi_pseudo_attacks[them][SHOGI_LANCE][at] & wanted)
            found |= lance_attacks(them, at, occupied);
    }
    for (shogi_set s = own & (p->by_type[SHOGI_BISHOP] | p->by_type[SHOGI_HORSE]); s; s &= s - 1) {
        int at = set_first(s);
        if (shogi_pseudo_attacks[them][SHOGI_BISHOP][at] & wanted)
            found |= bishop_attacks(at, occupied);
    }
    for (shogi_set s = own & (p->by_type[SHOGI_ROOK] | p->by_type[SHOGI_DRAGON]); s; s &= s - 1) {
        int at = set_first(s);
        if (shogi_pseudo_attacks[them][SHOGI_ROOK][at] & wanted)
            found |= rook_attacks(at, occupied);
    }
    return found;
}

/*
 * Whether a pawn of `us` dropped on `square`, in front of the king of `them`, gives mate. No
 * replies are generated: `them` can only move the king, or capture the pawn with a piece that no
 * pin holds back.
 */
SHOGI_INLINE bool pawn_drop_mates(const shogi_position *p, int us, int square)
{
    int them = !us, king = shogi_king(p, them);
    shogi_set occupied = p->colour[0] | p->colour[1] | set_of(square);
    shogi_set escapes = shogi_pseudo_attacks[0][SHOGI_KING][king] & ~p->colour[them];
    if (escapes & ~attacks_on(p, us, escapes, occupied ^ set_of(king)))
        return false;
    shogi_set takers = attackers_of(p, them, square, occupied) & ~set_of(king);
    if (!takers)
        return true;
    shogi_set pinned = find_king_danger(p, them, king, p->colour[0] | p->colour[1]).pinned;
    for (; takers; takers &= takers - 1) {
        int at = set_first(takers);
        if (!set_has(pinned, at) || shogi_direction[king][at] == shogi_direction[king][square])
            return false;
    }
    return true;
}

/* The columns that hold one of these pawns, as nine bits. */
SHOGI_INLINE unsigned pawn_columns(shogi_set pawns)
{
    uint64_t ranks = (uint64_t)(pawns | pawns >> 44); /* ranks 4-8 folded onto ranks 0-4 */
    ranks |= ranks >> 22;
    return (unsigned)((ranks | ranks >> 11 | ranks >> 22) & 0x1FF);
}

/* The squares of `empty` where a player may drop a pawn, ignoring pawn-drop mate. */
SHOGI_INLINE shogi_set pawn_drop_squares(const shogi_position *p, int us, shogi_set empty)
{
    unsigned taken = pawn_columns(p->colour[us] & p->by_type[SHOGI_PAWN]);
    return empty & ~last_ranks(us, 1) & shogi_column_sets[~taken & 0x1FF];
}

#endif
