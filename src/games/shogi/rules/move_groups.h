/* SPDX-License-Identifier: MIT */
/*
 * move_groups.h - legal moves as groups of moves that share their origin or their step.
 *
 * A group is a set of target squares plus what is needed to compute the move to each of them. The
 * move list, the n-th move and a random move all come from the same groups and so agree on the
 * order. Only legal moves are generated: checkers and pins are found first and fix the allowed
 * target squares for all pieces. Pieces that step are handled together, one group per direction,
 * without a loop over pieces and almost without branches.
 *
 *     move to square `to` = base + to * factor
 *
 *     one piece    base = from, plus the promotion bit    factor 128: places `to` in bits 7-13
 *     one step     base = -step                           factor 129: adds `to` to `from` as well
 *     a drop       base = drop bit and kind               factor 128
 */
#ifndef PLY_GAMES_SHOGI_RULES_MOVE_GROUPS_H
#define PLY_GAMES_SHOGI_RULES_MOVE_GROUPS_H

#include "games/shogi/rules/attacks.h"

enum { FACTOR_FIXED_ORIGIN = 128, FACTOR_STEP = 129 };

typedef struct move_group {
    shogi_set to;
    uint16_t base;
    uint16_t factor;
} move_group;

/*
 * Two groups for each of 39 pieces, one for the king and seven for the drops are more than enough.
 * One more is needed because add_group writes a group before it decides whether to keep it.
 */
enum { MAX_GROUPS = 88 };

SHOGI_INLINE unsigned group_move(const move_group *g, int to)
{
    return (uint16_t)(g->base + (unsigned)to * g->factor);
}

/* Always written, but kept only if it has a square: this avoids a branch. */
SHOGI_INLINE move_group *add_group(move_group *at, shogi_set to, int base, int factor)
{
    at->to = to;
    at->base = (uint16_t)base;
    at->factor = (uint16_t)factor;
    return at + (to != 0);
}

SHOGI_INLINE move_group *add_step(move_group *at, shogi_set to, int step)
{
    return add_group(at, to, -step, FACTOR_STEP);
}

SHOGI_INLINE move_group *add_promoting_step(move_group *at, shogi_set to, int step)
{
    return add_group(at, to, SHOGI_MOVE_PROMOTE - step, FACTOR_STEP);
}

/* Pieces that step or jump, by the steps they have. */
typedef struct step_sets {
    shogi_set pawns, knights, silvers;
    shogi_set straight;      /* step forwards, backwards and sideways: golds and horses */
    shogi_set diagonal;      /* step diagonally forwards: silvers, golds and dragons */
    shogi_set diagonal_back; /* step diagonally backwards: silvers and dragons */
} step_sets;

SHOGI_INLINE step_sets find_step_sets(const shogi_position *p, shogi_set movers)
{
    step_sets s;
    s.pawns = movers & p->by_type[SHOGI_PAWN];
    s.knights = movers & p->by_type[SHOGI_KNIGHT];
    s.silvers = movers & p->by_type[SHOGI_SILVER];
    s.straight = movers & (p->by_type[SHOGI_GOLD] | p->by_type[SHOGI_HORSE]);
    s.diagonal_back = s.silvers | (movers & p->by_type[SHOGI_DRAGON]);
    s.diagonal = s.diagonal_back | (movers & p->by_type[SHOGI_GOLD]);
    return s;
}

/* Whether a pawn, knight or silver is in the promotion zone or at most two ranks in front of it. */
SHOGI_INLINE bool may_promote_by_step(const step_sets *s, int us)
{
    int f = forward_of(us);
    shogi_set zone = last_ranks(us, 3);
    shogi_set near_zone = zone | set_step(zone, -f) | set_step(zone, -2 * f);
    return ((s->pawns | s->knights | s->silvers) & near_zone) != 0;
}

/* The targets of pieces that step or jump, by step; forwards is as the player sees it. */
typedef struct step_targets {
    shogi_set forward, backward, right, left;
    shogi_set forward_right, forward_left, backward_right, backward_left;
    shogi_set jump_right, jump_left;
} step_targets;

/* Where pieces step and jump to without promoting. Right means towards larger squares. */
SHOGI_INLINE step_targets find_steps(const step_sets *m, int us, shogi_set target)
{
    int f = forward_of(us);
    shogi_set dead_pawns = set_step(m->pawns, f) & last_ranks(us, 1);
    shogi_set knight_target = target & ~last_ranks(us, 2);
    return (step_targets){
        .forward = set_step(m->straight | m->pawns | m->silvers, f) & target & ~dead_pawns,
        .backward = set_step(m->straight, -f) & target,
        .right = set_step(m->straight, 1) & target,
        .left = set_step(m->straight, -1) & target,
        .forward_right = set_step(m->diagonal, f + 1) & target,
        .forward_left = set_step(m->diagonal, f - 1) & target,
        .backward_right = set_step(m->diagonal_back, 1 - f) & target,
        .backward_left = set_step(m->diagonal_back, -1 - f) & target,
        .jump_right = set_step(m->knights, 2 * f + 1) & knight_target,
        .jump_left = set_step(m->knights, 2 * f - 1) & knight_target,
    };
}

