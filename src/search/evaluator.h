/* SPDX-License-Identifier: MIT */
/*
 * evaluator.h - static evaluation in a search: by a network if the searcher has one, else by the
 * game's own evaluation.
 *
 * An evaluator follows one thread's state move by move, so that a network's accumulators are
 * updated instead of computed. Each push is undone by a pop. Where moves are played without push,
 * reset comes before the next evaluation. Inline, because these run at every node.
 */
#ifndef PLY_SEARCH_EVALUATOR_H
#define PLY_SEARCH_EVALUATOR_H

#include "nn/accumulator.h"
#include "search/searcher.h"

typedef struct evaluator {
    const ply_rules *rules;
    nn_stack *stack; /* NULL: the game's own evaluation */
} evaluator;

/*
 * Prepares an evaluator for variations of up to max_plies plies from the position. False when
 * memory runs out; evaluator_close is needed in either case.
 */
static inline bool evaluator_open(evaluator *e, const ply_searcher *searcher, const void *position,
                                  size_t max_plies)
{
    e->rules = searcher->rules;
    if (!searcher->network)
        return true;
    e->stack = ply_nn_stack_new(searcher->network, max_plies);
    if (!e->stack)
        return false;
    ply_nn_stack_reset(e->stack, position);
    return true;
}

static inline void evaluator_close(evaluator *e)
{
    ply_nn_stack_free(e->stack);
}

/* The position is the root of the variations to come. */
static inline void evaluator_reset(evaluator *e, const void *position)
{
    if (e->stack)
        ply_nn_stack_reset(e->stack, position);
}

/* Before a move, or a null move (PLY_MOVE_NONE), is played on the position. */
static inline void evaluator_push(evaluator *e, const void *position, ply_move move)
{
    if (e->stack)
        ply_nn_stack_push(e->stack, position, move);
}

static inline void evaluator_pop(evaluator *e)
{
    if (e->stack)
        ply_nn_stack_pop(e->stack);
}

/* The value of the current position for the player to move. */
static inline int32_t evaluator_evaluate(evaluator *e, const void *position)
{
    return e->stack ? ply_nn_stack_evaluate(e->stack, position)
                    : ply_game_evaluate(e->rules, position);
}

/* The same for any position, computed from scratch. */
static inline int32_t search_evaluate(const ply_searcher *searcher, const void *position)
{
    return searcher->network ? ply_network_evaluate(searcher->network, position)
                             : ply_game_evaluate(searcher->rules, position);
}

#endif
