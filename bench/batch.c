/* SPDX-License-Identifier: MIT */
/*
 * batch.c - steps per second of batches, by what they fill in, next to stepping single games.
 *
 * Time is CPU time of the process, except for the last column, which compares two threads with one by
 * the clock: both alternately, the best of each. Single games are stepped as frameworks for single games do it: list the legal
 * moves, draw one, play it, ask whether the game is over, write the observation.
 */
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GAMES = 256, PARTS = 20, ROUNDS = 5 };

static double clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The best of several measurements of about `seconds` in all, in steps per second. */
static double measure_batch(const ply_rules *rules, unsigned outputs, unsigned history,
                            unsigned threads, clockid_t clock, double seconds)
{
    ply_batch_options options = {
        .games = GAMES, .threads = threads, .outputs = outputs, .seed = 1, .history = history};
    ply_batch *batch;
    int32_t *actions = malloc(GAMES * sizeof *actions);
    double best = 0;
    if (!actions || ply_batch_new(&batch, rules, &options, NULL) != PLY_OK) {
        free(actions);
        return 0;
    }
    for (int i = 0; i < 100; i++) { /* away from the start position */
        ply_batch_sample(batch, actions);
        ply_batch_step(batch, actions);
    }
    for (int part = 0; part < PARTS; part++) {
        size_t steps = 0;
        double start = clock_seconds(clock), spent = 0;
        do {
            for (int i = 0; i < 4; i++, steps += GAMES) {
                ply_batch_sample(batch, actions);
                ply_batch_step(batch, actions);
            }
            spent = clock_seconds(clock) - start;
        } while (spent < seconds / PARTS);
        best = (double)steps / spent > best ? (double)steps / spent : best;
    }
    ply_batch_free(batch);
    free(actions);
    return best;
}

/* How many times faster two threads are than one. */
static double measure_gain(const ply_rules *rules, unsigned outputs, double seconds)
{
    double best[2] = {0};
    for (int round = 0; round < ROUNDS; round++)
        for (unsigned i = 0; i < 2; i++) {
            double rate =
                measure_batch(rules, outputs, 0, i + 1, CLOCK_MONOTONIC, seconds / ROUNDS);
            best[i] = rate > best[i] ? rate : best[i];
        }
    return best[1] / best[0];
}

static double measure_single(const ply_rules *rules, double seconds)
{
    ply_state state;
    ply_rng rng = ply_rng_make(1, 0);
    ply_move *moves = malloc(rules->max_moves * sizeof *moves);
    size_t bytes = (size_t)rules->planes * rules->plane_height * rules->plane_width;
    uint8_t *planes = malloc(bytes + 1);
    double best = 0;
    if (!moves || !planes || ply_state_init(&state, rules) != PLY_OK)
        exit(EXIT_FAILURE);
    for (int part = 0; part < PARTS; part++) {
        size_t steps = 0;
        double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID), spent = 0;
        do {
            for (int i = 0; i < 256; i++, steps++) {
                if (ply_state_outcome(&state).result != PLY_ONGOING ||
                    state.plies >= ply_batch_default_plies(rules))
                    ply_state_restart(&state);
                size_t count = rules->game->moves(rules, state.position, moves);
                ply_state_play(&state, moves[ply_rng_below(&rng, (uint32_t)count)]);
                if (rules->learning->observe)
                    rules->learning->observe(rules, state.position, ply_state_side(&state), planes);
            }
            spent = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        } while (spent < seconds / PARTS);
        best = (double)steps / spent > best ? (double)steps / spent : best;
    }
    ply_state_free(&state);
    free(moves);
    free(planes);
    return best;
}

static void print_rate(double rate)
{
    if (rate >= 1e6)
        printf(" %8.2f M", rate * 1e-6);
    else
        printf(" %8.2f k", rate * 1e-3);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 1;
    static const char *const rules_text[][2] = {
        {"shogi", ""},          {"checkers", ""}, {"checkers", "russian"}, {"neighbours", ""},
        {"neighbours", "jump"}, {"gomoku", ""},   {"gomoku", "renju"},     {"5dchess", "small"},
    };
    printf("%-19s %10s %10s %10s %10s %10s %10s %10s %10s %8s\n", "steps per second", "single",
           "bare", "bits", "bytes", "lists", "planes", "bits+planes", "history 7", "2 threads");
    for (size_t i = 0; i < sizeof rules_text / sizeof rules_text[0]; i++) {
        ply_rules rules;
        char name[64];
        if (ply_rules_make(&rules, ply_game_find(rules_text[i][0]), rules_text[i][1], NULL) !=
            PLY_OK)
            return EXIT_FAILURE;
        if (rules.actions == 0 || (argc > 2 && strcmp(argv[2], rules_text[i][0]) != 0))
            continue;
        snprintf(name, sizeof name, "%s %s", rules_text[i][0], rules_text[i][1]);
        printf("%-19s", name);
        unsigned both = PLY_BATCH_MASK_BITS | PLY_BATCH_OBSERVATIONS;
        clockid_t cpu = CLOCK_PROCESS_CPUTIME_ID;
        print_rate(measure_single(&rules, seconds));
        print_rate(measure_batch(&rules, 0, 0, 1, cpu, seconds));
        print_rate(measure_batch(&rules, PLY_BATCH_MASK_BITS, 0, 1, cpu, seconds));
        print_rate(measure_batch(&rules, PLY_BATCH_MASK_BYTES, 0, 1, cpu, seconds));
        print_rate(measure_batch(&rules, PLY_BATCH_LEGAL_ACTIONS, 0, 1, cpu, seconds));
        print_rate(measure_batch(&rules, PLY_BATCH_OBSERVATIONS, 0, 1, cpu, seconds));
        print_rate(measure_batch(&rules, both, 0, 1, cpu, seconds));
        print_rate(measure_batch(&rules, both, 7, 1, cpu, seconds));
        printf(" %7.2fx\n", measure_gain(&rules, both, seconds));
    }
    return EXIT_SUCCESS;
}