/* Where they step and jump to promoting; never straight back or sideways. */
SHOGI_INLINE step_targets find_promoting_steps(const step_sets *m, int us, shogi_set target)
{
    int f = forward_of(us);
    shogi_set zone = last_ranks(us, 3), into = target & zone, inside = m->silvers & zone;
    return (step_targets){
        .forward = set_step(m->pawns | m->silvers, f) & into,
        .forward_right = set_step(m->silvers, f + 1) & into,
        .forward_left = set_step(m->silvers, f - 1) & into,
        .backward_right = set_step(inside, 1 - f) & target,
        .backward_left = set_step(inside, -1 - f) & target,
        .jump_right = set_step(m->knights, 2 * f + 1) & into,
        .jump_left = set_step(m->knights, 2 * f - 1) & into,
    };
}

/* Steps and jumps of `movers`, without the king. */
SHOGI_INLINE move_group *add_steps(move_group *at, const shogi_position *p, int us,
                                   shogi_set movers, shogi_set target)
{
    int f = forward_of(us);
    step_sets m = find_step_sets(p, movers);
    step_targets to = find_steps(&m, us, target);
    at = add_step(at, to.forward, f);
    at = add_step(at, to.backward, -f);
    at = add_step(at, to.right, 1);
    at = add_step(at, to.left, -1);
    at = add_step(at, to.forward_right, f + 1);
    at = add_step(at, to.forward_left, f - 1);
    at = add_step(at, to.backward_right, 1 - f);
    at = add_step(at, to.backward_left, -1 - f);
    at = add_step(at, to.jump_right, 2 * f + 1);
    at = add_step(at, to.jump_left, 2 * f - 1);
    if (may_promote_by_step(&m, us)) {
        step_targets promoting = find_promoting_steps(&m, us, target);
        at = add_promoting_step(at, promoting.forward, f);
        at = add_promoting_step(at, promoting.forward_right, f + 1);
        at = add_promoting_step(at, promoting.forward_left, f - 1);
        at = add_promoting_step(at, promoting.backward_right, 1 - f);
        at = add_promoting_step(at, promoting.backward_left, -1 - f);
        at = add_promoting_step(at, promoting.jump_right, 2 * f + 1);
        at = add_promoting_step(at, promoting.jump_left, 2 * f - 1);
    }
    return at;
}

/* One piece: its targets without promotion and its targets with promotion. */
SHOGI_INLINE move_group *add_one(move_group *at, int from, shogi_set plain, shogi_set promoting)
{
    at = add_group(at, plain, from, FACTOR_FIXED_ORIGIN);
    return add_group(at, promoting, from | SHOGI_MOVE_PROMOTE, FACTOR_FIXED_ORIGIN);
}

/* Slides of `movers`: lances, bishops, rooks, horses and dragons. */
SHOGI_INLINE move_group *add_slides(move_group *at, const shogi_position *p, int us,
                                    shogi_set movers, shogi_set target, shogi_set occupied)
{
    shogi_set zone = last_ranks(us, 3);
    for (shogi_set s = movers & p->by_type[SHOGI_LANCE]; s; s &= s - 1) {
        int from = set_first(s);
        shogi_set to = lance_attacks(us, from, occupied) & target;
        at = add_one(at, from, to & ~last_ranks(us, 1), to & zone);
    }
    for (shogi_set s = movers & (p->by_type[SHOGI_BISHOP] | p->by_type[SHOGI_HORSE]); s;
         s &= s - 1) {
        int from = set_first(s);
        shogi_set to = bishop_attacks(from, occupied) & target;
        shogi_set promotes = set_has(zone, from) ? to : to & zone;
        at = add_one(at, from, to, set_has(p->by_type[SHOGI_BISHOP], from) ? promotes : 0);
    }
    for (shogi_set s = movers & (p->by_type[SHOGI_ROOK] | p->by_type[SHOGI_DRAGON]); s;
         s &= s - 1) {
        int from = set_first(s);
        shogi_set to = rook_attacks(from, occupied) & target;
        shogi_set promotes = set_has(zone, from) ? to : to & zone;
        at = add_one(at, from, to, set_has(p->by_type[SHOGI_ROOK], from) ? promotes : 0);
    }
    return at;
}

