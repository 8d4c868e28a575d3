/* SPDX-License-Identifier: MIT */
/*
 * gomoku_play.c - the speed of play and undo with the pattern totals updated.
 *
 *     gomoku_play [VARIANT]       best of five rounds over the legal moves of random positions
 */
#include "bench.h"
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    ply_rules rules;
    ply_state state;
    ply_error error = {0};
    if (ply_rules_make(&rules, ply_game_find("gomoku"), argc > 1 ? argv[1] : "", &error) !=
        PLY_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    ply_move *moves = malloc(rules.max_moves * sizeof *moves);
    void *undo = malloc(rules.undo_bytes);
    if (!moves || !undo || ply_state_init(&state, &rules) != PLY_OK)
        return 2;
    double best = 0;
    for (int round = 0; round < 5; round++) {
        uint64_t pairs = 0;
        double seconds = 0;
        for (uint64_t game = 0; game < 300; game++) {
            ply_rng rng = ply_rng_make(7, game);
            ply_state_restart(&state);
            for (int ply = 0; ply < 60; ply++) {
                if (ply_state_outcome(&state).result != PLY_ONGOING)
                    break;
                size_t count = rules.game->moves(&rules, state.position, moves);
                if (ply % 10 == 9) {
                    double start = cpu_seconds();
                    for (int again = 0; again < 10; again++)
                        for (size_t i = 0; i < count; i++) {
                            rules.game->play(&rules, state.position, moves[i], undo);
                            rules.game->undo(&rules, state.position, moves[i], undo);
                        }
                    seconds += cpu_seconds() - start;
                    pairs += 10 * count;
                }
                ply_state_play(&state, moves[ply_rng_below(&rng, (uint32_t)count)]);
            }
        }
        best = (double)pairs / seconds > best ? (double)pairs / seconds : best;
    }
    printf("%.1f M play+undo/s, %zu bytes per position\n", best / 1e6, rules.position_bytes);
    ply_state_free(&state);
    free(moves);
    free(undo);
    return 0;
}
