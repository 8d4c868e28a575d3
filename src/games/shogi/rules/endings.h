/* SPDX-License-Identifier: MIT */
/*
 * endings.h - repetition, perpetual check, the entering king and the ply limit, for the host and for
 * devices. outcome.c puts them in order and names the sources.
 */
#ifndef PLY_GAMES_SHOGI_RULES_ENDINGS_H
#define PLY_GAMES_SHOGI_RULES_ENDINGS_H

#include "games/shogi/rules/make_move.h"

PLY_SHARED bool same_board(const shogi_position *a, const shogi_position *b)
{
    return a->side == b->side && ply_same_bytes(a->board, b->board, sizeof a->board);
}

PLY_SHARED bool same_position(const shogi_position *a, const shogi_position *b)
{
    return same_board(a, b) && a->hand[0] == b->hand[0] && a->hand[1] == b->hand[1];
}

/*
 * Takes back one ply. only_checks[c] stays true as long as every move of colour c that was taken
 * back gave check.
 */
PLY_SHARED void step_back(shogi_position *then, const shogi_undo_info *undo, bool only_checks[2])
{
    if (!is_in_check(then, then->side))
        only_checks[!then->side] = false;
    shogi_take_back(then, undo->move, undo);
}

/* The outcome of a repetition: a draw, or a loss for the only player who always gave check. */
PLY_SHARED ply_outcome repetition_result(const bool only_checks[2])
{
    if (only_checks[SHOGI_BLACK] == only_checks[SHOGI_WHITE])
        return (ply_outcome){PLY_DRAW, "repetition"};
    return ply_outcome_win(only_checks[SHOGI_BLACK] ? SHOGI_WHITE : SHOGI_BLACK, "perpetual-check");
}

PLY_SHARED ply_outcome find_fourfold(const shogi_position *p, const shogi_undo_info *undo_stack,
                                     size_t plies)
{
    const ply_outcome ongoing = {PLY_ONGOING, NULL};
    unsigned times = 1;
    for (size_t back = 4; back <= plies && times < 4; back += 2) {
        const shogi_undo_info *undo = &undo_stack[plies - back];
        times += undo->board_key == p->board_key && undo->hand_key == p->hand_key;
    }
    if (times < 4)
        return ongoing;
    /*
     * By their keys, four positions are equal. Step back to compare positions and look for checks.
     */
    shogi_position then = *p;
    bool only_checks[2] = {true, true};
    times = 1;
    for (size_t back = 1; back <= plies; back++) {
        step_back(&then, &undo_stack[plies - back], only_checks);
        if (back % 2 == 0 && same_position(&then, p) && ++times == 4)
            break;
    }
    return times < 4 ? ongoing : repetition_result(only_checks);
}

PLY_SHARED shogi_impasse_score impasse_score(const shogi_position *p)
{
    int us = p->side, king = shogi_king(p, us);
    shogi_set camp = last_ranks(us, 3), inside = camp & p->colour[us] & ~p->by_type[SHOGI_KING];
    shogi_set major = p->by_type[SHOGI_BISHOP] | p->by_type[SHOGI_ROOK] | p->by_type[SHOGI_HORSE] |
                      p->by_type[SHOGI_DRAGON];
    shogi_impasse_score score = {.king_in_camp = king != SHOGI_NO_SQUARE && set_has(camp, king),
                                 .in_check = is_in_check(p, us),
                                 .pieces = set_count(inside)};
    score.points = score.pieces + 4 * set_count(inside & major);
    for (int kind = 0; kind < SHOGI_KING; kind++)
        score.points += shogi_hand_count(p->hand[us], kind) *
                        (kind == SHOGI_BISHOP || kind == SHOGI_ROOK ? 5 : 1);
    return score;
}

PLY_SHARED ply_outcome impasse_outcome(const ply_rules *rules, const shogi_position *p)
{
    const ply_outcome ongoing = {PLY_ONGOING, NULL};
    int rule = rules->option[SHOGI_OPTION_IMPASSE], us = p->side;
    int king = shogi_king(p, us);
    if (rule == SHOGI_IMPASSE_NONE)
        return ongoing;
    if (rule == SHOGI_IMPASSE_TRY) {
        /* The opponent has just moved: has their king reached our king's first square? */
        int them = !us, goal = shogi_square(4, them == SHOGI_BLACK ? 0 : 8);
        return shogi_king(p, them) == goal ? ply_outcome_win(them, "try") : ongoing;
    }
    if (king == SHOGI_NO_SQUARE || !shogi_in_zone(us, king))
        return ongoing;
    shogi_impasse_score score = impasse_score(p);
    if (score.in_check || score.pieces < SHOGI_IMPASSE_PIECES)
        return ongoing;
    if (score.points >= shogi_impasse_winning_points(rule, us))
        return ply_outcome_win(us, "entering-king");
    bool is_draw = rule == SHOGI_IMPASSE_24 && score.points >= SHOGI_IMPASSE_DRAW_POINTS;
    return is_draw ? (ply_outcome){PLY_DRAW, "impasse"} : ongoing;
}

PLY_SHARED ply_outcome ply_limit_outcome(const ply_rules *rules, const shogi_position *p)
{
    int32_t limit = rules->option[SHOGI_OPTION_PLIES];
    if (limit > 0 && p->ply > (uint32_t)limit)
        return (ply_outcome){PLY_DRAW, "ply-limit"};
    return (ply_outcome){PLY_ONGOING, NULL};
}

/* Repetition and the ply limit, which come after mate. */
PLY_SHARED ply_outcome late_outcome(const ply_rules *rules, const shogi_position *p,
                                    const shogi_undo_info *undo_stack, size_t plies)
{
    ply_outcome outcome = find_fourfold(p, undo_stack, plies);
    return outcome.result != PLY_ONGOING ? outcome : ply_limit_outcome(rules, p);
}

/* Everything but the lack of legal moves, for a player who has one. fresh: the position is new. */
PLY_SHARED ply_outcome outcome_with_moves(const ply_rules *rules, const shogi_position *p,
                                          const shogi_undo_info *undo_stack, size_t plies,
                                          bool fresh)
{
    ply_outcome outcome = impasse_outcome(rules, p);
    if (outcome.result != PLY_ONGOING)
        return outcome;
    return fresh ? ply_limit_outcome(rules, p) : late_outcome(rules, p, undo_stack, plies);
}

#endif
