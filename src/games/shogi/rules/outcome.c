/* SPDX-License-Identifier: MIT */
/*
 * outcome.c - how games end: no move, repetition, perpetual check, entering king, the ply limit.
 *
 * Sources: the rules of play of the Japan Shogi Association (articles 8 and 9), and the rules of
 * the Computer Shogi Association for the 27-point declaration. Where a player may declare, the
 * game is taken as declared at once: no player loses by it.
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

/* Whether hand a has at least as many of every kind as b. */
static bool hand_covers(uint64_t a, uint64_t b)
{
    /* No byte is above 18, so a borrow shows in the bit kept high in each. */
    uint64_t high = UINT64_C(0x0080808080808080);
    return (((a | high) - b) & high) == high;
}

ply_outcome shogi_repetition_outcome(const shogi_position *p, const shogi_undo_info *undo_stack,
                                     size_t plies)
{
    const ply_outcome ongoing = {PLY_ONGOING, NULL};
    unsigned times = 1;
    for (size_t back = 4; back <= plies && times < 4; back += 2) {
        const shogi_undo_info *r = &undo_stack[plies - back];
        times += r->board_key == p->board_key && r->hand_key == p->hand_key;
    }
    if (times < 4)
        return ongoing;
    /* Keys say four; now go back and look, at positions and at checks. */
    shogi_position then = *p;
    bool only_checks[2] = {true, true};
    times = 1;
    for (size_t back = 1; back <= plies; back++) {
        if (shogi_in_check(&then, then.side) == false)
            only_checks[!then.side] = false;
        shogi_undo(NULL, &then, undo_stack[plies - back].move, &undo_stack[plies - back]);
        if (back % 2 == 0 && same_position(&then, p) && ++times == 4)
            break;
    }
    if (times < 4)
        return ongoing;
    if (only_checks[p->side] != only_checks[!p->side])
        return ply_outcome_win(only_checks[p->side] ? !p->side : p->side, "perpetual-check");
    return (ply_outcome){PLY_DRAW, "repetition"};
}

shogi_repetition shogi_find_repetition(const shogi_position *p, const shogi_undo_info *undo_stack,
                                       size_t plies, unsigned *times)
{
    shogi_position then = *p;
    shogi_repetition found = SHOGI_REPEAT_NONE;
    bool only_checks[2] = {true, true};
    *times = 1;
    for (size_t back = 1; back <= plies; back++) {
        if (shogi_in_check(&then, then.side) == false)
            only_checks[!then.side] = false;
        shogi_undo(NULL, &then, undo_stack[plies - back].move, &undo_stack[plies - back]);
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

ply_outcome shogi_repeated_outcome(const ply_rules *rules, const void *position,
                                   const void *undo_stack, size_t plies)
{
    (void)rules;
    const shogi_position *p = position;
    const shogi_undo_info *trail = undo_stack;
    shogi_position then = *p;
    bool only_checks[2] = {true, true}, same = false;
    for (size_t back = 1; back <= plies && !same && (only_checks[0] || only_checks[1]); back++) {
        if (!shogi_in_check(&then, then.side))
            only_checks[!then.side] = false;
        shogi_undo(NULL, &then, trail[plies - back].move, &trail[plies - back]);
        same = back % 2 == 0 && same_position(&then, p);
    }
    if (same && only_checks[0] != only_checks[1])
        return ply_outcome_win(only_checks[p->side] ? !p->side : p->side, "perpetual-check");
    return (ply_outcome){PLY_DRAW, "repetition"};
}

/* --- entering king -------------------------------------------------------------------------- */
shogi_entering shogi_entering_now(const shogi_position *p)
{
    int us = p->side, king = shogi_king(p, us);
    shogi_set camp = last_ranks(us, 3), inside = camp & p->colour[us] & ~p->by[SHOGI_KING];
    shogi_set big =
        p->by[SHOGI_BISHOP] | p->by[SHOGI_ROOK] | p->by[SHOGI_HORSE] | p->by[SHOGI_DRAGON];
    shogi_entering e = {.king_in_camp = king != SHOGI_NOWHERE && set_has(camp, king),
                        .in_check = shogi_in_check(p, us),
                        .pieces = set_count(inside)};
    e.points = e.pieces + 4 * set_count(inside & big);
    for (int kind = 0; kind < SHOGI_KING; kind++)
        e.points += shogi_hand_count(p->hand[us], kind) *
                    (kind == SHOGI_BISHOP || kind == SHOGI_ROOK ? 5 : 1);
    return e;
}

ply_outcome shogi_impasse_outcome(const ply_rules *rules, const shogi_position *p)
{
    const ply_outcome ongoing = {PLY_ONGOING, NULL};
    int rule = rules->option[SHOGI_OPTION_IMPASSE], us = p->side;
    int king = shogi_king(p, us);
    if (rule == SHOGI_IMPASSE_NONE)
        return ongoing;
    if (rule == SHOGI_IMPASSE_TRY) {
        /* The king that has reached the other king's first square wins: seen after the move. */
        int them = !us, goal = them == SHOGI_BLACK ? 4 : 92;
        return shogi_king(p, them) == goal ? ply_outcome_win(them, "try") : ongoing;
    }
    if (king == SHOGI_NOWHERE || !shogi_in_zone(us, king))
        return ongoing;
    shogi_entering e = shogi_entering_now(p);
    if (e.in_check || e.pieces < 10)
        return ongoing;
    if (rule == SHOGI_IMPASSE_27)
        return e.points >= (us == SHOGI_BLACK ? 28 : 27) ? ply_outcome_win(us, "entering-king")
                                                         : ongoing;
    if (e.points >= 31)
        return ply_outcome_win(us, "entering-king");
    return e.points >= 24 ? (ply_outcome){PLY_DRAW, "impasse"} : ongoing;
}

/* --- the end -------------------------------------------------------------------------------- */
static ply_outcome later_outcome(const ply_rules *rules, const shogi_position *p,
                                 const void *undo_stack, size_t plies)
{
    ply_outcome outcome = shogi_repetition_outcome(p, undo_stack, plies);
    if (outcome.result != PLY_ONGOING)
        return outcome;
    int32_t limit = rules->option[SHOGI_OPTION_PLIES];
    if (limit > 0 && p->ply > (uint32_t)limit)
        return (ply_outcome){PLY_DRAW, "ply-limit"};
    return outcome;
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
    return later_outcome(rules, p, undo_stack, plies);
}

ply_outcome shogi_node_outcome(const ply_rules *rules, const void *position, const void *undo_stack,
                               size_t plies)
{
    ply_outcome outcome = shogi_impasse_outcome(rules, position);
    return outcome.result != PLY_ONGOING ? outcome
                                         : later_outcome(rules, position, undo_stack, plies);
}
