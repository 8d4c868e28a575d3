/* SPDX-License-Identifier: MIT */
/*
 * move_groups.h - legal moves as groups: a set of squares to go to, and where from.
 *
 * The list of moves, the n-th move and a random move all come from the same row of groups, so they
 * agree on the order. Only legal moves are made: checkers and pins are found first, then the
 * squares allowed are set once for all pieces. Pieces that step are taken all at once, a group for
 * each direction: no loop over pieces, hardly a branch.
 *
 *     a move of a group = base + to * factor
 *         one piece      base = from (and the promotion bit)   factor = 128
 *         one step       base = the step back                  factor = 129: from depends on to
 *         a drop         base = drop bit and kind              factor = 128
 */
#ifndef PLY_GAMES_SHOGI_RULES_MOVE_GROUPS_H
#define PLY_GAMES_SHOGI_RULES_MOVE_GROUPS_H

#include "games/shogi/rules/attacks.h"

typedef struct move_group {
    shogi_set to;
    uint16_t base;
    uint16_t factor;
} move_group;

/*
 * Each of 39 pieces in two groups, the king in one and seven kinds of drops are more than enough;
 * one more is written and not kept.
 */
enum { MAX_GROUPS = 88 };

SHOGI_INLINE unsigned group_move(const move_group *g, int to)
{
    return (uint16_t)(g->base + (unsigned)to * g->factor);
}

/* Always written, kept only if not empty: the test costs no branch. */
SHOGI_INLINE move_group *add_group(move_group *at, shogi_set to, int base, int factor)
{
    at->to = to;
    at->base = (uint16_t)base;
    at->factor = (uint16_t)factor;
    return at + (to != 0);
}

SHOGI_INLINE move_group *add_step(move_group *at, shogi_set to, int step)
{
    return add_group(at, to, -step, 129);
}

SHOGI_INLINE move_group *add_promoting_step(move_group *at, shogi_set to, int step)
{
    return add_group(at, to, SHOGI_MOVE_PROMOTE - step, 129);
}

SHOGI_INLINE move_group *add_steps(move_group *at, const shogi_position *p, int us,
                                   shogi_set movers, shogi_set target)
{
    int f = forward_of(us);
    shogi_set zone = last_ranks(us, 3);
    shogi_set pawns = movers & p->by[SHOGI_PAWN], knights = movers & p->by[SHOGI_KNIGHT];
    shogi_set silvers = movers & p->by[SHOGI_SILVER];
    shogi_set straight = movers & (p->by[SHOGI_GOLD] | p->by[SHOGI_HORSE]);
    shogi_set slant_back = silvers | (movers & p->by[SHOGI_DRAGON]);
    shogi_set slant = slant_back | (movers & p->by[SHOGI_GOLD]);
    shogi_set dead_pawns = set_step(pawns, f) & last_ranks(us, 1);
    shogi_set knight_target = target & ~last_ranks(us, 2);
    at = add_step(at, set_step(straight | pawns | silvers, f) & target & ~dead_pawns, f);
    at = add_step(at, set_step(straight, -f) & target, -f);
    at = add_step(at, set_step(straight, 1) & target, 1);
    at = add_step(at, set_step(straight, -1) & target, -1);
    at = add_step(at, set_step(slant, f + 1) & target, f + 1);
    at = add_step(at, set_step(slant, f - 1) & target, f - 1);
    at = add_step(at, set_step(slant_back, 1 - f) & target, 1 - f);
    at = add_step(at, set_step(slant_back, -1 - f) & target, -1 - f);
    at = add_step(at, set_step(knights, 2 * f + 1) & knight_target, 2 * f + 1);
    at = add_step(at, set_step(knights, 2 * f - 1) & knight_target, 2 * f - 1);
    /* Nothing promotes unless it stands at most two steps before the zone. */
    shogi_set close = zone | set_step(zone, -f) | set_step(zone, -2 * f);
    if ((pawns | knights | silvers) & close) {
        shogi_set into = target & zone, inside = silvers & zone;
        at = add_promoting_step(at, set_step(pawns | silvers, f) & into, f);
        at = add_promoting_step(at, set_step(silvers, f + 1) & into, f + 1);
        at = add_promoting_step(at, set_step(silvers, f - 1) & into, f - 1);
        at = add_promoting_step(at, set_step(inside, 1 - f) & target, 1 - f);
        at = add_promoting_step(at, set_step(inside, -1 - f) & target, -1 - f);
        at = add_promoting_step(at, set_step(knights, 2 * f + 1) & into, 2 * f + 1);
        at = add_promoting_step(at, set_step(knights, 2 * f - 1) & into, 2 * f - 1);
    }
    return at;
}

