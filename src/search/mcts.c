/* SPDX-License-Identifier: MIT */
/*
 * mcts.c - Monte-Carlo tree search, with and without an evaluation.
 *
 * The tree lives in one array of fixed size. Nodes refer to each other by index and the children of
 * a node are adjacent. When the array is full, the tree stops growing but its statistics keep
 * improving. Threads share the tree: the first thread to reach a node expands it, counts are added
 * atomically, and a visit is counted on the way down (virtual loss), so that other threads look
 * elsewhere until its result is in.
 *
 *                      playouts                             evaluation
 *     value of a leaf  a random game to the end             the quiescence search's score, as a
 *                                                           win probability
 *     selection        UCB1; unvisited children first,      PUCT, with the rank in the game's move
 *                      in random order                      ordering as a prior
 *
 * A node whose result is certain (the game is over, one child wins, or all children are certain) is
 * marked as proved and not visited again.
 *
 * For games with multi_move_turns and an evaluation, a node is the start of a turn and a child is a
 * whole turn: half-made turns say little, and with many boards there are thousands of moves. Turns
 * that promising_turns left out may be better than those it listed, so the loss of all children
 * proves nothing unless the list was complete.
 */
#include "core/array.h"
#include "core/hash.h"
#include "search/mcts_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLAYOUT_PLIES = 200,
    PLAYOUT_STEP = 2, /* plies between polls where positions own memory and playouts are slow */
    QSEARCH_NODES = 1000,
    QSEARCH_TURNS = 2, /* whole turns: how far qsearch looks ahead */
    POINTS_WIN = 1 << 12,
    FIRST_REPORT = 1 << 12, /* simulations; the interval then doubles */
};
static const double score_scale = 200;         /* hundredths of a piece per unit of log odds */
static const float default_exploration = 1.5f; /* the weight of the prior in PUCT */
static const double first_play_loss = 0.15; /* an unvisited child counts as its parent less this */
static const double ucb_weight = 0.7;       /* of the exploration term */
/* Larger than any selection value, the second larger than the first. */
static const double unvisited_bonus = 1e6, proof_bonus = 1e8;
static const double proof_rank = 1e12; /* larger than any number of visits */
static const double max_mean = 0.999;  /* keeps scores finite */

/* --- selection ------------------------------------------------------------------------------- */
/* The mean result for the player who moved into a node; visits is not 0. */
static double mean_of(const mcts_node *node, uint32_t visits)
{
    return (double)atomic_load_explicit(&node->points, memory_order_relaxed) /
           (POINTS_WIN * (double)visits);
}

/* How urgently a child should be visited. unvisited_mean stands in where it has no visits yet. */
static double selection_value(mcts_thread *t, const mcts_node *child, double sqrt_visits,
                              double log_visits, double unvisited_mean)
{
    uint32_t visits = mcts_visits_of(child);
    if (t->evaluates)
        return (visits ? mean_of(child, visits) : unvisited_mean) +
               (double)t->searcher->options.exploration * (double)child->prior * sqrt_visits /
                   (1 + (double)visits);
    if (visits == 0)
        return unvisited_bonus + (double)ply_rng_below(&t->rng, 1 << 16);
    return mean_of(child, visits) + ucb_weight * sqrt(log_visits / (double)visits);
}

/* The child to visit next when `side` is to move. A proof outweighs everything else. */
static uint32_t select_child(mcts_thread *t, const mcts_node *node, int side, double unvisited_mean)
{
    const mcts_tree *tree = t->searcher->tree;
    double parent_visits = (double)mcts_visits_of(node) + 1, best = -1e9;
    double log_visits = log(parent_visits), sqrt_visits = sqrt(parent_visits);
    uint32_t chosen = node->first_child;
    for (uint32_t c = node->first_child; c < node->first_child + node->child_count; c++) {
        const mcts_node *child = &tree->nodes[c];
        double value = selection_value(t, child, sqrt_visits, log_visits, unvisited_mean);
        uint8_t proof = mcts_proof_of(child);
        if (proof == mcts_win_of(!side))
            value -= proof_bonus; /* only if there is nothing else */
        if (proof == mcts_win_of(side))
            value += proof_bonus;
        if (value > best) {
            best = value;
            chosen = c;
        }
    }
    return chosen;
}

