/* SPDX-License-Identifier: MIT */
/*
 * shogi_random.c - random games as the shogi design note measures them.
 *
 *     cc -O2 -Iinclude bench/shogi_random.c build/libplyverse.a -lzstd -lpthread -lm -o build/shogi_random
 *     build/shogi_random [GAMES] [PROGRAM]
 *
 * The note's loop: list all legal moves, pick one at random, play it, until there is no move or
 * 10,000 have been played. Repetition and entering kings do not end a game. Runs it on the engine's
 * positions, then lets the library play GAMES (default 1000) games in its own way, by all rules,
 * which is `plyverse random shogi`. PROGRAM, if given, is run between our own runs and timed as a
 * whole; it is expected to play 1,000 games. Prints the processor time per game, the best of TURNS
 * runs.
 */
#include <plyverse/plyverse.h>
#include <plyverse/shogi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { TURNS = 5, MAX_PLIES = 10000, THEIR_GAMES = 1000 };

static double user_seconds(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
}

/* Plays one game by the note's loop; returns the plies. */
static size_t play_as_the_note(ply_state *state, ply_rng *rng)
{
    const ply_rules *rules = state->rules;
    const ply_game *game = rules->game;
    ply_move moves[SHOGI_MAX_MOVES];
    game->start(rules, state->position);
    for (size_t ply = 0; ply < MAX_PLIES; ply++) {
        size_t count = shogi_moves_of_mode(shogi_position_of(state), SHOGI_STANDARD, moves);
        if (count == 0)
            return ply;
        game->play(rules, state->position, moves[ply_rng_below(rng, (uint32_t)count)],
                   state->undo_stack);
    }
    return MAX_PLIES;
}

static size_t play_by_all_rules(ply_state *state, ply_rng *rng)
{
    ply_outcome outcome;
    state->rules->game->start(state->rules, state->position);
    return state->rules->counting->playout(state->rules, state->position, rng, MAX_PLIES, &outcome);
}

/* The processor time for all games. */
static double time_games(ply_state *state, size_t (*play)(ply_state *, ply_rng *), uint64_t games,
                         size_t *plies)
{
    double begin = user_seconds(RUSAGE_SELF);
    *plies = 0;
    for (uint64_t g = 0; g < games; g++) {
        ply_rng rng = ply_rng_make(1, g);
        *plies += play(state, &rng);
    }
    return user_seconds(RUSAGE_SELF) - begin;
}

static double time_program(const char *program)
{
    double begin = user_seconds(RUSAGE_CHILDREN);
    if (system(program) != 0) {
        fprintf(stderr, "%s failed\n", program);
        exit(EXIT_FAILURE);
    }
    return user_seconds(RUSAGE_CHILDREN) - begin;
}

static void keep_best(double *best, double seconds)
{
    if (seconds < *best)
        *best = seconds;
}

static void print(const char *what, double seconds, uint64_t games)
{
    printf("%-28s %.3f ms per game, %.2f games per ms\n", what, seconds * 1e3 / (double)games,
           (double)games / (seconds * 1e3));
}

int main(int argc, char **argv)
{
    uint64_t games = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    const char *program = argc > 2 ? argv[2] : NULL;
    ply_rules rules;
    ply_state state;
    double loop = 1e9, playout = 1e9, theirs = 1e9;
    size_t loop_plies = 0, playout_plies = 0;
    if (games == 0 || ply_rules_make(&rules, ply_game_find("shogi"), NULL, NULL) != PLY_OK ||
        ply_state_init(&state, &rules) != PLY_OK || ply_state_reserve(&state, 1) != PLY_OK) {
        fprintf(stderr, "usage: shogi_random [GAMES] [PROGRAM]\n");
        return EXIT_FAILURE;
    }
    for (int turn = 0; turn < TURNS; turn++) {
        keep_best(&loop, time_games(&state, play_as_the_note, games, &loop_plies));
        keep_best(&playout, time_games(&state, play_by_all_rules, games, &playout_plies));
        if (program)
            keep_best(&theirs, time_program(program));
    }
    print("the note's loop, our engine", loop, games);
    print("our random games, all rules", playout, games);
    printf("plies per game: %.0f and %.0f\n", (double)loop_plies / (double)games,
           (double)playout_plies / (double)games);
    if (program) {
        print(program, theirs, THEIR_GAMES);
        double per_game = theirs / THEIR_GAMES;
        printf("ratios: %.1f and %.1f\n", per_game / (loop / (double)games),
               per_game / (playout / (double)games));
    }
    ply_state_free(&state);
    return EXIT_SUCCESS;
}
