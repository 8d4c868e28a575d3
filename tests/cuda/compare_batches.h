/* SPDX-License-Identifier: MIT */
/* compare_batches.h - a batch on a device plays the same games as one on the host, bit for bit. */
#ifndef PLY_TESTS_CUDA_COMPARE_BATCHES_H
#define PLY_TESTS_CUDA_COMPARE_BATCHES_H

#include <plyverse/batch.h>
#include <stdbool.h>

typedef struct comparison {
    const char *game, *rules; /* rules: as ply_rules_make reads them */
    size_t games, max_plies;
    uint64_t steps;        /* with every output compared after each */
    uint64_t random_steps; /* in launches of `per_launch` */
    uint64_t per_launch;
    unsigned outputs, threads;
    ply_batch_reset_mode reset;
    ply_batch_illegal illegal;
    bool some_illegal; /* mix illegal actions in */
    const char *observation;
    unsigned history, repetition;
    size_t max_boards;
    void (*told)(uint64_t plies); /* called after each launch, if not NULL */
} comparison;

/* Returns the number of plies compared; 0, with a message, at the first difference. */
uint64_t compare_batches(const comparison *c, char *message, size_t room);

#endif