/* --- proofs ---------------------------------------------------------------------------------- */
/* Marks a node, at which `side` moves, if its children prove the result. */
static void prove_from_children(mcts_tree *tree, mcts_node *node, int side)
{
    bool complete = atomic_load_explicit(&node->expansion, memory_order_relaxed) == NODE_EXPANDED;
    bool all_proved = node->child_count > 0 && complete, draw = false;
    for (uint32_t i = 0; i < node->child_count; i++) {
        uint8_t child = mcts_proof_of(&tree->nodes[node->first_child + i]);
        if (child == mcts_win_of(side)) {
            mcts_set_proof(node, child);
            return;
        }
        all_proved = all_proved && child != PROOF_NONE;
        draw = draw || child == PROOF_DRAW;
    }
    if (all_proved)
        mcts_set_proof(node, draw ? PROOF_DRAW : mcts_win_of(!side));
}

/* Marks the node of the current position if the game is over there. */
static void prove_if_over(mcts_thread *t, mcts_node *node)
{
    ply_outcome outcome = ply_state_outcome(&t->alphabeta->state);
    if (outcome.result != PLY_ONGOING)
        mcts_set_proof(node, mcts_outcome_proof(outcome));
}

/* Plays every turn of a new node that gives check: one of them may end the game. */
static void prove_checking_turns(mcts_thread *t, mcts_node *node, int side)
{
    mcts_tree *tree = t->searcher->tree;
    const ply_rules *rules = t->searcher->rules;
    for (uint32_t i = 0; i < node->child_count && mcts_proof_of(node) == PROOF_NONE; i++) {
        mcts_node *child = &tree->nodes[node->first_child + i];
        if (ply_mcts_stopped(t) || !ply_mcts_play_node(t, child))
            return;
        if (rules->search->in_check(rules, t->alphabeta->state.position))
            prove_if_over(t, child);
        ply_mcts_undo_node(t, child);
        if (mcts_proof_of(child) != PROOF_NONE)
            prove_from_children(tree, node, side);
    }
}

/* --- the value of a leaf: how likely player 0 is to win --------------------------------------- */
static double win_probability(int32_t score, int side)
{
    double probability = 1 / (1 + exp(-(double)score / score_scale));
    return side == 0 ? probability : 1 - probability;
}

static double result_value(ply_result result)
{
    return result == PLY_FIRST_WINS ? 1 : result == PLY_SECOND_WINS ? 0 : 0.5;
}

/* Plays out on a copy, with the game's own playout. False when memory runs out. */
static bool play_out_copy(mcts_thread *t, ply_outcome *outcome)
{
    const ply_rules *rules = t->searcher->rules;
    time_control *time = &t->searcher->time;
    if (t->has_playout_position)
        ply_game_clear(rules, t->playout_position);
    t->has_playout_position =
        ply_game_copy(rules, t->playout_position, t->alphabeta->state.position) == PLY_OK;
    if (!t->has_playout_position)
        return false;
    /* A playout must not delay a stop. */
    size_t step = rules->game->copy ? PLAYOUT_STEP : PLAYOUT_PLIES;
    for (size_t played = 0;
         played < PLAYOUT_PLIES && outcome->result == PLY_ONGOING && !time_control_stopped(time);
         played += step) {
        if (rules->counting->playout(rules, t->playout_position, &t->rng, step, outcome) ==
            PLY_PLAYOUT_FAILED)
            return false;
        if (step < PLAYOUT_PLIES)
            ply_time_control_poll(time, 0);
    }
    return true;
}

/* Plays out on the thread's own state, move by move; the caller takes the moves back. */
static void play_out_state(mcts_thread *t, ply_outcome *outcome)
{
    const ply_rules *rules = t->searcher->rules;
    ply_state *state = &t->alphabeta->state;
    for (int i = 0; i < PLAYOUT_PLIES; i++) {
        *outcome = ply_state_outcome(state);
        if (outcome->result != PLY_ONGOING)
            break;
        size_t count = rules->game->moves(rules, state->position, t->moves);
        if (ply_state_play(state, t->moves[ply_rng_below(&t->rng, (uint32_t)count)]) != PLY_OK)
            break;
    }
}

