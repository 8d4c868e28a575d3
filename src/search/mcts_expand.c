/* SPDX-License-Identifier: MIT */
/*
 * mcts_expand.c - how the tree of mcts.c grows: children for the moves of a position, or for its
 * promising turns.
 */
#include "search/mcts_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOT_TURNS = 160,
    INNER_TURNS = 40,
    FIND_WIN_EFFORT = 3,
};

bool ply_mcts_uses_turns(const ply_searcher *s)
{
    return s->options.kind == PLY_SEARCH_MCTS && s->rules->search->evaluate &&
           s->rules->game->multi_move_turns && !ply_mcts_is_external(s);
}

/* --- the tree -------------------------------------------------------------------------------- */
bool ply_mcts_init(ply_searcher *searcher)
{
    mcts_tree *tree = searcher->tree = calloc(1, sizeof *tree);
    if (!tree)
        return false;
    uint64_t bytes = (uint64_t)searcher->options.memory_mb << 20;
    if (ply_mcts_uses_turns(searcher)) {
        tree->turn_capacity = bytes / 2 / sizeof(ply_move);
        tree->turn_moves = malloc(tree->turn_capacity * sizeof(ply_move));
        if (!tree->turn_moves)
            return false;
        bytes /= 2;
    }
    tree->capacity = bytes / sizeof(mcts_node);
    if (tree->capacity > UINT32_MAX)
        tree->capacity = UINT32_MAX;
    tree->nodes = malloc(tree->capacity * sizeof(mcts_node));
    return tree->nodes != NULL;
}

void ply_mcts_free(ply_searcher *searcher)
{
    if (searcher->tree) {
        free(searcher->tree->nodes);
        free(searcher->tree->turn_moves);
    }
    free(searcher->tree);
    searcher->tree = NULL;
}

/* Reserves `count` consecutive elements of an array; false if there is no room for them. */
static bool reserve(_Atomic uint64_t *used, uint64_t capacity, uint64_t count, uint64_t *first)
{
    *first = atomic_fetch_add_explicit(used, count, memory_order_relaxed);
    if (*first + count <= capacity)
        return true;
    atomic_fetch_sub_explicit(used, count, memory_order_relaxed);
    return false;
}

/* Priors fall off with the rank in the ordered list: proportional to 1, 1/2, 1/3, ... */
static void set_priors(mcts_node *children, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += 1 / (double)(i + 1);
    for (size_t i = 0; i < count; i++)
        children[i].prior = (float)(1 / ((double)(i + 1) * sum));
}

/*
 * Priors by the network's policy head: the softmax of the logits of t->moves. Writes over t->scores.
 * False if there is no policy head.
 */
static bool set_policy_priors(mcts_thread *t, mcts_node *children, size_t count)
{
    alphabeta_thread *a = t->alphabeta;
    int32_t *logits = t->scores, best = INT32_MIN;
    if (!t->follows || !evaluator_policy(&a->evaluator, a->state.position, t->moves, count, logits))
        return false;
    for (size_t i = 0; i < count; i++)
        best = logits[i] > best ? logits[i] : best;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += exp((double)(logits[i] - best) / NN_LOGIT_ONE);
    for (size_t i = 0; i < count; i++)
        children[i].prior = (float)(exp((double)(logits[i] - best) / NN_LOGIT_ONE) / sum);
    return true;
}

/* --- children that are moves ----------------------------------------------------------------- */
/*
 * Lists the moves to try: just the winning one if the game finds a forced win (*won); else its
 * candidates; else all moves, scored for ordering if the search evaluates. all: every legal move,
 * since the caller asks about particular ones.
 */
