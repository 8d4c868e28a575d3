/* SPDX-License-Identifier: MIT */
/*
 * mcts.c - Monte-Carlo tree search, with and without an evaluation.
 *
 * The tree lives in one array with a fixed bound: nodes name each other by index, the children of
 * a node stand side by side, and when the array is full the tree stops growing but goes on
 * learning. Threads share the tree: a node is expanded by whoever gets there first, counts are
 * added atomically, and a visit is counted on the way down, so that others look elsewhere until
 * its result is in.
 *
 *                         playouts                            judged (where the game evaluates)
 *     value of a leaf     a random game to its end            the quiet search's score, as a chance
 *     which child next    upper confidence bound,             the game's own order as a prior:
 *                         untried ones first, at random       good-looking moves get most visits
 *
 * A position whose result is known for certain (the game is over, a child wins, or all children are
 * known) is marked as proved and is not looked into again. Proofs name the winner and not the
 * player to move, so a turn may be several moves.
 *
 * Where the game lists good turns and leaves are judged, a node is the start of a turn and a child
 * a whole turn, whose moves stand in an array beside the nodes: half-made turns say little, and
 * with many boards there are thousands of moves. Turns that were not listed may be better than
 * those that were, so a loss of all is no proof unless the list was complete.
 */
#include "core/hash.h"
#include "search/mcts_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLAYOUT_PLIES = 200,
    PLAYOUT_STEP = 2,
    QUIET_NODES = 1000,
    PATH_LIMIT = 600,
    POINTS_WIN = 1 << 12,
    TELL_EVERY = 1 << 12,
    QUIET_TURNS = 2, /* looked ahead at a leaf */
};
static const double chance_scale = 200;  /* hundredths of a piece to the natural unit of chances */
static const double prior_weight = 1.5;  /* how much the prior pulls */
static const double untried_less = 0.15; /* what an untried child is worth less than its parent */

/* --- choosing a child ----------------------------------------------------------------------- */
/* Reports are made while other threads go on. */
static uint32_t visits_of(const mcts_node *node)
{
    return __atomic_load_n(&node->visits, __ATOMIC_RELAXED);
}

/* The share of points of the player who moved here; visits are not 0. */
static double share_of(const mcts_node *node, uint32_t visits)
{
    return (double)__atomic_load_n(&node->points, __ATOMIC_RELAXED) / (POINTS_WIN * (double)visits);
}

/* What a child promises; untried: what it is worth before it has been looked at. */
static double promise_of(mcts_thread *t, const mcts_node *child, double root_of_visits,
                         double log_visits, double untried)
{
    uint32_t visits = visits_of(child);
    if (t->judged)
        return (visits ? share_of(child, visits) : untried) +
               prior_weight * (double)child->prior * root_of_visits / (1 + (double)visits);
    if (visits == 0)
        return 1e6 + (double)ply_rng_below(&t->rng, 1 << 16); /* in any order */
    return share_of(child, visits) + 0.7 * sqrt(log_visits / (double)visits);
}

/* The child that promises most to `side`; a proof outweighs any count. */
static uint32_t select_child(mcts_thread *t, const mcts_node *node, int side, double untried)
{
    const mcts_tree *tree = t->searcher->tree;
    double parent_visits = (double)visits_of(node) + 1, best = -1e9;
    double log_visits = log(parent_visits), root_of_visits = sqrt(parent_visits);
    uint32_t chosen = node->first_child;
    for (uint32_t c = node->first_child; c < node->first_child + node->child_count; c++) {
        const mcts_node *child = &tree->nodes[c];
        double value = promise_of(t, child, root_of_visits, log_visits, untried);
        uint8_t proved = mcts_proved_of(child);
        if (proved == mcts_win_of(!side))
            value -= 1e8; /* only if there is nothing else */
        if (proved == mcts_win_of(side))
            value += 1e8;
        if (value > best) {
            best = value;
            chosen = c;
        }
    }
    return chosen;
}

