/* SPDX-License-Identifier: MIT */
/*
 * mate.c - the goal of a mating problem: check with every move, until the other has no answer.
 *
 * The definition (allows, identity) uses the plain rules; what helps the solver is below it. The
 * attacker's hand is what dominance is about: with more in hand he has the moves he had before, and
 * the defender, who has that much less, has no new ones. A pawn drop that mates is no exception:
 * whether a pawn's check is mate does not depend on either hand, as nothing can be put between.
 */
#include "games/shogi/solve/mate.h"
#include "games/shogi/rules/attacks.h"
#include <string.h>

/* --- the definition -------------------------------------------------------------------------- */
static bool mate_allows(const ply_rules *rules, void *position, ply_move move)
{
    shogi_position *p = position;
    shogi_undo_info undo;
    shogi_play(rules, p, move, &undo);
    bool check = shogi_in_check(p, p->side);
    shogi_undo(rules, p, move, &undo);
    return check;
}

/* The number of the move to be played says nothing about the position. */
static void mate_identity(const ply_rules *rules, const void *position, ply_text *out)
{
    shogi_position p;
    memcpy(&p, position, sizeof p);
    p.ply = 1;
    shogi_format(rules, &p, out);
}

/* --- for the solver -------------------------------------------------------------------------- */
static size_t mate_attacks(const ply_rules *rules, const void *position, ply_move *out)
{
    (void)rules;
    return shogi_moves_of_mode(position, SHOGI_TSUME, out);
}

static uint64_t mate_split(const ply_rules *rules, const void *position, int attacker,
                           uint64_t *amounts)
{
    (void)rules;
    const shogi_position *p = position;
    *amounts = p->hand[attacker];
    return p->board_key;
}

static uint64_t mate_mirrored(const ply_rules *rules, const void *position)
{
    (void)rules;
    const shogi_position *p = position;
    uint64_t key = p->side == SHOGI_WHITE ? shogi_side_key : 0;
    for (shogi_set s = p->colour[0] | p->colour[1]; s; s &= s - 1) {
        int at = set_first(s), column = at % SHOGI_WIDTH;
        key ^= shogi_piece_keys[p->board[at]][at - column + SHOGI_SIDE - 1 - column];
    }
    return key;
}

/* 0xFF for each kind of which a hand has none. */
static uint64_t missing_kinds(uint64_t hand)
{
    uint64_t out = 0;
    for (int kind = 0; kind < SHOGI_KING; kind++)
        if (shogi_hand_count(hand, kind) == 0)
            out |= (uint64_t)0xFF << (8 * kind);
    return out;
}

/* Empty squares between the king of the player to move and the one piece that checks it. */
static shogi_set open_squares(const shogi_position *p)
{
    int us = p->side, king = shogi_king(p, us);
    shogi_set checkers = shogi_attackers(p, !us, king, p->colour[0] | p->colour[1]);
    if (!checkers || !set_is_single(checkers))
        return 0;
    return squares_between_any(king, set_first(checkers));
}

static uint64_t mate_defender_lacks(const ply_rules *rules, const void *position, int attacker)
{
    (void)rules;
    const shogi_position *p = position;
    return open_squares(p) ? missing_kinds(p->hand[!attacker]) : 0;
}

static uint64_t mate_attacker_lacks(const ply_rules *rules, const void *position, int attacker)
{
    (void)rules;
    const shogi_position *p = position;
    return missing_kinds(p->hand[attacker]);
}

static uint64_t mate_defence_allows(const ply_rules *rules, const void *position, int attacker,
                                    ply_move move)
{
    (void)rules;
    const shogi_position *p = position;
    uint64_t any = UINT64_C(0x7F7F7F7F7F7F7F7F);
    if (!shogi_move_is_drop(move))
        return any;
    int kind = shogi_move_from(move);
    uint64_t most =
        shogi_hand_count(p->hand[attacker], kind) + shogi_hand_count(p->hand[!attacker], kind) - 1;
    return (any & ~((uint64_t)0xFF << (8 * kind))) | most << (8 * kind);
}