static size_t list_moves(mcts_thread *t, bool all, bool *won)
{
    const ply_rules *rules = t->searcher->rules;
    const void *position = t->alphabeta->state.position;
    void *board = t->follows ? t->alphabeta->evaluator.board : NULL;
    if (t->evaluates && rules->search->find_win && !all) {
        int plies;
        uint64_t nodes = 0; /* not counted: a simulation is one node */
        t->moves[0] =
            board ? rules->search->board->find_win(rules, position, board, FIND_WIN_EFFORT, &plies,
                                                   &nodes)
                  : rules->search->find_win(rules, position, FIND_WIN_EFFORT, &plies, &nodes);
        if (t->moves[0] != PLY_MOVE_NONE) {
            t->scores[0] = 0;
            *won = true;
            return 1;
        }
    }
    if (t->evaluates && rules->search->candidates && !all)
        return board ? rules->search->board->candidates(rules, position, board, t->moves, t->scores)
                     : rules->search->candidates(rules, position, t->moves, t->scores);
    size_t count = rules->game->moves(rules, position, t->moves);
    if (!t->evaluates)
        return count;
    ply_game_score_moves(rules, position, t->moves, count, t->scores);
    if (rules->search->see)
        for (size_t i = 0; i < count; i++)
            if (ply_game_is_noisy(rules, position, t->moves[i]) &&
                rules->search->see(rules, position, t->moves[i]) < 0)
                t->scores[i] = INT32_MIN; /* losing captures last */
    return count;
}

/* Sorts moves by score, best first. Shell sort, as lists may be long. */
static void sort_moves(mcts_thread *t, size_t count)
{
    for (size_t gap = count > 9 ? 9 : 1;; gap = gap == 9 ? 3 : 1) {
        for (size_t i = gap; i < count; i++) {
            ply_move move = t->moves[i];
            int32_t score = t->scores[i];
            size_t k = i;
            for (; k >= gap && t->scores[k - gap] < score; k -= gap) {
                t->moves[k] = t->moves[k - gap];
                t->scores[k] = t->scores[k - gap];
            }
            t->moves[k] = move;
            t->scores[k] = score;
        }
        if (gap == 1)
            break;
    }
}

bool ply_mcts_add_children(mcts_thread *t, mcts_node *node, size_t count)
{
    mcts_tree *tree = t->searcher->tree;
    uint64_t first;
    if (count > UINT16_MAX || !reserve(&tree->used, tree->capacity, count, &first))
        return false;
    for (size_t i = 0; i < count; i++)
        tree->nodes[first + i] = (mcts_node){.move = t->moves[i], .prior = 1 / (float)count};
    node->first_child = (uint32_t)first;
    node->child_count = (uint16_t)count;
    return true;
}

static void add_moves(mcts_thread *t, mcts_node *node, bool root)
{
    mcts_tree *tree = t->searcher->tree;
    const ply_rules *rules = t->searcher->rules;
    const ply_search_limits *limits = t->searcher->time.limits;
    bool won = false;
    size_t count = list_moves(t, root && (limits->only || limits->multipv > 1), &won), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!root || ply_search_move_allowed(limits, t->moves[i])) {
            t->moves[kept] = t->moves[i];
            t->scores[kept++] = t->scores[i];
        }
    if (t->evaluates)
        sort_moves(t, kept);
    if (!ply_mcts_add_children(t, node, kept))
        return;
    if (!set_policy_priors(t, &tree->nodes[node->first_child], kept))
        set_priors(&tree->nodes[node->first_child], kept);
    if (won) {
        uint8_t winner = mcts_win_of(rules->game->side(rules, t->alphabeta->state.position));
        mcts_set_proof(&tree->nodes[node->first_child], winner);
        mcts_set_proof(node, winner);
    }
}

/* --- children that are whole turns ----------------------------------------------------------- */
static bool add_turn(void *context, const ply_move *moves, size_t count, int32_t score)
{
    mcts_thread *t = context;
    if (!ply_turn_list_add(&t->turns, moves, count, score))
        t->failed = true;
    return !t->failed;
}

bool ply_mcts_stopped(void *context)
{
    mcts_thread *t = context;
    ply_time_control_poll(&t->searcher->time, 0);
    return time_control_stopped(&t->searcher->time);
}

