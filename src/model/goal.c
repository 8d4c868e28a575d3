/* SPDX-License-Identifier: MIT */
/* goal.c - looking up goals, and the goal "win" that every game has. */
#include <plyverse/solve.h>
#include <string.h>

static ply_goal_value win_value(const ply_rules *rules, const void *position, int attacker)
{
    ply_outcome outcome = rules->game->outcome(rules, position, NULL, 0);
    /*
     * A draw by counted moves depends on how the position was reached. A verdict must hold whatever
     * the counters say, so play continues as long as there are moves.
     */
    if (outcome.result == PLY_ONGOING ||
        (outcome.result == PLY_DRAW && ply_game_count_moves(rules, position) > 0))
        return PLY_GOAL_OPEN;
    ply_result wanted = attacker == 0 ? PLY_FIRST_WINS : PLY_SECOND_WINS;
    return outcome.result == wanted ? PLY_GOAL_REACHED : PLY_GOAL_MISSED;
}

static const ply_goal win_goal = {
    .id = "win",
    .help = "win the game, ignoring repetition and move-count rules",
    .value = win_value,
};

/* A game may define "win" itself, to add a solver. */
static bool has_win(const ply_game *game)
{
    for (size_t i = 0; i < game->goal_count; i++)
        if (strcmp(game->goals[i].id, win_goal.id) == 0)
            return true;
    return false;
}

const ply_goal *ply_goal_at(const ply_game *game, size_t i)
{
    if (!game)
        return NULL;
    if (i < game->goal_count)
        return &game->goals[i];
    return i == game->goal_count && !has_win(game) ? &win_goal : NULL;
}

const ply_goal *ply_goal_find(const ply_game *game, const char *id)
{
    if (!id || !id[0])
        return ply_goal_at(game, 0);
    const ply_goal *goal;
    for (size_t i = 0; (goal = ply_goal_at(game, i)) != NULL; i++)
        if (strcmp(goal->id, id) == 0)
            return goal;
    return NULL;
}
