/* SPDX-License-Identifier: MIT */
/*
 * own_evaluator.c - Monte-Carlo tree search with an evaluator of one's own, as in AlphaZero.
 *
 * A neural network would take the place of `evaluate`: it gets up to 32 positions at once, and gives
 * a prior for each legal move and a value. This one counts the pieces of Neighbours.
 */
#include <plyverse/plyverse.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct material {
    const ply_rules *rules;
    size_t calls, positions;
} material;

static int count_bits(uint64_t board)
{
    int count = 0;
    for (; board; board &= board - 1)
        count++;
    return count;
}

static void evaluate(void *context, ply_search_leaf *leaves, size_t count)
{
    material *m = context;
    m->calls++;
    m->positions += count;
    for (size_t i = 0; i < count; i++) {
        neighbours_boards boards = neighbours_position_boards(m->rules, leaves[i].position);
        leaves[i].value = (float)(count_bits(boards.current) - count_bits(boards.next)) / 6;
        for (size_t k = 0; k < leaves[i].move_count; k++) /* captures look promising */
            leaves[i].priors[k] =
                neighbours_get(boards.next, neighbours_move_to(leaves[i].moves[k])) ? 3 : 1;
    }
}

int main(void)
{
    ply_rules rules;
    ply_state state;
    if (ply_rules_make(&rules, ply_game_find("neighbours"), NULL, NULL) != PLY_OK ||
        ply_state_init(&state, &rules) != PLY_OK)
        return EXIT_FAILURE;
    material m = {.rules = &rules};
    ply_search_options options = {.kind = PLY_SEARCH_MCTS,
                                  .evaluator = evaluate,
                                  .evaluator_context = &m,
                                  .evaluator_batch = 32};
    ply_searcher *searcher = ply_searcher_new(&rules, &options);
    ply_search_limits limits = {.nodes = 2000};
    ply_search_report report;
    if (!searcher || ply_searcher_run(searcher, &state, &limits, NULL, NULL, &report) != PLY_OK)
        return EXIT_FAILURE;
    printf("%llu simulations, at most 32 positions a call: %s\n", (unsigned long long)report.nodes,
           m.positions > 8 * m.calls ? "well filled" : "badly filled");
    /* The visit counts are what a policy learns from, the mean values what a value learns from. */
    uint32_t visits = 0, most = 0;
    for (size_t i = 0; i < report.root_count; i++) {
        visits += report.root[i].visits;
        most = report.root[i].visits > most ? report.root[i].visits : most;
    }
    printf("%zu root moves, %u visits, the first prior is %.4f\n", report.root_count, visits,
           (double)report.root[0].prior);
    const ply_root_move *chosen = NULL;
    for (size_t i = 0; i < report.root_count && !chosen; i++)
        if (report.root[i].visits == most)
            chosen = &report.root[i];
    printf("the answer is the most visited move: %s\n",
           chosen->move == report.pv[0].moves[0] ? "yes" : "no");
    ply_searcher_free(searcher);
    ply_state_free(&state);
    return EXIT_SUCCESS;
}
