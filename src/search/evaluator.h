/* SPDX-License-Identifier: MIT */
/*
 * evaluator.h - static evaluation in a search: by a network if the searcher has one, else by the
 * game's own evaluation.
 *
 * An evaluator follows one thread's state move by move, so that a network's accumulators and the
 * game's search board, if it has one, are updated instead of computed. Each push is undone by a
 * pop. Where moves are played without push, reset comes before the next evaluation. Inline, because
 * these run at every node.
 */
#ifndef PLY_SEARCH_EVALUATOR_H
#define PLY_SEARCH_EVALUATOR_H

#include "nn/accumulator.h"
#include "search/searcher.h"
#include <stdlib.h>

typedef struct evaluator {
    const ply_rules *rules;
    nn_stack *stack; /* NULL: the game's own evaluation */
    void *board;     /* the game's search board, or NULL */
    size_t max_plies;
} evaluator;

/*
 * Prepares an evaluator for variations of up to max_plies plies from the position. False when
 * memory runs out; evaluator_close is needed in either case.
 */
static inline bool evaluator_open(evaluator *e, const ply_searcher *searcher, const void *position,
                                  size_t max_plies)
{
    const ply_search_board_hooks *hooks = searcher->rules->search->board;
    e->rules = searcher->rules;
    e->max_plies = max_plies;
    if (hooks) {
        e->board = calloc(1, hooks->bytes(e->rules, max_plies));
        if (!e->board)
            return false;
        hooks->init(e->rules, position, max_plies, e->board);
    }
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
    free(e->board);
}

/* The position is the root of the variations to come. */
static inline void evaluator_reset(evaluator *e, const void *position)
{
    if (e->stack)
        ply_nn_stack_reset(e->stack, position);
    if (e->board)
        e->rules->search->board->init(e->rules, position, e->max_plies, e->board);
}

/* Before a move, or a null move (PLY_MOVE_NONE), is played on the position. */
static inline void evaluator_push(evaluator *e, const void *position, ply_move move)
{
    if (e->stack)
        ply_nn_stack_push(e->stack, position, move);
    if (e->board)
        e->rules->search->board->play(e->rules, position, move, e->board);
}

static inline void evaluator_pop(evaluator *e)
{
    if (e->stack)
        ply_nn_stack_pop(e->stack);
    if (e->board)
        e->rules->search->board->undo(e->rules, e->board);
}

/* The value of the current position for the player to move. */
static inline int32_t evaluator_evaluate(evaluator *e, const void *position)
{
    if (e->stack)
        return ply_nn_stack_evaluate(e->stack, position, e->board);
    return e->board ? e->rules->search->board->evaluate(e->rules, position, e->board)
                    : ply_game_evaluate(e->rules, position);
}

/*
 * Lets the network's policy head score moves of the current position: higher logits, in
 * 1 / NN_LOGIT_ONE, are more promising. False if there is no policy head.
 */
static inline bool evaluator_policy(evaluator *e, const void *position, const ply_move *moves,
                                    size_t count, int32_t *logits)
{
    return e->stack && ply_nn_stack_policy(e->stack, position, moves, count, logits);
}

/* The same as evaluator_evaluate for any position, computed from scratch. */
static inline int32_t search_evaluate(const ply_searcher *searcher, const void *position)
{
    return searcher->network ? ply_network_evaluate(searcher->network, position)
                             : ply_game_evaluate(searcher->rules, position);
}

#endif
