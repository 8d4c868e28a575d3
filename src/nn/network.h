/* SPDX-License-Identifier: MIT */
/*
 * network.h - a network in memory, and the kernels that compute it.
 *
 *     features of the player to move --+                          +-- features of the opponent
 *                                      v                          v
 *                     accumulator, int16[width]      accumulator, int16[width]
 *                                      |    activation, 0 .. 127  |
 *                                      +------> uint8[2 * width] <+
 *                                                     |  dense layer 1, clipped ReLU   \
 *                                                 uint8[l1]                            | one set of
 *                                                     |  dense layer 2, clipped ReLU   | weights for
 *                                                 uint8[l2]                            | each bucket
 *                                                     |  output                        /
 *                                                   int32
 *
 * Weights of a dense layer are stored for the kernels, not as in the file: inputs come in groups of
 * four, the width of a multiply-and-add instruction, and outputs are padded to a multiple of
 * NN_OUTPUT_BLOCK with zeros:
 *
 *     weights[(group * padded outputs + output) * 4 + input % 4]
 *
 * A network that pools cells (ply_network_hooks.per_cell) has an accumulator for each cell of the
 * board instead, and in the place of the activated accumulators of a player
 *
 *     sums = the sum over all cells of activation(accumulator) - activation(biases)       int16[width]
 *
 * which go into a first dense layer of 16-bit weights (nn_wide), stored in groups of two inputs:
 *
 *     weights[(pair * padded outputs + output) * 2 + input % 2]
 *
 * Such a network may have a policy head, which gives each cell a logit: how good a move there is
 * likely to be.
 *
 *     accumulators of the cell, both players'       sums of both players
 *                     |   activation, 0 .. 127            |  context layer, 16-bit weights
 *              uint8[2 * width]                     int32[hidden] >> 4
 *                     |   dense layer, with these as biases, clipped ReLU
 *              uint8[hidden]
 *                     |   output
 *                   int32
 *
 * All arithmetic is on integers. Accumulators and sums of cells wrap around modulo 2^16, the sums of
 * the wide layer modulo 2^32; everything else is bounded by the limits below, so that no sum
 * overflows.
 */
#ifndef PLY_NN_NETWORK_H
#define PLY_NN_NETWORK_H

#include "core/isa.h"
#include <plyverse/network.h>

enum {
    NN_MAX_WIDTH = 1024,
    NN_WIDTH_STEP = 32, /* widths are multiples of this */
    NN_MAX_DENSE = 64,
    NN_DENSE_STEP = 8,
    NN_MAX_BUCKETS = 16,
    NN_MAX_BIAS = 1 << 30,
    NN_MAX_OUTPUT_SCALE = 1000000,
    NN_OUTPUT_BLOCK = 16,
    NN_ALIGNMENT = 64,
    NN_DENSE_SHIFT = 6, /* a dense weight of 1.0 is 64 */
    NN_WIDE_SHIFT = 10, /* a weight of a first layer on sums of cells of 1.0 is 1024 */
    NN_MAX_POOL_WIDTH = 128,
    NN_ACTIVATION_ONE = 127,
    NN_LOGIT_ONE = 100,      /* what a logit of 1.0 is to the search */
    NN_LEAST_LOGIT = -20000, /* of a move that fills no cell; less than any other */
};

/* The activation of the accumulators; dense layers are always clipped. */
typedef enum nn_activation {
    NN_CLIPPED, /* clamped to 0 .. 127 */
    NN_SQUARED, /* the same, squared, divided by 128 */
    NN_ACTIVATIONS,
} nn_activation;

typedef struct nn_dense {
    uint32_t inputs, outputs, padded; /* padded: outputs rounded up to NN_OUTPUT_BLOCK */
    const int8_t *weights;            /* see above */
    const int32_t *biases;            /* `padded` of them */
} nn_dense;

/* The first dense layer of a network that pools cells. */
typedef struct nn_wide {
    uint32_t inputs, outputs, padded;
    const int16_t *weights; /* see above */
    const int32_t *biases;  /* `padded` of them */
} nn_wide;

typedef struct nn_bucket {
    nn_dense layer1, layer2;
    nn_wide wide;                 /* instead of layer1, if cells are pooled */
    const int8_t *output_weights; /* l2 of them */
    int32_t output_bias;
} nn_bucket;

/* The policy head of a network that pools cells. */
typedef struct nn_policy {
    nn_wide context; /* outputs: the size of the hidden layer; 0: there is no policy head */
    nn_dense layer;  /* without biases of its own */
    const int8_t *output_weights;
} nn_policy;