/* The result of a random game; one that lasts too long is adjudicated by the evaluation's sign. */
static double playout_value(mcts_thread *t)
{
    const ply_rules *rules = t->searcher->rules;
    ply_state *state = &t->alphabeta->state;
    ply_outcome outcome = {PLY_ONGOING, NULL};
    const void *end = state->position;
    size_t plies = state->plies;
    if (rules->counting->playout) {
        if (!play_out_copy(t, &outcome)) {
            t->failed = true;
            return 0.5;
        }
        end = t->playout_position;
    } else {
        play_out_state(t, &outcome);
    }
    double value = result_value(outcome.result);
    if (outcome.result == PLY_ONGOING) {
        int32_t score = search_evaluate(t->searcher, end);
        value = score == 0 ? 0.5 : (score > 0) == (rules->game->side(rules, end) == 0) ? 1 : 0;
    }
    while (state->plies > plies)
        ply_state_undo(state);
    return value;
}

/* The quiescence search's score of the current position; without one, its static evaluation. */
static int32_t leaf_score(mcts_thread *t, int side)
{
    const void *position = t->alphabeta->state.position;
    int32_t score;
    if (t->turn_qsearch)
        return ply_turn_qsearch_score(t->turn_qsearch, QSEARCH_TURNS, &score)
                   ? score
                   : search_evaluate(t->searcher, position);
    ply_time_control_start(&t->qsearch_time, &t->qsearch_limits, side);
    if (!t->follows)
        evaluator_reset(&t->alphabeta->evaluator, position);
    score = ply_qsearch(t->alphabeta, -INFINITE, INFINITE, 0);
    return time_control_stopped(&t->qsearch_time) ? search_evaluate(t->searcher, position) : score;
}

double ply_mcts_proof_value(uint8_t proof)
{
    return proof == PROOF_DRAW ? 0.5 : proof == PROOF_FIRST_WINS ? 1 : 0;
}

static double leaf_value(mcts_thread *t, const mcts_node *node)
{
    uint8_t proof = mcts_proof_of(node);
    if (proof != PROOF_NONE)
        return ply_mcts_proof_value(proof);
    if (!t->evaluates)
        return playout_value(t);
    const ply_rules *rules = t->searcher->rules;
    int side = rules->game->side(rules, t->alphabeta->state.position);
    return win_probability(leaf_score(t, side), side);
}

/* --- one simulation -------------------------------------------------------------------------- */
size_t ply_mcts_descend(mcts_thread *t, int *side, bool *first_visit)
{
    mcts_tree *tree = t->searcher->tree;
    const ply_rules *rules = t->searcher->rules;
    const void *position = t->alphabeta->state.position;
    mcts_node *node = &tree->nodes[MCTS_ROOT];
    size_t depth = 0;
    double unvisited_mean = 0.5;
    *side = rules->game->side(rules, position);
    *first_visit = true;
    t->path[0] = MCTS_ROOT;
    atomic_fetch_add_explicit(&node->visits, 1, memory_order_relaxed);
    while (mcts_is_expanded(node) && node->child_count > 0 && depth + 1 < MCTS_MAX_PATH &&
           (depth == 0 || mcts_proof_of(node) == PROOF_NONE)) {
        uint32_t child = select_child(t, node, *side, unvisited_mean);
        node = &tree->nodes[child];
        if (!ply_mcts_play_node(t, node))
            return SIZE_MAX;
        t->path[++depth] = child;
        t->path_sides[depth] = (uint8_t)*side;
        uint32_t visits = atomic_fetch_add_explicit(&node->visits, 1, memory_order_relaxed);
        *first_visit = visits == 0;
        int next = rules->game->side(rules, position);
        double mean = visits ? mean_of(node, visits) : 0.5;
        unvisited_mean = (next == *side ? mean : 1 - mean) - first_play_loss;
        *side = next;
    }
    return depth;
}

