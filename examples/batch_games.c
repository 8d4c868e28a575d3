/* SPDX-License-Identifier: MIT */
/* batch_games.c - a thousand games at once: the loop of a learner, with random actions. */
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>

enum { GAMES = 1000, STEPS = 200 };

int main(void)
{
    ply_rules rules;
    ply_batch *batch;
    ply_error error;
    ply_batch_options options = {.games = GAMES,
                                 .threads = 2,
                                 .outputs = PLY_BATCH_OBSERVATIONS | PLY_BATCH_MASK_BITS,
                                 .seed = 1};
    if (ply_rules_make(&rules, ply_game_find("neighbours"), NULL, &error) != PLY_OK ||
        ply_batch_new(&batch, &rules, &options, &error) != PLY_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    const ply_batch_arrays *data = ply_batch_data(batch);
    printf("%zu games, %u actions, observations %u x %u x %u\n", data->games, data->actions,
           data->planes, data->height, data->width);

    static int32_t actions[GAMES];
    size_t finished = 0, wins[2] = {0}, draws = 0, legal = 0;
    for (int step = 0; step < STEPS; step++) {
        /* A learner reads data->observations and data->mask_bits here and chooses. */
        ply_batch_sample(batch, actions);
        if (ply_batch_step(batch, actions) != PLY_OK)
            return EXIT_FAILURE;
        for (size_t g = 0; g < data->games; g++) {
            legal += data->legal_counts[g];
            if (!data->terminated[g])
                continue;
            finished++;
            wins[0] += data->rewards[2 * g] > 0;
            wins[1] += data->rewards[2 * g + 1] > 0;
            draws += data->results[g] == PLY_DRAW;
        }
    }
    printf("%d steps: %zu games finished, %zu won by White, %zu by Black, %zu drawn\n",
           GAMES * STEPS, finished, wins[0], wins[1], draws);
    printf("%.2f legal actions on average\n", (double)legal / (GAMES * (double)STEPS));

    /* Any game can be taken out and looked at. */
    ply_state state;
    ply_text text = ply_text_growing();
    if (ply_batch_get(batch, 7, &state) != PLY_OK)
        return EXIT_FAILURE;
    ply_state_format(&state, &text);
    printf("game 7 after %zu plies: %s\n", state.plies, ply_text_cstr(&text));
    ply_text_free(&text);
    ply_state_free(&state);
    ply_batch_free(batch);
    return EXIT_SUCCESS;
}