/* What the children prove about a node at which `side` moves. */
static void prove(mcts_tree *tree, mcts_node *node, int side)
{
    bool whole = __atomic_load_n(&node->state, __ATOMIC_RELAXED) == OPEN;
    bool all = node->child_count > 0 && whole, draw = false;
    for (uint32_t i = 0; i < node->child_count; i++) {
        uint8_t child = mcts_proved_of(&tree->nodes[node->first_child + i]);
        if (child == mcts_win_of(side)) {
            __atomic_store_n(&node->proved, child, __ATOMIC_RELAXED);
            return;
        }
        all = all && child != UNKNOWN;
        draw = draw || child == PROVED_DRAW;
    }
    if (all)
        __atomic_store_n(&node->proved, draw ? PROVED_DRAW : mcts_win_of(!side), __ATOMIC_RELAXED);
}

/* --- the value of a leaf, as the chance of player 0 ----------------------------------------- */
static double chance_of(int32_t score, int side)
{
    double chance = 1 / (1 + exp(-(double)score / chance_scale));
    return side == 0 ? chance : 1 - chance;
}

static double outcome_value(ply_result result)
{
    return result == PLY_FIRST_WINS ? 1 : result == PLY_SECOND_WINS ? 0 : 0.5;
}

/* Plays to the end at random; a game too long is judged by the evaluation's sign. */
static double play_out(mcts_thread *t)
{
    const ply_rules *rules = t->searcher->rules;
    ply_outcome outcome = {PLY_ONGOING, NULL};
    ply_state *line = &t->eyes->state;
    const void *last = line->position;
    size_t plies = line->plies;
    double value;
    if (rules->counting->playout) {
        if (t->has_scratch)
            ply_game_clear(rules, t->scratch);
        t->has_scratch = ply_game_copy(rules, t->scratch, line->position) == PLY_OK;
        if (!t->has_scratch) {
            t->failed = true;
            return 0.5;
        }
        last = t->scratch;
        /* A playout must not hold up a stop: where positions own memory it is slow, so in steps. */
        size_t step = rules->game->copy ? PLAYOUT_STEP : PLAYOUT_PLIES;
        for (size_t played = 0; played < PLAYOUT_PLIES && outcome.result == PLY_ONGOING &&
                                !search_clock_stopped(&t->searcher->clock);
             played += step) {
            rules->counting->playout(rules, t->scratch, &t->rng, step, &outcome);
            if (step < PLAYOUT_PLIES)
                ply_search_clock_poll(&t->searcher->clock, 0);
        }
    } else {
        for (int i = 0; i < PLAYOUT_PLIES; i++) {
            outcome = ply_state_outcome(line);
            if (outcome.result != PLY_ONGOING)
                break;
            size_t count = rules->game->moves(rules, line->position, t->moves);
            if (ply_state_play(line, t->moves[ply_rng_below(&t->rng, (uint32_t)count)]) != PLY_OK)
                break;
        }
    }
    if (outcome.result == PLY_ONGOING) {
        int32_t score = ply_game_evaluate(rules, last);
        int side = rules->game->side(rules, last);
        value = score == 0 ? 0.5 : (score > 0) == (side == 0) ? 1 : 0;
    } else {
        value = outcome_value(outcome.result);
    }
    while (line->plies > plies)
        ply_state_undo(line);
    return value;
}

static double value_of_leaf(mcts_thread *t, const mcts_node *node)
{
    uint8_t proved = mcts_proved_of(node);
    if (proved != UNKNOWN)
        return proved == PROVED_DRAW ? 0.5 : proved == PROVED_FIRST ? 1 : 0;
    if (!t->judged)
        return play_out(t);
    const ply_rules *rules = t->searcher->rules;
    const void *position = t->eyes->state.position;
    int side = rules->game->side(rules, position);
    if (t->turn_eyes) {
        int32_t score;
        if (!ply_turn_search_eye_look(t->turn_eyes, QUIET_TURNS, &score))
            score = ply_game_evaluate(rules, position);
        return chance_of(score, side);
    }
    ply_search_clock_start(&t->calm, &t->quiet_limits, side);
    int32_t score = ply_qsearch(t->eyes);
    /* A position that does not come to rest is taken as it stands. */
    return chance_of(search_clock_stopped(&t->calm) ? ply_game_evaluate(rules, position) : score,
                     side);
}

