/* SPDX-License-Identifier: MIT */
/*
 * cuda.c - plies per second of batches on a CUDA device, by game and by what is filled in.
 *
 *     cuda_bench [GAME[:RULES] [GAMES [SECONDS]]]
 *
 * random: ply_batch_random_steps, 100 plies per launch (5D chess: 5). The others are
 * ply_batch_sample and ply_batch_step: rewards and ends only, with mask bits, with mask bytes, with
 * observations and mask bytes; where a game offers another observation, the same with that one. A
 * warm-up comes first; the time is that of the host, which waits for the device. Figures are printed
 * as they come.
 */
#include "core/clock.h"
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plies between two looks at the clock. A ply of 5D chess takes a thousand times as long. */
enum { LAUNCH_STEPS = 100, SLOW_LAUNCH_STEPS = 5, CHUNK = 20, SLOW_CHUNK = 2 };

/* Returns plies per second, or 0 if something fails. */
static double measure(const ply_rules *rules, size_t games, double seconds, unsigned outputs,
                      const char *observation, bool random)
{
    const ply_batch_options o = {.games = games,
                                 .outputs = outputs,
                                 .seed = 1,
                                 .device = PLY_DEVICE_CUDA,
                                 .observation = observation};
    const ply_batch_options actions_only = {
        .games = games, .device = PLY_DEVICE_CUDA, .max_plies = 1};
    ply_batch *batch = NULL, *lender = NULL;
    ply_error error = {0};
    if (ply_batch_new(&batch, rules, &o, &error) != PLY_OK ||
        ply_batch_new(&lender, rules, &actions_only, &error) != PLY_OK) {
        fprintf(stderr, "%s\n", error.message);
        ply_batch_free(batch);
        return 0;
    }
    /* Memory on the device for the actions: an array of another batch. */
    int32_t *actions = (int32_t *)(void *)ply_batch_data(lender)->plies;
    bool slow = strcmp(rules->game->id, "5dchess") == 0;
    int chunk = slow ? SLOW_CHUNK : CHUNK;
    uint64_t plies = 0, start = 0;
    double elapsed = 0;
    for (int round = 0; elapsed < seconds; round++) {
        ply_batch_totals totals = {0};
        if (random) {
            if (ply_batch_random_steps(batch, slow ? SLOW_LAUNCH_STEPS : LAUNCH_STEPS, &totals) !=
                PLY_OK)
                break;
        } else {
            for (int i = 0; i < chunk; i++) {
                ply_batch_sample(batch, actions);
                ply_batch_step(batch, actions);
            }
            totals.plies = (uint64_t)games * (unsigned)chunk;
        }
        if (ply_batch_wait(batch, &error) != PLY_OK) {
            fprintf(stderr, "%s\n", error.message);
            break;
        }
        if (round < 2) { /* warm-up */
            start = ply_clock_nanos();
            continue;
        }
        plies += totals.plies;
        elapsed = ply_clock_seconds_since(start);
    }
    ply_batch_free(lender);
    ply_batch_free(batch);
    return elapsed > 0 ? (double)plies / elapsed : 0;
}

static int bench(const char *text, size_t games, double seconds)
{
    char name[64];
    snprintf(name, sizeof name, "%s", text);
    char *variant = strchr(name, ':');
    if (variant)
        *variant++ = '\0';
    ply_rules rules;
    ply_error error;
    if (ply_rules_make(&rules, ply_game_find(name), variant, &error) != PLY_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    const unsigned tiers[] = {0, PLY_BATCH_MASK_BITS, PLY_BATCH_MASK_BYTES,
                              PLY_BATCH_MASK_BYTES | PLY_BATCH_OBSERVATIONS};
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("%-24s %9.3f", text, measure(&rules, games, seconds, 0, NULL, true) / 1e6);
    for (size_t i = 0; i < sizeof tiers / sizeof tiers[0]; i++)
        printf(" %9.3f", measure(&rules, games, seconds, tiers[i], NULL, false) / 1e6);
    for (size_t i = 0; i < rules.learning->observation_count; i++)
        printf(
            " %9.2f (%s)",
            measure(&rules, games, seconds, tiers[3], rules.learning->observations[i].name, false) /
                1e6,
            rules.learning->observations[i].name);
    printf("\n");
    return 0;
}

int main(int argc, char **argv)
{
    size_t games = argc > 2 ? strtoull(argv[2], NULL, 10) : 1 << 18;
    double seconds = argc > 3 ? atof(argv[3]) : 1;
    printf("million plies per second, %zu games\n", games);
    printf("%-24s %9s %9s %9s %9s %9s\n", "rules", "random", "step", "bits", "bytes", "observed");
    if (argc > 1)
        return bench(argv[1], games, seconds);
    const char *const all[] = {"neighbours", "gomoku:freestyle", "gomoku:renju", "checkers",
                               "shogi"};
    int result = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        result |= bench(all[i], games, seconds);
    return result;
}
