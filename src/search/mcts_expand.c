/* SPDX-License-Identifier: MIT */
/*
 * mcts_expand.c - how the tree of mcts.c grows: children for all moves of a position, or for its good
 * turns.
 */
#include "core/array.h"
#include "search/mcts_internal.h"
#include <stdlib.h>
#include <string.h>

enum {
    ROOT_TURNS = 160,
    INNER_TURNS = 40,
    FORCED_EFFORT = 3, /* how hard a game looks for a forced win where the tree grows */
};

bool ply_mcts_plays_turns(const ply_searcher *s)
{
    return s->options.kind == PLY_SEARCH_MCTS && s->rules->search->evaluate &&
           s->rules->game->multi_move_turns;
}

bool ply_mcts_init(ply_searcher *searcher)
{
    mcts_tree *tree = searcher->tree = calloc(1, sizeof *tree);
    if (!tree)
        return false;
    uint64_t bytes = (uint64_t)searcher->options.memory_mb << 20;
    if (ply_mcts_plays_turns(searcher)) {
        tree->turn_capacity = bytes / 2 / sizeof(ply_move);
        tree->turns = malloc(tree->turn_capacity * sizeof(ply_move));
        if (!tree->turns)
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
        free(searcher->tree->turns);
    }
    free(searcher->tree);
    searcher->tree = NULL;
}

/*
 * Lists the moves at the line's end: a forced win alone, if the game finds one; those worth trying;
 * or, at the root where they are asked for and in random games, all. Scores where moves are judged.
 */
static size_t list_moves(mcts_thread *t, bool all, bool *won)
{
    const ply_rules *rules = t->searcher->rules;
    const ply_game *game = rules->game;
    const void *position = t->eyes->state.position;
    if (t->judged && rules->search->find_win && !all) {
        int plies;
        uint64_t looked = 0; /* a simulation counts as one whatever it looks at */
        t->moves[0] = rules->search->find_win(rules, position, FORCED_EFFORT, &plies, &looked);
        if (t->moves[0] != PLY_MOVE_NONE) {
            t->scores[0] = 0;
            *won = true;
            return 1;
        }
    }
    if (t->judged && rules->search->candidates && !all)
        return rules->search->candidates(rules, position, t->moves, t->scores);
    size_t count = game->moves(rules, position, t->moves);
    if (!t->judged)
        return count;
    ply_game_score_moves(rules, position, t->moves, count, t->scores);
    if (rules->search->see)
        for (size_t i = 0; i < count; i++)
            if (ply_game_is_noisy(rules, position, t->moves[i]) &&
                rules->search->see(rules, position, t->moves[i]) < 0)
                t->scores[i] = INT32_MIN;
    return count;
}

/* The promising moves first; Shell's sort, as lists may be long. */
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

/* Children for all listed moves; the later ones get less of the prior. */
static void add_moves(mcts_thread *t, mcts_node *node, bool root)
{
    mcts_tree *tree = t->searcher->tree;
    const ply_rules *rules = t->searcher->rules;
    const ply_search_limits *limits = t->searcher->clock.limits;
    bool won = false;
    size_t count = list_moves(t, root && (limits->only || limits->multipv > 1), &won), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!root || ply_search_move_wanted(limits, t->moves[i])) {
            t->moves[kept] = t->moves[i];
            t->scores[kept++] = t->scores[i];
        }
    uint64_t first = __atomic_fetch_add(&tree->used, kept, __ATOMIC_RELAXED);
    if (kept > UINT16_MAX || first + kept > tree->capacity) {
        __atomic_fetch_sub(&tree->used, kept, __ATOMIC_RELAXED);
        return;
    }
    double sum = 0;
    if (t->judged)
        sort_moves(t, kept);
    for (size_t i = 0; i < kept; i++)
        sum += 1 / (double)(i + 1);
    for (size_t i = 0; i < kept; i++)
        tree->nodes[first + i] =
            (mcts_node){.move = t->moves[i], .prior = (float)(1 / ((double)(i + 1) * sum))};
    node->first_child = (uint32_t)first;
    node->child_count = (uint16_t)kept;
    if (won) {
        uint8_t winner = mcts_win_of(rules->game->side(rules, t->eyes->state.position));
        tree->nodes[first].proved = winner;
        __atomic_store_n(&node->proved, winner, __ATOMIC_RELAXED);
    }
}

