/* SPDX-License-Identifier: MIT */
/*
 * mcts_external.c - MCTS whose leaves are evaluated by the caller, many at a time.
 *
 * Simulations descend one after the other until a batch of leaves is full or one of them meets a
 * leaf that is already waiting. Visits are counted on the way down, so the next descent goes
 * elsewhere (virtual loss). Then the caller's evaluator is called once, the priors go to the
 * children and the values up the paths.
 *
 *     descend .. leaf 0   descend .. leaf 1   ...   descend .. leaf n    evaluate    credit 0..n
 */
#include "search/mcts_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_BATCH = 16, MAX_BATCH = 1 << 16 };

/* A leaf that waits for its evaluation. */
typedef struct waiting_leaf {
    mcts_node *node;
    int side;
    size_t depth;
    uint32_t *path; /* a copy of the thread's */
    uint8_t *sides;
    void *position;
    bool has_position;
} waiting_leaf;

typedef struct leaf_batch {
    unsigned room, count;
    waiting_leaf *waiting;
    ply_search_leaf *leaves; /* what the evaluator sees */
    ply_move *moves;         /* of all leaves, one after the other */
    float *priors;
    size_t move_count, move_room;
} leaf_batch;

bool ply_mcts_is_external(const ply_searcher *searcher)
{
    return searcher->options.kind == PLY_SEARCH_MCTS && searcher->options.evaluator;
}

static void batch_free(leaf_batch *b)
{
    for (unsigned i = 0; b->waiting && i < b->room; i++) {
        free(b->waiting[i].path);
        free(b->waiting[i].sides);
        free(b->waiting[i].position);
    }
    free(b->waiting);
    free(b->leaves);
    free(b->moves);
    free(b->priors);
}

static bool batch_init(leaf_batch *b, const ply_searcher *s)
{
    unsigned wanted = s->options.evaluator_batch;
    b->room = wanted == 0 ? DEFAULT_BATCH : wanted < MAX_BATCH ? wanted : MAX_BATCH;
    b->waiting = calloc(b->room, sizeof *b->waiting);
    b->leaves = calloc(b->room, sizeof *b->leaves);
    bool ready = b->waiting && b->leaves;
    for (unsigned i = 0; ready && i < b->room; i++) {
        b->waiting[i].path = malloc(MCTS_MAX_PATH * sizeof(uint32_t));
        b->waiting[i].sides = malloc(MCTS_MAX_PATH);
        b->waiting[i].position = calloc(1, s->rules->position_bytes);
        ready = b->waiting[i].path && b->waiting[i].sides && b->waiting[i].position;
    }
    return ready;
}

/* Makes room for the moves of one more leaf. */
static bool reserve_moves(leaf_batch *b, size_t count)
{
    if (b->move_count + count <= b->move_room)
        return true;
    size_t room = 2 * b->move_room + count;
    ply_move *moves = realloc(b->moves, room * sizeof *moves);
    if (moves)
        b->moves = moves;
    float *priors = realloc(b->priors, room * sizeof *priors);
    if (priors)
        b->priors = priors;
    if (!moves || !priors)
        return false;
    b->move_room = room;
    return true;
}

/* --- one descent ----------------------------------------------------------------------------- */
enum descent { DESCENT_DONE, DESCENT_WAITS, DESCENT_MEETS, DESCENT_FAILED };

/* Takes back the visits of a descent that led to a leaf which is waiting already. */
static void forget_visits(mcts_thread *t, size_t depth)
{
    for (size_t i = 0; i <= depth; i++)
        atomic_fetch_sub_explicit(&t->searcher->tree->nodes[t->path[i]].visits, 1,
                                  memory_order_relaxed);
}

/* Adds the leaf at the thread's current position to the batch; false when memory runs out. */
static bool add_leaf(mcts_thread *t, leaf_batch *b, mcts_node *node, int side, size_t depth)
{
    const ply_rules *rules = t->searcher->rules;
    const void *position = t->alphabeta->state.position;
    size_t count = rules->game->moves(rules, position, t->moves), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (depth > 0 || ply_search_move_allowed(t->searcher->time.limits, t->moves[i]))
            t->moves[kept++] = t->moves[i];
    if (kept == 0) { /* none of limits->only is legal */
        ply_time_control_stop(&t->searcher->time);
        return true;
    }
    waiting_leaf *w = &b->waiting[b->count];
    if (!reserve_moves(b, kept) || ply_game_copy(rules, w->position, position) != PLY_OK)
        return false;
    w->has_position = true;
    w->node = node;
    w->side = side;
    w->depth = depth;
    memcpy(w->path, t->path, (depth + 1) * sizeof t->path[0]);
    memcpy(w->sides, t->path_sides, depth + 1);
    memcpy(b->moves + b->move_count, t->moves, kept * sizeof t->moves[0]);
    for (size_t i = 0; i < kept; i++)
        b->priors[b->move_count + i] = 1;
    b->leaves[b->count++] = (ply_search_leaf){.move_count = kept, .is_root = depth == 0};
    b->move_count += kept;
    ply_mcts_add_children(t, node, kept); /* if the tree is full, it stays a leaf */
    return true;
}