/* One piece: the squares it may go to without promoting, and those where it may promote. */
SHOGI_INLINE move_group *add_one(move_group *at, int from, shogi_set plain, shogi_set promoting)
{
    at = add_group(at, plain, from, 128);
    return add_group(at, promoting, from | SHOGI_MOVE_PROMOTE, 128);
}

SHOGI_INLINE move_group *add_slides(move_group *at, const shogi_position *p, int us,
                                    shogi_set movers, shogi_set target, shogi_set occupied)
{
    shogi_set zone = last_ranks(us, 3);
    for (shogi_set s = movers & p->by[SHOGI_LANCE]; s; s &= s - 1) {
        int from = set_first(s);
        shogi_set to = lance_attacks(us, from, occupied) & target;
        at = add_one(at, from, to & ~last_ranks(us, 1), to & zone);
    }
    for (shogi_set s = movers & (p->by[SHOGI_BISHOP] | p->by[SHOGI_HORSE]); s; s &= s - 1) {
        int from = set_first(s);
        shogi_set to = bishop_attacks(from, occupied) & target;
        shogi_set promotes = set_has(zone, from) ? to : to & zone;
        at = add_one(at, from, to, set_has(p->by[SHOGI_BISHOP], from) ? promotes : 0);
    }
    for (shogi_set s = movers & (p->by[SHOGI_ROOK] | p->by[SHOGI_DRAGON]); s; s &= s - 1) {
        int from = set_first(s);
        shogi_set to = rook_attacks(from, occupied) & target;
        shogi_set promotes = set_has(zone, from) ? to : to & zone;
        at = add_one(at, from, to, set_has(p->by[SHOGI_ROOK], from) ? promotes : 0);
    }
    return at;
}

/* The squares where a piece of a class may stop without promoting, and those where it promotes. */
SHOGI_INLINE void split_promotions(int us, int class, int from, shogi_set to, shogi_set *plain,
                                   shogi_set *promoting)
{
    shogi_set zone = last_ranks(us, 3);
    *plain = to;
    *promoting = set_has(zone, from) ? to : to & zone;
    if (class == SHOGI_PAWN || class == SHOGI_LANCE)
        *plain = to & ~last_ranks(us, 1);
    else if (class == SHOGI_KNIGHT)
        *plain = to & ~last_ranks(us, 2);
    else if (class >= SHOGI_GOLD)
        *promoting = 0;
}

/* Pieces that may only move along the line to their king. */
SHOGI_INLINE move_group *add_pinned(move_group *at, const shogi_position *p, int us, int king,
                                    shogi_set pinned, shogi_set target, shogi_set occupied)
{
    for (; pinned; pinned &= pinned - 1) {
        int from = set_first(pinned), class = shogi_code_class(p->board[from]);
        shogi_set line = shogi_rays[shogi_direction[king][from]][king], plain, promoting;
        split_promotions(us, class, from, class_attacks(us, class, from, occupied) & target & line,
                         &plain, &promoting);
        at = add_one(at, from, plain, promoting);
    }
    return at;
}