static bool list_turn(void *context, const ply_move *moves, size_t count, int32_t score)
{
    mcts_thread *t = context;
    turn_list *list = &t->list;
    if (!ply_array_grow(&list->turns, &list->turn_room, list->turn_count + 1,
                        sizeof *list->turns) ||
        !ply_array_grow(&list->moves, &list->move_room, list->move_count + count,
                        sizeof *list->moves)) {
        list->failed = true;
        return false;
    }
    list->turns[list->turn_count++] = (struct listed){list->move_count, count, score};
    memcpy(list->moves + list->move_count, moves, count * sizeof *moves);
    list->move_count += count;
    return true;
}

bool ply_mcts_stopped(void *context)
{
    mcts_thread *t = context;
    ply_search_clock_poll(&t->searcher->clock, 0);
    return search_clock_stopped(&t->searcher->clock);
}

static int by_score(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

/* The same for whole turns; returns the state of the node. */
static uint8_t add_turns(mcts_thread *t, mcts_node *node, bool root)
{
    mcts_tree *tree = t->searcher->tree;
    const ply_rules *rules = t->searcher->rules;
    turn_list *list = &t->list;
    ply_turn_request wish = {.most = root ? ROOT_TURNS : INNER_TURNS,
                             .stopped = ply_mcts_stopped,
                             .visit = list_turn,
                             .context = t};
    bool complete = false;
    list->turn_count = list->move_count = 0;
    if (rules->search->promising_turns(rules, t->eyes->state.position, &wish, &complete) !=
            PLY_OK ||
        list->failed)
        t->failed = true;
    size_t kept = 0, words = 0;
    for (size_t i = 0; i < list->turn_count; i++)
        if (!root ||
            ply_search_move_wanted(t->searcher->clock.limits, list->moves[list->turns[i].first])) {
            list->turns[kept++] = list->turns[i];
            words += list->turns[i].count + 1;
        }
    if (kept == 0)
        return PARTLY_OPEN;
    qsort(list->turns, kept, sizeof *list->turns, by_score);
    uint64_t first = __atomic_fetch_add(&tree->used, kept, __ATOMIC_RELAXED);
    uint64_t at = __atomic_fetch_add(&tree->turn_used, words, __ATOMIC_RELAXED);
    if (kept > UINT16_MAX || first + kept > tree->capacity || at + words > tree->turn_capacity) {
        __atomic_fetch_sub(&tree->used, kept, __ATOMIC_RELAXED);
        __atomic_fetch_sub(&tree->turn_used, words, __ATOMIC_RELAXED);
        return PARTLY_OPEN;
    }
    double sum = 0;
    for (size_t i = 0; i < kept; i++)
        sum += 1 / (double)(i + 1);
    for (size_t i = 0; i < kept; i++) {
        const struct listed *turn = &list->turns[i];
        tree->nodes[first + i] =
            (mcts_node){.move = at, .prior = (float)(1 / ((double)(i + 1) * sum))};
        tree->turns[at++] = turn->count;
        memcpy(tree->turns + at, list->moves + turn->first, turn->count * sizeof(ply_move));
        at += turn->count;
    }
    node->first_child = (uint32_t)first;
    node->child_count = (uint16_t)kept;
    return complete ? OPEN : PARTLY_OPEN;
}

/* Makes the children of a node, unless the game is over there, another is at it, or it is full. */
bool ply_mcts_expand(mcts_thread *t, mcts_node *node, bool root)
{
    uint8_t fresh = FRESH, state = OPEN;
    if (!__atomic_compare_exchange_n(&node->state, &fresh, OPENING, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return false;
    ply_outcome outcome = ply_state_outcome(&t->eyes->state);
    if (outcome.result != PLY_ONGOING && !root)
        __atomic_store_n(&node->proved, mcts_proved_by(outcome), __ATOMIC_RELAXED);
    else if (t->by_turns)
        state = add_turns(t, node, root);
    else
        add_moves(t, node, root);
    __atomic_store_n(&node->state, state, __ATOMIC_RELEASE);
    return true;
}

/* Plays what leads into a node; what could not be played to the end is taken back. */
bool ply_mcts_play_node(mcts_thread *t, const mcts_node *node)
{
    size_t count;
    const ply_move *moves = mcts_moves_of(t->searcher->tree, t->by_turns, node, &count);
    for (size_t i = 0; i < count; i++)
        if (ply_state_play(&t->eyes->state, moves[i]) != PLY_OK) {
            while (i-- > 0)
                ply_state_undo(&t->eyes->state);
            return false;
        }
    return true;
}

void ply_mcts_undo_node(mcts_thread *t, const mcts_node *node)
{
    size_t count;
    mcts_moves_of(t->searcher->tree, t->by_turns, node, &count);
    while (count-- > 0)
        ply_state_undo(&t->eyes->state);
}
