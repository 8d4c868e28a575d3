/* SPDX-License-Identifier: MIT */
/*
 * pool.h - the cells of a network that pools cells, as they follow a search.
 *
 * There is one accumulator for each cell and player, and the sums of both players' cells. Playing a
 * move records which cells change. The changes are made when a position is evaluated, and taken
 * back when the move is: a stack entry keeps what the changed cells were before.
 *
 *     cells[player]   cell 0 | cell 1 | ...          int16[width] each
 *     entry of a ply  changes | saved cells of both players | saved sums of both
 *
 * Part of nn_stack (accumulator.h), which says how it is used.
 */
#ifndef PLY_NN_POOL_H
#define PLY_NN_POOL_H

#include "nn/network.h"

typedef struct nn_pool nn_pool;

/* For variations of fewer than `capacity` plies. NULL when memory runs out. */
nn_pool *ply_nn_pool_new(const ply_network *network, size_t capacity);
/* NULL is a no-op. */
void ply_nn_pool_free(nn_pool *pool);
/* The position is the root of the variations to come. */
void ply_nn_pool_reset(nn_pool *pool, const void *position);
/* A move from the position leads to ply number `ply`, which is at least 1. */
void ply_nn_pool_push(nn_pool *pool, size_t ply, const void *position, ply_move move);
/* The move that led to ply number `ply` is taken back. */
void ply_nn_pool_pop(nn_pool *pool, size_t ply);
/* Points sums[player] to the sums of the position at ply number `ply`. */
void ply_nn_pool_sums(nn_pool *pool, size_t ply, const int16_t *sums[2]);
/*
 * The logits of moves in the position at ply number `ply`, where `side` is to move, as by
 * ply_network_policy. The network has a policy head.
 */
void ply_nn_pool_policy(nn_pool *pool, size_t ply, int side, const ply_move *moves, size_t count,
                        int32_t *logits);

#endif
