/* SPDX-License-Identifier: MIT */
/*
 * check.c - run by hand on a machine with a device: compares batches there with batches on the host.
 *
 *     cuda_check GAME[:RULES] [PLIES [THREADS [OBSERVATION|BOARDS]]]
 *
 * Every output is compared after each of 200 steps, then the arrays after launches of random steps,
 * until about PLIES plies were played (10 million). 5D chess has half a million actions: there, 8,192
 * games of at most BOARDS (64) boards are compared in what every batch has and in the hashes of their
 * positions, and then 512 games in every output for 60 steps. What has been compared so far is said
 * on standard error every ten seconds.
 */
#include "cuda/compare_batches.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void say_progress(uint64_t plies)
{
    static time_t last;
    time_t now = time(NULL);
    if (last == 0)
        last = now;
    if (now < last + 10)
        return;
    last = now;
    fprintf(stderr, "same so far: %llu plies\n", (unsigned long long)plies);
}

/* 5D chess: see above. */
static uint64_t compare_fived(comparison *c, uint64_t plies, char *message, size_t room)
{
    comparison random = *c;
    random.games = 8192;
    random.outputs = PLY_BATCH_KEYS;
    random.steps = 0;
    random.random_steps = plies / random.games + 1;
    uint64_t done = compare_batches(&random, message, room);
    if (done == 0)
        return 0;
    c->games = 512;
    c->outputs = 63 - PLY_BATCH_MASK_BYTES;
    c->steps = 60;
    uint64_t more = compare_batches(c, message, room);
    return more ? done + more : 0;
}

static uint64_t compare_other(comparison *c, uint64_t plies, char *message, size_t room)
{
    uint64_t stepped = c->games * c->steps;
    if (plies < stepped)
        c->steps = plies / c->games + 1;
    else
        c->random_steps = (plies - stepped) / c->games + 1;
    return compare_batches(c, message, room);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: cuda_check GAME[:RULES] [PLIES [THREADS [OBSERVATION|BOARDS]]]\n");
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
                    .told = say_progress};
    bool fived = strcmp(game, "5dchess") == 0;
    if (fived)
        c.max_boards = argc > 4 ? (size_t)atoi(argv[4]) : 64;
    else
        c.observation = argc > 4 ? argv[4] : NULL;
    char name[96];
    snprintf(name, sizeof name, "%s%s%s", argv[1], c.observation ? " " : "",
             c.observation ? c.observation : "");
    time_t start = time(NULL);
    uint64_t done = fived ? compare_fived(&c, plies, message, sizeof message)
                          : compare_other(&c, plies, message, sizeof message);
    if (done == 0) {
        printf("FAILED  %-28s %s\n", name, message);
        return 1;
    }
    printf("same    %-28s %llu plies, %lld s\n", name, (unsigned long long)done,
           (long long)(time(NULL) - start));
    return 0;
}
