/* SPDX-License-Identifier: MIT */
/*
 * test_external.c - MCTS with an evaluator of the caller's own, against a plain PUCT search.
 *
 * The reference builds its tree with states and floating-point sums that the library's integers
 * represent exactly, because all values are multiples of 1/8.
 */
#include "core/hash.h"
#include "support/support.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the evaluator: values and priors that depend on the key of the position ------------------ */
typedef struct evaluator_log {
    const ply_rules *rules;
    size_t calls, leaves, largest, roots;
} evaluator_log;

static float key_value(uint64_t key)
{
    return (float)((int)(ply_mix64(key) % 17) - 8) / 8.0f;
}

static float move_weight(uint64_t key, ply_move move)
{
    return (float)(1 + ply_mix64(key + move) % 7);
}

static void evaluate(void *context, ply_search_leaf *leaves, size_t count)
{
    evaluator_log *log = context;
    log->calls++;
    log->leaves += count;
    log->largest = count > log->largest ? count : log->largest;
    for (size_t i = 0; i < count; i++) {
        ply_search_leaf *leaf = &leaves[i];
        uint64_t key = log->rules->game->hash(log->rules, leaf->position);
        log->roots += leaf->is_root;
        assert_int_equal(ply_game_count_moves(log->rules, leaf->position), leaf->move_count);
        for (size_t m = 0; m < leaf->move_count; m++) {
            assert_true(leaf->priors[m] == 1);
            leaf->priors[m] = move_weight(key, leaf->moves[m]);
        }
        leaf->value = key_value(key);
    }
}

/* --- the reference ---------------------------------------------------------------------------- */
typedef struct node {
    struct node *children;
    ply_move move;
    size_t child_count;
    double prior, points; /* points: wins of the player who moved here */
    uint32_t visits;
    bool expanded;
    int proof; /* 0: none; 1 and 2: player 0 or 1 wins; 3: draw */
} node;

static void free_children(node *n)
{
    for (size_t i = 0; i < n->child_count; i++)
        free_children(&n->children[i]);
    free(n->children);
}

static void expand(node *n, const ply_state *s)
{
    ply_move moves[PLY_STACK_MOVES];
    uint64_t key = ply_state_key(s);
    n->child_count = ply_state_moves(s, moves, PLY_STACK_MOVES);
    n->children = calloc(n->child_count, sizeof *n->children);
    double sum = 0;
    for (size_t i = 0; i < n->child_count; i++)
        sum += (double)move_weight(key, moves[i]);
    for (size_t i = 0; i < n->child_count; i++) {
        n->children[i].move = moves[i];
        n->children[i].prior = (double)(float)((double)move_weight(key, moves[i]) / sum);
    }
    n->expanded = true;
}

static node *pick(node *n, int side, double unvisited)
{
    node *best = n->children;
    double most = -1e9, root_visits = sqrt((double)n->visits + 1);
    for (size_t i = 0; i < n->child_count; i++) {
        node *c = &n->children[i];
        double mean = c->visits ? c->points / (double)c->visits : unvisited;
        double value = mean + 1.5 * c->prior * root_visits / (1 + (double)c->visits);
        if (c->proof == 1 + !side)
            value -= 1e8;
        if (c->proof == 1 + side)
            value += 1e8;
        if (value > most) {
            most = value;
            best = c;
        }
    }
    return best;
}

static void prove(node *n, int side)
{
    bool all = n->child_count > 0, draw = false;
    for (size_t i = 0; i < n->child_count; i++) {
        if (n->children[i].proof == 1 + side) {
            n->proof = 1 + side;
            return;
        }
        all = all && n->children[i].proof;
        draw = draw || n->children[i].proof == 3;
    }
    if (all)
        n->proof = draw ? 3 : 1 + !side;
}

/* One simulation; returns the value for player 0, from 0 to 1. */
static double simulate(node *n, ply_state *s, double unvisited, bool root)
{
    int side = ply_state_side(s);
    n->visits++;
    if (n->proof && !root)
        return n->proof == 3 ? 0.5 : n->proof == 1;
    if (!n->expanded) {
        ply_result result = ply_state_outcome(s).result;
        if (result != PLY_ONGOING && !root) {
            n->proof = result == PLY_DRAW ? 3 : result == PLY_FIRST_WINS ? 1 : 2;
            return n->proof == 3 ? 0.5 : n->proof == 1;
        }
        expand(n, s);
        double value = (double)key_value(ply_state_key(s));
        return (1 + (side ? -value : value)) / 2;
    }
    node *child = pick(n, side, unvisited);
    assert_int_equal(ply_state_play(s, child->move), PLY_OK);
    double mean = child->visits ? child->points / (double)child->visits : 0.5;
    int next = ply_state_side(s);
    double value = simulate(child, s, (next == side ? mean : 1 - mean) - 0.15, false);
    ply_state_undo(s);
    child->points += side == 0 ? value : 1 - value;
    if (child->proof)
        prove(n, side);
    return value;
}

