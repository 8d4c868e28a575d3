/*
 * groups.h - legal moves as groups: one piece (or all pawns, or a kind in hand) and the squares it
 * may go to.
 *
 * The list of moves, the n-th move and a random move all come from the same row of groups, so they
 * agree on the order. Only legal moves are made: checkers and pins are found first, then the
 * squares allowed are set once for all pieces.
 *
 *     a move of a group = base + to * factor
 *         one piece      base = from (and the promotion bit)   factor = 128
 *         all pawns      base = the step back                  factor = 129: from depends on to
 *         a drop         base = drop bit and kind              factor = 128
 */
#ifndef SHOGI_GROUPS_H
#define SHOGI_GROUPS_H

#include "games/shogi/attacks.h"

typedef struct move_group {
    shogi_set to;
    uint16_t base;
    uint8_t factor;
    uint8_t class_before; /* of the piece that moves; a drop: as after */
    uint8_t class_after;
} move_group;

/* Each of 39 pieces in two groups, the king in one and seven kinds of drops are more than enough.
 */
enum { MAX_GROUPS = 88 };

SHOGI_INLINE unsigned group_move(const move_group *g, int to)
{
    return (uint16_t)(g->base + (unsigned)to * g->factor);
}

typedef struct group_row {
    move_group *at;
    /* For checks only (mode 2), else unused: squares from which each class would give check, and
     * own pieces whose leaving the line opens one. */
    shogi_set checking[SHOGI_CLASSES];
    shogi_set uncovering;
    int their_king;
} group_row;

SHOGI_INLINE void add_group(group_row *row, shogi_set to, int base, int factor, int before,
                            int after)
{
    if (to)
        *row->at++ = (move_group){.to = to,
                                  .base = (uint16_t)base,
                                  .factor = (uint8_t)factor,
                                  .class_before = (uint8_t)before,
                                  .class_after = (uint8_t)after};
}

/* In mode 2, those of the squares where a piece from `from` ends up giving check. */
SHOGI_INLINE shogi_set keep_checks(const group_row *row, int mode, shogi_set to, int from,
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
SHOGI_INLINE void add_piece(group_row *row, int us, int mode, int class, int from, shogi_set to)
{
    shogi_set zone = last_ranks(us, 3), promoting, plain = to;
    int after = class;
    switch (class) {
    case SHOGI_LANCE:
        plain &= ~last_ranks(us, 1);
        promoting = to & zone;
        after = SHOGI_GOLD;
        break;
    case SHOGI_KNIGHT:
        plain &= ~last_ranks(us, 2);
        promoting = to & zone;
        after = SHOGI_GOLD;
        break;
    case SHOGI_SILVER:
        promoting = set_has(zone, from) ? to : to & zone;
        after = SHOGI_GOLD;
        break;
    case SHOGI_BISHOP:
    case SHOGI_ROOK:
        promoting = set_has(zone, from) ? to : to & zone;
        after = class == SHOGI_BISHOP ? SHOGI_HORSE : SHOGI_DRAGON;
        break;
    default:
        promoting = 0;
    }
    add_group(row, keep_checks(row, mode, plain, from, class), from, 128, class, class);
    add_group(row, keep_checks(row, mode, promoting, from, after), from | SHOGI_MOVE_PROMOTE, 128,
              class, after);
}

SHOGI_INLINE void add_pieces(group_row *row, const shogi_position *p, int us, int mode, int class,
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

SHOGI_INLINE void add_pawns(group_row *row, const shogi_position *p, int us, int mode, int king,
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
            add_group(row, keep_checks(row, mode, set_of(at) & plain, from, SHOGI_PAWN), from, 128,
                      SHOGI_PAWN, SHOGI_PAWN);
            add_group(row, keep_checks(row, mode, set_of(at) & promoting, from, SHOGI_GOLD),
                      from | SHOGI_MOVE_PROMOTE, 128, SHOGI_PAWN, SHOGI_GOLD);
        }
        return;
    }
    add_group(row, plain, -f, 129, SHOGI_PAWN, SHOGI_PAWN);
    add_group(row, promoting, SHOGI_MOVE_PROMOTE - f, 129, SHOGI_PAWN, SHOGI_GOLD);
}

SHOGI_INLINE void add_drops(group_row *row, const shogi_position *p, int us, int mode,
                            shogi_set allowed)
{
    uint64_t hand = p->hand[us];
    if (!hand || !allowed)
        return;
    for (int kind = SHOGI_PAWN; kind <= SHOGI_GOLD; kind++) {
        if (!shogi_hand_count(hand, kind))
            continue;
        shogi_set to = allowed;
        if (kind == SHOGI_PAWN) {
            to = pawn_drop_squares(p, us, allowed);
            if (mode != SHOGI_SIMPLE) {
                int king = shogi_king(p, !us), front = king - forward_of(us);
                if (king != SHOGI_NOWHERE && front >= 0 && set_has(to, front) &&
                    pawn_drop_mates(p, us, front))
                    to ^= set_of(front);
            }
        } else if (kind == SHOGI_LANCE) {
            to &= ~last_ranks(us, 1);
        } else if (kind == SHOGI_KNIGHT) {
            to &= ~last_ranks(us, 2);
        }
        if (mode == SHOGI_TSUME)
            to &= row->checking[kind];
        add_group(row, to, SHOGI_MOVE_DROP | kind, 128, kind, kind);
    }
}

SHOGI_INLINE void prepare_checks(group_row *row, const shogi_position *p, int us,
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

/* Writes the groups of `us` in their fixed order; returns how many. */
SHOGI_INLINE size_t make_groups(const shogi_position *p, int us, int mode, move_group *groups)
{
    group_row row = {.at = groups};
    shogi_set own = p->colour[us], occupied = own | p->colour[!us];
    int king = shogi_king(p, us);
    king_danger danger = find_king_danger(p, us, king, occupied);
    if (mode == SHOGI_TSUME)
        prepare_checks(&row, p, us, occupied);
    shogi_set target = SHOGI_BOARD_SET & ~own, drop = SHOGI_BOARD_SET & ~occupied;
    if (danger.checkers) {
        shogi_set between = squares_between_any(king, set_first(danger.checkers));
        if (!set_is_single(danger.checkers)) {
            target = drop = 0; /* two checkers: only the king can move */
        } else {
            /* A piece that checks from next to the king leaves nothing between. */
            drop &= between;
            target &= between | danger.checkers;
        }
    }
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
    add_drops(&row, p, us, mode, drop);
    return (size_t)(row.at - groups);
}

#endif