void ply_mcts_credit(mcts_tree *tree, const uint32_t *path, const uint8_t *sides, size_t depth,
                     double value)
{
    for (size_t i = depth; i > 0; i--) {
        mcts_node *node = &tree->nodes[path[i]];
        double share = sides[i] == 0 ? value : 1 - value;
        uint64_t points = (uint64_t)(share * POINTS_WIN + 0.5);
        atomic_fetch_add_explicit(&node->points, points, memory_order_relaxed);
        if (mcts_proof_of(node) != PROOF_NONE)
            prove_from_children(tree, &tree->nodes[path[i - 1]], sides[i]);
    }
}

static bool simulate(mcts_thread *t)
{
    int side;
    bool first_visit;
    size_t depth = ply_mcts_descend(t, &side, &first_visit);
    if (depth == SIZE_MAX)
        return false;
    mcts_node *leaf = &t->searcher->tree->nodes[t->path[depth]];
    if (mcts_proof_of(leaf) == PROOF_NONE) {
        /* Listing turns is expensive, so a node gets its turns on the second visit only. */
        if (t->whole_turns && depth > 0 && first_visit)
            prove_if_over(t, leaf);
        else if (ply_mcts_expand(t, leaf, depth == 0) && t->whole_turns &&
                 t->searcher->rules->search->in_check)
            prove_checking_turns(t, leaf, side);
    }
    ply_mcts_credit(t->searcher->tree, t->path, t->path_sides, depth, leaf_value(t, leaf));
    while (t->alphabeta->state.plies > t->root_plies)
        ply_mcts_undo_move(t);
    return !t->failed;
}

/* --- the answer ------------------------------------------------------------------------------ */
/* The score of a child for `side`, from its proof or its mean result. */
static int32_t score_of(const mcts_node *child, int side)
{
    uint8_t proof = mcts_proof_of(child);
    uint32_t visits = mcts_visits_of(child);
    if (proof == mcts_win_of(side))
        return PLY_SCORE_FORCED;
    if (proof == mcts_win_of(!side))
        return -PLY_SCORE_FORCED;
    if (proof == PROOF_DRAW || visits == 0)
        return 0;
    double mean = mean_of(child, visits);
    mean = mean > max_mean ? max_mean : mean < 1 - max_mean ? 1 - max_mean : mean;
    return (int32_t)(score_scale * log(mean / (1 - mean)));
}

/* Ranks the children for `side`: proved wins, then by visits, then proved losses. */
static double rank_of(const mcts_node *child, int side)
{
    uint8_t proof = mcts_proof_of(child);
    return (double)mcts_visits_of(child) + (proof == mcts_win_of(side)    ? proof_rank
                                            : proof == mcts_win_of(!side) ? -proof_rank
                                                                          : 0);
}

/* The child of highest rank that is not among `taken`; 0: none. */
static uint32_t best_child(const mcts_tree *tree, const mcts_node *node, int side,
                           const uint32_t *taken, size_t taken_count)
{
    uint32_t best = 0;
    for (uint32_t c = node->first_child; c < node->first_child + node->child_count; c++) {
        bool used = false;
        for (size_t i = 0; i < taken_count; i++)
            used = used || taken[i] == c;
        if (!used && (!best || rank_of(&tree->nodes[c], side) > rank_of(&tree->nodes[best], side)))
            best = c;
    }
    return best;
}

/* The variation that starts with a child of the root. Plays it on the thread's state and back. */
static void read_variation(mcts_thread *t, uint32_t child, ply_variation *variation)
{
    const mcts_tree *tree = t->searcher->tree;
    const ply_rules *rules = t->searcher->rules;
    ply_state *state = &t->alphabeta->state;
    variation->length = 0;
    for (uint32_t c = child; c && variation->length < PLY_PV_LIMIT;) {
        const mcts_node *node = &tree->nodes[c];
        if (c != child && mcts_visits_of(node) < 2)
            break;
        size_t count;
        const ply_move *moves = mcts_moves_of(tree, t->whole_turns, node, &count);
        for (size_t i = 0; i < count && variation->length < PLY_PV_LIMIT; i++)
            variation->moves[variation->length++] = moves[i];
        if (!mcts_is_expanded(node) || !ply_mcts_play_node(t, node))
            break;
        int side = rules->game->side(rules, state->position);
        c = best_child(tree, node, side, NULL, 0);
    }
    while (state->plies > t->root_plies)
        ply_mcts_undo_move(t);
}

