/* SPDX-License-Identifier: MIT */
/*
 * goals.c - what can be solved for in 5D chess.
 *
 * The goal "mate" is checkmate by turns that all give check, as in problems: the attacker may
 * submit a turn only if the defender could then lose a royal piece by passing. The moves within a
 * turn are free. A defender without a legal turn has lost if in check; stalemate is not mate. The
 * goal "win" is checkmate by any turns. Both are solved over whole turns (mate_search.h).
 */
#include "games/fived/turns/turn_query.h"

static ply_goal_value mate_value(const ply_rules *rules, const void *position, int attacker)
{
    ply_outcome outcome = fived_outcome(rules, position, NULL, 0);
    if (outcome.result == PLY_ONGOING)
        return PLY_GOAL_OPEN;
    return outcome.result == (attacker == 0 ? PLY_FIRST_WINS : PLY_SECOND_WINS) ? PLY_GOAL_REACHED
                                                                                : PLY_GOAL_MISSED;
}

/* Without memory there is no answer, and neither where the multiverse cannot grow. */
static bool mate_allows(const ply_rules *rules, void *position, ply_move move,
                        ply_goal_effort *effort)
{
    fived_undo_info undo;
    if (move != FIVED_SUBMIT)
        return true;
    bool check = false;
    ply_status status = fived_play(rules, position, move, &undo);
    if (status == PLY_OK) {
        status = fived_test_check(rules, position, &check);
        fived_undo(rules, position, move, &undo);
    }
    if (status != PLY_OK && effort)
        effort->exceeded = true;
    return check;
}

const ply_goal fived_goals[FIVED_GOALS] = {
    {.id = "mate",
     .help = "checkmate by turns that all give check",
     .value = mate_value,
     .allows = mate_allows,
     .solver = &fived_mate_solver},
    {.id = "win",
     .help = "checkmate by any turns",
     .value = mate_value,
     .solver = &fived_mate_solver},
};
