/* SPDX-License-Identifier: MIT */
/*
 * outcome.c - how games end: no legal move, repetition, perpetual check, entering king, ply limit.
 *
 * Sources: the rules of play of the Japan Shogi Association (articles 8 and 9), and the rules of
 * the Computer Shogi Association for the 27-point declaration. A player who may declare is assumed
 * to do so at once, which can never hurt them.
 */
#include "games/shogi/rules/attacks.h"
#include "games/shogi/shogi.h"
#include <string.h>

/* --- repetition ----------------------------------------------------------------------------- */
static bool same_board(const shogi_position *a, const shogi_position *b)
{
    return a->side == b->side && memcmp(a->board, b->board, sizeof a->board) == 0;
}

static bool same_position(const shogi_position *a, const shogi_position *b)
{
    return same_board(a, b) && memcmp(a->hand, b->hand, sizeof a->hand) == 0;
}

/* Whether hand a has at least as many pieces of every kind as hand b. */
static bool hand_covers(uint64_t a, uint64_t b)
{
    /* No byte exceeds 18, so a borrow clears the high bit set in that byte. */
    uint64_t high = UINT64_C(0x0080808080808080);
    return (((a | high) - b) & high) == high;
}

/*
 * Takes back one ply. only_checks[c] stays true as long as every move of colour c that was taken
 * back gave check.
 */
static void step_back(shogi_position *then, const shogi_undo_info *undo, bool only_checks[2])
{
    if (!shogi_in_check(then, then->side))
        only_checks[!then->side] = false;
    shogi_undo(NULL, then, undo->move, undo);
}

/* The outcome of a repetition: a draw, or a loss for the only player who always gave check. */
static ply_outcome repetition_result(const bool only_checks[2])
{
    if (only_checks[SHOGI_BLACK] == only_checks[SHOGI_WHITE])
        return (ply_outcome){PLY_DRAW, "repetition"};
    return ply_outcome_win(only_checks[SHOGI_BLACK] ? SHOGI_WHITE : SHOGI_BLACK, "perpetual-check");
}

ply_outcome shogi_fourfold_outcome(const shogi_position *p, const shogi_undo_info *undo_stack,
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

shogi_repetition shogi_find_repetition(const shogi_position *p, const shogi_undo_info *undo_stack,
                                       size_t plies, unsigned *times)
{
    shogi_position then = *p;
    shogi_repetition found = SHOGI_REPEAT_NONE;
    bool only_checks[2] = {true, true};
    *times = 1;
    for (size_t back = 1; back <= plies; back++) {
        step_back(&then, &undo_stack[plies - back], only_checks);
        if (back % 2 != 0 || then.board_key != p->board_key || !same_board(&then, p))
            continue;
        bool same = same_position(&then, p);
        *times += same;
        if (found != SHOGI_REPEAT_NONE)
            continue;
        if (same)
            found = only_checks[0] == only_checks[1] ? SHOGI_REPEAT_DRAW
                    : only_checks[p->side]           ? SHOGI_REPEAT_LOSS
                                                     : SHOGI_REPEAT_WIN;
        else if (hand_covers(p->hand[p->side], then.hand[p->side]))
            found = SHOGI_REPEAT_SUPERIOR;
        else if (hand_covers(then.hand[p->side], p->hand[p->side]))
            found = SHOGI_REPEAT_INFERIOR;
    }
    return found;
}

ply_outcome shogi_repetition_outcome(const ply_rules *rules, const void *position,
                                     const void *undo_stack, size_t plies)
{
    (void)rules;
    const shogi_position *p = position;
    const shogi_undo_info *undo = undo_stack;
    shogi_position then = *p;
    bool only_checks[2] = {true, true}, same = false;
    for (size_t back = 1; back <= plies && !same && (only_checks[0] || only_checks[1]); back++) {
        step_back(&then, &undo[plies - back], only_checks);
        same = back % 2 == 0 && same_position(&then, p);
    }
    return same ? repetition_result(only_checks) : (ply_outcome){PLY_DRAW, "repetition"};
}

/* --- entering king -------------------------------------------------------------------------- */
shogi_impasse_score shogi_impasse_score_of(const shogi_position *p)
{
    int us = p->side, king = shogi_king(p, us);
    shogi_set camp = last_ranks(us, 3), inside = camp & p->colour[us] & ~p->by_type[SHOGI_KING];
    shogi_set major = p->by_type[SHOGI_BISHOP] | p->by_type[SHOGI_ROOK] | p->by_type[SHOGI_HORSE] |
                      p->by_type[SHOGI_DRAGON];
    shogi_impasse_score score = {.king_in_camp = king != SHOGI_NO_SQUARE && set_has(camp, king),
                                 .in_check = shogi_in_check(p, us),
                                 .pieces = set_count(inside)};
    score.points = score.pieces + 4 * set_count(inside & major);
    for (int kind = 0; kind < SHOGI_KING; kind++)
        score.points += shogi_hand_count(p->hand[us], kind) *
                        (kind == SHOGI_BISHOP || kind == SHOGI_ROOK ? 5 : 1);
    return score;
}

ply_outcome shogi_impasse_outcome(const ply_rules *rules, const shogi_position *p)
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
    shogi_impasse_score score = shogi_impasse_score_of(p);
    if (score.in_check || score.pieces < SHOGI_IMPASSE_PIECES)
        return ongoing;
    if (score.points >= shogi_impasse_winning_points(rule, us))
        return ply_outcome_win(us, "entering-king");
    bool is_draw = rule == SHOGI_IMPASSE_24 && score.points >= SHOGI_IMPASSE_DRAW_POINTS;
    return is_draw ? (ply_outcome){PLY_DRAW, "impasse"} : ongoing;
}

/* --- outcome -------------------------------------------------------------------------------- */
static ply_outcome ply_limit_outcome(const ply_rules *rules, const shogi_position *p)
{
    int32_t limit = rules->option[SHOGI_OPTION_PLIES];
    if (limit > 0 && p->ply > (uint32_t)limit)
        return (ply_outcome){PLY_DRAW, "ply-limit"};
    return (ply_outcome){PLY_ONGOING, NULL};
}

/* Repetition and the ply limit, which come after mate. */
static ply_outcome late_outcome(const ply_rules *rules, const shogi_position *p,
                                const void *undo_stack, size_t plies)
{
    ply_outcome outcome = shogi_fourfold_outcome(p, undo_stack, plies);
    return outcome.result != PLY_ONGOING ? outcome : ply_limit_outcome(rules, p);
}

ply_outcome shogi_fresh_outcome(const ply_rules *rules, const void *position,
                                const void *undo_stack, size_t plies)
{
    (void)undo_stack;
    (void)plies;
    ply_outcome outcome = shogi_impasse_outcome(rules, position);
    return outcome.result != PLY_ONGOING ? outcome : ply_limit_outcome(rules, position);
}

ply_outcome shogi_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                          size_t plies)
{
    const shogi_position *p = position;
    ply_outcome outcome = shogi_impasse_outcome(rules, p);
    if (outcome.result != PLY_ONGOING)
        return outcome;
    if (shogi_count(rules, p) == 0)
        return ply_outcome_win(!p->side, shogi_in_check(p, p->side) ? "mate" : "no-move");
    return late_outcome(rules, p, undo_stack, plies);
}

ply_outcome shogi_node_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                               size_t plies)
{
    ply_outcome outcome = shogi_impasse_outcome(rules, position);
    return outcome.result != PLY_ONGOING ? outcome
                                         : late_outcome(rules, position, undo_stack, plies);
}