typedef struct nn_kernels nn_kernels;
typedef struct nn_pool_kernels nn_pool_kernels;

struct ply_network {
    ply_rules rules; /* a copy */
    const nn_kernels *kernels;
    const nn_pool_kernels *pool;
    uint32_t features, width, l1, l2, buckets;
    int32_t output_scale;
    nn_activation activation;
    bool residual;          /* the output is added to the game's own evaluation */
    const int16_t *biases;  /* [width] */
    const int16_t *weights; /* [features][width] */
    uint32_t cells;         /* that are pooled; 0: none are */
    uint16_t *exchanged;    /* by feature: its number for the other player; if cells are pooled */
    nn_bucket bucket[NN_MAX_BUCKETS];
    nn_policy policy;
    char *provenance;
    void *memory; /* holds all weights */
};

/* The hot loops, compiled for several instruction sets (kernel_isa.c). */
struct nn_kernels {
    /* out = the biases plus the weights of the features. */
    void (*refresh)(const ply_network *network, const uint16_t *features, size_t count,
                    int16_t *out);
    /* out = in with features added and removed. */
    void (*update)(const ply_network *network, const ply_feature_changes *changes,
                   const int16_t *in, int16_t *out);
    /* The output of a bucket, given the accumulators of the player to move and the opponent. */
    int32_t (*output)(const ply_network *network, unsigned bucket, const int16_t *own,
                      const int16_t *enemy);
    /* The same, given the outputs of the first dense layer, of which there is room for
     * NN_MAX_DENSE. */
    int32_t (*output_of_hidden)(const ply_network *network, unsigned bucket, const uint8_t *hidden);
    /* The outputs of a dense layer, padding included. Both arrays are aligned. */
    void (*dense)(const nn_dense *layer, const uint8_t *in, uint8_t *out);
};

PLY_ISA_DECLARE(const nn_kernels, ply_nn_kernels_of);

/* The same for networks that pool cells (pool_kernel_isa.c). */
struct nn_pool_kernels {
    /* cell = the biases plus the weights of the features; adds what the cell counts to the sums. */
    void (*add_cell)(const ply_network *network, const uint16_t *features, size_t count,
                     int16_t *cell, int16_t *sums);
    /*
     * Applies changes to one player's cells and sums. exchanged: network->exchanged for player 1,
     * else NULL. What the changed cells were is kept in saved[count][width].
     */
    void (*change)(const ply_network *network, const ply_cell_change *changes, size_t count,
                   const uint16_t *exchanged, int16_t *cells, int16_t *sums, int16_t *saved);
    int32_t (*output)(const ply_network *network, unsigned bucket, const int16_t *own,
                      const int16_t *enemy);
    /*
     * The logits of `count` cells, in 1 / NN_LOGIT_ONE. cells, sums: of the player to move, then of
     * the opponent; the accumulators of cell c are those at cells[] + c * width.
     */
    void (*policy)(const ply_network *network, const int16_t *const cells[2],
                   const int16_t *const sums[2], const uint16_t *which, size_t count,
                   int32_t *logits);
};

PLY_ISA_DECLARE(const nn_pool_kernels, ply_nn_pool_kernels_of);

/* The embedded file of a family and its size; NULL if there is none. (embedded.c) */
const unsigned char *ply_network_embedded(const char *family, size_t *size);

/*
 * A checksum of the weights of the game's own evaluation, which a network that corrects it names in
 * its file; 0 if the game does not list its weights. (network_file.c)
 */
uint32_t ply_network_base(const ply_rules *rules);

/* The accumulator of a player in a position, or the sums of the cells, computed from scratch. */
void ply_network_accumulate(const ply_network *network, const void *position, int player,
                            int16_t *out);
/*
 * The value of a position for the player to move, given the accumulators of players 0 and 1. board:
 * the game's search board, from which it evaluates faster; or NULL.
 */
int32_t ply_network_value(const ply_network *network, const void *position,
                          const int16_t *const accumulators[2], void *board);

static inline bool ply_network_has_policy(const ply_network *network)
{
    return network->policy.context.outputs > 0;
}

/*
 * The logits of legal moves by the policy head, in 1 / NN_LOGIT_ONE, computed from scratch: higher is
 * more promising. False if the network has no policy head.
 */
bool ply_network_policy(const ply_network *network, const void *position, const ply_move *moves,
                        size_t count, int32_t *logits);

#endif