/* Fills in the report's root moves. Without memory there are none. */
static void update_root(ply_searcher *s, const mcts_node *root)
{
    s->report.root_count = 0;
    if (!ply_array_grow(&s->root, &s->root_room, root->child_count, sizeof *s->root))
        return;
    for (uint32_t i = 0; i < root->child_count; i++) {
        const mcts_node *child = &s->tree->nodes[root->first_child + i];
        size_t count;
        uint32_t visits = mcts_visits_of(child);
        s->root[i] = (ply_root_move){
            .move = mcts_moves_of(s->tree, ply_mcts_uses_turns(s), child, &count)[0],
            .visits = visits,
            .prior = child->prior,
            .value = visits ? (float)(2 * mean_of(child, visits) - 1) : 0};
    }
    s->report.root = s->root;
    s->report.root_count = root->child_count;
}

void ply_mcts_update_answer(mcts_thread *t)
{
    ply_searcher *s = t->searcher;
    const mcts_tree *tree = s->tree;
    const mcts_node *root = &tree->nodes[MCTS_ROOT];
    int side = s->rules->game->side(s->rules, t->alphabeta->state.position);
    size_t wanted = search_multipv(s->time.limits), found = 0;
    uint32_t taken[MAX_MULTIPV];
    /* After an immediate stop, another thread may still be expanding the root. */
    while (mcts_is_expanded(root) && found < wanted) {
        uint32_t child = best_child(tree, root, side, taken, found);
        if (!child)
            break;
        taken[found] = child;
        ply_variation *variation = &s->variations[found++];
        variation->score = score_of(&tree->nodes[child], side);
        read_variation(t, child, variation);
        if ((int)variation->length > s->report.depth)
            s->report.depth = (int)variation->length;
    }
    s->report.selective_depth = s->report.depth;
    s->report.pv_count = found;
    if (mcts_is_expanded(root))
        update_root(s, root);
    uint64_t used = atomic_load_explicit(&tree->used, memory_order_relaxed);
    s->report.hashfull = (unsigned)(used * 1000 / tree->capacity);
}

/* Whether the depth limit is reached: by the best variation, or because the tree is full. */
static bool is_deep_enough(const ply_searcher *s)
{
    int depth = s->time.limits->depth;
    uint64_t used = atomic_load_explicit(&s->tree->used, memory_order_relaxed);
    return depth > 0 &&
           (s->report.depth >= depth || used + s->rules->max_moves >= s->tree->capacity);
}

bool ply_mcts_report(mcts_thread *t)
{
    if (t->number != 0 || ++t->simulations != t->next_report)
        return false;
    t->next_report *= 2;
    ply_mcts_update_answer(t);
    ply_search_report_progress(t->searcher);
    return is_deep_enough(t->searcher);
}

static void run_simulations(mcts_thread *t)
{
    time_control *time = &t->searcher->time;
    const mcts_node *root = &t->searcher->tree->nodes[MCTS_ROOT];
    bool deep_enough = false;
    while (!time_control_stopped(time) && mcts_proof_of(root) == PROOF_NONE && !deep_enough) {
        if (!simulate(t)) {
            t->failed = true;
            ply_time_control_stop(time);
            break;
        }
        ply_time_control_poll(time, 1);
        deep_enough = ply_mcts_report(t);
    }
}

static void run_thread(void *context, size_t piece, unsigned worker)
{
    (void)piece;
    mcts_thread *t = &((mcts_thread *)context)[worker];
    time_control *time = &t->searcher->time;
    if (ply_mcts_is_external(t->searcher))
        ply_mcts_run_external(t);
    else
        run_simulations(t);
    if (t->number == 0) {
        ply_time_control_wait(time);
        ply_time_control_stop(time);
        ply_mcts_update_answer(t);
    }
}

