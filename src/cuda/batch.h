/* SPDX-License-Identifier: MIT */
/*
 * batch.h - a batch in device memory: what kernels (src/cuda/GAME.cu) and their driver share.
 *
 * Arrays with an entry per game g, of `games` games:
 *
 *     positions   [word][g]        word w of all positions lies together: threads next to each other
 *                                  read and write words next to each other
 *     masks       [g][mask_words]  as ply_batch_arrays.mask_bits
 *     undo        [g][max_plies]   undo entries, where the rules look back (the others have none)
 *     moves       [g][max_plies]   ply_move
 *     filters     [g][CUDA_FILTER_WORDS]  one bit for each key that has occurred, where the rules
 *                                  look back: a position whose bit is clear is new
 *     draws, plies, legal, end, result  [g]
 *
 * Entry number `games` of masks, undo, moves, filters and so on, and of positions, is where games
 * start: rows have games + 1 entries.
 */
#ifndef PLY_CUDA_BATCH_H
#define PLY_CUDA_BATCH_H

#include "core/device.h"
#include <plyverse/batch.h>

enum { CUDA_FILTER_WORDS = 32 };
enum { CUDA_BLOCK = 128 };          /* threads of a block */
enum { CUDA_OBSERVE_THREADS = 32 }; /* threads that write the observation of one game */
enum { CUDA_PLAYING, CUDA_ENDED, CUDA_TRUNCATED }; /* as enum batch_end of src/batch */

typedef struct cuda_batch_args {
    ply_rules rules; /* its pointers are the host's; kernels read options and sizes only */
    int32_t rule;    /* what variant->data says, where a game needs it */
    uint64_t games, seed;
    uint32_t max_plies, position_words, observation_bytes;
    uint32_t reset, illegal;
    uint64_t *positions, *masks, *filters, *draws;
    unsigned char *undo;
    ply_move *moves;
    uint32_t *plies, *legal;
    uint8_t *end, *result;
    ply_batch_arrays arrays; /* in device memory */
    const int32_t *actions;  /* of a step */
    int32_t *sampled;        /* by a sample */
    const uint8_t *which;    /* to reset; NULL: all */
    uint64_t steps;          /* of a random launch */
    uint64_t first;          /* game of thread 0, for observations */
    uint64_t *totals;        /* of random launches: plies, then games by result */
    bool final;              /* observations before the reset, of games that ended */
} cuda_batch_args;

#endif
