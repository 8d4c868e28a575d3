/* SPDX-License-Identifier: MIT */
/* accumulator.c - see accumulator.h. */
#include "nn/accumulator.h"
#include "nn/pool.h"
#include <stdlib.h>

/* One player's view of one ply. */
typedef struct stack_view {
    bool computed;
    bool refresh; /* the changes are not known */
    ply_feature_changes changes;
} stack_view;

struct nn_stack {
    const ply_network *network;
    size_t top, capacity;   /* top may exceed the capacity: such plies have no entry */
    stack_view (*views)[2]; /* by ply and player */
    int16_t *accumulators;  /* [capacity][2][width] */
    nn_pool *pool;          /* instead of these two, if cells are pooled */
};

static int16_t *accumulator_at(const nn_stack *stack, size_t ply, int player)
{
    return stack->accumulators + (2 * ply + (size_t)player) * stack->network->width;
}

nn_stack *ply_nn_stack_new(const ply_network *network, size_t max_plies)
{
    nn_stack *stack = calloc(1, sizeof *stack);
    if (!stack)
        return NULL;
    stack->network = network;
    stack->capacity = max_plies + 1;
    if (network->cells) {
        stack->pool = ply_nn_pool_new(network, stack->capacity);
        if (stack->pool)
            return stack;
        free(stack);
        return NULL;
    }
    size_t bytes = stack->capacity * 2 * network->width * sizeof(int16_t);
    stack->views = malloc(stack->capacity * sizeof *stack->views);
    stack->accumulators =
        aligned_alloc(NN_ALIGNMENT, (bytes + NN_ALIGNMENT - 1) / NN_ALIGNMENT * NN_ALIGNMENT);
    if (!stack->views || !stack->accumulators) {
        ply_nn_stack_free(stack);
        return NULL;
    }
    return stack;
}

void ply_nn_stack_free(nn_stack *stack)
{
    if (!stack)
        return;
    ply_nn_pool_free(stack->pool);
    free(stack->views);
    free(stack->accumulators);
    free(stack);
}

void ply_nn_stack_reset(nn_stack *stack, const void *position)
{
    stack->top = 0;
    if (stack->pool) {
        ply_nn_pool_reset(stack->pool, position);
        return;
    }
    for (int player = 0; player < 2; player++) {
        stack->views[0][player].computed = true;
        ply_network_accumulate(stack->network, position, player, accumulator_at(stack, 0, player));
    }
}

void ply_nn_stack_push(nn_stack *stack, const void *position, ply_move move)
{
    const ply_rules *rules = &stack->network->rules;
    if (++stack->top >= stack->capacity)
        return;
    if (stack->pool) {
        ply_nn_pool_push(stack->pool, stack->top, position, move);
        return;
    }
    for (int player = 0; player < 2; player++) {
        stack_view *view = &stack->views[stack->top][player];
        view->computed = false;
        view->refresh = !rules->network->changes ||
                        !rules->network->changes(rules, position, move, player, &view->changes);
    }
}

void ply_nn_stack_pop(nn_stack *stack)
{
    if (stack->pool && stack->top < stack->capacity)
        ply_nn_pool_pop(stack->pool, stack->top);
    stack->top--;
}

/* Computes the top accumulator of a player. */
static void compute_top(nn_stack *stack, const void *position, int player)
{
    const ply_network *network = stack->network;
    size_t ply = stack->top, changes = 0, most = network->rules.network->max_active;
    while (!stack->views[ply][player].computed && !stack->views[ply][player].refresh &&
           changes <= most) {
        const ply_feature_changes *c = &stack->views[ply--][player].changes;
        changes += c->added_count + c->removed_count;
    }
    if (!stack->views[ply][player].computed) {
        ply = stack->top;
        ply_network_accumulate(network, position, player, accumulator_at(stack, ply, player));
        stack->views[ply][player].computed = true;
    }
    for (; ply < stack->top; ply++) {
        stack_view *next = &stack->views[ply + 1][player];
        network->kernels->update(network, &next->changes, accumulator_at(stack, ply, player),
                                 accumulator_at(stack, ply + 1, player));
        next->computed = true;
    }
}

int32_t ply_nn_stack_evaluate(nn_stack *stack, const void *position, void *board)
{
    if (stack->top >= stack->capacity)
        return ply_network_evaluate(stack->network, position);
    if (stack->pool) {
        const int16_t *sums[2];
        ply_nn_pool_sums(stack->pool, stack->top, sums);
        return ply_network_value(stack->network, position, sums, board);
    }
    for (int player = 0; player < 2; player++)
        if (!stack->views[stack->top][player].computed)
            compute_top(stack, position, player);
    const int16_t *const both[2] = {accumulator_at(stack, stack->top, 0),
                                    accumulator_at(stack, stack->top, 1)};
    return ply_network_value(stack->network, position, both, board);
}

bool ply_nn_stack_policy(nn_stack *stack, const void *position, const ply_move *moves, size_t count,
                         int32_t *logits)
{
    const ply_rules *rules = &stack->network->rules;
    if (!ply_network_has_policy(stack->network))
        return false;
    if (stack->top >= stack->capacity)
        return ply_network_policy(stack->network, position, moves, count, logits);
    ply_nn_pool_policy(stack->pool, stack->top, rules->game->side(rules, position), moves, count,
                       logits);
    return true;
}