/* --- threads --------------------------------------------------------------------------------- */
static ply_status open_thread(mcts_thread *t, ply_searcher *s, const ply_state *state,
                              unsigned number)
{
    const ply_rules *rules = s->rules;
    t->searcher = s;
    t->number = number;
    t->next_report = FIRST_REPORT;
    t->evaluates =
        ply_mcts_is_external(s) || (s->options.kind == PLY_SEARCH_MCTS && rules->search->evaluate);
    t->whole_turns = ply_mcts_uses_turns(s);
    /* Accumulators of a whole position cost less to set up than to follow a long path. */
    t->follows =
        t->evaluates && !t->whole_turns && !ply_mcts_is_external(s) && rules->search->board;
    /* Every game of a match, and every position of it, gets different random choices. */
    t->rng = ply_rng_make(s->options.seed,
                          ply_mix64(rules->game->hash(rules, state->position) + s->game) + number);
    t->moves = malloc(rules->max_moves * sizeof *t->moves);
    t->scores = calloc(rules->max_moves, sizeof *t->scores);
    t->path = malloc(MCTS_MAX_PATH * sizeof *t->path);
    t->path_sides = malloc(MCTS_MAX_PATH);
    t->playout_position = calloc(1, rules->position_bytes);
    t->alphabeta = calloc(1, sizeof *t->alphabeta);
    t->root_plies = state->plies;
    if (!t->moves || !t->scores || !t->path || !t->path_sides || !t->playout_position ||
        !t->alphabeta)
        return PLY_NO_MEMORY;
    t->qsearch_limits.nodes = QSEARCH_NODES;
    t->qsearch_time.limits = &t->qsearch_limits;
    size_t max_plies = MCTS_MAX_PATH + PLAYOUT_PLIES + MAX_PLY + 2;
    ply_status status = ply_alphabeta_open(t->alphabeta, s, state, &t->qsearch_time, max_plies);
    if (status == PLY_OK && t->whole_turns) {
        t->turn_qsearch = ply_turn_qsearch_new(s, &t->alphabeta->state);
        status = t->turn_qsearch ? PLY_OK : PLY_NO_MEMORY;
    }
    return status;
}

static void close_thread(mcts_thread *t)
{
    if (t->has_playout_position)
        ply_game_clear(t->searcher->rules, t->playout_position);
    if (t->alphabeta)
        ply_alphabeta_close(t->alphabeta);
    free(t->alphabeta);
    free(t->playout_position);
    free(t->moves);
    free(t->scores);
    free(t->path);
    free(t->path_sides);
    ply_turn_qsearch_free(t->turn_qsearch);
    ply_turn_list_free(&t->turns);
}

ply_status ply_mcts_run(ply_searcher *searcher, const ply_state *state)
{
    bool whole_turns = ply_mcts_uses_turns(searcher);
    if (whole_turns && ply_planned_turn_continue(searcher, state))
        return PLY_OK;
    unsigned count = searcher->options.threads, opened = 0;
    if (searcher->options.exploration <= 0)
        searcher->options.exploration = default_exploration;
    mcts_thread *threads = calloc(count, sizeof *threads);
    if (!threads)
        return PLY_NO_MEMORY;
    ply_status status = PLY_OK;
    mcts_tree *tree = searcher->tree;
    atomic_init(&tree->used, MCTS_ROOT + 1);
    atomic_init(&tree->turn_used, 0);
    tree->nodes[MCTS_ROOT] = (mcts_node){0};
    while (opened < count && status == PLY_OK) {
        status = open_thread(&threads[opened], searcher, state, opened);
        opened++;
    }
    ply_time_control_stop_softly(&searcher->time);
    if (status == PLY_OK)
        ply_workers_run_all(searcher->workers, run_thread, threads);
    if (status == PLY_OK && whole_turns && searcher->report.pv_count > 0)
        ply_planned_turn_set(searcher, &threads[0].alphabeta->state);
    for (unsigned i = 0; i < opened; i++) {
        if (threads[i].failed || (threads[i].alphabeta && threads[i].alphabeta->failed))
            status = PLY_NO_MEMORY;
        close_thread(&threads[i]);
    }
    free(threads);
    return status;
}
