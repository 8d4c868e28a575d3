/* SPDX-License-Identifier: MIT */
/*
 * perft.h - perft on a device: what kernels (perft_body.h) and their driver share.
 *
 * The tree is counted breadth first, a chunk of positions at a time. A level has room for `room`
 * positions: word w of position i is positions[w * room + i], and tags[i] is the number of the root
 * move it comes from. At the last ply moves are counted, not played.
 */
#ifndef PLY_CUDA_PERFT_H
#define PLY_CUDA_PERFT_H

#include "cuda/batch.h"

typedef struct cuda_level {
    uint64_t *positions;
    uint32_t *tags;
    uint64_t room;
} cuda_level;

typedef struct cuda_perft_args {
    cuda_batch_args game; /* rules, rule, position_words, arrays.mask_words */
    cuda_level from, to;
    uint64_t first, count; /* of the positions of `from` */
    uint64_t *total;       /* moves in all positions: of the plan; of the expansion, as an index */
    uint64_t *by_root;     /* leaves by root move */
} cuda_perft_args;

#endif