/* Squares of `allowed`, all empty, where a piece of a kind may be dropped. */
SHOGI_INLINE shogi_set drop_squares(const shogi_position *p, int us, int mode, int kind,
                                    shogi_set allowed)
{
    if (kind == SHOGI_LANCE)
        return allowed & ~last_ranks(us, 1);
    if (kind == SHOGI_KNIGHT)
        return allowed & ~last_ranks(us, 2);
    if (kind != SHOGI_PAWN)
        return allowed;
    shogi_set to = pawn_drop_squares(p, us, allowed);
    int king = shogi_king(p, !us), front = king - forward_of(us);
    if (mode != SHOGI_SIMPLE && king != SHOGI_NOWHERE && front >= 0 && set_has(to, front) &&
        pawn_drop_mates(p, us, front))
        to ^= set_of(front);
    return to;
}

SHOGI_INLINE move_group *add_drops(move_group *at, const shogi_position *p, int us, int mode,
                                   shogi_set allowed)
{
    uint64_t hand = p->hand[us];
    if (!hand)
        return at;
    if (shogi_hand_count(hand, SHOGI_PAWN))
        at = add_group(at, drop_squares(p, us, mode, SHOGI_PAWN, allowed),
                       SHOGI_MOVE_DROP | SHOGI_PAWN, 128);
    for (int kind = SHOGI_LANCE; kind <= SHOGI_GOLD; kind++) {
        shogi_set held = -(shogi_set)(shogi_hand_count(hand, kind) != 0);
        at = add_group(at, drop_squares(p, us, mode, kind, allowed) & held, SHOGI_MOVE_DROP | kind,
                       128);
    }
    return at;
}

/* Squares that answer a check, for pieces and for drops; all where there is none. */
typedef struct answer_sets {
    shogi_set target, drop;
} answer_sets;

SHOGI_INLINE answer_sets find_answers(const shogi_position *p, int us, int king, shogi_set checkers,
                                      shogi_set occupied)
{
    answer_sets a = {SHOGI_BOARD_SET & ~p->colour[us], SHOGI_BOARD_SET & ~occupied};
    if (!checkers)
        return a;
    if (!set_is_single(checkers))
        return (answer_sets){0, 0}; /* two checkers: only the king can move */
    /* A piece that checks from next to the king leaves nothing between. */
    shogi_set between = squares_between_any(king, set_first(checkers));
    a.drop &= between;
    a.target &= between | checkers;
    return a;
}

SHOGI_INLINE size_t make_groups_inline(const shogi_position *p, int us, int mode,
                                       move_group *groups)
{
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    int king = shogi_king(p, us);
    king_danger danger = find_king_danger(p, us, king, occupied);
    answer_sets answer = find_answers(p, us, king, danger.checkers, occupied);
    move_group *at = groups;
    shogi_set steps = shogi_reach[us][SHOGI_KING][king] & ~own;
    if (steps) {
        steps &= ~attacks_on(p, !us, steps, occupied ^ set_of(king));
        at = add_group(at, steps, king, 128);
    }
    if (answer.target) {
        at = add_steps(at, p, us, own & ~danger.pinned, answer.target);
        at = add_slides(at, p, us, own & ~danger.pinned, answer.target, occupied);
        at = add_pinned(at, p, us, king, danger.pinned, answer.target, occupied);
    }
    if (answer.drop)
        at = add_drops(at, p, us, mode, answer.drop);
    return (size_t)(at - groups);
}

static __attribute__((noinline)) size_t make_groups_black(const shogi_position *p,
                                                          move_group *groups)
{
    return make_groups_inline(p, SHOGI_BLACK, SHOGI_STANDARD, groups);
}

static __attribute__((noinline)) size_t make_groups_white(const shogi_position *p,
                                                          move_group *groups)
{
    return make_groups_inline(p, SHOGI_WHITE, SHOGI_STANDARD, groups);
}

/* Writes the groups of `us` in their fixed order, mode 1; returns how many. */
SHOGI_INLINE size_t make_groups(const shogi_position *p, int us, move_group *groups)
{
    return us == SHOGI_BLACK ? make_groups_black(p, groups) : make_groups_white(p, groups);
}

#endif