/* Marks a node where the game is over. */
static void settle(mcts_thread *t, mcts_node *node)
{
    ply_outcome outcome = ply_state_outcome(&t->eyes->state);
    if (outcome.result != PLY_ONGOING)
        __atomic_store_n(&node->proved, mcts_proved_by(outcome), __ATOMIC_RELAXED);
}

/* Looks behind the turns that threaten at once: one of them may end the game. */
static void look_behind(mcts_thread *t, mcts_node *node, int side)
{
    mcts_tree *tree = t->searcher->tree;
    const ply_rules *rules = t->searcher->rules;
    for (uint32_t i = 0; i < node->child_count && mcts_proved_of(node) == UNKNOWN; i++) {
        mcts_node *child = &tree->nodes[node->first_child + i];
        if (ply_mcts_stopped(t) || !ply_mcts_play_node(t, child))
            return;
        if (rules->search->in_check(rules, t->eyes->state.position))
            settle(t, child);
        ply_mcts_undo_node(t, child);
        if (mcts_proved_of(child) != UNKNOWN)
            prove(tree, node, side);
    }
}

/* --- one simulation ------------------------------------------------------------------------- */
static bool simulate(mcts_thread *t)
{
    mcts_tree *tree = t->searcher->tree;
    const ply_rules *rules = t->searcher->rules;
    ply_state *line = &t->eyes->state;
    size_t depth = 0;
    mcts_node *node = &tree->nodes[1];
    int side = rules->game->side(rules, line->position);
    double untried = 0.5;
    bool fresh = true; /* nobody has been at the node before */
    t->path[0] = 1;
    __atomic_fetch_add(&node->visits, 1, __ATOMIC_RELAXED);
    while (mcts_is_open(node) && node->child_count > 0 && depth + 1 < PATH_LIMIT &&
           (depth == 0 || mcts_proved_of(node) == UNKNOWN)) {
        uint32_t child = select_child(t, node, side, untried);
        if (!ply_mcts_play_node(t, &tree->nodes[child]))
            return false;
        t->path[++depth] = child;
        t->sides[depth] = (uint8_t)side;
        node = &tree->nodes[child];
        uint32_t visits = __atomic_fetch_add(&node->visits, 1, __ATOMIC_RELAXED);
        fresh = visits == 0;
        int next = rules->game->side(rules, line->position);
        /* What is known of the node is what its untried children are worth, a little less. */
        double share = visits ? share_of(node, visits) : 0.5;
        untried = (next == side ? share : 1 - share) - untried_less;
        side = next;
    }
    /* Listing turns costs much: a turn is looked behind first, and gone on with when it is back. */
    if (mcts_proved_of(node) == UNKNOWN && t->by_turns && depth > 0 && fresh)
        settle(t, node);
    else if (mcts_proved_of(node) == UNKNOWN && ply_mcts_expand(t, node, depth == 0) &&
             t->by_turns && rules->search->in_check)
        look_behind(t, node, side);
    double value = value_of_leaf(t, node);
    for (size_t i = depth; i > 0; i--) {
        mcts_node *n = &tree->nodes[t->path[i]];
        double points = t->sides[i] == 0 ? value : 1 - value;
        __atomic_fetch_add(&n->points, (uint64_t)(points * POINTS_WIN + 0.5), __ATOMIC_RELAXED);
        if (mcts_proved_of(n) != UNKNOWN)
            prove(tree, &tree->nodes[t->path[i - 1]], t->sides[i]);
        ply_mcts_undo_node(t, n);
    }
    return !t->failed;
}

