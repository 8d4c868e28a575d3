/* SPDX-License-Identifier: MIT */
/*
 * outcome.c - how games end: no legal move, repetition, perpetual check, entering king, ply limit.
 *
 * Sources: the rules of play of the Japan Shogi Association (articles 8 and 9), and the rules of
 * the Computer Shogi Association for the 27-point declaration. A player who may declare is assumed
 * to do so at once, which can never hurt them.
 */
#include "games/shogi/rules/endings.h"
#include <string.h>

/* --- repetition ----------------------------------------------------------------------------- */
/* Whether hand a has at least as many pieces of every kind as hand b. */
static bool hand_covers(uint64_t a, uint64_t b)
{
    /* No byte exceeds 18, so a borrow clears the high bit set in that byte. */
    uint64_t high = UINT64_C(0x0080808080808080);
    return (((a | high) - b) & high) == high;
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

ply_outcome shogi_fourfold_outcome(const shogi_position *p, const shogi_undo_info *undo_stack,
                                   size_t plies)
{
    return find_fourfold(p, undo_stack, plies);
}

/* --- entering king -------------------------------------------------------------------------- */
shogi_impasse_score shogi_impasse_score_of(const shogi_position *p)
{
    return impasse_score(p);
}

ply_outcome shogi_impasse_outcome(const ply_rules *rules, const shogi_position *p)
{
    return impasse_outcome(rules, p);
}

/* --- outcome -------------------------------------------------------------------------------- */
ply_outcome shogi_fresh_outcome(const ply_rules *rules, const void *position,
                                const void *undo_stack, size_t plies)
{
    return outcome_with_moves(rules, position, undo_stack, plies, true);
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
    return outcome_with_moves(rules, position, undo_stack, plies, false);
}
