/* SPDX-License-Identifier: MIT */
/*
 * two_ply_perft.h - the sum, over all moves of one player, of the number of the other's replies.
 *
 * Most moves change nothing that the other player's moves depend on, but for the squares where he
 * can drop. So his moves are counted once, as if the first player had passed, and that count goes
 * for all such quiet moves together. A move of `us` is quiet for the replies of `them` unless
 *
 *   - it captures, so that `them` loses a piece and gains a square;
 *   - it leaves or enters a line that a slider of `them` sees (`lines`), whose moves change;
 *   - it leaves or enters the king of `them` or a square around it, or a square from which the
 *     moving piece attacks one of those (shogi_near): king moves and checks change;
 *   - it leaves or enters a line from a slider of ours to those squares: pins, checks and king
 *     moves change;
 *   - `them` could drop a pawn in front of our king and defends that square: whether the drop
 *     mates depends on everything, so no move is quiet; and our king's moves are never quiet while
 *     `them` has a pawn in hand, for the square is another one then.
 *
 * A quiet move from a to b takes b from the squares open to drops and gives back a. The rest are
 * played and counted in full.
 */
#ifndef PLY_GAMES_SHOGI_RULES_TWO_PLY_PERFT_H
#define PLY_GAMES_SHOGI_RULES_TWO_PLY_PERFT_H

#include "games/shogi/rules/count_moves.h"
#include "games/shogi/rules/make_move.h"
#include "games/shogi/rules/piece_moves.h"

/* Lines of our sliders that lead to the king of `them` or next to it. */
SHOGI_INLINE shogi_set lines_to_king(const shogi_position *p, int us, int their_king)
{
    shogi_set own = p->colour[us], lines = 0;
    shogi_set zone = shogi_reach[us][SHOGI_KING][their_king] | set_of(their_king);
    shogi_set rooks =
        own & (p->by[SHOGI_ROOK] | p->by[SHOGI_DRAGON]) & shogi_near[us][SHOGI_ROOK][their_king];
    shogi_set bishops =
        own & (p->by[SHOGI_BISHOP] | p->by[SHOGI_HORSE]) & shogi_near[us][SHOGI_BISHOP][their_king];
    shogi_set lances = own & p->by[SHOGI_LANCE] & shogi_near[us][SHOGI_LANCE][their_king];
    for (; lances; lances &= lances - 1)
        lines |= shogi_rays[us == SHOGI_BLACK ? 1 : 6][set_first(lances)];
    for (; rooks; rooks &= rooks - 1) {
        int at = set_first(rooks);
        for (int i = 0; i < 4; i++) {
            static const uint8_t straight[4] = {1, 3, 4, 6};
            shogi_set ray = shogi_rays[straight[i]][at];
            lines |= ray & zone ? ray : 0;
        }
    }
    for (; bishops; bishops &= bishops - 1) {
        int at = set_first(bishops);
        for (int i = 0; i < 4; i++) {
            static const uint8_t slanted[4] = {0, 2, 5, 7};
            shogi_set ray = shogi_rays[slanted[i]][at];
            lines |= ray & zone ? ray : 0;
        }
    }
    return lines;
}

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

/* Whether `them` might drop a pawn before our king with any hope of mate, now or after a move. */
SHOGI_INLINE bool pawn_drop_threatens(const shogi_position *p, int us, shogi_set pawn_squares)
{
    int king = shogi_king(p, us), front = king + forward_of(us), them = !us;
    if (king == SHOGI_NOWHERE || front < 0 || !set_has(pawn_squares & ~p->colour[them], front))
        return false;
    return is_attacked(p, them, front, p->colour[0] | p->colour[1]);
}

SHOGI_INLINE uint64_t count_replies(shogi_position *p, int us)
{
    int them = !us, their_king = shogi_king(p, them), f = forward_of(us);
    shogi_set own = p->colour[us], others = p->colour[them], occupied = own | others;
    piece_group groups[MAX_GROUPS];
    size_t n = make_piece_groups(p, us, groups);
    uint64_t total = 0;
    king_danger over_them = find_king_danger(p, them, their_king, occupied);
    count_parts parts;
    uint64_t passed = count_unchecked(p, them, their_king, over_them.pinned, &parts);
    bool in_check = is_attacked(p, them, shogi_king(p, us), occupied);
    if (in_check || (parts.drops.pawns && pawn_drop_threatens(p, us, parts.drops.pawns))) {
        for (size_t i = 0; i < n; i++)
            total += count_after(p, us, &groups[i].moves, groups[i].moves.to);
        return total;
    }
    shogi_set zone = shogi_reach[us][SHOGI_KING][their_king] | set_of(their_king);
    shogi_set touchy = parts.lines | zone | lines_to_king(p, us, their_king);
    bool has_hand = p->hand[them] != 0;
    uint64_t quiet_moves = 0;
    for (size_t i = 0; i < n; i++) {
        const move_group *g = &groups[i].moves;
        int before = groups[i].class_before, after = groups[i].class_after;
        shogi_set loud_from = touchy | shogi_near[us][before][their_king];
        shogi_set loud = g->to & (touchy | others | shogi_near[us][after][their_king]);
        bool is_drop = (g->base & SHOGI_MOVE_DROP) != 0, is_pawns = g->factor == 129;
        if (is_pawns)
            loud |= g->to & set_step(loud_from & own, f);
        else if (!is_drop && set_has(loud_from, g->base & 127))
            loud = g->to;
        if (before == SHOGI_KING && parts.drops.pawns)
            loud = g->to;
        shogi_set quiet = g->to & ~loud;
        quiet_moves += set_count(quiet);
        if (has_hand && quiet) {
            total -= count_drops(&parts.drops, quiet);
            if (is_pawns)
                total += count_drops(&parts.drops, set_step(quiet, -f));
            else if (!is_drop)
                total +=
                    (uint64_t)set_count(quiet) * count_drops(&parts.drops, set_of(g->base & 127));
        }
        if (loud)
            total += count_after(p, us, g, loud);
    }
    return total + quiet_moves * passed;
}

#endif