/* --- tests ------------------------------------------------------------------------------------ */
static void compare(const char *game, const char *variant, const char *moves, uint64_t simulations)
{
    ply_rules rules;
    ply_state state;
    test_make_rules(&rules, game, variant);
    test_make_state(&state, &rules, NULL);
    assert_int_equal(ply_state_play_text(&state, moves, strlen(moves), NULL), PLY_OK);
    evaluator_log log = {.rules = &rules};
    ply_search_options options = {.kind = PLY_SEARCH_MCTS,
                                  .evaluator = evaluate,
                                  .evaluator_context = &log,
                                  .evaluator_batch = 1};
    ply_searcher *searcher = ply_searcher_new(&rules, &options);
    assert_non_null(searcher);
    ply_search_limits limits = {.nodes = simulations};
    ply_search_report report;
    assert_int_equal(ply_searcher_run(searcher, &state, &limits, NULL, NULL, &report), PLY_OK);
    assert_int_equal(log.largest, 1);
    assert_int_equal(log.roots, 1);

    node root = {0};
    uint64_t done = 0;
    for (; done < simulations && !root.proof; done++)
        simulate(&root, &state, 0.5, true);
    assert_int_equal(report.nodes, done);
    assert_int_equal(report.root_count, root.child_count);
    for (size_t i = 0; i < root.child_count; i++) {
        const node *c = &root.children[i];
        assert_true(report.root[i].move == c->move);
        assert_int_equal(report.root[i].visits, c->visits);
        assert_true(fabs((double)report.root[i].prior - c->prior) < 1e-6);
        if (c->visits)
            assert_true(fabs((double)report.root[i].value -
                             (2 * c->points / (double)c->visits - 1)) < 1e-6);
    }
    free_children(&root);
    ply_searcher_free(searcher);
    ply_state_free(&state);
}

static void test_equals_plain_puct(void **state)
{
    (void)state;
    compare("neighbours", NULL, "", 3000);
    compare("neighbours", "jump", "a1a2", 3000);
    compare("checkers", NULL, "", 3000);
    compare("shogi", NULL, "7g7f", 1000);
    compare("gomoku", ":width=5,height=5,row=4", "", 2000); /* proofs */
    compare("gomoku", ":width=5,height=5,row=3", "", 5000);
}

static void test_batches(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state start;
    test_make_rules(&rules, "neighbours", NULL);
    test_make_state(&start, &rules, NULL);
    for (unsigned batch = 2; batch <= 64; batch *= 2) {
        evaluator_log log = {.rules = &rules};
        ply_search_options options = {.kind = PLY_SEARCH_MCTS,
                                      .evaluator = evaluate,
                                      .evaluator_context = &log,
                                      .evaluator_batch = batch};
        ply_searcher *searcher = ply_searcher_new(&rules, &options);
        ply_search_limits limits = {.nodes = 4000};
        ply_search_report report;
        assert_int_equal(ply_searcher_run(searcher, &start, &limits, NULL, NULL, &report), PLY_OK);
        assert_true(log.largest <= batch && log.largest > batch / 2);
        assert_int_equal(log.roots, 1);
        assert_true(log.calls < log.leaves);
        /* Every simulation but the first goes through a root move, and all have been credited. */
        uint64_t visits = 0;
        for (size_t i = 0; i < report.root_count; i++)
            visits += report.root[i].visits;
        assert_int_equal(visits, report.nodes - 1);
        assert_int_equal(report.pv[0].moves[0] != PLY_MOVE_NONE, 1);
        ply_searcher_free(searcher);
    }
    ply_state_free(&start);
}

/* The usual MCTS reports its root as well. */
static void test_root_report(void **state)
{
    (void)state;
    ply_rules rules;
    ply_state start;
    test_make_rules(&rules, "shogi", NULL);
    test_make_state(&start, &rules, NULL);
    ply_searcher *searcher =
        ply_searcher_new(&rules, &(ply_search_options){.kind = PLY_SEARCH_PLAYOUTS});
    ply_search_report report;
    ply_search_limits limits = {.nodes = 500};
    assert_int_equal(ply_searcher_run(searcher, &start, &limits, NULL, NULL, &report), PLY_OK);
    assert_int_equal(report.root_count, 30);
    uint64_t visits = 0;
    double priors = 0;
    for (size_t i = 0; i < report.root_count; i++) {
        visits += report.root[i].visits;
        priors += (double)report.root[i].prior;
        assert_true(report.root[i].value >= -1 && report.root[i].value <= 1);
    }
    assert_int_equal(visits, report.nodes - 1);
    assert_true(fabs(priors - 1) < 1e-5);
    ply_searcher_free(searcher);
    ply_state_free(&start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_plain_puct),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_root_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
