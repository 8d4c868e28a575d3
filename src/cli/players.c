/* players.c - opponents that need no search. */
#include "cli/cli.h"
#include <stdlib.h>

static ply_move choose_random(ply_state *state, ply_rng *rng)
{
    size_t count = ply_game_count_moves(state->rules, state->position);
    return ply_game_nth_move(state->rules, state->position, ply_rng_below(rng, (uint32_t)count));
}

/* How good the state is for `player`, looking no further: the outcome, else the evaluation. */
static int64_t value_for(const ply_state *state, int player)
{
    ply_outcome outcome = ply_state_outcome(state);
    if (outcome.result == PLY_DRAW)
        return 0;
    if (outcome.result != PLY_ONGOING)
        return (outcome.result == PLY_FIRST_WINS) == (player == 0) ? INT32_MAX : -INT32_MAX;
    int64_t value = ply_game_evaluate(state->rules, state->position);
    return state->rules->game->side(state->rules, state->position) == player ? value : -value;
}

/* The move after which the position looks best; one of them at random where several do. */
static ply_move choose_greedy(ply_state *state, ply_rng *rng)
{
    const ply_rules *rules = state->rules;
    ply_move *moves = malloc(rules->max_moves * sizeof(ply_move));
    if (!moves)
        return choose_random(state, rng);
    int player = rules->game->side(rules, state->position);
    size_t count = rules->game->moves(rules, state->position, moves);
    int64_t best = INT64_MIN;
    uint32_t equals = 0;
    ply_move chosen = moves[0];
    for (size_t i = 0; i < count; i++) {
        if (ply_state_play(state, moves[i]) != PLY_OK)
            continue;
        int64_t value = value_for(state, player);
        ply_state_undo(state);
        if (value > best) {
            best = value;
            equals = 0;
        }
        if (value == best && ply_rng_below(rng, ++equals) == 0)
            chosen = moves[i];
    }
    free(moves);
    return chosen;
}

const cli_player cli_players[] = {
    {"human", "a person", NULL},
    {"random", "any legal move", choose_random},
    {"greedy", "the best-looking next position", choose_greedy},
    {0},
};
