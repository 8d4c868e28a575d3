/* SPDX-License-Identifier: MIT */
/*
 * mate.c - the goal of a tsume problem: give check with every move until the defender is mated.
 *
 * The definition (allows, identity) uses the plain rules; everything below it helps the solver.
 * Dominance concerns the attacker's hand. With more in hand the attacker keeps all their moves, and
 * the defender, who then holds that much less, gains none. Pawn-drop mate is no exception: whether
 * a pawn's check is mate does not depend on either hand, because nothing can be interposed.
 */
#include "games/shogi/solve/mate.h"
#include "games/shogi/rules/attacks.h"
#include <string.h>

/* --- the definition -------------------------------------------------------------------------- */
static bool mate_allows(const ply_rules *rules, void *position, ply_move move,
                        ply_goal_effort *effort)
{
    (void)effort;
    shogi_position *p = position;
    shogi_undo_info undo;
    shogi_play(rules, p, move, &undo);
    bool check = shogi_in_check(p, p->side);
    shogi_undo(rules, p, move, &undo);
    return check;
}

/* The move number is not part of the position. */
static void mate_identity(const ply_rules *rules, const void *position, ply_text *out)
{
    shogi_position p;
    memcpy(&p, position, sizeof p);
    p.ply = 1;
    shogi_format(rules, &p, out);
}

/* --- help for the solver --------------------------------------------------------------------- */
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
        int at = set_first(s), column = at % SHOGI_STRIDE;
        key ^= shogi_piece_keys[p->board[at]][at - column + SHOGI_SIDE - 1 - column];
    }
    return key;
}

/* A mask with 0xFF in the byte of each kind that the hand does not hold. */
static uint64_t kinds_not_held(uint64_t hand)
{
    uint64_t out = 0;
    for (int kind = 0; kind < SHOGI_KING; kind++)
        if (shogi_hand_count(hand, kind) == 0)
            out |= (uint64_t)0xFF << (8 * kind);
    return out;
}

/* The empty squares between the king of the player to move and its only checker. */
static shogi_set interposition_squares(const shogi_position *p)
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
    return interposition_squares(p) ? kinds_not_held(p->hand[!attacker]) : 0;
}

static uint64_t mate_attacker_lacks(const ply_rules *rules, const void *position, int attacker)
{
    (void)rules;
    const shogi_position *p = position;
    return kinds_not_held(p->hand[attacker]);
}

/* A drop needs one piece of its kind in the defender's hand: the attacker may hold the others. */
static uint64_t mate_defence_allows(const ply_rules *rules, const void *position, int attacker,
                                    ply_move move)
{
    (void)rules;
    const shogi_position *p = position;
    uint64_t no_limit = UINT64_C(0x7F7F7F7F7F7F7F7F);
    if (!shogi_move_is_drop(move))
        return no_limit;
    int kind = shogi_move_from(move);
    uint64_t most =
        shogi_hand_count(p->hand[attacker], kind) + shogi_hand_count(p->hand[!attacker], kind) - 1;
    return (no_limit & ~((uint64_t)0xFF << (8 * kind))) | most << (8 * kind);
}

/*
 * Attacks: a check is promising if it captures, or if the attacker has more pieces attacking the
 * target square than the defender, a dropped piece included. The more pieces can capture the
 * checking piece, the less promising it is. Defences: capturing the checking piece is a good
 * defence. A piece interposed on a square where the attacker has the majority will be captured; any
 * other is hard to get past.
 */
static void mate_effort(const ply_rules *rules, const void *position, int attacker, ply_move move,
                        uint32_t *proof, uint32_t *disproof)
{
    (void)rules;
    const shogi_position *p = position;
    int to = shogi_move_to(move);
    bool attacks = p->side == attacker, drops = shogi_move_is_drop(move);
    bool captures = p->board[to] != SHOGI_CODE_EMPTY;
    if (!attacks && captures)
        *proof += 1;
    if (!attacks && !drops)
        return;
    unsigned attackers[2];
    PLY_ISA_PICK(shogi_kernels_of)->attacker_counts(p, to, attackers);
    if (attacks)
        *proof += attackers[!attacker] >= 2;
    bool outnumbers = attackers[attacker] + (attacks && drops) > attackers[!attacker];
    *(outnumbers || (attacks && captures) ? disproof : proof) += 1;
}

static uint32_t mate_delay(const ply_rules *rules, const void *position, ply_move move)
{
    (void)rules, (void)position;
    return shogi_move_is_drop(move) ? (uint32_t)shogi_move_to(move) + 1 : 0;
}

static size_t mate_answers(const ply_rules *rules, const void *position, size_t most)
{
    (void)rules;
    return PLY_ISA_PICK(shogi_kernels_of)->evasions(position, (unsigned)most);
}

static ply_move mate_at_once(const ply_rules *rules, void *position)
{
    (void)rules;
    return PLY_ISA_PICK(shogi_kernels_of)->mate_in_one(position);
}

/*
 * Whether the player to move, who is in check, has only futile interpositions: drops that the
 * checking piece captures without changing anything, so that only such drops, or mate, remain. The
 * hand is assumed to stay as it was. The answer therefore depends on the board and on the kinds in
 * the defender's hand, not on what the attacker holds. The recursion ends because every capture
 * brings the checking piece nearer.
 */
static bool only_futile_interpositions(const ply_rules *rules, const shogi_position *p)
{
    int us = p->side, king = shogi_king(p, us);
    shogi_set checkers = shogi_attackers(p, !us, king, p->colour[0] | p->colour[1]), tried = 0;
    ply_move moves[SHOGI_MAX_MOVES];
    size_t count = shogi_moves(rules, p, moves);
    for (size_t i = 0; i < count; i++)
        if (!shogi_move_is_drop(moves[i]))
            return false;
    for (size_t i = 0; i < count; i++) {
        int to = shogi_move_to(moves[i]);
        if (tried & set_of(to))
            continue;
        tried |= set_of(to);
        shogi_position dropped = *p;
        shogi_undo_info undo;
        shogi_play(rules, &dropped, moves[i], &undo);
        ply_move checks[SHOGI_MAX_MOVES];
        size_t check_count = shogi_moves_of_mode(&dropped, SHOGI_TSUME, checks);
        bool futile = false;
        for (size_t k = 0; k < check_count && !futile; k++) {
            if (shogi_move_is_drop(checks[k]) || shogi_move_to(checks[k]) != to ||
                shogi_move_from(checks[k]) != set_first(checkers))
                continue;
            shogi_position taken = dropped;
            shogi_play(rules, &taken, checks[k], &undo);
            taken.hand[us] = p->hand[us];
            futile = only_futile_interpositions(rules, &taken);
        }
        if (!futile)
            return false;
    }
    return true;
}

static bool mate_is_over(const ply_rules *rules, const void *position)
{
    return only_futile_interpositions(rules, position);
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
