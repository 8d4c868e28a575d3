/* SPDX-License-Identifier: MIT */
/*
 * fived_turns.c - the speed of 5D chess: counting turns, proving mates, listing legal moves in random
 * games. CPU time, best of five.
 *
 *     fived_turns                  all of it
 *     fived_turns perft VARIANT    turns alone
 */
#include "bench.h"
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, PLIES = 200 };

static void open_state(ply_rules *rules, ply_state *state, const char *variant, const char *boards)
{
    ply_error error = {0};
    if (ply_rules_make(rules, ply_game_find("5dchess"), variant, &error) != PLY_OK ||
        ply_state_init(state, rules) != PLY_OK ||
        (boards && ply_state_parse(state, boards, strlen(boards), &error) != PLY_OK)) {
        fprintf(stderr, "%s: %s\n", variant, error.message);
        exit(2);
    }
}

static void bench_perft(const char *variant, int depth)
{
    ply_rules rules;
    ply_state state;
    double best = 1e9;
    uint64_t turns = 0;
    open_state(&rules, &state, variant, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        double start = cpu_seconds();
        turns = rules.counting->perft(&rules, state.position, depth, 0);
        double seconds = cpu_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    printf("%s perft %d: %llu turns, %.3f s, %.2f M turns/s\n", variant, depth,
           (unsigned long long)turns, best, (double)turns / best * 1e-6);
    ply_state_free(&state);
}

/* A back-rank mate on every timeline. */
static void bench_mate(int timelines)
{
    ply_rules rules;
    ply_state state;
    ply_text text = ply_text_growing();
    for (int l = 0; l < timelines; l++)
        ply_text_format(&text, "[R5k1/5ppp/8/8/8/8/8/6K1:%d:1:b] ", l - timelines / 2);
    open_state(&rules, &state, "", text.data);
    double best = 1e9;
    bool mate = false;
    for (int i = 0; i < ROUNDS; i++) {
        double start = cpu_seconds();
        mate = ply_state_outcome(&state).result == PLY_FIRST_WINS;
        double seconds = cpu_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    printf("%d timelines: %s, %.3f ms\n", timelines, mate ? "mate" : "no mate", best * 1e3);
    ply_text_free(&text);
    ply_state_free(&state);
}

static void bench_moves(const char *variant, uint64_t games)
{
    ply_rules rules;
    ply_state state;
    double total = 0, worst = 0;
    size_t lists = 0, most = 0;
    open_state(&rules, &state, variant, NULL);
    ply_move *moves = malloc(rules.max_moves * sizeof *moves);
    if (!moves)
        exit(2);
    for (uint64_t game = 0; game < games; game++) {
        ply_rng rng = ply_rng_make(1, game);
        ply_state_restart(&state);
        for (int ply = 0; ply < PLIES; ply++) {
            double start = cpu_seconds();
            size_t count = rules.game->moves(&rules, state.position, moves);
            double seconds = cpu_seconds() - start;
            total += seconds;
            worst = seconds > worst ? seconds : worst;
            most = count > most ? count : most;
            lists++;
            if (count == 0 ||
                ply_state_play(&state, moves[ply_rng_below(&rng, (uint32_t)count)]) != PLY_OK)
                break;
        }
    }
    printf("%s: %zu move lists, mean %.2f ms, worst %.1f ms, up to %zu moves\n", variant, lists,
           total / (double)lists * 1e3, worst * 1e3, most);
    free(moves);
    ply_state_free(&state);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "perft") == 0) {
        bench_perft(argv[2], 4);
        return 0;
    }
    bench_perft("standard", 4);
    bench_perft("misc-king-of-kings", 4);
    bench_mate(17);
    bench_mate(101);
    static const char *const variants[] = {"standard", "misc-king-of-kings", "focused-just-kings",
                                           "focused-just-knights", "simple-knights-vs-bishop"};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        bench_moves(variants[i], 6);
    return 0;
}