/* --- the answer ----------------------------------------------------------------------------- */
/* Hundredths of a piece from a share of points; a proof is a win in sight. */
static int32_t score_of(const mcts_node *child, int side)
{
    uint8_t proved = mcts_proved_of(child);
    uint32_t visits = visits_of(child);
    if (proved == mcts_win_of(side))
        return PLY_SCORE_FORCED;
    if (proved == mcts_win_of(!side))
        return -PLY_SCORE_FORCED;
    if (proved == PROVED_DRAW || visits == 0)
        return 0;
    double share = share_of(child, visits);
    share = share > 0.999 ? 0.999 : share < 0.001 ? 0.001 : share;
    return (int32_t)(chance_scale * log(share / (1 - share)));
}

/* Which child `side` should play: a proved win, then the most visited that is no proved loss. */
static double rank_of(const mcts_node *child, int side)
{
    uint8_t proved = mcts_proved_of(child);
    return (double)visits_of(child) + (proved == mcts_win_of(side)    ? 1e12
                                       : proved == mcts_win_of(!side) ? -1e12
                                                                      : 0);
}

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

/* The line behind a child of the root, walked on the thread's own state and back. */
static void report_line(mcts_thread *t, uint32_t child, ply_variation *line)
{
    const mcts_tree *tree = t->searcher->tree;
    const ply_rules *rules = t->searcher->rules;
    ply_state *state = &t->eyes->state;
    line->length = 0;
    for (uint32_t c = child; c && line->length < PLY_PV_LIMIT;) {
        if (c != child && visits_of(&tree->nodes[c]) < 2)
            break;
        size_t count;
        const ply_move *moves = mcts_moves_of(tree, t->by_turns, &tree->nodes[c], &count);
        for (size_t i = 0; i < count && line->length < PLY_PV_LIMIT; i++)
            line->moves[line->length++] = moves[i];
        if (!mcts_is_open(&tree->nodes[c]) || !ply_mcts_play_node(t, &tree->nodes[c]))
            break;
        int side = rules->game->side(rules, state->position);
        c = best_child(tree, &tree->nodes[c], side, NULL, 0);
    }
    while (state->plies > t->root_plies)
        ply_state_undo(state);
}

static void report(mcts_thread *t)
{
    ply_searcher *s = t->searcher;
    const mcts_tree *tree = s->tree;
    const mcts_node *root = &tree->nodes[1];
    int side = s->rules->game->side(s->rules, t->eyes->state.position);
    size_t wanted = s->clock.limits->multipv ? s->clock.limits->multipv : 1;
    uint32_t taken[SEARCH_LINES];
    size_t found = 0;
    /* Stopped at once, another thread may still be opening the root. */
    while (mcts_is_open(root) && found < wanted && found < SEARCH_LINES) {
        uint32_t child = best_child(tree, root, side, taken, found);
        if (!child)
            break;
        taken[found] = child;
        ply_variation *line = &s->lines[found++];
        line->score = score_of(&tree->nodes[child], side);
        report_line(t, child, line);
        if ((int)line->length > s->report.depth)
            s->report.depth = (int)line->length;
    }
    s->report.selective_depth = s->report.depth;
    s->report.pv_count = found;
    s->report.table_full =
        (unsigned)(__atomic_load_n(&tree->used, __ATOMIC_RELAXED) * 1000 / tree->capacity);
}

static void think(void *context, size_t piece, unsigned worker)
{
    (void)piece;
    mcts_thread *t = &((mcts_thread *)context)[worker];
    search_clock *clock = &t->searcher->clock;
    uint64_t told = TELL_EVERY;
    const mcts_node *root = &t->searcher->tree->nodes[1];
    bool deep_enough = false;
    while (!search_clock_stopped(clock) && mcts_proved_of(root) == UNKNOWN && !deep_enough) {
        if (!simulate(t)) {
            t->failed = true;
            ply_search_clock_stop(clock);
            break;
        }
        ply_search_clock_poll(clock, 1);
        if (t->number == 0 && ++t->simulations == told) {
            told *= 2;
            report(t);
            ply_search_report_progress(t->searcher);
            /* A depth is reached when the best line has that length, or can grow no more. */
            const mcts_tree *tree = t->searcher->tree;
            int depth = clock->limits->depth;
            deep_enough = depth > 0 && (t->searcher->report.depth >= depth ||
                                        __atomic_load_n(&tree->used, __ATOMIC_RELAXED) +
                                                t->searcher->rules->max_moves >=
                                            tree->capacity);
        }
    }
    if (t->number == 0) {
        ply_search_clock_wait(clock);
        ply_search_clock_stop(clock);
        report(t);
    }
}

