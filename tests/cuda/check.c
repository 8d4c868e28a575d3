/* SPDX-License-Identifier: MIT */
/*
 * check.c - run by hand on a machine with a device: compares batches there with batches on the host.
 *
 *     cuda_check GAME[:RULES] [PLIES [THREADS [OBSERVATION]]]
 *
 * Every output is compared after each of 200 steps, then the arrays after launches of random steps,
 * until about PLIES plies were played (10 million). 5D chess has half a million actions: there, 512
 * games of at most 64 boards are compared in every output for 60 steps, and then 8,192 games in what
 * every batch has.
 */
#include "cuda/compare_batches.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: cuda_check GAME[:RULES] [PLIES [THREADS [OBSERVATION]]]\n");
        return 2;
    }
    char game[64], message[256];
    snprintf(game, sizeof game, "%s", argv[1]);
    char *rules = strchr(game, ':');
    if (rules)
        *rules++ = '\0';
    uint64_t plies = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000000;
    comparison c = {.game = game,
                    .rules = rules,
                    .games = 4096,
                    .outputs = 63,
                    .steps = 200,
                    .per_launch = 100,
                    .threads = argc > 3 ? (unsigned)atoi(argv[3]) : 1,
                    .observation = argc > 4 ? argv[4] : NULL};
    char name[96];
    snprintf(name, sizeof name, "%s%s%s", argv[1], c.observation ? " " : "",
             c.observation ? c.observation : "");
    time_t start = time(NULL);
    uint64_t done = 0;
    if (strcmp(game, "5dchess") == 0) {
        c.games = 512;
        c.outputs = 63 - PLY_BATCH_MASK_BYTES;
        c.steps = 60;
        c.max_boards = 64;
        done = compare_batches(&c, message, sizeof message);
        c.games = 8192;
        c.outputs = 0;
        c.steps = 0;
        c.per_launch = 20;
    }
    uint64_t stepped = done + c.games * c.steps;
    if (plies < stepped)
        c.steps = plies / c.games + 1;
    else
        c.random_steps = (plies - stepped) / c.games + 1;
    if (done > 0 || c.steps > 0) {
        uint64_t more = compare_batches(&c, message, sizeof message);
        done = more ? done + more : 0;
    }
    if (done == 0) {
        printf("FAILED  %-28s %s\n", name, message);
        return 1;
    }
    printf("same    %-28s %llu plies, %lld s\n", name, (unsigned long long)done,
           (long long)(time(NULL) - start));
    return 0;
}