/* Splits the targets of a piece into those it can move to without promoting and with promoting. */
SHOGI_INLINE void split_promotions(int us, int type, int from, shogi_set to, shogi_set *plain,
                                   shogi_set *promoting)
{
    shogi_set zone = last_ranks(us, 3);
    *plain = to;
    *promoting = set_has(zone, from) ? to : to & zone;
    if (type == SHOGI_PAWN || type == SHOGI_LANCE)
        *plain = to & ~last_ranks(us, 1);
    else if (type == SHOGI_KNIGHT)
        *plain = to & ~last_ranks(us, 2);
    else if (type >= SHOGI_GOLD)
        *promoting = 0;
}

SHOGI_INLINE int promoted_type(int type)
{
    return type == SHOGI_BISHOP ? SHOGI_HORSE : type == SHOGI_ROOK ? SHOGI_DRAGON : SHOGI_GOLD;
}

/* Pinned pieces, which may only move along the ray from their king. */
SHOGI_INLINE move_group *add_pinned(move_group *at, const shogi_position *p, int us, int king,
                                    shogi_set pinned, shogi_set target, shogi_set occupied)
{
    for (; pinned; pinned &= pinned - 1) {
        int from = set_first(pinned), type = shogi_code_type(p->board[from]);
        shogi_set ray = shogi_rays[shogi_direction[king][from]][king], plain, promoting;
        split_promotions(us, type, from, type_attacks(us, type, from, occupied) & target & ray,
                         &plain, &promoting);
        at = add_one(at, from, plain, promoting);
    }
    return at;
}

/* The squares of `allowed`, all of them empty, where a piece of a kind may be dropped. */
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
    if (mode != SHOGI_SIMPLE && king != SHOGI_NO_SQUARE && front >= 0 && set_has(to, front) &&
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
                       SHOGI_MOVE_DROP | SHOGI_PAWN, FACTOR_FIXED_ORIGIN);
    for (int kind = SHOGI_LANCE; kind <= SHOGI_GOLD; kind++) {
        shogi_set held = -(shogi_set)(shogi_hand_count(hand, kind) != 0);
        at = add_group(at, drop_squares(p, us, mode, kind, allowed) & held, SHOGI_MOVE_DROP | kind,
                       FACTOR_FIXED_ORIGIN);
    }
    return at;
}

/*
 * The squares that board moves and drops may go to. When the king is in check these are the
 * evasions of all pieces but the king; otherwise any square.
 */
typedef struct evasion_targets {
    shogi_set moves, drops;
} evasion_targets;

SHOGI_INLINE evasion_targets find_evasion_targets(const shogi_position *p, int us, int king,
                                                  shogi_set checkers, shogi_set occupied)
{
    evasion_targets targets = {SHOGI_BOARD_SET & ~p->colour[us], SHOGI_BOARD_SET & ~occupied};
    if (!checkers)
        return targets;
    if (!set_is_single(checkers))
        return (evasion_targets){0, 0}; /* double check: only the king can move */
    /* Nothing lies between the king and an adjacent checker. */
    shogi_set between = squares_between_any(king, set_first(checkers));
    targets.drops &= between;
    targets.moves &= between | checkers;
    return targets;
}

SHOGI_INLINE size_t make_groups_inline(const shogi_position *p, int us, int mode,
                                       move_group *groups)
{
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    int king = shogi_king(p, us);
    king_danger danger = find_king_danger(p, us, king, occupied);
    evasion_targets allowed = find_evasion_targets(p, us, king, danger.checkers, occupied);
    move_group *at = groups;
    shogi_set steps = shogi_pseudo_attacks[us][SHOGI_KING][king] & ~own;
    if (steps) {
        steps &= ~attacks_on(p, !us, steps, occupied ^ set_of(king));
        at = add_group(at, steps, king, FACTOR_FIXED_ORIGIN);
    }
    if (allowed.moves) {
        at = add_steps(at, p, us, own & ~danger.pinned, allowed.moves);
        at = add_slides(at, p, us, own & ~danger.pinned, allowed.moves, occupied);
        at = add_pinned(at, p, us, king, danger.pinned, allowed.moves, occupied);
    }
    if (allowed.drops)
        at = add_drops(at, p, us, mode, allowed.drops);
    return (size_t)(at - groups);
}

PLY_SHARED __attribute__((noinline)) size_t make_groups_black(const shogi_position *p,
                                                              move_group *groups)
{
    return make_groups_inline(p, SHOGI_BLACK, SHOGI_STANDARD, groups);
}

PLY_SHARED __attribute__((noinline)) size_t make_groups_white(const shogi_position *p,
                                                              move_group *groups)
{
    return make_groups_inline(p, SHOGI_WHITE, SHOGI_STANDARD, groups);
}

/* Writes the groups of standard moves of `us`, always in the same order; returns their number. */
SHOGI_INLINE size_t make_groups(const shogi_position *p, int us, move_group *groups)
{
    return us == SHOGI_BLACK ? make_groups_black(p, groups) : make_groups_white(p, groups);
}

#endif