/* --- threads -------------------------------------------------------------------------------- */
static ply_status open_thread(mcts_thread *t, ply_searcher *s, const ply_state *state,
                              unsigned number)
{
    const ply_rules *rules = s->rules;
    t->searcher = s;
    t->number = number;
    t->judged = s->options.kind == PLY_SEARCH_MCTS && rules->search->evaluate;
    t->by_turns = ply_mcts_plays_turns(s);
    /* Every game and every position of it has random games of its own. */
    t->rng = ply_rng_make(s->options.seed,
                          ply_mix64(rules->game->hash(rules, state->position) + s->game) + number);
    t->moves = malloc(rules->max_moves * sizeof *t->moves);
    t->scores = calloc(rules->max_moves, sizeof *t->scores);
    t->path = malloc(PATH_LIMIT * sizeof *t->path);
    t->sides = malloc(PATH_LIMIT);
    t->scratch = calloc(1, rules->position_bytes);
    t->eyes = calloc(1, sizeof *t->eyes);
    t->root_plies = state->plies;
    if (!t->moves || !t->scores || !t->path || !t->sides || !t->scratch || !t->eyes)
        return PLY_NO_MEMORY;
    t->quiet_limits.nodes = QUIET_NODES;
    t->calm.limits = &t->quiet_limits;
    size_t room = PATH_LIMIT + PLAYOUT_PLIES + MAX_PLY + 2;
    ply_status status = ply_alphabeta_open(t->eyes, s, state, &t->calm, room);
    if (status == PLY_OK && t->by_turns) {
        t->turn_eyes = ply_turn_search_eye_new(s, &t->eyes->state);
        status = t->turn_eyes ? PLY_OK : PLY_NO_MEMORY;
    }
    return status;
}

static void close_thread(mcts_thread *t)
{
    if (t->has_scratch)
        ply_game_clear(t->searcher->rules, t->scratch);
    if (t->eyes)
        ply_alphabeta_close(t->eyes);
    free(t->eyes);
    free(t->scratch);
    free(t->moves);
    free(t->scores);
    free(t->path);
    free(t->sides);
    ply_turn_search_eye_free(t->turn_eyes);
    free(t->list.turns);
    free(t->list.moves);
}

ply_status ply_mcts_run(ply_searcher *searcher, const ply_state *state)
{
    if (ply_mcts_plays_turns(searcher) && ply_turn_search_go_on(searcher, state))
        return PLY_OK;
    unsigned count = searcher->options.threads;
    mcts_thread *threads = calloc(count, sizeof *threads);
    if (!threads)
        return PLY_NO_MEMORY;
    ply_status status = PLY_OK;
    searcher->tree->used = 2;
    searcher->tree->turn_used = 0;
    searcher->tree->nodes[1] = (mcts_node){0};
    unsigned opened = 0;
    while (opened < count && status == PLY_OK) {
        status = open_thread(&threads[opened], searcher, state, opened);
        opened++;
    }
    if (status == PLY_OK)
        ply_workers_run_all(searcher->team, think, threads);
    if (status == PLY_OK && ply_mcts_plays_turns(searcher) && searcher->report.pv_count > 0)
        ply_turn_search_remember(searcher, &threads[0].eyes->state);
    for (unsigned i = 0; i < opened; i++) {
        if (threads[i].failed || (threads[i].eyes && threads[i].eyes->failed))
            status = PLY_NO_MEMORY;
        close_thread(&threads[i]);
    }
    free(threads);
    return status;
}
