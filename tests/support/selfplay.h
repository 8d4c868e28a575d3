/* SPDX-License-Identifier: MIT */
/*
 * selfplay.h - games between our players, with tiny search limits; a callback judges every move.
 *
 * Stream g of the seed draws the two players of game g from the list below, so that within a hundred
 * games every kind and level has played. Does not use cmocka: the oracles include it as well.
 */
#ifndef TESTS_SELFPLAY_H
#define TESTS_SELFPLAY_H

#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const selfplay_players[] = {
    "alphabeta:nodes=300",
    "alphabeta:depth=2",
    "alphabeta:nodes=100,threads=2",
    "mcts:nodes=24",
    "mcts:nodes=40,threads=2",
    "playouts:nodes=6",
    "greedy",
    "random",
    "alphabeta:level=1,nodes=100",
    "alphabeta:level=2,nodes=100",
    "alphabeta:level=3,nodes=100",
    "alphabeta:level=4,nodes=200",
    "alphabeta:level=5,nodes=200",
    "alphabeta:level=6,nodes=200",
    "alphabeta:level=7,nodes=200",
    "alphabeta:level=8,nodes=200",
    "alphabeta:level=9,nodes=200",
    "mcts:level=1",
    "mcts:level=2",
    "mcts:level=3,nodes=40",
    "playouts:level=1,nodes=4",
};

enum { SELFPLAY_PLAYERS = sizeof selfplay_players / sizeof selfplay_players[0] };

/* Judges a move about to be played in a state. Returns false if it is wrong, which ends the game. */
typedef bool selfplay_judge(void *context, const ply_state *state, ply_move move);

/* Plays game number g to its end or to max_plies. Returns the number of moves, or -1 on an error. */
static inline long selfplay_game(const ply_rules *rules, uint64_t seed, uint64_t g,
                                 size_t max_plies, selfplay_judge *judge, void *context)
{
    ply_rng rng = ply_rng_make(seed, g);
    ply_player *players[2] = {NULL, NULL};
    ply_state state;
    long moves = 0;
    if (ply_state_init(&state, rules) != PLY_OK)
        return -1;
    for (int i = 0; i < 2; i++) {
        ply_player_spec spec;
        if (ply_player_spec_parse(&spec, selfplay_players[ply_rng_below(&rng, SELFPLAY_PLAYERS)],
                                  NULL) != PLY_OK)
            moves = -1;
        spec.seed = g + 1;
        spec.memory_mb = 1;
        players[i] = ply_player_new(rules, &spec);
        if (!players[i])
            moves = -1;
    }
    while (moves >= 0 && state.plies < max_plies &&
           ply_state_outcome(&state).result == PLY_ONGOING) {
        ply_player_answer answer;
        ply_player *player = players[rules->game->side(rules, state.position)];
        if (ply_player_choose(player, &state, NULL, NULL, NULL, &answer) != PLY_OK ||
            !judge(context, &state, answer.pv.moves[0]) ||
            ply_state_play(&state, answer.pv.moves[0]) != PLY_OK)
            moves = -1;
        else
            moves++;
    }
    for (int i = 0; i < 2; i++)
        ply_player_free(players[i]);
    ply_state_free(&state);
    return moves;
}

#endif
