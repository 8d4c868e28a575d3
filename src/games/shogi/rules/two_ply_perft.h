/* SPDX-License-Identifier: MIT */
/*
 * two_ply_perft.h - perft of depth 2: the sum, over all moves of one player, of the number of
 * replies.
 *
 * Most moves do not affect the opponent's moves at all, except for the squares open to drops. So
 * the opponent's moves are counted once, as if the first player had passed, and that count holds
 * for all such neutral moves together. A move of `us` is neutral for the replies of `them` unless
 *
 * - it captures, because `them` loses a piece and gains a square;
 * - it leaves or enters a square that a slider of `them` attacks, whose moves then change;
 * - it leaves or enters the square of their king or one next to it, or a square from which
 *   the moving piece attacks one of those (shogi_ring_origins): king moves and checks change;
 * - it leaves or enters a ray from one of our sliders to those squares: pins, checks and king
 *   moves change;
 * - `them` could drop a pawn in front of our king and defends that square. Whether the drop
 *   gives mate then depends on everything, so no move is neutral. While `them` has a pawn in
 *   hand, moves of our king are never neutral, because they change the square in question.
 *
 * A neutral move from a to b takes b from the squares open to drops and adds a. All other moves are
 * played and their replies counted in full.
 */
#ifndef PLY_GAMES_SHOGI_RULES_TWO_PLY_PERFT_H
#define PLY_GAMES_SHOGI_RULES_TWO_PLY_PERFT_H

#include "games/shogi/rules/count_moves.h"
#include "games/shogi/rules/make_move.h"
#include "games/shogi/rules/piece_moves.h"

/* The rays from our sliders to the king of `them` or to a square next to it. */
SHOGI_INLINE shogi_set rays_to_king(const shogi_position *p, int us, int their_king)
{
    shogi_set own = p->colour[us], rays = 0;
    shogi_set king_zone = shogi_pseudo_attacks[us][SHOGI_KING][their_king] | set_of(their_king);
    shogi_set rooks = own & (p->by_type[SHOGI_ROOK] | p->by_type[SHOGI_DRAGON]) &
                      shogi_ring_origins[us][SHOGI_ROOK][their_king];
    shogi_set bishops = own & (p->by_type[SHOGI_BISHOP] | p->by_type[SHOGI_HORSE]) &
                        shogi_ring_origins[us][SHOGI_BISHOP][their_king];
    shogi_set lances =
        own & p->by_type[SHOGI_LANCE] & shogi_ring_origins[us][SHOGI_LANCE][their_king];
    for (; lances; lances &= lances - 1)
        rays |= shogi_rays[us == SHOGI_BLACK ? 1 : 6][set_first(lances)];
    for (; rooks; rooks &= rooks - 1) {
        int at = set_first(rooks);
        for (int i = 0; i < 4; i++) {
            static const uint8_t straight[4] = {1, 3, 4, 6};
            shogi_set ray = shogi_rays[straight[i]][at];
            rays |= ray & king_zone ? ray : 0;
        }
    }
    for (; bishops; bishops &= bishops - 1) {
        int at = set_first(bishops);
        for (int i = 0; i < 4; i++) {
            static const uint8_t diagonal[4] = {0, 2, 5, 7};
            shogi_set ray = shogi_rays[diagonal[i]][at];
            rays |= ray & king_zone ? ray : 0;
        }
    }
    return rays;
}

/* Plays the moves of a group to the squares of `to` and counts the replies to each. */
SHOGI_INLINE uint64_t count_after(shogi_position *p, int us, const move_group *g, shogi_set to)
{
    uint64_t total = 0;
    for (; to; to &= to - 1) {
        unsigned move = group_move(g, set_first(to));
        int captured = play_move(p, us, move, false);
        total += count_legal_of(p, !us);
        undo_move(p, us, move, captured, false);
    }
    return total;
}

/* Whether a pawn drop of `them` in front of our king might give mate, now or after our move. */
SHOGI_INLINE bool pawn_drop_threatens(const shogi_position *p, int us, shogi_set pawn_squares)
{
    int king = shogi_king(p, us), front = king + forward_of(us), them = !us;
    if (king == SHOGI_NO_SQUARE || front < 0 || !set_has(pawn_squares & ~p->colour[them], front))
        return false;
    return is_attacked(p, them, front, p->colour[0] | p->colour[1]);
}

/* The sum of the numbers of replies over all moves of `us`. */
SHOGI_INLINE uint64_t count_replies(shogi_position *p, int us)
{
    int them = !us, their_king = shogi_king(p, them), f = forward_of(us);
    shogi_set own = p->colour[us], others = p->colour[them], occupied = own | others;
    piece_group groups[MAX_GROUPS];
    size_t n = make_piece_groups(p, us, groups);
    uint64_t total = 0;
    king_danger over_them = find_king_danger(p, them, their_king, occupied);
    count_parts parts;
    uint64_t replies_to_pass = count_unchecked(p, them, their_king, over_them.pinned, &parts);
    bool in_check = is_attacked(p, them, shogi_king(p, us), occupied);
    if (in_check || (parts.drops.pawns && pawn_drop_threatens(p, us, parts.drops.pawns))) {
        for (size_t i = 0; i < n; i++)
            total += count_after(p, us, &groups[i].moves, groups[i].moves.to);
        return total;
    }
    shogi_set king_zone = shogi_pseudo_attacks[us][SHOGI_KING][their_king] | set_of(their_king);
    shogi_set sensitive = parts.slider_attacks | king_zone | rays_to_king(p, us, their_king);
    bool has_hand = p->hand[them] != 0;
    uint64_t neutral_moves = 0;
    for (size_t i = 0; i < n; i++) {
        const move_group *g = &groups[i].moves;
        int before = groups[i].type_before, after = groups[i].type_after;
        shogi_set affecting_from = sensitive | shogi_ring_origins[us][before][their_king];
        shogi_set affecting =
            g->to & (sensitive | others | shogi_ring_origins[us][after][their_king]);
        bool is_drop = (g->base & SHOGI_MOVE_DROP) != 0, is_pawns = g->factor == FACTOR_STEP;
        if (is_pawns)
            affecting |= g->to & set_step(affecting_from & own, f);
        else if (!is_drop && set_has(affecting_from, g->base & 127))
            affecting = g->to;
        if (before == SHOGI_KING && parts.drops.pawns)
            affecting = g->to;
        shogi_set neutral = g->to & ~affecting;
        neutral_moves += set_count(neutral);
        if (has_hand && neutral) {
            total -= count_drops(&parts.drops, neutral);
            if (is_pawns)
                total += count_drops(&parts.drops, set_step(neutral, -f));
            else if (!is_drop)
                total +=
                    (uint64_t)set_count(neutral) * count_drops(&parts.drops, set_of(g->base & 127));
        }
        if (affecting)
            total += count_after(p, us, g, affecting);
    }
    return total + neutral_moves * replies_to_pass;
}

#endif
