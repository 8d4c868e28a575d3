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
 *     filters     [g][CUDA_FILTER_WORDS]  three bits for each key that has occurred, where the rules
 *                                  look back: a position with a clear bit is new
 *     past        [i][word][g]     positions before ply i, i + history, ..., for history planes
 *     past_keys   [g][max_plies]   keys of the positions before each ply, for repetition planes
 *     bits        [g][...]         observations as bits: see observe_body.h
 *     draws, plies, legal, end, result, placed  [g]
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
enum { CUDA_GAME_THREADS = 8 };     /* threads per game where positions own memory; one is active */
enum { CUDA_PLAYING, CUDA_ENDED, CUDA_TRUNCATED }; /* as enum batch_end of src/batch */

typedef struct cuda_batch_args {
    ply_rules rules; /* its pointers are the host's; kernels read options and sizes only */
    int32_t rule;    /* what variant->data says, where a game needs it */
    uint64_t games, seed;
    uint32_t max_plies, position_words, observation_bytes;
    uint32_t reset, illegal;
    uint32_t history, repetition; /* as in ply_batch_options */
    uint32_t plane_bytes;         /* of one position's planes */
    uint32_t part_words;          /* of the same as bits */
    uint64_t *positions, *masks, *filters, *draws;
    unsigned char *undo;
    ply_move *moves;
    uint32_t *plies, *legal;
    uint8_t *end, *result;
    uint8_t *placed;            /* whether the game began where ply_batch_set has put it */
    uint64_t *past, *past_keys; /* NULL: not wanted */
    unsigned char *memory;      /* [g][memory_bytes]: of games whose positions own memory */
    uint64_t memory_bytes, max_boards;
    const unsigned char *flat_start, *flat; /* for them: where games start; the game to begin */
    uint64_t *bits;                         /* NULL: observations are written as bytes at once */
    ply_batch_arrays arrays;                /* in device memory */
    const int32_t *actions;                 /* of a step */
    int32_t *sampled;                       /* by a sample */
    const uint8_t *which;                   /* to reset; NULL: all */
    uint64_t steps;                         /* of a random launch */
    uint64_t first;                         /* the game to begin */
    uint8_t forced_end; /* how it has ended if not by the rules: by an illegal action, or cut off */
    uint8_t forced_result;
    uint64_t *totals; /* of random launches: plies, then games by result */
} cuda_batch_args;

/* Copies pairs of words, to memory that is aligned as pairs: the device writes each pair at once. */
PLY_HD void cuda_copy_pairs(void *to, const void *from, uint32_t pairs)
{
    PLY_UNROLL
    for (uint32_t i = 0; i < pairs; i++) {
        uint64_t pair[2];
        memcpy(pair, (const unsigned char *)from + 16 * i, 16);
#ifdef __CUDA_ARCH__
        ((ulonglong2 *)to)[i] = make_ulonglong2(pair[0], pair[1]);
#else
        memcpy((unsigned char *)to + 16 * i, pair, 16);
#endif
    }
}

#endif