/*
 * Attacks: a check is promising where the attacker has more pieces at hand than the defender, the
 * one he drops counted, or takes one; it is the less so the more pieces can take it. Defences: to
 * take the piece that checks is a good one; a piece put where the attacker has more pieces at hand
 * will be taken, others are hard to pass.
 */
static void mate_effort(const ply_rules *rules, const void *position, int attacker, ply_move move,
                        uint32_t *proof, uint32_t *disproof)
{
    (void)rules;
    const shogi_position *p = position;
    int to = shogi_move_to(move);
    bool attacks = p->side == attacker, drops = shogi_move_is_drop(move);
    bool takes = p->board[to] != SHOGI_CODE_EMPTY;
    if (!attacks && takes)
        *proof += 1;
    if (!attacks && !drops)
        return;
    unsigned support[2];
    PLY_ISA_PICK(shogi_kernels_of)->support(p, to, support);
    if (attacks)
        *proof += support[!attacker] >= 2;
    bool stronger = support[attacker] + (attacks && drops) > support[!attacker];
    *(stronger || (attacks && takes) ? disproof : proof) += 1;
}

static uint32_t mate_delay(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules, (void)position;
    return shogi_move_is_drop(move) ? (uint32_t)shogi_move_to(move) + 1 : 0;
}

static size_t mate_answers(const ply_rules *rules, const void *position, size_t most)
{
    (void)rules;
    return PLY_ISA_PICK(shogi_kernels_of)->answers(position, (unsigned)most);
}

static ply_move mate_at_once(const ply_rules *rules, void *position)
{
    (void)rules;
    return PLY_ISA_PICK(shogi_kernels_of)->mate(position);
}

/*
 * Whether the player to move, who is in check, can only drop pieces between that are taken by the
 * piece that checks, and nothing changes by it: he then still has nothing but such drops, or
 * nothing. His hand is taken to be what it was, and so the answer depends on the board and on the
 * kinds he has, not on what the attacker holds. Each step brings the checker nearer.
 */
static bool only_futile(const ply_rules *rules, const shogi_position *p)
{
    int us = p->side, king = shogi_king(p, us);
    shogi_set checkers = shogi_attackers(p, !us, king, p->colour[0] | p->colour[1]), done = 0;
    ply_move moves[SHOGI_MAX_MOVES];
    size_t count = shogi_moves(rules, p, moves);
    for (size_t i = 0; i < count; i++)
        if (!shogi_move_is_drop(moves[i]))
            return false;
    for (size_t i = 0; i < count; i++) {
        int to = shogi_move_to(moves[i]);
        if (done & set_of(to))
            continue;
        done |= set_of(to);
        shogi_position dropped = *p;
        shogi_undo_info undo;
        shogi_play(rules, &dropped, moves[i], &undo);
        ply_move answers[SHOGI_MAX_MOVES];
        size_t answer_count = shogi_moves_of_mode(&dropped, SHOGI_TSUME, answers);
        bool futile = false;
        for (size_t k = 0; k < answer_count && !futile; k++) {
            if (shogi_move_is_drop(answers[k]) || shogi_move_to(answers[k]) != to ||
                shogi_move_from(answers[k]) != set_first(checkers))
                continue;
            shogi_position taken = dropped;
            shogi_play(rules, &taken, answers[k], &undo);
            taken.hand[us] = p->hand[us];
            futile = only_futile(rules, &taken);
        }
        if (!futile)
            return false;
    }
    return true;
}

static bool mate_is_over(const ply_rules *rules, const void *position)
{
    return only_futile(rules, position);
}

const ply_goal shogi_goals[SHOGI_GOALS] = {
    {
        .id = "mate",
        .help = "checkmate by checks alone (tsume)",
        .allows = mate_allows,
        .identity = mate_identity,
        .attacks = mate_attacks,
        .count_defences = mate_answers,
        .estimate_effort = mate_effort,
        .delay_group = mate_delay,
        .immediate_win = mate_at_once,
        .only_futile_defences = mate_is_over,
        .dominance_key = mate_split,
        .mirror_key = mate_mirrored,
        .defender_lacks = mate_defender_lacks,
        .attacker_lacks = mate_attacker_lacks,
        .defence_bound = mate_defence_allows,
    },
};
