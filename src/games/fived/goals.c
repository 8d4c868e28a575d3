/*
 * goals.c - what can be solved for in 5D chess.
 *
 * The goal "mate" is checkmate by turns that all give check, as in problems: a turn of the
 * attacker's may be submitted only if the other could then lose a royal piece by passing. The moves
 * within a turn are free. A defender without a legal turn has lost if he is in check; stalemate is
 * no mate.
 */
#include "games/fived/turns.h"

static ply_goal_value mate_value(const ply_rules *rules, const void *position, int attacker)
{
    ply_outcome outcome = fived_outcome(rules, position, NULL, 0);
    if (outcome.result == PLY_ONGOING)
        return PLY_GOAL_OPEN;
    return outcome.result == (attacker == 0 ? PLY_FIRST_WINS : PLY_SECOND_WINS) ? PLY_GOAL_REACHED
                                                                                : PLY_GOAL_MISSED;
}

static bool mate_allows(const ply_rules *rules, void *position, ply_move move)
{
    fived_record record;
    if (move != FIVED_SUBMIT)
        return true;
    if (fived_play(rules, position, move, &record) != PLY_OK)
        return false;
    bool check = fived_threatened(rules, position);
    fived_undo(rules, position, move, &record);
    return check;
}

/* The turn as made mates: nothing else need be looked at. */
static ply_move mate_at_once(const ply_rules *rules, void *position)
{
    fived_position *p = position;
    fived_record record;
    int side = p->side;
    if ((fived_position_present(p) & 1) == side ||
        fived_play(rules, position, FIVED_SUBMIT, &record) != PLY_OK)
        return PLY_MOVE_NONE;
    bool mates =
        fived_threatened(rules, position) && mate_value(rules, position, side) == PLY_GOAL_REACHED;
    fived_undo(rules, position, FIVED_SUBMIT, &record);
    return mates ? FIVED_SUBMIT : PLY_MOVE_NONE;
}

const ply_goal fived_goals[FIVED_GOALS] = {
    {.id = "mate",
     .help = "checkmate by turns that all give check",
     .value = mate_value,
     .allows = mate_allows,
     .at_once = mate_at_once},
};
