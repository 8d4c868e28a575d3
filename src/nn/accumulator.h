/* SPDX-License-Identifier: MIT */
/*
 * accumulator.h - accumulators that follow a search.
 *
 * An accumulator stack has one entry per ply of the current variation. Playing a move only records
 * which features change. The accumulators are computed when a position is evaluated, from the
 * nearest position above it that has been evaluated, or from scratch if that is cheaper. The values
 * are the same either way, to the bit.
 *
 *     reset          entry 0 is the current position
 *     push           before a move or null move is played
 *     pop            after it is taken back
 *     evaluate       the value of the current position
 *
 * Workload: push and pop at every node of a search, evaluate at most of them. Nothing allocates
 * after creation. A stack belongs to one thread.
 */
#ifndef PLY_NN_ACCUMULATOR_H
#define PLY_NN_ACCUMULATOR_H

#include "nn/network.h"

typedef struct nn_stack nn_stack;

/*
 * Creates a stack for variations of up to max_plies plies; longer ones work, but are evaluated from
 * scratch. The network must outlive it. NULL when memory runs out. reset comes before anything else.
 */
nn_stack *ply_nn_stack_new(const ply_network *network, size_t max_plies);
/* NULL is a no-op. */
void ply_nn_stack_free(nn_stack *stack);
void ply_nn_stack_reset(nn_stack *stack, const void *position);
/* position: before the move. PLY_MOVE_NONE is a null move. */
void ply_nn_stack_push(nn_stack *stack, const void *position, ply_move move);
void ply_nn_stack_pop(nn_stack *stack);
/* The value of the current position, as by ply_network_evaluate. board: as for ply_network_value. */
int32_t ply_nn_stack_evaluate(nn_stack *stack, const void *position, void *board);
/* The logits of moves in the current position, as by ply_network_policy. */
bool ply_nn_stack_policy(nn_stack *stack, const void *position, const ply_move *moves, size_t count,
                         int32_t *logits);

#endif