/* Lists the promising turns, best first; at the root, those that start with an allowed move. */
static void list_turns(mcts_thread *t, bool root, bool *complete)
{
    const ply_rules *rules = t->searcher->rules;
    turn_list *list = &t->turns;
    ply_turn_request request = {.most = root ? ROOT_TURNS : INNER_TURNS,
                                .stopped = ply_mcts_stopped,
                                .visit = add_turn,
                                .context = t};
    *complete = false;
    list->turn_count = list->move_count = 0;
    if (rules->search->promising_turns(rules, t->alphabeta->state.position, &request, complete) !=
        PLY_OK)
        t->failed = true;
    size_t kept = 0;
    for (size_t i = 0; i < list->turn_count; i++)
        if (!root ||
            ply_search_move_allowed(t->searcher->time.limits, list->moves[list->turns[i].first]))
            list->turns[kept++] = list->turns[i];
    list->turn_count = kept;
    ply_turn_list_sort(list, 0);
}

static enum mcts_expansion add_turns(mcts_thread *t, mcts_node *node, bool root)
{
    mcts_tree *tree = t->searcher->tree;
    const turn_list *list = &t->turns;
    bool complete;
    list_turns(t, root, &complete);
    size_t count = list->turn_count, words = count;
    for (size_t i = 0; i < count; i++)
        words += list->turns[i].count;
    uint64_t first, at;
    if (count == 0 || count > UINT16_MAX || !reserve(&tree->used, tree->capacity, count, &first))
        return NODE_PARTLY_EXPANDED;
    if (!reserve(&tree->turn_used, tree->turn_capacity, words, &at)) {
        atomic_fetch_sub_explicit(&tree->used, count, memory_order_relaxed);
        return NODE_PARTLY_EXPANDED;
    }
    for (size_t i = 0; i < count; i++) {
        const listed_turn *turn = &list->turns[i];
        tree->nodes[first + i] = (mcts_node){.move = at};
        tree->turn_moves[at++] = turn->count;
        memcpy(tree->turn_moves + at, list->moves + turn->first, turn->count * sizeof(ply_move));
        at += turn->count;
    }
    set_priors(&tree->nodes[first], count);
    node->first_child = (uint32_t)first;
    node->child_count = (uint16_t)count;
    return complete ? NODE_EXPANDED : NODE_PARTLY_EXPANDED;
}

/* --- expansion and moving along the tree ----------------------------------------------------- */
bool ply_mcts_expand(mcts_thread *t, mcts_node *node, bool root)
{
    uint8_t unexpanded = NODE_UNEXPANDED, expansion = NODE_EXPANDED;
    if (!atomic_compare_exchange_strong_explicit(&node->expansion, &unexpanded, NODE_EXPANDING,
                                                 memory_order_acquire, memory_order_relaxed))
        return false;
    ply_outcome outcome = ply_state_outcome(&t->alphabeta->state);
    if (outcome.result != PLY_ONGOING && !root)
        mcts_set_proof(node, mcts_outcome_proof(outcome));
    else if (t->whole_turns)
        expansion = (uint8_t)add_turns(t, node, root);
    else
        add_moves(t, node, root);
    atomic_store_explicit(&node->expansion, expansion, memory_order_release);
    return true;
}

bool ply_mcts_play_node(mcts_thread *t, const mcts_node *node)
{
    size_t count;
    const ply_move *moves = mcts_moves_of(t->searcher->tree, t->whole_turns, node, &count);
    ply_state *state = &t->alphabeta->state;
    for (size_t i = 0; i < count; i++) {
        if (t->follows)
            evaluator_push(&t->alphabeta->evaluator, state->position, moves[i]);
        if (ply_state_play(state, moves[i]) == PLY_OK)
            continue;
        if (t->follows)
            evaluator_pop(&t->alphabeta->evaluator);
        while (i-- > 0)
            ply_mcts_undo_move(t);
        return false;
    }
    return true;
}

void ply_mcts_undo_move(mcts_thread *t)
{
    ply_state_undo(&t->alphabeta->state);
    if (t->follows)
        evaluator_pop(&t->alphabeta->evaluator);
}

void ply_mcts_undo_node(mcts_thread *t, const mcts_node *node)
{
    size_t count;
    mcts_moves_of(t->searcher->tree, t->whole_turns, node, &count);
    while (count-- > 0)
        ply_mcts_undo_move(t);
}
