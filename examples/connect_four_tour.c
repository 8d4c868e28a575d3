/* SPDX-License-Identifier: MIT */
/*
 * connect_four_tour.c - the library at work on a game it has never heard of: perft, search, a
 * forced win with its proof, and a game record.
 */
#include "connect_four.h"
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *what, const ply_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
    return EXIT_FAILURE;
}

static void print_position(const ply_state *state)
{
    ply_text text = ply_text_growing();
    ply_game_draw(state->rules, state->position, PLY_MOVE_NONE, 0, &text);
    fputs(ply_text_cstr(&text), stdout);
    ply_text_free(&text);
}

static void print_moves(const ply_state *from, const ply_move *moves, size_t count)
{
    ply_state state;
    ply_text text = ply_text_growing();
    if (ply_state_copy(&state, from) != PLY_OK)
        return;
    for (size_t i = 0; i < count && ply_state_play(&state, moves[i]) == PLY_OK; i++) {
        ply_text_char(&text, ' ');
        state.rules->game->format_move(state.rules, state.position, moves[i], &text);
    }
    puts(ply_text_cstr(&text));
    ply_text_free(&text);
    ply_state_free(&state);
}

int main(void)
{
    ply_rules rules;
    ply_state state;
    ply_error error = {0};
    uint64_t nodes;
    if (ply_rules_make(&rules, &connect_four_game, "standard", &error) != PLY_OK)
        return fail("rules", &error);
    if (ply_state_init(&state, &rules) != PLY_OK)
        return EXIT_FAILURE;

    ply_perft_options perft = {.threads = 2};
    if (ply_perft(&state, 8, &perft, &nodes, NULL, NULL) != PLY_OK)
        return EXIT_FAILURE;
    printf("perft 8: %llu\n", (unsigned long long)nodes);

    /* Red threatens to build an open three. */
    if (ply_state_play_text(&state, "d d e e", 7, &error) != PLY_OK)
        return fail("moves", &error);
    print_position(&state);

    ply_search_options options = {.kind = PLY_SEARCH_ALPHABETA};
    ply_searcher *searcher = ply_searcher_new(&rules, &options);
    ply_search_limits limits = {.depth = 10};
    ply_search_report report;
    if (!searcher || ply_searcher_run(searcher, &state, &limits, NULL, NULL, &report) != PLY_OK)
        return EXIT_FAILURE;
    ply_text score = ply_text_growing();
    ply_score_text(report.pv[0].score, &score);
    printf("search: %s,", ply_text_cstr(&score));
    print_moves(&state, report.pv[0].moves, report.pv[0].length);
    ply_text_free(&score);
    ply_searcher_free(searcher);

    ply_solver *solver = ply_solver_new(&rules, ply_goal_find(&connect_four_game, "win"), NULL);
    ply_solve_limits all = {.shortest = true};
    ply_solve_report solved;
    if (!solver || ply_solver_run(solver, state.position, &all, NULL, NULL, &solved) != PLY_OK)
        return EXIT_FAILURE;
    printf("solver: win in %u,", solved.plies);
    print_moves(&state, solved.pv, solved.pv_length);
    ply_solver_free(solver);
    ply_state_free(&state);
    return EXIT_SUCCESS;
}