/* Leads one simulation to a leaf. */
static enum descent lead(mcts_thread *t, leaf_batch *b)
{
    int side;
    bool first_visit;
    mcts_tree *tree = t->searcher->tree;
    size_t depth = ply_mcts_descend(t, &side, &first_visit);
    if (depth == SIZE_MAX)
        return DESCENT_FAILED;
    mcts_node *leaf = &tree->nodes[t->path[depth]];
    uint8_t expansion = atomic_load_explicit(&leaf->expansion, memory_order_relaxed);
    if (mcts_proof_of(leaf) == PROOF_NONE && expansion == NODE_UNEXPANDED && depth > 0) {
        ply_outcome outcome = ply_state_outcome(&t->alphabeta->state);
        if (outcome.result != PLY_ONGOING)
            mcts_set_proof(leaf, mcts_outcome_proof(outcome));
    }
    uint8_t proof = mcts_proof_of(leaf);
    if (proof != PROOF_NONE) {
        ply_mcts_credit(tree, t->path, t->path_sides, depth, ply_mcts_proof_value(proof));
        return DESCENT_DONE;
    }
    if (expansion == NODE_EXPANDING) {
        forget_visits(t, depth);
        return DESCENT_MEETS;
    }
    atomic_store_explicit(&leaf->expansion, NODE_EXPANDING, memory_order_relaxed);
    return add_leaf(t, b, leaf, side, depth) ? DESCENT_WAITS : DESCENT_FAILED;
}

/* --- evaluation ------------------------------------------------------------------------------ */
/* Gives the children of a leaf their priors, scaled to a sum of 1. */
static void set_children_priors(mcts_tree *tree, const mcts_node *node, const float *priors)
{
    double sum = 0;
    for (uint32_t i = 0; i < node->child_count; i++)
        sum += priors[i] > 0 && isfinite(priors[i]) ? (double)priors[i] : 0;
    for (uint32_t i = 0; sum > 0 && i < node->child_count; i++)
        tree->nodes[node->first_child + i].prior =
            priors[i] > 0 && isfinite(priors[i]) ? (float)((double)priors[i] / sum) : 0;
}

/* Calls the evaluator, if there is anything to evaluate, and credits the results. */
static void evaluate(mcts_thread *t, leaf_batch *b)
{
    const ply_search_options *options = &t->searcher->options;
    mcts_tree *tree = t->searcher->tree;
    if (b->count == 0)
        return;
    for (size_t i = 0, at = 0; i < b->count; at += b->leaves[i++].move_count) {
        b->leaves[i].position = b->waiting[i].position;
        b->leaves[i].moves = b->moves + at;
        b->leaves[i].priors = b->priors + at;
    }
    options->evaluator(options->evaluator_context, b->leaves, b->count);
    for (unsigned i = 0; i < b->count; i++) {
        waiting_leaf *w = &b->waiting[i];
        double value = isfinite(b->leaves[i].value) ? (double)b->leaves[i].value : 0;
        value = value > 1 ? 1 : value < -1 ? -1 : value;
        set_children_priors(tree, w->node, b->leaves[i].priors);
        atomic_store_explicit(&w->node->expansion,
                              w->node->child_count ? NODE_EXPANDED : NODE_UNEXPANDED,
                              memory_order_release);
        ply_mcts_credit(tree, w->path, w->sides, w->depth,
                        (1 + (w->side == 0 ? value : -value)) / 2);
        ply_game_clear(t->searcher->rules, w->position);
        w->has_position = false;
    }
    b->count = 0;
    b->move_count = 0;
}

void ply_mcts_run_external(mcts_thread *t)
{
    time_control *time = &t->searcher->time;
    const mcts_node *root = &t->searcher->tree->nodes[MCTS_ROOT];
    leaf_batch batch = {0};
    bool deep_enough = false;
    t->failed = !batch_init(&batch, t->searcher);
    while (!t->failed && !time_control_stopped(time) && mcts_proof_of(root) == PROOF_NONE &&
           !deep_enough) {
        enum descent descent = lead(t, &batch);
        while (t->alphabeta->state.plies > t->root_plies)
            ply_state_undo(&t->alphabeta->state);
        t->failed = descent == DESCENT_FAILED;
        if (descent == DESCENT_DONE || descent == DESCENT_WAITS) {
            ply_time_control_poll(time, 1);
            deep_enough = ply_mcts_report(t);
        }
        /* The root's priors decide where the others go. */
        if (descent == DESCENT_MEETS || batch.count == batch.room || !mcts_is_expanded(root) ||
            time_control_stopped(time))
            evaluate(t, &batch);
    }
    if (!t->failed)
        evaluate(t, &batch);
    for (unsigned i = 0; i < batch.count; i++)
        if (batch.waiting[i].has_position)
            ply_game_clear(t->searcher->rules, batch.waiting[i].position);
    batch_free(&batch);
}
